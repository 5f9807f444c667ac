#include "obj_sequence.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "io_error.h"
#include "obj.h"
#include "random_access_file.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDigits = "0123456789";

/// A file name cut at the last digits of its stem.
struct NumberedName {
  std::string before, after;
  std::uint64_t number = 0;
};

std::optional<NumberedName> numbered(const fs::path& path) {
  const std::string stem = path.stem().string();
  const std::size_t last = stem.find_last_of(kDigits);
  if (last == std::string::npos) return std::nullopt;
  const std::size_t first = stem.find_last_not_of(kDigits, last) + 1;  // npos + 1 = 0
  NumberedName name{stem.substr(0, first), stem.substr(last + 1) + path.extension().string()};
  const auto [end, error] = std::from_chars(stem.data() + first, stem.data() + last + 1, name.number);
  return error == std::errc() ? std::optional(name) : std::nullopt;
}

struct Frame {
  std::uint64_t number = 0;
  fs::path path;
};

/// The first file and those that follow it, in numeric order.
std::vector<Frame> frames_of(const fs::path& first, const NumberedName& name) {
  std::vector<Frame> frames;
  std::error_code error;
  const fs::path folder = first.has_parent_path() ? first.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const auto other = numbered(entry->path());
    if (other && other->before == name.before && other->after == name.after && other->number >= name.number)
      frames.push_back({other->number, entry->path()});
  }
  if (error) throw ReadError(folder.string() + ": cannot be listed: " + error.message());
  std::sort(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) {
    return std::pair(a.number, a.path) < std::pair(b.number, b.path);
  });
  for (std::size_t f = 1; f < frames.size(); ++f)
    if (frames[f].number != frames[f - 1].number + 1)
      throw ReadError(first.string() + ": the frame after " + frames[f - 1].path.filename().string() +
                      " is " + frames[f].path.filename().string() + ": " +
                      (frames[f].number == frames[f - 1].number ? "the same number" : "a number is missing"));
  return frames;
}

/// "walk" for "walk_0001.obj"; the stem where nothing is left.
std::string name_of(const fs::path& first, const NumberedName& name) {
  const std::string text = name.before.substr(0, name.before.find_last_not_of("_-. ") + 1);
  return text.empty() ? first.stem().string() : text;
}

void append(const Eigen::Matrix3Xd& points, RandomAccessFile& file) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * static_cast<std::size_t>(points.size()));
  for (const double coordinate : points.reshaped()) {
    const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(coordinate));
    for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * k)));
  }
  file.append(bytes);
}

void check_same_mesh(const PointCache& first, const ObjMesh& mesh, const fs::path& path) {
  if (mesh.positions.cols() != first.points)
    throw ReadError(path.string() + ": " + std::to_string(mesh.positions.cols()) + " vertices, but " +
                    first.file + " has " + std::to_string(first.points));
  if (mesh.triangles.cols() != first.triangles.cols() || mesh.triangles != first.triangles)
    throw ReadError(path.string() + ": its faces are not those of " + first.file);
}

/// \throw ReadError where the name has no number
NumberedName number_of(const fs::path& first) {
  if (const auto name = numbered(first)) return *name;
  throw ReadError(first.string() +
                  ": no number in its name: a sequence is given by its first file, as in walk_0001.obj");
}

}  // namespace

std::vector<fs::path> files_of_sequence(const fs::path& first) {
  std::vector<fs::path> files;
  for (const Frame& frame : frames_of(first, number_of(first))) files.push_back(frame.path);
  return files;
}

PointCache open_obj_sequence(const fs::path& first, double fps) {
  const NumberedName name = number_of(first);
  ObjMesh mesh = read_obj(first);
  const auto scratch = std::make_shared<RandomAccessFile>();
  PointCache cache;
  cache.file = first.string(), cache.name = name_of(first, name), cache.data = scratch;
  cache.points = static_cast<int>(mesh.positions.cols());
  cache.triangles = std::move(mesh.triangles);
  append(mesh.positions, *scratch);
  std::vector<double> times{0};
  for (const Frame& frame : frames_of(first, name)) {
    if (frame.number == name.number) continue;
    const ObjMesh next = read_obj(frame.path);
    check_same_mesh(cache, next, frame.path);
    append(next.positions, *scratch);
    times.push_back(static_cast<double>(times.size()) / fps);
  }
  cache.times = from_first(cache, times);
  return cache;
}

}  // namespace pelt
