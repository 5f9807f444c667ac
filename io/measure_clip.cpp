#include "measure_clip.h"

#include <utility>

#include "../solver/integrated_quality.h"
#include "gap_counted.h"
#include "key_times.h"
#include "parallel.h"
#include "pose.h"
#include "smoothness.h"
#include "travel.h"

namespace pelt {
namespace {

Figures figures_of(const Measure& measure, const RigFile& rig) {
  Figures figures = measure.figures();
  int& vertex = figures.worst_place.vertex;
  if (vertex >= 0) vertex = rig.distinct.vertex_of(vertex);
  return figures;
}

}  // namespace

void measure_surface(const ClipMeasure& measure, const WrittenClip& written, const std::vector<int>& which,
                     ClipTransfer& clip) {
  std::vector<float> ends;
  for (const int k : which) ends.push_back(clip.times[k]);
  const std::vector<double> inside = between_times(ends);
  const int at_keys = static_cast<int>(which.size()), in_all = at_keys + static_cast<int>(inside.size());
  const MeasureSettings& settings = measure.settings;
  Measure keys(settings, at_keys), floor(settings, at_keys), between(settings, in_all - at_keys);
  IntegratedQuality integrated(settings, measure.rig.rest.triangles, at_keys);
  GapCounted gap_counted(measure.motive, keys, at_keys);
  const bool has_floor = !clip.affine.empty();
  parallel_for(in_all, measure.threads, [&](int n) {
    const double time = n < at_keys ? double{ends[n]} : inside[n - at_keys];
    const Eigen::Matrix3Xd actual = surface_at(written.scene, pose_at(written.scene, written.clip, time));
    if (n >= at_keys)
      return between.add(n - at_keys, passing_targets_at(measure.motive, written.source, time), actual);
    with_targets_at(measure.motive, written.source, time, [&](const auto& target, const auto& artist) {
      const Displacement displacement = keys.displacement(target);
      keys.add(n, displacement, target, actual);
      if (measure.motive.correspondence) integrated.add(n, target, actual);
      gap_counted.add(n, artist, actual);
      if (has_floor) floor.add(n, displacement, target, surface_of(measure.rig, clip.affine[which[n]]));
    });
  });
  const std::pair<const Measure&, Figures&> measured[] = {
      {between, clip.between}, {keys, clip.keys}, {floor, clip.floor}};
  parallel_for(has_floor ? 3 : 2, measure.threads,
               [&](int n) { measured[n].second = figures_of(measured[n].first, measure.rig); });
  clip.quality_gap_counted = gap_counted.value(clip.keys);
  clip.quality_integrated = integrated.value(clip.keys);
}

void measure_joints(const ClipMeasure& measure, const WrittenClip& written, ClipTransfer& clip) {
  measure_travel(measure.rig, written.scene, written.clip, measure.diag, clip);
  measure_smoothness(measure.rig, written.scene, written.clip, measure.settings, clip);
}

std::vector<int> counted_vertices(const MeasureSettings& settings) {
  std::vector<int> counted;
  for (int i = 0; i < settings.weight.size(); ++i)
    if (settings.weight(i) > 0) counted.push_back(i);
  return counted;
}

}  // namespace pelt
