#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "byte_order.h"

namespace pelt {

class RandomAccessFile;

/// A vertex animation without a rig: the same points in every frame. Frames stay in the file and are read one
/// at a time, so that memory does not grow with the clip.
struct PointCache {
  std::string file;  ///< for messages
  std::string name;  ///< of the clip: the file's name without its ending (and number)
  int points = 0;
  std::vector<float> times;    ///< seconds from the first frame, strictly increasing
  Eigen::Matrix3Xi triangles;  ///< of an OBJ sequence; else empty
  std::shared_ptr<const RandomAccessFile> data;
  std::uint64_t first_byte = 0;  ///< of the frames in `data`: 3 floats a point, frame by frame
  ByteOrder byte_order = ByteOrder::little;

  int frames() const { return static_cast<int>(times.size()); }
};

/// Opens an MDD or PC2 file or an OBJ sequence, told apart by the ending, and reads it through once: every
/// coordinate is finite. `fps` gives the times of formats that count in frames. \throw ReadError with frame
/// and point; UsageError for another ending or an fps that is not positive and finite.
PointCache open_point_cache(const std::filesystem::path& path, double fps);

/// 3 x points, in the file's own space. Calls may run in parallel. \throw ReadError
Eigen::Matrix3Xd points_in_frame(const PointCache& cache, int frame);

/// The same at a time: linear between frames, held before the first and after the last.
Eigen::Matrix3Xd points_at(const PointCache& cache, double time);

/// What a header says against the file, before anything is allocated. \throw ReadError with the numbers where
/// there is no frame or no point, or the file has another size
void check_counts(const PointCache& cache, std::int64_t frames, std::int64_t points, double bytes_needed);

/// Seconds from the first frame. \throw ReadError unless they are finite and strictly increasing as floats
std::vector<float> from_first(const PointCache& cache, const std::vector<double>& times);

}  // namespace pelt
