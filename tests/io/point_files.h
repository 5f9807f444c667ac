#pragma once

#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/temp_folder.h"

namespace pelt::test {

using Frames = std::vector<Eigen::Matrix3Xd>;
using Bytes = std::vector<std::uint8_t>;

inline void add_word(Bytes& bytes, std::uint32_t word, bool big_endian) {
  for (int k = 0; k < 4; ++k)
    bytes.push_back(static_cast<std::uint8_t>(word >> 8 * (big_endian ? 3 - k : k)));
}

inline void add_float(Bytes& bytes, double value, bool big_endian) {
  add_word(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)), big_endian);
}

inline void add_frames(Bytes& bytes, const Frames& frames, bool big_endian) {
  for (const Eigen::Matrix3Xd& points : frames)
    for (const double coordinate : points.reshaped()) add_float(bytes, coordinate, big_endian);
}

/// An MDD file, byte by byte as LightWave's format has it.
inline Bytes mdd_of(const Frames& frames, const std::vector<double>& times) {
  Bytes bytes;
  add_word(bytes, static_cast<std::uint32_t>(frames.size()), true);
  add_word(bytes, static_cast<std::uint32_t>(frames.at(0).cols()), true);
  for (const double time : times) add_float(bytes, time, true);
  add_frames(bytes, frames, true);
  return bytes;
}

/// A PC2 file, byte by byte.
inline Bytes pc2_of(const Frames& frames, double start, double frames_per_sample) {
  Bytes bytes{'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', 0};
  add_word(bytes, 1, false);
  add_word(bytes, static_cast<std::uint32_t>(frames.at(0).cols()), false);
  add_float(bytes, start, false);
  add_float(bytes, frames_per_sample, false);
  add_word(bytes, static_cast<std::uint32_t>(frames.size()), false);
  add_frames(bytes, frames, false);
  return bytes;
}

inline Bytes obj_of(const Eigen::Matrix3Xd& points, const Eigen::Matrix3Xi& triangles) {
  std::string text;
  char line[120];
  for (const auto p : points.colwise()) {
    std::snprintf(line, sizeof line, "v %.17g %.17g %.17g\n", p.x(), p.y(), p.z());
    text += line;
  }
  for (const auto t : triangles.colwise()) {
    std::snprintf(line, sizeof line, "f %d %d %d\n", t.x() + 1, t.y() + 1, t.z() + 1);
    text += line;
  }
  return {text.begin(), text.end()};
}

/// y up, -z forward becomes z up, y forward.
inline Eigen::Matrix3Xd z_up(const Eigen::Matrix3Xd& points) {
  Eigen::Matrix3d turn;
  turn << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  return turn * points;
}

}  // namespace pelt::test
