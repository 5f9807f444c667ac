// nlohmann's parser compares each name with all before it in an object, and moves what an object holds by
// copying it; here members are gathered first.
#include "json_text.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "io_error.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_nesting = 256;
constexpr std::size_t max_members = 1 << 14;

/// An array or object that is not closed yet.
struct Open {
  bool object = false;
  bool foreign = false;            ///< below extras or extensions
  std::vector<std::string> names;  ///< of an object
  std::vector<Json> values;
};

/// Which members stay: the first of each name. Values of those that repeat it go there.
std::vector<char> drop_repeated(Open& open) {
  std::vector<std::size_t> by_name(open.names.size());
  std::iota(by_name.begin(), by_name.end(), 0);
  std::sort(by_name.begin(), by_name.end(), [&](std::size_t a, std::size_t b) {
    const int order = open.names[a].compare(open.names[b]);
    return order != 0 ? order < 0 : a < b;
  });
  std::vector<char> stays(by_name.size(), 1);
  std::size_t first = 0;
  for (std::size_t n = 1; n < by_name.size(); ++n) {
    if (open.names[by_name[n]] != open.names[by_name[first]]) {
      first = n;
      continue;
    }
    open.values[by_name[first]] = std::move(open.values[by_name[n]]);
    stays[by_name[n]] = 0;
  }
  return stays;
}

Json object_of(Open& open) {
  const std::vector<char> stays = drop_repeated(open);
  Json::object_t members;
  members.reserve(stays.size());
  for (std::size_t n = 0; n < stays.size(); ++n)
    if (stays[n]) members.emplace_back(std::move(open.names[n]), std::move(open.values[n]));
  return Json(std::move(members));
}

/// What nlohmann's parser calls; false ends it, `fault` says why.
struct TreeBuilder {
  std::vector<Open> open;
  Json root;
  std::string fault;
  bool is_json = true;

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Json::number_integer_t value) { return add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return add(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // JSON text has none
  bool start_object(std::size_t) { return start(true); }
  bool start_array(std::size_t) { return start(false); }

  bool key(std::string& name) {
    Open& object = open.back();
    object.names.push_back(std::move(name));
    if (object.foreign || object.names.size() <= max_members) return true;
    return refuse("its JSON has an object of more than " + std::to_string(max_members) + " members");
  }

  bool end_object() {
    Json object = object_of(open.back());
    open.pop_back();
    return add(std::move(object));
  }

  bool end_array() {
    Json array(std::move(open.back().values));
    open.pop_back();
    return add(std::move(array));
  }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    constexpr int overflow = 406;
    if (error.id == overflow) return refuse("a number in its JSON is out of range");
    is_json = false;
    return refuse("no valid JSON at byte " + std::to_string(position) + " of its text");
  }

 private:
  bool add(Json value) {
    if (open.empty())
      root = std::move(value);
    else
      open.back().values.push_back(std::move(value));
    return true;
  }

  bool start(bool object) {
    if (open.size() == max_nesting)
      return refuse("its JSON is nested deeper than " + std::to_string(max_nesting));
    const bool foreign = !open.empty() && (open.back().foreign || is_foreign(open.back()));
    open.push_back({object, foreign, {}, {}});
    return true;
  }

  /// Is what begins now not of glTF's own?
  static bool is_foreign(const Open& around) {
    return around.object && (around.names.back() == "extras" || around.names.back() == "extensions");
  }

  bool refuse(std::string why) {
    fault = std::move(why);
    return false;
  }
};

}  // namespace

Json parse_json(std::span<const std::uint8_t> text, const std::string& place, const std::string& wanted) {
  TreeBuilder builder;
  if (!Json::sax_parse(text.begin(), text.end(), &builder))
    throw ReadError(place + (builder.is_json ? ": " : ": not " + wanted + ": ") + builder.fault);
  return std::move(builder.root);
}

}  // namespace pelt
