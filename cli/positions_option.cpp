#include "positions_option.h"

#include <filesystem>
#include <sstream>

#include "io/clip_choice.h"
#include "io/io_error.h"
#include "io/pose.h"
#include "io/positions.h"
#include "transfer_options.h"

namespace pelt::cli {
namespace {

namespace fs = std::filesystem;

std::vector<double> parse_times(const std::string& what, const std::string& list) {
  std::vector<double> times;
  std::istringstream stream(list + ",");
  for (std::string item; std::getline(stream, item, ',');) {
    const std::string wrong = number_from_zero(item);
    if (!wrong.empty()) throw UsageError("--positions " + what + ": time " + wrong);
    times.push_back(std::stod(item));
  }
  return times;
}

bool is_obj(const std::string& output) { return fs::path(output).extension() == ".obj"; }

Frames frames_of(const Scene& scene, const PositionsRequest& request) {
  if (request.times.empty()) return {surface_at(scene, rest_pose(scene))};
  const Clip& clip = scene.clips[choose_clips(scene, {request.clip}).front()];
  Frames frames;
  for (const double time : request.times) frames.push_back(surface_at(scene, pose_at(scene, clip, time)));
  return frames;
}

void check_outputs(const std::string& input, const std::vector<PositionsRequest>& requests) {
  std::vector<fs::path> taken{input};
  for (const PositionsRequest& request : requests) {
    std::error_code none;
    for (const fs::path& other : taken)
      if (fs::equivalent(request.output, other, none) ||
          fs::weakly_canonical(request.output, none) == fs::weakly_canonical(other, none))
        throw UsageError(request.output + ": is the input or asked for twice");
    taken.push_back(request.output);
  }
}

}  // namespace

PositionsRequest parse_positions(const std::string& what, const std::string& output) {
  PositionsRequest request;
  request.output = output;
  if (!is_obj(output) && fs::path(output).extension() != ".npy")
    throw UsageError("--positions: " + output + " ends in neither .npy nor .obj");
  if (what == "rest") return request;
  const std::size_t at = what.rfind('@');
  if (at == std::string::npos)
    throw UsageError("--positions: '" + what + "' is neither rest nor CLIP@t[,t...]");
  request.clip = what.substr(0, at);
  request.times = parse_times(what, what.substr(at + 1));
  if (is_obj(output) && request.times.size() > 1)
    throw UsageError("--positions: " + output + " takes one time; .npy takes several");
  return request;
}

void write_positions(const Scene& scene, const std::vector<PositionsRequest>& requests) {
  check_outputs(scene.file, requests);
  StagedFiles files;
  for (const PositionsRequest& request : requests) {
    const Frames frames = frames_of(scene, request);
    if (is_obj(request.output))
      stage_obj(scene, frames.front(), request.output, files);
    else
      stage_npy(frames, request.output, files);
  }
  files.commit();
}

}  // namespace pelt::cli
