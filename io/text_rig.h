#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pelt {

/// A rig as the text that RigNet and Puppeteer write, for the vertices of an OBJ file. A line each:
///
///     joints NAME x y z
///     root NAME
///     skin VERTEX NAME weight [NAME weight ...]
///     hier PARENT CHILD
struct TextRig {
  struct Skin {
    std::size_t line = 0;
    int vertex = 0;  ///< from 0, in the order of the OBJ's `v` lines
    std::vector<std::pair<int, double>>
        influences;  ///< joint and weight as stored, none 0, the largest first
  };
  std::vector<std::string> names;  ///< J, no two alike, UTF-8
  std::vector<int> parent;         ///< J; -1 for the one root, from which every joint is reached
  Eigen::Matrix3Xd positions;      ///< 3 x J, in the OBJ's space
  std::vector<Skin> skin;          ///< no two of one vertex
};

/// Does a file begin with one of those lines?
bool is_text_rig(std::span<const std::uint8_t> bytes);

/// Lines may come in any order. `path` appears in messages. \throw ReadError with file and line.
TextRig parse_text_rig(std::string_view text, const std::filesystem::path& path);

}  // namespace pelt
