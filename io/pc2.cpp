// The PC2 point cache of 3ds Max, little-endian: "POINTCACHE2\0", int32 version 1, int32 points, float32
// start frame, float32 frames a sample, int32 samples; float32 x, y, z a point and sample. Blender's exporter
// (io_export_pc2) writes points in the object's space, turned to y up.
#include "pc2.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "io_error.h"
#include "random_access_file.h"

namespace pelt {
namespace {

constexpr std::size_t kHeaderBytes = 32;
constexpr char kMagic[12] = "POINTCACHE2";

}  // namespace

PointCache open_pc2(const std::filesystem::path& path, double fps) {
  const auto file = std::make_shared<RandomAccessFile>(path);
  PointCache cache;
  cache.file = path.string(), cache.name = path.stem().string(), cache.data = file;
  if (file->size() < kHeaderBytes) throw ReadError(cache.file + ": truncated within the PC2 header");
  std::array<std::uint8_t, kHeaderBytes> header;
  file->read(0, header);
  if (std::memcmp(header.data(), kMagic, sizeof kMagic) != 0)
    throw ReadError(cache.file + ": not a PC2 file: it does not begin with POINTCACHE2");
  const auto integer = [&](std::size_t offset) { return static_cast<std::int32_t>(u32_at(header, offset)); };
  if (integer(12) != 1)
    throw ReadError(cache.file + ": PC2 of version " + std::to_string(integer(12)) + ", not 1");
  const std::int32_t points = integer(16), samples = integer(28);
  check_counts(cache, samples, points, kHeaderBytes + 12.0 * points * samples);
  cache.points = points;
  cache.first_byte = kHeaderBytes;
  const double frames_per_sample = std::bit_cast<float>(u32_at(header, 24));
  if (!(frames_per_sample > 0) || !std::isfinite(frames_per_sample))
    throw ReadError(cache.file + ": " + std::to_string(frames_per_sample) + " frames a sample");
  std::vector<double> times;
  for (int k = 0; k < samples; ++k) times.push_back(k * frames_per_sample / fps);
  cache.times = from_first(cache, times);
  return cache;
}

}  // namespace pelt
