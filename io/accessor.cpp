// Accessors as in glTF 2.0, section 3.6.2: strides, sparse substitution (3.6.2.3) and the decoding of
// normalised integers (3.11, the same in KHR_mesh_quantization).
#include "accessor.h"

#include <tiny_gltf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>

#include "buffers.h"
#include "gltf_json.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

/// What a node, joint, part, track or morph target takes besides its numbers, as so many of them.
constexpr std::size_t numbers_a_thing = 16;

/// Elements at equal distances within a buffer.
struct Elements {
  const std::uint8_t* first = nullptr;
  std::size_t stride = 0;
  std::size_t count = 0;
};

template <typename T>
void copy(const Elements& elements, Eigen::MatrixXd& out) {
  for (std::size_t k = 0; k < elements.count; ++k) {
    const std::uint8_t* element = elements.first + k * elements.stride;
    for (Eigen::Index c = 0; c < out.rows(); ++c) {
      T value;
      std::memcpy(&value, element + c * sizeof(T), sizeof(T));
      out(c, static_cast<Eigen::Index>(k)) = static_cast<double>(value);
    }
  }
}

Eigen::MatrixXd copied(const Elements& elements, int component_type, Eigen::Index components) {
  Eigen::MatrixXd out(components, static_cast<Eigen::Index>(elements.count));
  switch (component_type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      copy<std::int8_t>(elements, out);
      break;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      copy<std::uint8_t>(elements, out);
      break;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      copy<std::int16_t>(elements, out);
      break;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      copy<std::uint16_t>(elements, out);
      break;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
      copy<std::uint32_t>(elements, out);
      break;
    default:
      copy<float>(elements, out);
  }
  return out;
}

/// What 1 is stored as in a normalised integer; 1 for types that are never normalised.
double largest(int component_type) {
  switch (component_type) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
      return 127;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
      return 255;
    case TINYGLTF_COMPONENT_TYPE_SHORT:
      return 32767;
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
      return 65535;
    default:
      return 1;
  }
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

void check_layout(const Json& json, const std::string& file) {
  const Json& views = member(json, "bufferViews");
  for (std::size_t i = 0; i < views.size(); ++i) {
    const int stride = integer_of(views[i], "byteStride", 0);
    if (stride > 252 || stride % 4 != 0)
      fail(file, at("bufferViews", i) + ".byteStride",
           std::to_string(stride) + " is no multiple of 4 up to 252");
  }
  const Json& accessors = member(json, "accessors");
  for (std::size_t i = 0; i < accessors.size(); ++i) {
    const int component = integer_of(accessors[i], "componentType");
    if (component < 5120 || component > 5126 || component == 5124)
      fail(file, at("accessors", i) + ".componentType", std::to_string(component) + " is not a type of glTF");
    const std::string type = string_of(accessors[i], "type");
    if (!is_one_of(type, {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"}))
      fail(file, at("accessors", i) + ".type", "'" + type + "' is not a type of glTF");
  }
}

/// The part of the document that tinygltf is to see: nothing that it could drop, reject or dereference
/// unchecked.
std::string binary_layout(const Json& json) {
  Json layout = {{"asset", {{"version", "2.0"}}}};
  const auto keep = [&](const char* array, std::initializer_list<const char*> names) {
    Json list = Json::array();
    for (const Json& item : member(json, array)) {
      Json kept = Json::object();
      for (const char* name : names)
        if (item.contains(name)) kept[name] = item[name];
      list.push_back(std::move(kept));
    }
    layout[array] = std::move(list);
  };
  keep("bufferViews", {"buffer", "byteOffset", "byteLength", "byteStride"});
  keep("accessors", {"bufferView", "byteOffset", "componentType", "normalized", "count", "type", "sparse"});
  return layout.dump();
}

}  // namespace

std::size_t justified_numbers(std::size_t file_bytes) {
  constexpr std::size_t least_bytes = 1 << 20, numbers_a_byte = 5;
  return std::min<std::size_t>(numbers_a_byte * std::max(file_bytes, least_bytes),
                               std::numeric_limits<std::int32_t>::max());
}

struct Accessors::Model {
  std::string file;
  const Json& json;
  std::vector<Buffer> buffers;
  tinygltf::Model layout;
  std::size_t file_bytes = 0;  ///< external buffers included
  std::size_t numbers_left = 0;

  Elements elements(int view_index, std::size_t offset, std::size_t count, std::size_t element_bytes) const;
  std::size_t bytes_at(int view_index) const;
  void substitute(const tinygltf::Accessor& accessor, const std::string& place,
                  Eigen::MatrixXd& values) const;
};

Accessors::Accessors(const Document& document, std::size_t max_numbers)
    : model_(new Model{document.path.string(), document.json, load_buffers(document), {}}) {
  model_->file_bytes = std::max(document.bytes_read, document.bin.size());
  for (const Buffer& buffer : model_->buffers) model_->file_bytes += buffer.external.size();
  model_->numbers_left = max_numbers > 0 ? max_numbers : justified_numbers(model_->file_bytes);
  check_layout(document.json, model_->file);
  const std::string layout = binary_layout(document.json);
  std::string error, warning;
  tinygltf::TinyGLTF loader;
  const auto length = static_cast<unsigned>(layout.size());
  if (!loader.LoadASCIIFromString(&model_->layout, &error, &warning, layout.c_str(), length, ""))
    fail(model_->file, "accessors", error);
}

Accessors::~Accessors() = default;

void Accessors::charge(std::size_t things, std::size_t numbers, const std::string& place) const {
  const std::size_t each = numbers + numbers_a_thing;
  if (things > model_->numbers_left / each)
    fail(model_->file, place,
         (numbers > 0 ? std::to_string(numbers) + " numbers" : std::to_string(things) + " of them") +
             " are more than a file of " + std::to_string(model_->file_bytes) + " bytes may unfold to");
  model_->numbers_left -= things * each;
}

std::size_t Accessors::file_bytes() const { return model_->file_bytes; }

std::size_t Accessors::count(int accessor) const { return model_->layout.accessors[accessor].count; }

double Accessors::precision(int accessor) const {
  const tinygltf::Accessor& a = model_->layout.accessors[accessor];
  if (a.normalized && largest(a.componentType) > 1) return 0.5 / largest(a.componentType);
  if (a.bufferView < 0) return 1e-6;
  return std::max(1e-6, model_->buffers[model_->layout.bufferViews[a.bufferView].buffer].rounding);
}

/// The view, checked to lie within its buffer.
std::size_t Accessors::Model::bytes_at(int view_index) const {
  const tinygltf::BufferView& view = layout.bufferViews[view_index];
  const Buffer& buffer = buffers[view.buffer];
  if (!buffer.fault.empty()) fail(file, at("buffers", view.buffer), buffer.fault);
  if (view.byteOffset + view.byteLength > buffer.bytes.size())
    fail(file, at("bufferViews", view_index),
         "bytes " + std::to_string(view.byteOffset) + " to " +
             std::to_string(view.byteOffset + view.byteLength) + " of a buffer of " +
             std::to_string(buffer.bytes.size()));
  return view.byteLength;
}

/// check_schema keeps offsets and counts below 2^53 and strides below 2^8, so no sum here can overflow.
Elements Accessors::Model::elements(int view_index, std::size_t offset, std::size_t count,
                                    std::size_t element_bytes) const {
  if (count == 0) return {};
  const std::size_t bytes = bytes_at(view_index);
  const tinygltf::BufferView& view = layout.bufferViews[view_index];
  const std::size_t stride = view.byteStride > 0 ? view.byteStride : element_bytes;
  const std::size_t end = offset + stride * (count - 1) + element_bytes;
  if (stride < element_bytes)
    fail(file, at("bufferViews", view_index) + ".byteStride",
         std::to_string(stride) + " is less than an element of " + std::to_string(element_bytes) + " bytes");
  if (end > bytes)
    fail(file, at("bufferViews", view_index),
         std::to_string(bytes) + " bytes long, but an accessor reads up to byte " + std::to_string(end));
  return {buffers[view.buffer].bytes.data() + view.byteOffset + offset, stride, count};
}

void Accessors::Model::substitute(const tinygltf::Accessor& accessor, const std::string& place,
                                  Eigen::MatrixXd& values) const {
  const auto& sparse = accessor.sparse;
  const int index_type = sparse.indices.componentType;
  if (index_type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE &&
      index_type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT &&
      index_type != TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT)
    fail(file, place + ".sparse.indices.componentType",
         std::to_string(index_type) + " is no unsigned integer");
  const auto count = static_cast<std::size_t>(sparse.count);
  if (count > accessor.count)
    fail(file, place + ".sparse.count",
         std::to_string(count) + " of " + std::to_string(accessor.count) + " elements");
  const std::size_t index_bytes = tinygltf::GetComponentSizeInBytes(index_type);
  const std::size_t value_bytes = tinygltf::GetComponentSizeInBytes(accessor.componentType) * values.rows();
  const Eigen::MatrixXd columns = copied(
      elements(sparse.indices.bufferView, sparse.indices.byteOffset, count, index_bytes), index_type, 1);
  const Eigen::MatrixXd replacements =
      copied(elements(sparse.values.bufferView, sparse.values.byteOffset, count, value_bytes),
             accessor.componentType, values.rows());
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    if (columns(k) >= static_cast<double>(values.cols()))
      fail(file, place + ".sparse.indices",
           std::to_string(static_cast<std::uint64_t>(columns(k))) + " of " + std::to_string(values.cols()) +
               " elements");
    values.col(static_cast<Eigen::Index>(columns(k))) = replacements.col(k);
  }
}

Eigen::MatrixXd Accessors::read(int accessor, const Wanted& wanted) const {
  const tinygltf::Accessor& a = model_->layout.accessors[accessor];
  const std::string place = at("accessors", accessor),
                    type = string_of(model_->json["accessors"][accessor], "type");
  if (type != wanted.type)
    fail(model_->file, wanted.place, place + " is " + type + " where " + wanted.type + " is needed");
  if (wanted.floats_only && a.componentType != TINYGLTF_COMPONENT_TYPE_FLOAT)
    fail(model_->file, wanted.place,
         place + " has componentType " + std::to_string(a.componentType) + " where floats (5126) are needed");

  const auto components = static_cast<std::size_t>(tinygltf::GetNumComponentsInType(a.type));
  charge(1, a.count * components, place + ".count");

  Eigen::MatrixXd values;
  if (a.bufferView >= 0) {
    const std::size_t bytes = components * tinygltf::GetComponentSizeInBytes(a.componentType);
    values =
        copied(model_->elements(a.bufferView, a.byteOffset, a.count, bytes), a.componentType, components);
  } else {
    values = Eigen::MatrixXd::Zero(components, static_cast<Eigen::Index>(a.count));
  }
  if (a.sparse.isSparse) model_->substitute(a, place, values);
  if (a.normalized && largest(a.componentType) > 1)
    values = (values / largest(a.componentType)).cwiseMax(-1.0);
  return values;
}

}  // namespace pelt
