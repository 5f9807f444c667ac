// Checks of size and shape: what a wrong unit or wrong bind matrices do to the surface.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "gltf_json.h"
#include "gltf_nodes.h"
#include "health_checks.h"
#include "scene_facts.h"

namespace pelt {
namespace {

constexpr double kTorn = 5;          // times as long as it should be
constexpr double kLongEdge = 0.03;   // of diag; shorter ones nobody sees
constexpr double kTornShare = 0.02;  // of the triangles
constexpr double kTornInClip = 10, kLongInClip = 0.15, kTornShareInClip = 0.005;
constexpr int kTimes = 5;

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

/// Raw positions of a skin's parts with its triangles.
Surface raw_surface(const Scene& scene, int skin) {
  Surface raw{Eigen::Matrix3Xd::Zero(3, scene.vertices()), Eigen::Matrix3Xi(3, 0)};
  for (const Part& part : scene.parts) {
    if (part.skin != skin) continue;
    raw.positions.middleCols(part.first_vertex, part.vertices) = morphed(part, part.morph_weights);
    const Eigen::Index before = raw.triangles.cols();
    raw.triangles.conservativeResize(3, before + part.triangles);
    raw.triangles.rightCols(part.triangles) = scene.triangles.middleCols(part.first_triangle, part.triangles);
  }
  return raw;
}

/// Lengths of the three edges of each triangle.
Eigen::Matrix3Xd edge_lengths(const Eigen::Matrix3Xd& positions, const Eigen::Matrix3Xi& triangles) {
  Eigen::Matrix3Xd lengths(3, triangles.cols());
  for (Eigen::Index t = 0; t < triangles.cols(); ++t)
    for (int c = 0; c < 3; ++c)
      lengths(c, t) = (positions.col(triangles(c, t)) - positions.col(triangles((c + 1) % 3, t))).norm();
  return lengths;
}

/// Share of the triangles with an edge that is longer than `factor` times its own length before, and than
/// `least`.
double torn_share(const Eigen::Matrix3Xd& now, const Eigen::Matrix3Xd& before, double factor, double least) {
  if (now.cols() == 0) return 0;
  const auto torn = (now.array() > factor * before.array()) && (now.array() > least) && (before.array() > 0);
  return static_cast<double>(torn.colwise().any().count()) / static_cast<double>(now.cols());
}

/// From a mouse to a whale, in metres.
bool plausible(double length) { return length > 0.05 && length < 50; }

double median_ratio(const Eigen::Matrix3Xd& now, const Eigen::Matrix3Xd& before) {
  std::vector<double> ratios;
  for (Eigen::Index i = 0; i < now.size(); ++i)
    if (before.data()[i] > 0) ratios.push_back(now.data()[i] / before.data()[i]);
  if (ratios.empty()) return 1;
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2),
                   ratios.end());
  return ratios[ratios.size() / 2];
}

}  // namespace

void check_unit(const Examined& file, Findings& findings) {
  for (std::size_t s = 0; s < file.scene.skins.size(); ++s) {
    const Surface raw = raw_surface(file.scene, static_cast<int>(s));
    const Surface rest{file.surface.positions, raw.triangles};
    const double stored = box_of(raw).sizes().maxCoeff(), shown = box_of(rest).sizes().maxCoeff();
    if (!plausible(stored) || plausible(shown) || !(shown > 0)) continue;
    const double power = std::log10(shown / stored);
    if (std::abs(std::abs(power) - std::round(std::abs(power))) > 0.02 || std::abs(power) < 1.5) continue;
    findings.push_back(
        {"unit-factor",
         at("skins", s) + ": the mesh is " + number(stored) + " units long, but " + number(shown) +
             " once skinned",
         "a unit factor of " + number(std::pow(10, std::round(power))) +
             " stands in the armature's scale but not in the bind matrices; the mesh is far too big or small",
         "apply the armature's scale before export, with the mesh bound to it"});
  }
}

void check_skeleton_size(const Examined& file, Findings& findings) {
  for (std::size_t s = 0; s < file.scene.skins.size(); ++s) {
    Eigen::AlignedBox3d joints;
    int count = 0;
    for (std::size_t j = 0; j < file.weighted[s].size(); ++j) {
      if (!file.weighted[s][j]) continue;
      joints.extend(file.rest.model_from_node[file.scene.skins[s].joints[j]].topRightCorner<3, 1>());
      ++count;
    }
    const double mesh =
        box_of({file.surface.positions, raw_surface(file.scene, static_cast<int>(s)).triangles})
            .sizes()
            .norm();
    if (count < 3 || !(mesh > 0)) continue;
    const double ratio = joints.sizes().norm() / mesh;
    if (ratio > 0.02 && ratio < 20) continue;
    findings.push_back(
        {"skeleton-size",
         at("skins", s) + ": its joints span " + number(ratio) + " times the mesh's diagonal",
         "skeleton and bind matrices are in different units; vertices fly apart as soon as joints turn",
         "bring mesh and skeleton to one unit, apply all scales, and bind again"});
  }
}

void check_torn_at_rest(const Examined& file, Findings& findings) {
  for (std::size_t s = 0; s < file.scene.skins.size(); ++s) {
    if (!member(file.document.json, "skins")[s].contains("inverseBindMatrices")) continue;
    const Surface raw = raw_surface(file.scene, static_cast<int>(s));
    const Eigen::Matrix3Xd before = edge_lengths(raw.positions, raw.triangles);
    const Eigen::Matrix3Xd now = edge_lengths(file.surface.positions, raw.triangles);
    const double share = torn_share(now, before, kTorn * median_ratio(now, before), kLongEdge * file.diag);
    if (share < kTornShare) continue;
    findings.push_back(
        {"torn-at-rest",
         at("skins", s) + ": at rest " + percent(share) +
             " of its triangles are more than 5 times as long as in the mesh",
         "the bind matrices are not those of these joints (another order, pose or unit), or the "
         "weights belong to other joints; vertices fly apart",
         "bind the mesh to this skeleton again, in the pose in which they fit"});
  }
}

void check_torn_in_clips(const Examined& file, Findings& findings) {
  const Eigen::Matrix3Xd before = edge_lengths(file.surface.positions, file.scene.triangles);
  for (const Clip& clip : file.scene.clips) {
    double worst = 0, when = 0;
    for (int k = 0; k < kTimes && moves_surface(file, clip); ++k) {
      const double time = static_cast<double>(clip.end) * k / (kTimes - 1);
      const Eigen::Matrix3Xd surface = surface_at(file.scene, pose_at(file.scene, clip, time));
      const double share = torn_share(edge_lengths(surface, file.scene.triangles), before, kTornInClip,
                                      kLongInClip * file.diag);
      if (share > worst) worst = share, when = time;
    }
    if (worst < kTornShareInClip) continue;
    findings.push_back({"torn-in-clip",
                        at("animations", clip.index) + " '" + clip.name + "': at " + number(when) + " s " +
                            percent(worst) + " of the triangles are more than 10 times as long as at rest",
                        "vertices weighted to joints far from them, or a clip made for another skeleton; "
                        "vertices fly apart",
                        "look at the weights there, and play the clip on the skeleton that it was made for"});
  }
}

}  // namespace pelt
