#include "exact_animal.h"

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "solver/rigid_fit.h"

namespace pelt::bench {
namespace {

constexpr int kChain = 5;    // a spine joint and four below it
constexpr int kAround = 16;  // vertices of a ring
constexpr int kSlots = 4;

struct Random {
  std::mt19937 engine{12345};
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine()) / 4294967295.0);
  }
  Eigen::Vector3d vector(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }
};

int parent_of(int joint) { return joint == 0 ? -1 : joint % kChain == 0 ? joint - kChain : joint - 1; }

/// Where each joint's bone ends; it starts where its parent's does.
std::vector<Eigen::Vector3d> bone_ends(const RigDump& d, Random& random) {
  std::vector<Eigen::Vector3d> end;
  for (int j = 0; j < d.joints(); ++j) {
    const Eigen::Vector3d step = j % kChain == 0 ? Eigen::Vector3d(1, 0, 0) : Eigen::Vector3d(0, -1, 0);
    const Eigen::Vector3d start = j == 0 ? Eigen::Vector3d(0, 0, 0) : end[d.parent[j]];
    end.push_back(start + step + random.vector(0.4));
  }
  return end;
}

/// A tube around each bone; vertices of a ring follow each other.
void add_tubes(const std::vector<Eigen::Vector3d>& end, RigDump& d) {
  const long long vertices = d.vertices(), joints = d.joints();
  std::vector<Eigen::Vector3i> triangles;
  for (int j = 0; j < joints; ++j) {
    const auto first = static_cast<int>(vertices * j / joints);
    const auto count = static_cast<int>(vertices * (j + 1) / joints) - first;
    const Eigen::Vector3d start = j == 0 ? Eigen::Vector3d(0, 0, 0) : end[d.parent[j]];
    const Eigen::Vector3d bone = end[j] - start, side = bone.unitOrthogonal(),
                          up = bone.cross(side).normalized();
    for (int n = 0; n < count; ++n) {
      const double along = (n / kAround + 0.5) / (count / kAround + 1.0),
                   angle = 2 * M_PI * (n % kAround + 0.5 * (n / kAround % 2)) / kAround,
                   radius = 0.3 - 0.15 * along;
      d.rest.col(first + n) = start + along * bone + radius * (std::cos(angle) * side + std::sin(angle) * up);
      if (n + kAround + 1 >= count) continue;
      triangles.emplace_back(first + n, first + n + 1, first + n + kAround);
      triangles.emplace_back(first + n + 1, first + n + kAround + 1, first + n + kAround);
    }
  }
  d.triangles.resize(3, static_cast<Eigen::Index>(triangles.size()));
  for (std::size_t t = 0; t < triangles.size(); ++t)
    d.triangles.col(static_cast<Eigen::Index>(t)) = triangles[t];
}

/// Two to four joints a vertex, the bone's own and its neighbours in the tree.
void add_weights(Random& random, RigDump& d) {
  d.joint.setConstant(kSlots, d.vertices(), -1);
  d.weight.setZero(kSlots, d.vertices());
  for (int i = 0; i < d.vertices(); ++i) {
    const auto own = static_cast<int>(static_cast<long long>(i) * d.joints() / d.vertices());
    const double u = random.uniform(0, 1);
    const int wanted = std::min(d.joints(), u < 0.2 ? 2 : u < 0.6 ? 3 : 4);
    double sum = 0;
    for (int k = 0; k < wanted; ++k) {
      d.joint(k, i) = k == 0 ? own : own - k >= 0 ? own - k : own - k + wanted;
      d.weight(k, i) = random.uniform(k == 0 ? 1 : 0.1, k == 0 ? 2 : 0.5);
      sum += d.weight(k, i);
    }
    d.weight.col(i) /= sum;
  }
}

/// Each joint swings about the start of its bone.
void add_motion(const std::vector<Eigen::Vector3d>& end, Random& random, RigDump& d) {
  std::vector<Eigen::Vector3d> axis;
  std::vector<double> phase;
  for (int j = 0; j < d.joints(); ++j)
    axis.push_back(random.vector(0.4)), phase.push_back(random.uniform(0, 6));
  for (std::size_t f = 0; f < d.truth.size(); ++f) {
    const double time = 2 * M_PI * static_cast<double>(f) / static_cast<double>(d.truth.size());
    for (int j = 0; j < d.joints(); ++j) {
      const Eigen::Vector3d pivot = j == 0 ? Eigen::Vector3d(0, 0, 0) : end[d.parent[j]];
      Motion swing;
      swing.leftCols<3>() = rotation_of(std::sin(time + phase[j]) * axis[j]);
      swing.col(3) = pivot - swing.leftCols<3>() * pivot;
      d.truth[f].push_back(j == 0 ? swing : compose(d.truth[f][d.parent[j]], swing));
    }
  }
}

}  // namespace

RigDump exact_animal(const AnimalPlan& plan) {
  Random random;
  RigDump d;
  for (int j = 0; j < plan.joints; ++j) d.parent.push_back(parent_of(j));
  const std::vector<Eigen::Vector3d> end = bone_ends(d, random);
  for (int j = 0; j < plan.joints; ++j) {
    d.model_from_joint.push_back(Eigen::Matrix4d::Identity());
    if (j > 0) d.model_from_joint[j].topRightCorner<3, 1>() = end[d.parent[j]];
  }
  d.rest.resize(3, plan.vertices);
  add_tubes(end, d);
  add_weights(random, d);
  d.truth.resize(plan.frames);
  add_motion(end, random, d);
  const Rig rig = rig_of_dump(d);
  for (const Pose& pose : d.truth) d.targets.push_back(skin(rig, pose));
  return d;
}

RigDump other_rig(const RigDump& animal) {
  RigDump other = animal;
  for (Eigen::Index i = 0; i < other.weight.cols(); ++i) {
    other.weight.col(i) = other.weight.col(i).array().square();
    other.weight.col(i) /= other.weight.col(i).sum();
  }
  return other;
}

}  // namespace pelt::bench
