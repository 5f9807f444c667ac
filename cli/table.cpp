#include "table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "console.h"

namespace pelt::cli {
namespace {

using Row = std::vector<std::string>;

constexpr double kWorthTelling = 5e-4;         // share of a surface's area
constexpr double kQualityWorthTelling = 0.05;  // points

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

/// Lengths span from 1e-7 to 100 % of the diagonal.
std::string length(double percent) {
  return format(percent != 0 && percent < 5e-4 ? "%.1e" : "%.3f", percent);
}

std::string quality(const std::optional<double>& value, const char* pattern = "%.2f") {
  return value ? format(pattern, *value) : "-";
}

Row header(const char* first) {
  return {first, "keys",  "quality", "in place", "mean",   "RMS",  "p95",
          "p99", "worst", "between", "floor",    "travel", "accel"};
}

Row row(const std::string& name, const ClipTransfer& clip, const char* pattern = "%.2f") {
  const Figures& f = clip.keys;
  return {name.empty() ? "(unnamed)" : printable(name),
          std::to_string(clip.times.size()),
          quality(f.quality, pattern),
          quality(f.quality_in_place, pattern),
          length(f.mean),
          length(f.rms),
          length(f.p95),
          length(f.p99),
          length(f.worst),
          length(clip.between.rms),
          quality(clip.floor.quality, pattern),
          length(clip.travel.mean),
          quality(clip.acceleration.ratio())};
}

/// First column to the left, all others to the right; two spaces between.
std::string align(const std::vector<Row>& rows) {
  std::vector<std::size_t> width;
  for (const Row& r : rows)
    for (std::size_t c = 0; c < r.size(); ++c) {
      if (c >= width.size()) width.push_back(0);
      width[c] = std::max(width[c], r[c].size());
    }
  std::string text;
  for (const Row& r : rows) {
    for (std::size_t c = 0; c < r.size(); ++c) {
      const std::string pad(width[c] - r[c].size(), ' ');
      text += c == 0 ? r[c] + pad : "  " + pad + r[c];
    }
    text += "\n";
  }
  return text;
}

std::string control_verdict(const Control& control) {
  std::string text = control.passed ? "passed" : "FAILED";
  double rigid = 0, lost = 0;
  bool deforms = false;
  for (const ControlVerdict& v : control.verdicts) {
    if (!v.artist_deforms || v.within_bars) continue;
    deforms = true;
    rigid = std::max(rigid, v.rigid_rms);
    lost = std::max(lost, v.lost_in_file);
  }
  if (deforms) text += ", the artist scales joints or morphs: rigid floor " + length(rigid) + " % RMS";
  if (lost > ControlBars{}.mean) text += ", shear that glTF cannot say adds " + length(lost) + " %";
  return text;
}

/// The control in one row: worst of its clips.
Row control_row(const Control& control) {
  ClipTransfer worst;
  worst.acceleration.surface = 1;
  std::size_t keys = 0;
  for (const ClipTransfer& c : control.clips) {
    keys += c.times.size();
    const auto larger = [](double& a, double b) { a = std::max(a, b); };
    for (double Figures::*figure :
         {&Figures::mean, &Figures::rms, &Figures::p95, &Figures::p99, &Figures::worst})
      larger(worst.keys.*figure, c.keys.*figure);
    larger(worst.between.rms, c.between.rms);
    larger(worst.travel.mean, c.travel.mean);
    larger(worst.acceleration.joints, c.acceleration.ratio().value_or(0));
    for (std::optional<double> Figures::*figure : {&Figures::quality, &Figures::quality_in_place})
      if (c.keys.*figure && (!(worst.keys.*figure) || *(c.keys.*figure) < *(worst.keys.*figure)))
        worst.keys.*figure = c.keys.*figure;
    if (c.floor.quality && (!worst.floor.quality || *c.floor.quality < *worst.floor.quality))
      worst.floor.quality = c.floor.quality;
  }
  Row cells = row("control", worst, "%.4f");
  cells[1] = std::to_string(keys);
  return cells;
}

std::string points_line(const PointSource& p) {
  return p.file + ": " + std::to_string(p.frames) + " frames of " + std::to_string(p.points) + " points, " +
         (p.z_up ? "z up, turned to y up" : "taken as y up") +
         (p.by_place ? ", vertices found by place\n" : "\n");
}

/// How many keys were left out, a line; nothing where that was not asked.
std::string thinning_line(const BakeResult& result) {
  Thinning all;
  bool thinned = false;
  for (const ClipTransfer& clip : result.clips) {
    if (!clip.thinning) continue;
    thinned = true;
    all.keys_before += clip.thinning->keys_before;
    all.keys_after += clip.thinning->keys_after;
    all.deviation = std::max(all.deviation, clip.thinning->deviation);
  }
  if (!thinned) return "";
  const double left_out =
      100 - 100 * static_cast<double>(all.keys_after) / static_cast<double>(all.keys_before);
  return "keys: " + std::to_string(all.keys_after) + " of " + std::to_string(all.keys_before) +
         " in all tracks are written (" + format("%.1f", left_out) + " % left out), the file has " +
         std::to_string(result.bytes_after) + " instead of " + std::to_string(result.bytes_before) +
         " bytes, no vertex is off by more than " + length(all.deviation) + " %\n";
}

/// The rig as an engine plays it, a line; nothing where that was not asked.
std::string influences_line(const std::optional<InfluenceCut>& cut) {
  if (!cut) return "";
  const std::string most = std::to_string(cut->limit) + (cut->limit == 1 ? " influence" : " influences");
  if (cut->cut == 0) return "influences: no vertex has more than " + most + "\n";
  return "influences: " + std::to_string(cut->cut) + " of " + std::to_string(cut->vertices) +
         " vertices have more than " + most + " and lose " + format("%.2f", 100 * cut->mean_lost) +
         " % of their weight on average, " + format("%.2f", 100 * cut->largest_lost) +
         " % at most; rows 'all weights' are not written\n";
}

/// What a compared mode does to the quality, a line.
std::string mode_line(JointMode written, const ComparedMode& mode, const std::vector<ClipTransfer>& clips) {
  double sum = 0, largest = 0;
  int count = 0;
  std::string where;
  for (std::size_t n = 0; n < clips.size(); ++n) {
    if (!clips[n].keys.quality || !mode.clips[n].keys.quality) continue;
    const double gain = *mode.clips[n].keys.quality - *clips[n].keys.quality;
    sum += gain, ++count;
    if (std::abs(gain) < std::abs(largest) && !where.empty()) continue;
    largest = gain;
    where = printable(clips[n].written_name);
  }
  std::string text = "joints: " + name_of(mode.joints) + " against " + name_of(written);
  if (count > 0)
    text += ", quality " + format("%+.2f", sum / count) + " on average, " + format("%+.2f", largest) +
            " at most (" + where + ")";
  return text + "; rows '" + name_of(mode.joints) + "' are not written\n";
}

/// Modes and loss, where there is more to say than that joints are free and squares least.
std::string mode_lines(const BakeResult& result) {
  std::string text;
  if (result.loss == Loss::distance) text += "loss: distance\n";
  if (result.joints != JointMode::free) text += "joints: " + name_of(result.joints) + "\n";
  for (const ComparedMode& mode : result.compared) text += mode_line(result.joints, mode, result.clips);
  return text;
}

/// How the rig lies on the artist; nothing where it lies there as it is.
std::string alignment_line(const Alignment& alignment) {
  if (alignment.artist_from_rig.isIdentity(0)) return "";
  const Eigen::Vector3d shift = alignment.artist_from_rig.topRightCorner<3, 1>();
  std::string text = "aligned: the rig";
  if (alignment.mirrored) text += " mirrored in x,";
  return text + " turned by " + format("%.3g", rotation_degrees(alignment)) + " degrees, scaled by " +
         format("%.6g", scale_of(alignment.artist_from_rig)) + " and moved by (" + format("%.4g", shift.x()) +
         ", " + format("%.4g", shift.y()) + ", " + format("%.4g", shift.z()) + ") lies on the artist\n";
}

/// What one side lacks; nothing where that is next to nothing.
std::string uncovered_line(const BakeResult& result) {
  const Uncovered lacking = uncovered(result.matching, result.diag);
  if (lacking.of_artist < kWorthTelling && lacking.of_rig < kWorthTelling) return "";
  return "farther than 2 % from each other: " + format("%.2f", 100 * lacking.of_artist) +
         " % of the artist's area, " + format("%.2f", 100 * lacking.of_rig) + " % of the rig's\n";
}

/// What quality is to those who count the gap as error; nothing where that is next to the same.
std::string gap_counted_line(const std::vector<ClipTransfer>& clips) {
  double sum = 0, largest = 0;
  int count = 0;
  const ClipTransfer* most = nullptr;
  for (const ClipTransfer& clip : clips) {
    if (!clip.keys.quality || !clip.quality_gap_counted) continue;
    const double differs = *clip.quality_gap_counted - *clip.keys.quality;
    sum += differs, ++count;
    if (std::abs(differs) <= std::max(std::abs(largest), kQualityWorthTelling)) continue;
    largest = differs;
    most = &clip;
  }
  if (!most) return "";
  std::string text = "gap counted as error: quality " + quality(most->quality_gap_counted) + " (" +
                     printable(most->written_name) + ")";
  if (count > 1) text += " where it differs most, " + format("%+.2f", sum / count) + " on average";
  return text + "\n";
}

const char* kLegend =
    "quality, floor: per cent of the motion; all lengths in % of the artist's rest diagonal.\n"
    "between: RMS inside key intervals; floor: quality of the best affine motions; travel: joints off their "
    "parent's motion;\n"
    "accel: largest acceleration of a joint against that of the surface.\n";

}  // namespace

std::string bake_table(const BakeResult& result) {
  std::vector<Row> rows{header("clip")};
  if (result.control) rows.push_back(control_row(*result.control));
  for (std::size_t n = 0; n < result.clips.size(); ++n) {
    rows.push_back(row(result.clips[n].written_name, result.clips[n]));
    if (!result.all_influences.empty())
      rows.push_back(row(result.clips[n].written_name + ", all weights", result.all_influences[n]));
    for (const ComparedMode& mode : result.compared)
      rows.push_back(row(result.clips[n].written_name + ", " + name_of(mode.joints), mode.clips[n]));
  }
  const SurfaceGap& gap = result.matching.gap;
  const auto pose = [](bool bind) { return bind ? "bind" : "rest"; };
  std::string text = result.artist + " onto " + result.rig + ": " +
                     (result.matching.artist_in_clip ? "first-frame" : pose(result.matching.artist_in_bind)) +
                     " pose on " + pose(result.matching.rig_in_bind) + " pose, gap mean " +
                     length(100 * gap.two_sided_mean / result.diag) + " %, p99 " +
                     length(100 * gap.two_sided_p99 / result.diag) + " %\n" +
                     alignment_line(result.matching.alignment) + uncovered_line(result) +
                     gap_counted_line(result.clips);
  for (const PointSource& points : result.points) text += points_line(points);
  text +=
      "control: " + (result.control ? control_verdict(*result.control) : "none, " + result.no_control) + "\n";
  text += mode_lines(result);
  text += influences_line(result.influences) + thinning_line(result);
  return text + align(rows) + kLegend;
}

std::string control_table(const ControlResult& result) {
  std::vector<Row> rows{header("clip"), control_row(result.control)};
  for (std::size_t n = 0; n < result.control.clips.size(); ++n) {
    const ClipTransfer& clip = result.control.clips[n];
    rows.push_back(row(clip.name, clip, "%.4f"));
    rows.back().push_back(result.control.verdicts[n].passed ? "passed" : "FAILED");
  }
  return result.artist + ": control " + control_verdict(result.control) + "\n" + align(rows) + kLegend;
}

std::string failed_control(const std::string& artist, const Control& control) {
  std::string clips;
  for (std::size_t n = 0; n < control.clips.size(); ++n)
    if (!control.verdicts[n].passed) clips += (clips.empty() ? "'" : ", '") + control.clips[n].name + "'";
  return artist + ": the control failed on " + clips + ": mean error " + length(control.mean) + " %, worst " +
         length(control.worst) + " % of the diagonal";
}

}  // namespace pelt::cli
