// The members of glTF 2.0 (section 5, properties reference) that shape a surface, as a table of rules.
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "gltf_json.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

enum class Kind { index, size, count, number, real, string, boolean, object };

/// Numbers below it round to floats that are finite; what shapes the surface must.
constexpr double beyond_floats = 0x1.ffffffp127;

/// `path` leads from the root: `[]` visits every element of an array, `{}` every member of an object, `!`
/// asks for the member to be there.
struct Rule {
  std::string_view path;
  Kind kind;
  const char* target = nullptr;  ///< array that an index points into
  std::size_t length = 0;        ///< of the array that a path ending in [] has; 0 = any
};

constexpr Rule rules[] = {
    {"extensionsUsed[]", Kind::string},
    {"extensionsRequired[]", Kind::string},
    {"buffers[].uri", Kind::string},
    {"buffers[].byteLength!", Kind::size},
    {"buffers[].extensions{}", Kind::object},
    {"buffers[].extensions.EXT_meshopt_compression.fallback", Kind::boolean},
    {"buffers[].extensions.KHR_meshopt_compression.fallback", Kind::boolean},
    {"bufferViews[].buffer!", Kind::index, "buffers"},
    {"bufferViews[].byteOffset", Kind::size},
    {"bufferViews[].byteLength!", Kind::size},
    {"bufferViews[].byteStride", Kind::count},
    {"bufferViews[].extensions{}", Kind::object},
    {"bufferViews[].extensions.EXT_meshopt_compression.buffer!", Kind::index, "buffers"},
    {"bufferViews[].extensions.EXT_meshopt_compression.byteOffset", Kind::size},
    {"bufferViews[].extensions.EXT_meshopt_compression.byteLength!", Kind::size},
    {"bufferViews[].extensions.EXT_meshopt_compression.byteStride!", Kind::count},
    {"bufferViews[].extensions.EXT_meshopt_compression.count!", Kind::size},
    {"bufferViews[].extensions.EXT_meshopt_compression.mode!", Kind::string},
    {"bufferViews[].extensions.EXT_meshopt_compression.filter", Kind::string},
    {"bufferViews[].extensions.KHR_meshopt_compression.buffer!", Kind::index, "buffers"},
    {"bufferViews[].extensions.KHR_meshopt_compression.byteOffset", Kind::size},
    {"bufferViews[].extensions.KHR_meshopt_compression.byteLength!", Kind::size},
    {"bufferViews[].extensions.KHR_meshopt_compression.byteStride!", Kind::count},
    {"bufferViews[].extensions.KHR_meshopt_compression.count!", Kind::size},
    {"bufferViews[].extensions.KHR_meshopt_compression.mode!", Kind::string},
    {"bufferViews[].extensions.KHR_meshopt_compression.filter", Kind::string},
    {"accessors[].bufferView", Kind::index, "bufferViews"},
    {"accessors[].byteOffset", Kind::size},
    {"accessors[].componentType!", Kind::count},
    {"accessors[].normalized", Kind::boolean},
    {"accessors[].count!", Kind::size},
    {"accessors[].type!", Kind::string},
    {"accessors[].min[]", Kind::number},
    {"accessors[].max[]", Kind::number},
    {"accessors[].sparse.count!", Kind::count},
    {"accessors[].sparse.indices!.bufferView!", Kind::index, "bufferViews"},
    {"accessors[].sparse.indices.byteOffset", Kind::count},
    {"accessors[].sparse.indices.componentType!", Kind::count},
    {"accessors[].sparse.values!.bufferView!", Kind::index, "bufferViews"},
    {"accessors[].sparse.values.byteOffset", Kind::count},
    {"scene", Kind::index, "scenes"},
    {"scenes[].nodes[]", Kind::index, "nodes"},
    {"nodes[].name", Kind::string},
    {"nodes[].children[]", Kind::index, "nodes"},
    {"nodes[].mesh", Kind::index, "meshes"},
    {"nodes[].skin", Kind::index, "skins"},
    {"nodes[].matrix[]", Kind::real, nullptr, 16},
    {"nodes[].translation[]", Kind::real, nullptr, 3},
    {"nodes[].rotation[]", Kind::real, nullptr, 4},
    {"nodes[].scale[]", Kind::real, nullptr, 3},
    {"nodes[].weights[]", Kind::real},
    {"meshes[].name", Kind::string},
    {"meshes[].weights[]", Kind::real},
    {"meshes[].primitives![].attributes!{}", Kind::index, "accessors"},
    {"meshes[].primitives[].indices", Kind::index, "accessors"},
    {"meshes[].primitives[].mode", Kind::count},
    {"meshes[].primitives[].targets[]{}", Kind::index, "accessors"},
    {"meshes[].primitives[].extensions{}", Kind::object},
    {"meshes[].primitives[].extensions.KHR_draco_mesh_compression.bufferView!", Kind::index, "bufferViews"},
    {"meshes[].primitives[].extensions.KHR_draco_mesh_compression.attributes!{}", Kind::count},
    {"skins[].name", Kind::string},
    {"skins[].joints![]", Kind::index, "nodes"},
    {"skins[].inverseBindMatrices", Kind::index, "accessors"},
    {"animations[].name", Kind::string},
    {"animations[].channels![].sampler!", Kind::count},
    {"animations[].channels[].target!.node", Kind::index, "nodes"},
    {"animations[].channels[].target.path!", Kind::string},
    {"animations[].samplers![].input!", Kind::index, "accessors"},
    {"animations[].samplers[].output!", Kind::index, "accessors"},
    {"animations[].samplers[].interpolation", Kind::string},
};

/// Where a visit is; written out only when something is wrong.
struct Place {
  const Place* outer = nullptr;
  std::string_view name;
  std::size_t index = 0;

  std::string text() const {
    const std::string before = outer ? outer->text() : "";
    if (name.empty()) return at(before, index);
    return before.empty() ? std::string(name) : before + "." + std::string(name);
  }
};

class Visit {
 public:
  Visit(const Json& root, const std::string& file, const Rule& rule) : root_(root), file_(file), rule_(rule) {
    if (rule.target) size_ = member(root, rule.target).size();
  }

  void run() const { follow(root_, rule_.path, nullptr); }

 private:
  void follow(const Json& json, std::string_view path, const Place* place) const {
    if (path.empty()) return check(json, *place);
    if (path.starts_with("[]")) return each_element(json, path.substr(2), *place);
    if (path.starts_with("{}")) return each_member(json, path.substr(2), *place);
    if (path.front() == '.') path.remove_prefix(1);
    if (!json.is_object()) fail(file_, place->text(), "not an object");
    const std::size_t end = std::min(path.find_first_of("!.[{"), path.size());
    const bool required = end < path.size() && path[end] == '!';
    const std::string_view name = path.substr(0, end);
    const Place inner{place, name};
    const auto found = json.find(name);
    if (found != json.end()) return follow(*found, path.substr(end + required), &inner);
    if (required) fail(file_, inner.text(), "missing");
  }

  void each_element(const Json& json, std::string_view path, const Place& place) const {
    if (!json.is_array()) fail(file_, place.text(), "not an array");
    if (path.empty() && rule_.length > 0 && json.size() != rule_.length)
      fail(file_, place.text(),
           std::to_string(json.size()) + " numbers instead of " + std::to_string(rule_.length));
    for (std::size_t i = 0; i < json.size(); ++i) {
      const Place inner{&place, {}, i};
      follow(json[i], path, &inner);
    }
  }

  void each_member(const Json& json, std::string_view path, const Place& place) const {
    if (!json.is_object()) fail(file_, place.text(), "not an object");
    for (const auto& [name, value] : json.items()) {
      const Place inner{&place, name};
      follow(value, path, &inner);
    }
  }

  void check(const Json& json, const Place& place) const {
    switch (rule_.kind) {
      case Kind::index:
        return check_integer(json, place, size_);
      case Kind::size:
        return check_integer(json, place, std::uint64_t{1} << 53);
      case Kind::count:
        return check_integer(json, place, std::numeric_limits<std::int32_t>::max());
      case Kind::number:
        return check_type(json.is_number(), place, "a number");
      case Kind::real:
        check_type(json.is_number(), place, "a number");
        if (std::abs(json.get<double>()) < beyond_floats) return;
        fail(file_, place.text(), json.dump() + " is out of range");
      case Kind::string:
        return check_type(json.is_string(), place, "a string");
      case Kind::boolean:
        return check_type(json.is_boolean(), place, "true or false");
      case Kind::object:
        return check_type(json.is_object(), place, "an object");
    }
  }

  void check_type(bool right, const Place& place, const char* wanted) const {
    if (!right) fail(file_, place.text(), std::string("not ") + wanted);
  }

  void check_integer(const Json& json, const Place& place, std::uint64_t bound) const {
    check_type(json.is_number_integer(), place, "an integer");
    const bool inside = json.is_number_unsigned() && json.get<std::uint64_t>() < bound;
    if (inside) return;
    if (rule_.kind == Kind::index)
      fail(file_, place.text(),
           json.dump() + ", but there are " + std::to_string(bound) + " " + rule_.target);
    fail(file_, place.text(), json.dump() + " is out of range");
  }

  const Json& root_;
  const std::string& file_;
  const Rule& rule_;
  std::uint64_t size_ = 0;
};

}  // namespace

void check_schema(const Json& json, const std::string& file) {
  for (const Rule& rule : rules) Visit(json, file, rule).run();
}

}  // namespace pelt
