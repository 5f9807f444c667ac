#include "point_cache.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "io_error.h"
#include "lower_ending.h"
#include "mdd.h"
#include "obj_sequence.h"
#include "pc2.h"
#include "random_access_file.h"

namespace pelt {
namespace {

constexpr int kBytesPerPoint = 12;

void check_finite(const PointCache& cache) {
  for (int f = 0; f < cache.frames(); ++f) {
    const Eigen::Matrix3Xd points = points_in_frame(cache, f);
    if (points.allFinite()) continue;
    Eigen::Index bad = 0;
    while (points.col(bad).allFinite()) ++bad;
    throw ReadError(cache.file + ": frame " + std::to_string(f) + ", point " + std::to_string(bad) +
                    ": not a finite number");
  }
}

PointCache open_by_ending(const std::filesystem::path& path, double fps) {
  const std::string ending = lower_ending(path);
  if (ending == ".mdd") return open_mdd(path);
  if (ending == ".pc2") return open_pc2(path, fps);
  if (ending == ".obj") return open_obj_sequence(path, fps);
  throw UsageError(path.string() +
                   ": a vertex animation is a .mdd or .pc2 file, or the first .obj file of a sequence");
}

}  // namespace

PointCache open_point_cache(const std::filesystem::path& path, double fps) {
  if (!(fps > 0) || !std::isfinite(fps)) throw UsageError("frames per second must be positive and finite");
  PointCache cache = open_by_ending(path, fps);
  check_finite(cache);
  return cache;
}

Eigen::Matrix3Xd points_in_frame(const PointCache& cache, int frame) {
  const std::size_t size = std::size_t{kBytesPerPoint} * static_cast<std::size_t>(cache.points);
  std::vector<std::uint8_t> bytes(size);
  cache.data->read(cache.first_byte + size * static_cast<std::size_t>(frame), bytes);
  Eigen::Matrix3Xd points(3, cache.points);
  for (Eigen::Index i = 0; i < points.size(); ++i)
    points.data()[i] = std::bit_cast<float>(u32_at(bytes, 4 * static_cast<std::size_t>(i), cache.byte_order));
  return points;
}

Eigen::Matrix3Xd points_at(const PointCache& cache, double time) {
  const auto after = std::upper_bound(cache.times.begin(), cache.times.end(), time);
  const int next = static_cast<int>(after - cache.times.begin());
  if (next == 0) return points_in_frame(cache, 0);
  const double from = cache.times[next - 1];
  if (next == cache.frames() || time == from) return points_in_frame(cache, next - 1);
  const double part = (time - from) / (double{cache.times[next]} - from);
  return (1 - part) * points_in_frame(cache, next - 1) + part * points_in_frame(cache, next);
}

void check_counts(const PointCache& cache, std::int64_t frames, std::int64_t points, double bytes_needed) {
  const std::string counts = std::to_string(frames) + " frames of " + std::to_string(points) + " points";
  if (frames < 1 || points < 1) throw ReadError(cache.file + ": has " + counts);
  const auto size = static_cast<double>(cache.data->size());
  if (size == bytes_needed) return;
  char bytes[100];
  std::snprintf(bytes, sizeof bytes, " need %.0f bytes, but it has %.0f", bytes_needed, size);
  throw ReadError(cache.file + ": " + (size < bytes_needed ? "truncated: " : "") + counts + bytes);
}

std::vector<float> from_first(const PointCache& cache, const std::vector<double>& times) {
  std::vector<float> shifted;
  for (std::size_t f = 0; f < times.size(); ++f) {
    shifted.push_back(static_cast<float>(times[f] - times[0]));
    if (std::isfinite(shifted[f]) && (f == 0 || shifted[f] > shifted[f - 1])) continue;
    char text[120];
    std::snprintf(text, sizeof text, ": frame %zu: time %g s does not come after %g s", f, times[f],
                  f == 0 ? 0.0 : times[f - 1]);
    throw ReadError(cache.file + text);
  }
  return shifted;
}

}  // namespace pelt
