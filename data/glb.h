#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pelt {

/// A .glb in the making: the JSON tree and the bytes of its one buffer.
struct Glb {
  nlohmann::ordered_json json;
  std::vector<std::uint8_t> bin;
};

/// What an accessor says of its numbers.
struct AccessorKind {
  std::string type;     ///< SCALAR, VEC3, ...
  int component_type;   ///< 5121 unsigned byte, 5123 unsigned short, 5125 unsigned int, 5126 float
  int target = 0;       ///< 34962 vertex attributes, 34963 indices, 0 neither
  bool bounds = false;  ///< with min and max
};

/// Appends a column an element and returns the index of the accessor. The values must fit the component type.
int add_accessor(Glb& glb, const Eigen::MatrixXf& values, const AccessorKind& kind);

/// The file: header, JSON chunk, binary chunk.
std::vector<std::uint8_t> bytes_of(const Glb& glb);

}  // namespace pelt
