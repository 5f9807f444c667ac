#include "job_options.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <map>

#include "../io/io_error.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;

/// An option's value on its way.
struct Value {
  const std::string& name;
  const std::string& text;
  const fs::path& folder;

  [[noreturn]] void refuse(const std::string& wanted) const {
    throw UsageError(name + ": '" + text + "' is not " + wanted);
  }
  double number(bool positive) const {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0 || (positive && value == 0))
      refuse(positive ? "a number above 0" : "a number from 0 up");
    return value;
  }
  double price() const {
    const double value = number(false);
    if (value > kLargestPrice) refuse("a number from 0 to 1000000");
    return value;
  }
  int count() const {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value < 1 || value > 1 << 20)
      refuse("a number from 1 to 1048576");
    return value;
  }
  bool flag() const {
    if (text != "true" && text != "false") refuse("true or false");
    return text == "true";
  }
  fs::path path() const { return folder / text; }
  template <class Enum>
  Enum one_of(const std::map<std::string, Enum>& names) const {
    if (const auto found = names.find(text); found != names.end()) return found->second;
    std::string list;
    for (const auto& [known, value] : names) list += (list.empty() ? "" : " or ") + known;
    refuse(list);
  }
};

void set_align(const Value& v, BakeOptions& o) {
  o.align = v.text != "none";
  o.alignment = v.text == "none" || v.text == "auto" ? fs::path() : v.path();
}

void set_joints(const Value& v, BakeOptions& o) {
  try {
    o.joints = joint_modes(v.text);
  } catch (const UsageError& error) {
    throw UsageError(v.name + ": " + error.what());
  }
}

void set_loss(const Value& v, BakeOptions& o) {
  o.transfer.solve.loss = v.one_of<Loss>({{"squares", Loss::squares}, {"distance", Loss::distance}});
}

void set_match(const Value& v, BakeOptions& o) {
  o.match = v.one_of<MatchPose>(
      {{"auto", MatchPose::automatic}, {"rest", MatchPose::rest}, {"bind", MatchPose::bind}});
}

void set_weighting(const Value& v, BakeOptions& o) {
  o.transfer.weighting = v.one_of<Weighting>({{"area", Weighting::area}, {"uniform", Weighting::uniform}});
}

void set_up(const Value& v, BakeOptions& o) {
  o.points.up = v.one_of<PointsUp>({{"auto", PointsUp::automatic}, {"y", PointsUp::y}, {"z", PointsUp::z}});
}

using Set = std::function<void(const Value&, BakeOptions&)>;

const std::map<std::string, Set>& setters() {
  static const std::map<std::string, Set> list = {
      {"align", set_align},
      {"force", [](const Value& v, BakeOptions& o) { o.force = v.flag(); }},
      {"fps", [](const Value& v, BakeOptions& o) { o.transfer.fps = v.number(true); }},
      {"joints", set_joints},
      {"key-tolerance", [](const Value& v, BakeOptions& o) { o.transfer.key_tolerance = v.number(false); }},
      {"loss", set_loss},
      {"match", set_match},
      {"max-influences", [](const Value& v, BakeOptions& o) { o.max_influences = v.count(); }},
      {"mesh", [](const Value& v, BakeOptions& o) { o.mesh = v.path(); }},
      {"points", [](const Value& v, BakeOptions& o) { o.points.files.push_back(v.path()); }},
      {"points-fps", [](const Value& v, BakeOptions& o) { o.points.fps = v.number(true); }},
      {"points-up", set_up},
      {"replace", [](const Value& v, BakeOptions& o) { o.transfer.write.replace = v.flag(); }},
      {"stiffness", [](const Value& v, BakeOptions& o) { o.transfer.solve.stiffness = v.price(); }},
      {"stretch", [](const Value& v, BakeOptions& o) { o.stretch = v.price(); }},
      {"strict", [](const Value& v, BakeOptions& o) { o.strict = v.flag(); }},
      {"weighting", set_weighting}};
  return list;
}

}  // namespace

void set_option(const std::string& name, const std::string& value, const fs::path& folder,
                BakeOptions& options) {
  const auto setter = setters().find(name);
  if (setter == setters().end()) throw UsageError("'" + name + "' is no option of a pair");
  setter->second({name, value, folder}, options);
}

}  // namespace pelt
