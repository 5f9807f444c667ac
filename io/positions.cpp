// The .npy format: NumPy Enhancement Proposal 1, version 1.0.
#include "positions.h"

#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

namespace pelt {
namespace {

static_assert(std::endian::native == std::endian::little, "doubles are copied as they stand in memory");

/// Magic, version, length of the rest, and the description padded so that the numbers start at a multiple
/// of 64.
std::string npy_header(std::size_t frames, Eigen::Index vertices) {
  std::string description = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(frames) +
                            ", " + std::to_string(vertices) + ", 3), }";
  const std::size_t before = 10;
  description.append(63 - (before + description.size()) % 64, ' ');
  description += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(description.size() & 0xff);
  header += static_cast<char>(description.size() >> 8);
  return header + description;
}

}  // namespace

void stage_npy(const Frames& frames, const std::filesystem::path& path, StagedFiles& files) {
  std::string bytes = npy_header(frames.size(), frames.empty() ? 0 : frames.front().cols());
  for (const Eigen::Matrix3Xd& frame : frames)
    bytes.append(reinterpret_cast<const char*>(frame.data()),
                 static_cast<std::size_t>(frame.size()) * sizeof(double));
  files.write(path, std::string_view(bytes));
}

void stage_obj(const Scene& scene, const Eigen::Matrix3Xd& positions, const std::filesystem::path& path,
               StagedFiles& files) {
  std::string text;
  char line[100];
  for (const auto& v : positions.colwise()) {
    std::snprintf(line, sizeof line, "v %.17g %.17g %.17g\n", v.x(), v.y(), v.z());
    text += line;
  }
  for (const auto& corners : scene.triangles.colwise()) {
    std::snprintf(line, sizeof line, "f %d %d %d\n", corners[0] + 1, corners[1] + 1, corners[2] + 1);
    text += line;
  }
  files.write(path, std::string_view(text));
}

}  // namespace pelt
