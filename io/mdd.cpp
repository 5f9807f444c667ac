// LightWave's MDD, big-endian: int32 frames, int32 points; float32 seconds a frame; float32 x, y, z a point
// and frame. Blender's exporter (io_shape_mdd) writes points in world space with z up.
#include "mdd.h"

#include <array>
#include <bit>

#include "io_error.h"
#include "random_access_file.h"

namespace pelt {
namespace {

constexpr std::size_t kHeaderBytes = 8;

}  // namespace

PointCache open_mdd(const std::filesystem::path& path) {
  const auto file = std::make_shared<RandomAccessFile>(path);
  PointCache cache;
  cache.file = path.string(), cache.name = path.stem().string(), cache.data = file;
  cache.byte_order = ByteOrder::big;
  if (file->size() < kHeaderBytes) throw ReadError(cache.file + ": truncated within the MDD header");
  std::array<std::uint8_t, kHeaderBytes> header;
  file->read(0, header);
  const auto count = [&](std::size_t k) {
    return static_cast<std::int32_t>(u32_at(header, 4 * k, ByteOrder::big));
  };
  const double frames = count(0), points = count(1);
  check_counts(cache, count(0), count(1), kHeaderBytes + frames * (4 + 12 * points));
  cache.points = count(1);
  std::vector<std::uint8_t> words(4 * static_cast<std::size_t>(count(0)));
  file->read(kHeaderBytes, words);
  std::vector<double> times;
  for (std::size_t k = 0; k < words.size(); k += 4)
    times.push_back(std::bit_cast<float>(u32_at(words, k, ByteOrder::big)));
  cache.times = from_first(cache, times);
  cache.first_byte = kHeaderBytes + words.size();
  return cache;
}

}  // namespace pelt
