#include "gltf_json.h"

#include "io_error.h"

namespace pelt {

using Json = nlohmann::ordered_json;

const Json& member(const Json& object, const char* name) {
  static const Json nothing = Json::array();
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

int integer_of(const Json& object, const char* name, int otherwise) {
  const auto found = object.find(name);
  return found == object.end() ? otherwise : found->get<int>();
}

std::string string_of(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? std::string() : found->get<std::string>();
}

std::string at(const std::string& array, std::size_t index) {
  return array + "[" + std::to_string(index) + "]";
}

void fail(const std::string& file, const std::string& place, const std::string& what) {
  throw ReadError(file + ": " + place + ": " + what);
}

}  // namespace pelt
