#include "report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "alignment_file.h"
#include "convergence.h"
#include "or_null.h"
#include "staged_files.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

Json worst_place(const ClipTransfer& clip, const std::vector<std::string>& joints) {
  const WorstPlace& place = clip.keys.worst_place;
  return {{"frame", place.frame},
          {"time_s", place.frame < 0 ? Json(nullptr) : Json(clip.times[clip.sampled[place.frame]])},
          {"vertex", place.vertex},
          {"joint", place.joint < 0 ? Json(nullptr) : Json(joints[place.joint])}};
}

Json figures(const Figures& f) {
  return {{"quality", or_null(f.quality)},
          {"quality_in_place", or_null(f.quality_in_place)},
          {"mean_pct", f.mean},
          {"rms_pct", f.rms},
          {"p95_pct", f.p95},
          {"p99_pct", f.p99},
          {"worst_pct", f.worst},
          {"erms", f.erms},
          {"displacement_pct", f.displacement}};
}

Json solve_entry(const FrameResult& frame) {
  return {{"rms_pct", 100 * frame.rms},           {"floor_rms_pct", 100 * frame.floor_rms},
          {"remaining_gradient", frame.gradient}, {"newton_steps", frame.newton_steps},
          {"converged", frame.converged},         {"flat_valley", frame.flat}};
}

Json per_frame(const ClipTransfer& clip) {
  Json list = Json::array();
  for (std::size_t f = 0; f < clip.sampled.size(); ++f) {
    const FrameFigures& m = clip.keys.frames[f];
    list.push_back({{"time_s", clip.times[clip.sampled[f]]},
                    {"mean_pct", m.mean},
                    {"rms_pct", m.rms},
                    {"worst_pct", m.worst},
                    {"displacement_pct", m.displacement}});
    if (clip.is_solved()) list.back()["solve"] = solve_entry(clip.frames[clip.sampled[f]]);
  }
  return list;
}

Json per_joint(const ClipTransfer& clip, const std::vector<std::string>& joints) {
  Json list = Json::array();
  for (std::size_t j = 0; j < joints.size(); ++j)
    list.push_back(
        {{"joint", joints[j]}, {"mean_pct", clip.keys.joint_mean[j]}, {"travel_pct", clip.joint_travel[j]}});
  return list;
}

Json thinning_entry(const std::optional<Thinning>& thinning) {
  if (!thinning) return nullptr;
  return {{"keys_before", thinning->keys_before},
          {"keys_after", thinning->keys_after},
          {"bytes_before", thinning->bytes_before},
          {"bytes_after", thinning->bytes_after},
          {"deviation_pct", thinning->deviation}};
}

Json influences_entry(const std::optional<InfluenceCut>& cut) {
  if (!cut) return nullptr;
  return {{"most", cut->most},
          {"vertices", cut->vertices},
          {"cut", cut->cut},
          {"mean_lost_pct", 100 * cut->mean_lost},
          {"largest_lost_pct", 100 * cut->largest_lost}};
}

/// The figures of a clip that is not written.
Json all_influences_entry(const ClipTransfer& clip) {
  Json entry = figures(clip.keys);
  entry["keys"] = clip.times.size();
  entry["between"] = figures(clip.between);
  entry["floor"] = figures(clip.floor);
  return entry;
}

Json clip_entry(const ClipTransfer& clip, const std::vector<std::string>& joints) {
  Json entry{{"name", clip.name},
             {"written_name", clip.written_name},
             {"duration_s", clip.times.back()},
             {"frames", clip.sampled.size()},
             {"keys", clip.times.size()},
             {"keys_added", clip.keys_added},
             {"thinning", thinning_entry(clip.thinning)}};
  entry.update(figures(clip.keys));
  entry["quality_integrated"] = or_null(clip.quality_integrated);
  entry["quality_gap_counted"] = or_null(clip.quality_gap_counted);
  entry["worst"] = worst_place(clip, joints);
  entry["between"] = figures(clip.between);
  entry["floor"] = clip.is_solved() ? figures(clip.floor) : Json(nullptr);
  entry["all_influences"] = nullptr;
  entry["joint_travel"] = {{"mean_pct", clip.travel.mean}, {"max_pct", clip.travel.max}};
  entry["acceleration"] = {{"joints_max", clip.acceleration.joints},
                           {"surface_max", clip.acceleration.surface},
                           {"ratio", or_null(clip.acceleration.ratio())}};
  const Convergence c = convergence(clip);
  entry["price"] = clip.is_solved() ? Json(clip.price) : Json(nullptr);
  entry["convergence"] = nullptr;
  if (clip.is_solved())
    entry["convergence"] = {{"gradient_max", c.gradient},
                            {"frames", clip.frames.size()},
                            {"flat_valley", c.flat},
                            {"not_converged", c.open}};
  entry["per_frame"] = per_frame(clip);
  entry["per_joint"] = per_joint(clip, joints);
  return entry;
}

Json control_entry(const Control& control, const std::vector<std::string>& joints) {
  const ControlBars bars;
  Json entry{{"passed", control.passed},
             {"mean_pct", control.mean},
             {"worst_pct", control.worst},
             {"bars", {{"mean_pct", bars.mean}, {"worst_pct", bars.worst}}},
             {"clips", Json::array()}};
  for (std::size_t n = 0; n < control.clips.size(); ++n) {
    const ControlVerdict& v = control.verdicts[n];
    Json clip = clip_entry(control.clips[n], joints);
    clip["passed"] = v.passed;
    clip["within_bars"] = v.within_bars;
    clip["artist_deforms"] = v.artist_deforms;
    if (v.artist_deforms) clip["rigid_floor"] = {{"mean_pct", v.rigid_mean}, {"rms_pct", v.rigid_rms}};
    if (v.artist_deforms) clip["lost_in_file_rms_pct"] = v.lost_in_file;
    entry["clips"].push_back(std::move(clip));
  }
  return entry;
}

Json control_entry(const BakeResult& result) {
  if (result.control) return control_entry(*result.control, result.artist_joint_names);
  return {{"passed", nullptr}, {"none", result.no_control}};
}

Json points_entry(const std::vector<PointSource>& points) {
  Json list = Json::array();
  for (const PointSource& p : points)
    list.push_back({{"file", p.file},
                    {"frames", p.frames},
                    {"points", p.points},
                    {"up", p.z_up ? "z" : "y"},
                    {"vertices_by", p.by_place ? "place" : "order"}});
  return list;
}

Json settings(const TransferSettings& s) {
  return {{"joints", {name_of(JointMode::free)}},
          {"fps", or_null(s.fps)},
          {"weighting", s.weighting == Weighting::area ? "area" : "uniform"},
          {"loss", s.solve.loss == Loss::distance ? "distance" : "squares"},
          {"stiffness", s.solve.stiffness},
          {"solve_tolerance", s.solve.tolerance},
          {"between_tolerance_pct", s.between_tolerance},
          {"key_tolerance_pct", s.key_tolerance},
          {"replace", s.write.replace}};
}

Json gap(const GapFigures& g, double diag) {
  return {{"mean_pct", 100 * g.mean / diag},
          {"median_pct", 100 * g.median / diag},
          {"p99_pct", 100 * g.p99 / diag},
          {"max_pct", 100 * g.max / diag}};
}

/// A letter and a length for each vertex.
Json vertices_entry(const Correspondence& c, double diag) {
  constexpr char letter[] = {'u', 'c', 's', 'o', 'n'};  // in the order of MatchKind
  constexpr double steps = 1e4;                         // of a per cent, to keep the file short
  std::string match;
  Json gap = Json::array();
  for (std::size_t i = 0; i < c.kind.size(); ++i) {
    match += letter[static_cast<int>(c.kind[i])];
    gap.push_back(std::round(steps * 100 * c.gap[static_cast<Eigen::Index>(i)] / diag) / steps);
  }
  return {{"match", match}, {"gap_pct", gap}};
}

Json matching_entry(const Matching& m, double diag) {
  int count[5] = {};
  for (const MatchKind kind : m.correspondence.kind) ++count[static_cast<int>(kind)];
  const auto of = [&](MatchKind kind) { return count[static_cast<int>(kind)]; };
  const SurfaceGap& g = m.gap;
  const Uncovered lacking = uncovered(m, diag);
  return {{"artist_pose", m.artist_in_clip   ? "first frame"
                          : m.artist_in_bind ? "bind"
                                             : "rest"},
          {"rig_pose", m.rig_in_bind ? "bind" : "rest"},
          {"artist_from_rig", rows_of(m.alignment.artist_from_rig)},
          {"scale", scale_of(m.alignment.artist_from_rig)},
          {"rotation_deg", rotation_degrees(m.alignment)},
          {"mirrored", m.alignment.mirrored},
          {"uncovered_artist_pct", 100 * lacking.of_artist},
          {"uncovered_rig_pct", 100 * lacking.of_rig},
          {"vertices",
           {{"coincident", of(MatchKind::coincident)},
            {"on_surface", of(MatchKind::surface)},
            {"on_sheet_of_neighbours", of(MatchKind::sheet)},
            {"without_counterpart", of(MatchKind::none)},
            {"unused", of(MatchKind::unused)}}},
          {"per_vertex", vertices_entry(m.correspondence, diag)},
          {"gap_rig_to_artist", gap(g.artist_from_rig, diag)},
          {"gap_artist_to_rig", gap(g.rig_from_artist, diag)},
          {"two_sided_mean_pct", 100 * g.two_sided_mean / diag},
          {"two_sided_p99_pct", 100 * g.two_sided_p99 / diag}};
}

Json versions() {
  const auto dotted = [](int major, int minor, int patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  };
  return {{"report", 1},
          {"pelt", version()},
          {"eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"nlohmann_json",
           dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
          {"compiler", __VERSION__}};
}

const char* pose_name(MatchPose pose) {
  return pose == MatchPose::automatic ? "auto" : pose == MatchPose::rest ? "rest" : "bind";
}

}  // namespace

const char* version() { return PELT_VERSION; }

Json settings_report(const BakeOptions& options) {
  Json entry = settings(options.transfer);
  entry["joints"] = Json::array();
  for (const JointMode mode : options.joints) entry["joints"].push_back(name_of(mode));
  entry["stretch"] = options.stretch;
  entry["match"] = pose_name(options.match);
  entry["align"] = !options.align ? "none" : options.alignment.empty() ? "auto" : options.alignment.string();
  entry["force"] = options.force;
  if (!options.points.files.empty()) entry["points_fps"] = options.points.fps;
  entry["strict"] = options.strict;
  entry["max_influences"] = options.max_influences > 0 ? Json(options.max_influences) : Json(nullptr);
  return entry;
}

Json bake_report(const BakeOptions& options, const BakeResult& result) {
  Json report{{"pelt", version()}, {"command", "bake"},       {"artist", result.artist},
              {"rig", result.rig}, {"output", result.output}, {"diag", result.diag}};
  report["versions"] = versions();
  report["settings"] = settings_report(options);
  report["warnings"] = result.warnings;
  report["matching"] = matching_entry(result.matching, result.diag);
  report["control"] = control_entry(result);
  report["points"] = points_entry(result.points);
  report["influences"] = influences_entry(result.influences);
  report["file_bytes"] = options.transfer.key_tolerance > 0
                             ? Json{{"before", result.bytes_before}, {"after", result.bytes_after}}
                             : Json(nullptr);
  report["clips"] = Json::array();
  for (const ClipTransfer& clip : result.clips)
    report["clips"].push_back(clip_entry(clip, result.joint_names));
  report["modes"] = Json::array();
  for (const ComparedMode& mode : result.compared) {
    Json entry{{"joints", name_of(mode.joints)}, {"clips", Json::array()}};
    for (const ClipTransfer& clip : mode.clips)
      entry["clips"].push_back(clip_entry(clip, result.joint_names));
    report["modes"].push_back(std::move(entry));
  }
  for (std::size_t n = 0; n < result.all_influences.size(); ++n)
    report["clips"][n]["all_influences"] = all_influences_entry(result.all_influences[n]);
  return report;
}

Json view_report(const BakeOptions& options, const std::vector<BakeResult>& results) {
  Json report{{"pelt", version()}, {"command", "view"}, {"artist", options.artist.string()}};
  report["versions"] = versions();
  report["settings"] = settings_report(options);
  for (const char* of_solve : {"joints", "loss", "stiffness", "solve_tolerance", "between_tolerance_pct",
                               "key_tolerance_pct", "replace", "stretch", "max_influences"})
    report["settings"].erase(of_solve);
  report["rigs"] = Json::array();
  for (const BakeResult& result : results) {
    Json rig{{"rig", result.rig}, {"diag", result.diag}, {"warnings", result.warnings}};
    rig["matching"] = matching_entry(result.matching, result.diag);
    rig["control"] = control_entry(result);
    rig["clips"] = Json::array();
    for (const ClipTransfer& clip : result.clips)
      rig["clips"].push_back(clip_entry(clip, result.joint_names));
    report["rigs"].push_back(std::move(rig));
  }
  return report;
}

Json control_report(const ControlOptions& options, const ControlResult& result) {
  Json report{{"pelt", version()},
              {"command", "control"},
              {"artist", result.artist},
              {"output", result.output.empty() ? Json(nullptr) : Json(result.output)},
              {"diag", result.diag}};
  report["versions"] = versions();
  report["settings"] = settings(options.transfer);
  report["settings"]["loss"] = "squares";
  report["settings"]["stiffness"] = 0;  // as run_control has it
  report["settings"]["strict"] = options.strict;
  report["warnings"] = result.warnings;
  report["control"] = control_entry(result.control, result.joint_names);
  return report;
}

void write_text(const std::string& text, const std::filesystem::path& path) {
  StagedFiles files;
  files.write(path, std::string_view(text));
  files.commit();
}

void write_report(const Json& report, const std::filesystem::path& path) {
  write_text(report.dump(1) + "\n", path);
}

}  // namespace pelt
