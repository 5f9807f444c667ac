#include "regions.h"

#include <algorithm>

#include "limbs.h"

namespace pelt {
namespace {

/// The error of the surface that a joint holds, summed: over all joints the mean error of the clip.
double loss(const Figures& figures, std::size_t joint) {
  return figures.joint_mean[joint] * figures.joint_share[joint];
}

double share_of(double part, double all) { return all > 0 ? part / all : 0; }

double total_loss(const Figures& figures) {
  double sum = 0;
  for (std::size_t j = 0; j < figures.joint_mean.size(); ++j) sum += loss(figures, j);
  return sum;
}

}  // namespace

std::string joint_name(const RigFile& file, int joint) {
  const int node = file.rig.node_of_joint[joint];
  const std::string& name = file.scene.nodes[node].name;
  return name.empty() ? "nodes[" + std::to_string(node) + "]" : name;
}

Regions regions_of(const RigFile& file) {
  const double diag = bounding_diagonal(file.rest);
  const Bones bones = bones_of(file);
  const Limbs limbs = limbs_of(bones, mirror_plane(bones, diag), diag);
  Regions regions;
  for (const Limb& limb : limbs.limbs) regions.names.push_back(joint_name(file, limb.joints.front()));
  regions.names.push_back("trunk");
  for (const int limb : limbs.limb_of_joint)
    regions.of_joint.push_back(limb >= 0 ? limb : static_cast<int>(limbs.limbs.size()));
  return regions;
}

std::vector<JointError> joint_errors(const std::vector<std::string>& joints, const Figures& figures) {
  const double all = total_loss(figures);
  std::vector<JointError> errors;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (figures.joint_share[j] > 0)
      errors.push_back({joints[j], figures.joint_mean[j], share_of(loss(figures, j), all)});
  return errors;
}

std::vector<RegionError> region_errors(const Regions& regions, const Figures& figures) {
  const double all = total_loss(figures);
  std::vector<double> lost(regions.names.size(), 0), surface(regions.names.size(), 0);
  for (std::size_t j = 0; j < regions.of_joint.size(); ++j) {
    lost[regions.of_joint[j]] += loss(figures, j);
    surface[regions.of_joint[j]] += figures.joint_share[j];
  }
  std::vector<RegionError> errors;
  for (std::size_t r = 0; r < lost.size(); ++r)
    if (surface[r] > 0) errors.push_back({regions.names[r], lost[r] / surface[r], share_of(lost[r], all)});
  std::stable_sort(errors.begin(), errors.end(),
                   [](const RegionError& a, const RegionError& b) { return a.share > b.share; });
  return errors;
}

}  // namespace pelt
