#include "gates.h"

#include "field.h"
#include "text_table.h"

namespace pelt {
namespace {

/// A bar as the user may have typed it.
std::string plain(double bar) {
  std::string text = fixed(bar, 6);
  text.erase(text.find_last_not_of('0') + 1);
  return text.back() == '.' ? text.substr(0, text.size() - 1) : text;
}

/// Enough digits to tell a value from its bar.
std::string against(double value, double bar) {
  for (int digits = 2; digits < 15; ++digits)
    if (fixed(value, digits) != fixed(bar, digits)) return fixed(value, digits);
  return fixed(value, 15);
}

void judge_control(const ControlScore& control, std::size_t row, std::vector<Miss>& found) {
  if (!control.passed)
    found.push_back(
        {row, {}, Bar::control, "has no control" + (control.none.empty() ? "" : ": " + control.none)});
  else if (!*control.passed)
    found.push_back({row, {}, Bar::control, "the control failed"});
}

void judge_legs(const RigHealth& health, double min_bend, std::size_t row, std::vector<Miss>& found) {
  for (const LegHealth& leg : health.legs) {
    if (leg.bend() < min_bend)
      found.push_back({row,
                       {},
                       Bar::bend,
                       "leg " + leg.joint + " bends by " + against(leg.bend(), min_bend) +
                           " degrees, below " + plain(min_bend)});
    if (!leg.weighted)
      found.push_back({row, {}, Bar::bend, "leg " + leg.joint + " has a bone that moves nothing"});
  }
}

void judge_clips(const std::vector<ClipScore>& clips, const Gates& gates, std::size_t row,
                 std::vector<Miss>& found) {
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const int clip = static_cast<int>(c);
    const std::optional<double>& quality = quality_of(clips[c], gates.quality);
    if (gates.min_quality && clips[c].quality && !quality)
      found.push_back({row, clip, Bar::quality, "has no integrated quality"});
    if (gates.min_quality && quality && *quality < *gates.min_quality)
      found.push_back(
          {row, clip, Bar::quality,
           "quality " + against(*quality, *gates.min_quality) + " is below " + plain(*gates.min_quality)});
    if (gates.max_worst && clips[c].worst > *gates.max_worst)
      found.push_back({row, clip, Bar::worst,
                       "worst error " + against(clips[c].worst, *gates.max_worst) + " % is above " +
                           plain(*gates.max_worst)});
  }
}

}  // namespace

std::vector<Miss> misses(const std::vector<ScoreRow>& rows, const Gates& gates) {
  std::vector<Miss> found;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const ScoreRow& row = rows[r];
    if (!row.ok) continue;
    if (gates.require_control) judge_control(row.control, r, found);
    if (gates.min_bend && row.health) judge_legs(*row.health, *gates.min_bend, r, found);
    judge_clips(row.clips, gates, r, found);
  }
  return found;
}

std::string describe(const Miss& miss, const ScoreRow& row) {
  std::string text = row.tool + ", " + model_name(row);
  if (miss.clip) {
    const ClipScore& clip = row.clips[*miss.clip];
    text += ", " + (clip.clip.empty() ? "(unnamed)" : clip.clip) + " (" + name_of(clip.joints) + ")";
  }
  return text + ": " + miss.what;
}

}  // namespace pelt
