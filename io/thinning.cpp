#include "thinning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "key_times.h"
#include "parallel.h"
#include "pose.h"
#include "thin_keys.h"
#include "trs.h"

namespace pelt {
namespace {

constexpr int kSteps = 10;
// What an accessor takes in the file's JSON.
constexpr std::size_t kInputBytes = 130;
// A joint that moves less of the surface than this, or that from nearer than this (of diag), keeps as many
// keys as if it moved so much.
constexpr double kLeastShare = 0.01, kLeastArm = 0.01;

/// How much of the surface a node carries along, with all below it.
struct Reach {
  std::vector<double> share;  ///< a node each: largest weight of a vertex
  std::vector<double> arm;    ///< a node each: largest weight times distance from the node's origin
};

/// Adds a vertex that hangs on a node.
void carry(const Scene& scene, int node, double weight, std::vector<double>& share, std::vector<int>& nodes) {
  for (; node >= 0; node = scene.nodes[node].parent) {
    if (share[node] == 0) nodes.push_back(node);
    share[node] += weight;
  }
}

Reach reach_of(const Scene& scene, double diag) {
  const ScenePose rest = rest_pose(scene);
  const Eigen::Matrix3Xd surface = surface_at(scene, rest);
  Reach reach{std::vector<double>(scene.nodes.size(), kLeastShare),
              std::vector<double>(scene.nodes.size(), kLeastArm * diag)};
  std::vector<double> share(scene.nodes.size(), 0.0);
  for (const Part& part : scene.parts)
    for (int v = 0; v < part.vertices; ++v) {
      std::vector<int> nodes;
      if (part.skin < 0) carry(scene, part.node, 1, share, nodes);
      for (int slot = 0; slot < part.influences; ++slot)
        if (const double weight = part.weights(slot, v); part.skin >= 0 && weight > 0)
          carry(scene, scene.skins[part.skin].joints[part.joints(slot, v)], weight, share, nodes);
      for (const int n : nodes) {
        const Eigen::Vector3d origin = rest.model_from_node[n].topRightCorner<3, 1>();
        const double distance = (surface.col(part.first_vertex + v) - origin).norm();
        reach.share[n] = std::max(reach.share[n], share[n]);
        reach.arm[n] = std::max(reach.arm[n], share[n] * distance);
        share[n] = 0;
      }
    }
  return reach;
}

/// Largest displacement by a morph target of the node's mesh.
double largest_morph(const Scene& scene, int node) {
  double largest = 0;
  for (const Part& part : scene.parts)
    for (const Eigen::Matrix3Xd& morph : part.morphs)
      if (part.node == node && morph.cols() > 0)
        largest = std::max(largest, morph.colwise().norm().maxCoeff());
  return largest;
}

/// How far a vertex may move, at rest, for each unit by which a track's value is off.
std::vector<double> gains_of(const Scene& scene, const Clip& clip, double diag) {
  const ScenePose rest = rest_pose(scene);
  const Reach reach = reach_of(scene, diag);
  std::vector<double> gains;
  for (const Track& track : clip.tracks) {
    const int parent = scene.nodes[track.node].parent;
    const double stretch =
        parent < 0 ? 1 : rest.model_from_node[parent].topLeftCorner<3, 3>().norm() / std::sqrt(3.0);
    const double scale = rest_trs(scene.nodes[track.node]).scale.cwiseAbs().maxCoeff();
    if (track.path == TrackPath::translation) gains.push_back(reach.share[track.node] * stretch);
    if (track.path == TrackPath::rotation) gains.push_back(reach.arm[track.node]);
    if (track.path == TrackPath::scale) gains.push_back(reach.arm[track.node] / (scale > 0 ? scale : 1));
    if (track.path == TrackPath::weights)
      gains.push_back(std::max(largest_morph(scene, track.node), kLeastArm * diag));
  }
  return gains;
}

/// Tracks with the same keys, which share their times in the file, keep all unless the values that are left
/// out weigh more than the times of their own.
void keep_what_does_not_pay(const Clip& clip, KeptKeys& kept) {
  std::map<std::vector<int>, std::size_t> saved;
  for (const Track& track : clip.tracks) {
    const std::vector<int>& keys = kept.at({track.node, track.path});
    saved[keys] += sizeof(float) * track.values.rows() * (track.times.size() - keys.size());
  }
  std::erase_if(kept, [&](const auto& track) {
    return saved.at(track.second) <= kInputBytes + sizeof(float) * track.second.size();
  });
}

/// Every track thinned so that it alone moves no vertex by more than about `epsilon`.
KeptKeys thinned(const Clip& clip, const std::vector<double>& gains, double epsilon) {
  KeptKeys kept;
  for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
    const Track& track = clip.tracks[t];
    kept[{track.node, track.path}] = choose_keys(track, epsilon / gains[t]);
  }
  keep_what_does_not_pay(clip, kept);
  return kept;
}

Clip clip_with_keys(const Clip& clip, const KeptKeys& kept) {
  Clip few = clip;
  for (Track& track : few.tracks)
    if (const auto keys = kept.find({track.node, track.path}); keys != kept.end())
      track = with_keys(track, keys->second);
  return few;
}

}  // namespace

double largest_distance(const Play& a, const Play& b, const std::vector<float>& times, int threads) {
  std::vector<double> all = between_times(times);
  all.insert(all.end(), times.begin(), times.end());
  std::vector<double> largest(all.size(), 0.0);
  parallel_for(static_cast<int>(all.size()), threads, [&](int n) {
    const Eigen::Matrix3Xd difference = surface_at(a.scene, pose_at(a.scene, a.clip, all[n])) -
                                        surface_at(b.scene, pose_at(b.scene, b.clip, all[n]));
    if (difference.cols() > 0) largest[n] = std::max(0.0, difference.colwise().norm().maxCoeff());
  });
  return largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end());
}

KeptKeys thin(const Play& play, const std::vector<float>& times, const ThinSettings& settings) {
  const std::vector<double> gains = gains_of(play.scene, play.clip, settings.diag);
  KeptKeys best;
  std::size_t fewest = count_keys(play.clip, best).keys_before;
  double low = 0, high = std::numeric_limits<double>::infinity();
  double epsilon = settings.tolerance / 100 * settings.diag;
  for (int step = 0; step < kSteps; ++step) {
    const KeptKeys kept = thinned(play.clip, gains, epsilon);
    const Clip few = clip_with_keys(play.clip, kept);
    const double strays = largest_distance(play, {play.scene, few}, times, settings.threads);
    if (100 * strays / settings.diag <= settings.tolerance) {
      low = epsilon;
      if (const std::size_t keys = count_keys(play.clip, kept).keys_after; keys < fewest)
        best = kept, fewest = keys;
    } else {
      high = epsilon;
    }
    epsilon = std::isinf(high) ? 2 * epsilon : (low + high) / 2;
  }
  return best;
}

Thinning count_keys(const Clip& clip, const KeptKeys& kept) {
  Thinning count;
  std::set<std::vector<float>> times_before, times_after;
  for (const Track& track : clip.tracks) {
    const auto keys = kept.find({track.node, track.path});
    const Track few = keys == kept.end() ? track : with_keys(track, keys->second);
    count.keys_before += track.times.size();
    count.keys_after += few.times.size();
    count.bytes_before += sizeof(float) * track.values.size();
    count.bytes_after += sizeof(float) * few.values.size();
    times_before.insert(track.times);
    times_after.insert(few.times);
  }
  for (const auto& times : times_before) count.bytes_before += sizeof(float) * times.size();
  for (const auto& times : times_after) count.bytes_after += sizeof(float) * times.size();
  return count;
}

}  // namespace pelt
