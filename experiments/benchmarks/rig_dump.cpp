#include "rig_dump.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "solver/error.h"

namespace pelt::bench {
namespace {

static_assert(std::endian::native == std::endian::little, "dumps are read and written as they lie in memory");
constexpr char kMagic[] = "RIGDUMP1";
constexpr int kTruth = 1, kRest = 2;
using RowMajorMotion = Eigen::Matrix<double, 3, 4, Eigen::RowMajor>;
using RowMajorMatrix = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;

struct Header {
  std::int32_t vertices, joints, frames, slots, triangles, flags;

  /// Bytes of the whole file. Products of counts may outgrow 64 bits; every size that a file can have is
  /// exact in double.
  double bytes() const {
    const double n = vertices, b = joints, f = frames, k = slots, t = triangles;
    return 8 + sizeof(Header) + 4 * b + 24 * n + 12 * n * k + 24 * f * n + 12 * t +
           (flags & kTruth ? 96 * f * b : 0) + (flags & kRest ? 128 * b : 0);
  }
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw InvalidInput(path.string() + ": " + what);
}

template <class Value>
void get(std::istream& in, Value* values, Eigen::Index count) {
  in.read(reinterpret_cast<char*>(values), static_cast<std::streamsize>(sizeof(Value)) * count);
}

template <class Value>
void put(std::ostream& out, const Value* values, Eigen::Index count) {
  out.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(sizeof(Value)) * count);
}

/// The header of a file that is exactly as long as it says: so nothing is allocated that is not there.
Header read_header(std::istream& in, const std::filesystem::path& path) {
  char magic[8] = {};
  Header h{};
  get(in, magic, 8);
  get(in, &h, 1);
  if (!in || std::memcmp(magic, kMagic, 8) != 0) fail(path, "not a RIGDUMP1 file");
  for (const std::int32_t count : {h.vertices, h.joints, h.frames, h.slots, h.triangles})
    if (count < 0) fail(path, "a count in the header is " + std::to_string(count));
  if (const auto size = std::filesystem::file_size(path); h.bytes() != static_cast<double>(size))
    fail(path, "holds " + std::to_string(size) + " bytes, not those that its header counts");
  return h;
}

void check_indices(const RigDump& d, const std::filesystem::path& path) {
  for (int j = 0; j < d.joints(); ++j)
    if (d.parent[j] < -1 || d.parent[j] >= j)
      fail(path, "joint " + std::to_string(j) + " has parent " + std::to_string(d.parent[j]));
  for (const int joint : d.joint.reshaped())
    if (joint < -1 || joint >= d.joints())
      fail(path, "an influence of joint " + std::to_string(joint) + " of " + std::to_string(d.joints()));
  for (const int vertex : d.triangles.reshaped())
    if (vertex < 0 || vertex >= d.vertices())
      fail(path, "a triangle uses vertex " + std::to_string(vertex) + " of " + std::to_string(d.vertices()));
}

}  // namespace

RigDump read_dump(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const Header h = read_header(in, path);
  RigDump d;
  d.parent.resize(h.joints);
  get(in, d.parent.data(), h.joints);
  d.rest.resize(3, h.vertices);
  get(in, d.rest.data(), d.rest.size());
  d.joint.resize(h.slots, h.vertices);
  get(in, d.joint.data(), d.joint.size());
  d.weight.resize(h.slots, h.vertices);
  get(in, d.weight.data(), d.weight.size());
  d.targets.assign(h.frames, Eigen::Matrix3Xd(3, h.vertices));
  for (auto& target : d.targets) get(in, target.data(), target.size());
  d.triangles.resize(3, h.triangles);
  get(in, d.triangles.data(), d.triangles.size());
  if (h.flags & kTruth) d.truth.assign(h.frames, Pose(h.joints));
  RowMajorMotion motion;
  for (Pose& pose : d.truth)
    for (Motion& m : pose) get(in, motion.data(), 12), m = motion;
  if (h.flags & kRest) d.model_from_joint.resize(h.joints);
  RowMajorMatrix matrix;
  for (Eigen::Matrix4d& m : d.model_from_joint) get(in, matrix.data(), 16), m = matrix;
  if (!in) fail(path, "cannot be read to its end");
  check_indices(d, path);
  return d;
}

void write_dump(const RigDump& d, const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  const Header h{d.vertices(),
                 d.joints(),
                 d.frames(),
                 static_cast<std::int32_t>(d.joint.rows()),
                 static_cast<std::int32_t>(d.triangles.cols()),
                 (d.truth.empty() ? 0 : kTruth) | (d.model_from_joint.empty() ? 0 : kRest)};
  put(out, kMagic, 8);
  put(out, &h, 1);
  put(out, d.parent.data(), d.joints());
  put(out, d.rest.data(), d.rest.size());
  put(out, d.joint.data(), d.joint.size());
  put(out, d.weight.data(), d.weight.size());
  for (const auto& target : d.targets) put(out, target.data(), target.size());
  put(out, d.triangles.data(), d.triangles.size());
  for (const Pose& pose : d.truth)
    for (const Motion& m : pose) put(out, RowMajorMotion(m).data(), 12);
  for (const Eigen::Matrix4d& m : d.model_from_joint) put(out, RowMajorMatrix(m).data(), 16);
  if (!out.flush()) fail(path, "cannot be written");
}

void write_solution(const std::vector<Pose>& poses, const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  for (const Pose& pose : poses)
    for (const Motion& m : pose) put(out, RowMajorMotion(m).data(), 12);
  if (!out.flush()) fail(path, "cannot be written");
}

Rig rig_of_dump(const RigDump& d) {
  Rig rig;
  rig.parent = d.parent;
  rig.model_from_joint = d.model_from_joint;
  rig.model_from_joint.resize(d.parent.size(), Eigen::Matrix4d::Identity());
  rig.first_influence.assign(1, 0);
  rig.rest_point.resize(3, (d.joint.array() >= 0 && d.weight.array() > 0).count());
  for (int i = 0; i < d.vertices(); ++i) {
    for (Eigen::Index k = 0; k < d.joint.rows(); ++k) {
      if (d.joint(k, i) < 0 || !(d.weight(k, i) > 0)) continue;
      rig.rest_point.col(rig.influences()) = d.rest.col(i);
      rig.joint.push_back(d.joint(k, i));
      rig.weight.push_back(d.weight(k, i));
    }
    rig.first_influence.push_back(rig.influences());
  }
  validate(rig);
  return rig;
}

}  // namespace pelt::bench
