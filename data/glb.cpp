#include "glb.h"

#include <bit>

namespace pelt {
namespace {

/// The low bytes of a value, least first, whatever the machine.
void put(std::vector<std::uint8_t>& bytes, std::uint32_t value, int count) {
  for (int k = 0; k < count; ++k) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
}

void put_component(std::vector<std::uint8_t>& bytes, float value, int component_type) {
  if (component_type == 5126)
    put(bytes, std::bit_cast<std::uint32_t>(value), 4);
  else
    put(bytes, static_cast<std::uint32_t>(value),
        component_type == 5121   ? 1
        : component_type == 5123 ? 2
                                 : 4);
}

void pad(std::vector<std::uint8_t>& bytes, std::uint8_t filler) {
  while (bytes.size() % 4 != 0) bytes.push_back(filler);
}

void put_chunk(std::vector<std::uint8_t>& bytes, std::uint32_t type, const std::vector<std::uint8_t>& data) {
  put(bytes, static_cast<std::uint32_t>(data.size()), 4);
  put(bytes, type, 4);
  bytes.insert(bytes.end(), data.begin(), data.end());
}

}  // namespace

int add_accessor(Glb& glb, const Eigen::MatrixXf& values, const AccessorKind& kind) {
  pad(glb.bin, 0);
  const std::size_t start = glb.bin.size();
  for (const float value : values.reshaped()) put_component(glb.bin, value, kind.component_type);
  auto& views = glb.json["bufferViews"];
  views.push_back({{"buffer", 0}, {"byteOffset", start}, {"byteLength", glb.bin.size() - start}});
  if (kind.target != 0) views.back()["target"] = kind.target;
  auto& accessors = glb.json["accessors"];
  accessors.push_back({{"bufferView", views.size() - 1},
                       {"componentType", kind.component_type},
                       {"count", values.cols()},
                       {"type", kind.type}});
  if (kind.bounds) {
    const Eigen::VectorXf low = values.rowwise().minCoeff(), high = values.rowwise().maxCoeff();
    accessors.back()["min"] = std::vector<float>(low.begin(), low.end());
    accessors.back()["max"] = std::vector<float>(high.begin(), high.end());
  }
  return static_cast<int>(accessors.size()) - 1;
}

std::vector<std::uint8_t> bytes_of(const Glb& glb) {
  std::vector<std::uint8_t> bin = glb.bin;
  pad(bin, 0);
  auto json = glb.json;
  json["buffers"].push_back({{"byteLength", bin.size()}});
  const std::string text = json.dump();
  std::vector<std::uint8_t> json_bytes(text.begin(), text.end());
  pad(json_bytes, ' ');
  std::vector<std::uint8_t> file;
  put(file, 0x46546C67, 4);  // "glTF"
  put(file, 2, 4);
  put(file, static_cast<std::uint32_t>(12 + 8 + json_bytes.size() + 8 + bin.size()), 4);
  put_chunk(file, 0x4E4F534A, json_bytes);  // "JSON"
  put_chunk(file, 0x004E4942, bin);         // "BIN"
  return file;
}

}  // namespace pelt
