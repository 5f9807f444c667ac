#include "limbs.h"

#include <algorithm>
#include <cmath>

namespace pelt {
namespace {

constexpr double kBranch = 0.05;  // of diag
constexpr double kOnPlane = 0.02;
constexpr double kLonger = 1.01;  // else the first in the file, so that left and right go alike

/// How far it is from each joint to the farthest end of the skeleton below it, along the bones.
std::vector<double> reaches(const Bones& bones) {
  std::vector<double> reach(bones.joints(), 0);
  for (int j = bones.joints() - 1; j >= 0; --j) {
    if (bones.is_end(j)) reach[j] = (bones.tip.col(j) - bones.origin.col(j)).norm();
    const int parent = bones.parent[j];
    if (parent < 0 || !bones.moves[j]) continue;
    const double bone = (bones.origin.col(j) - bones.origin.col(parent)).norm();
    reach[parent] = std::max(reach[parent], bone + reach[j]);
  }
  return reach;
}

/// Walks down the skeleton and cuts it at its forks.
class Cutter {
 public:
  Cutter(const Bones& bones, const std::optional<Plane>& plane, double diag)
      : bones_(bones), plane_(plane), diag_(diag), reach_(reaches(bones)) {
    for (int j = 0; j < bones.joints(); ++j) fork_.push_back(forks(j));
  }

  Limbs cut() {
    out_.limb_of_joint.assign(bones_.joints(), -1);
    std::vector<int> roots;
    for (int j = 0; j < bones_.joints(); ++j)
      if (bones_.parent[j] < 0 && bones_.moves[j] && reach_[j] >= kBranch * diag_) roots.push_back(j);
    for (int j = 0; j < bones_.joints(); ++j) {
      const int parent = bones_.parent[j];
      const bool in_limb = parent >= 0 && out_.limb_of_joint[parent] >= 0;
      const bool below_fork = parent < 0 ? roots.size() > 1 : fork_[parent] != 0;
      if (in_limb)
        out_.limb_of_joint[j] = out_.limb_of_joint[parent];
      else if (below_fork && is_branch(j) && !reaches_fork(j))
        add_limb(j);
    }
    return std::move(out_);
  }

 private:
  bool is_branch(int joint) const {
    const int parent = bones_.parent[joint];
    const double bone = parent < 0 ? 0 : (bones_.origin.col(joint) - bones_.origin.col(parent)).norm();
    return bones_.moves[joint] && bone + reach_[joint] >= kBranch * diag_;
  }

  bool forks(int joint) const {
    const std::vector<int>& children = bones_.children[joint];
    if (std::count_if(children.begin(), children.end(), [&](int c) { return is_branch(c); }) < 2)
      return false;
    return !plane_ || std::abs(plane_->height(bones_.origin.col(joint))) <= kOnPlane * diag_;
  }

  /// Of a joint's children the one that the skeleton reaches farthest through; -1 where there is none.
  int longest(int joint) const {
    int best = -1;
    double most = -1;
    for (const int c : bones_.children[joint]) {
      const double length = (bones_.origin.col(c) - bones_.origin.col(joint)).norm() + reach_[c];
      if (length > kLonger * most) most = length, best = c;
    }
    return best;
  }

  bool reaches_fork(int joint) const {
    for (; joint >= 0; joint = longest(joint))
      if (fork_[joint]) return true;
    return false;
  }

  void add_limb(int joint) {
    out_.limb_of_joint[joint] = static_cast<int>(out_.limbs.size());
    out_.limbs.emplace_back();
    for (; joint >= 0; joint = longest(joint)) out_.limbs.back().joints.push_back(joint);
  }

  const Bones& bones_;
  const std::optional<Plane>& plane_;
  double diag_;
  std::vector<double> reach_;
  std::vector<char> fork_;
  Limbs out_;
};

}  // namespace

Limbs limbs_of(const Bones& bones, const std::optional<Plane>& plane, double diag) {
  return Cutter(bones, plane, diag).cut();
}

}  // namespace pelt
