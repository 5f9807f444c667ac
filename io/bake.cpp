#include "bake.h"

#include <Eigen/LU>
#include <algorithm>
#include <future>
#include <memory>

#include "clip_choice.h"
#include "distinct_pair.h"
#include "gltf_reader.h"
#include "io_error.h"
#include "matched_pair.h"
#include "staged_files.h"
#include "threads.h"
#include "track.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;

void check_has_clips(const RigFile& artist) {
  if (artist.scene.clips.empty()) throw ReadError(artist.scene.file + ": animations: the file has no clip");
}

void check_output(const fs::path& output, const std::vector<fs::path>& inputs) {
  std::error_code none;
  for (const fs::path& input : inputs)
    if (fs::equivalent(output, input, none) ||
        fs::weakly_canonical(output, none) == fs::weakly_canonical(input, none))
      throw UsageError(output.string() + ": the output is an input");
  if (output.extension() != ".glb" && output.extension() != ".gltf")
    throw UsageError(output.string() + ": the output must end in .glb or .gltf");
  const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, none))
    throw WriteError(output.string() + ": there is no folder " + folder.string());
}

std::vector<fs::path> inputs_of(const BakeOptions& options) {
  std::vector<fs::path> inputs = options.points.files;
  inputs.push_back(options.artist);
  inputs.push_back(options.rig);
  for (const fs::path& more : {options.mesh, options.alignment})
    if (!more.empty()) inputs.push_back(more);
  return inputs;
}

/// Puts the file in its place and reads it back: its clips must be those that were measured, or what stood
/// there before comes back.
void commit_and_verify(StagedFiles& files, const Transfer& written, const fs::path& path) {
  files.commit([&] {
    const Scene saved = read_scene(read_document(path));
    const auto same_clip = [](const Clip& a, const Clip& b) { return same(a.tracks, b.tracks); };
    const std::vector<Clip>& clips = written.clips_as_read;
    if (!std::equal(saved.clips.begin(), saved.clips.end(), clips.begin(), clips.end(), same_clip))
      throw WriteError(path.string() + ": what was read back is not what was written");
  });
}

void check_modes(const std::vector<JointMode>& modes) {
  if (modes.empty()) throw UsageError("there is no mode in which joints may move");
  for (std::size_t n = 0; n < modes.size(); ++n)
    if (std::find(modes.begin(), modes.begin() + n, modes[n]) != modes.begin() + n)
      throw UsageError("joints: mode '" + name_of(modes[n]) + "' is there twice");
}

void check_order(const BakeOptions& options) {
  check_modes(options.joints);
  if (!options.output.empty()) check_output(options.output, inputs_of(options));
}

/// What a bake is about.
struct Order {
  const BakeOptions& options;
  const TransferSettings& settings;
  ArtistSession& artist;
  const std::vector<int>& clips;

  TransferSettings in(JointMode mode) const {
    TransferSettings s = settings;
    s.solve = in_mode(mode, options.stretch, settings.solve);
    s.write.rigid_bones = mode == JointMode::rotate;
    return s;
  }
};

/// Runs the control beside the bake, so that what one of them does on a single thread (files, mostly) leaves
/// the others to the other. With one thread it goes first, unless another bake is at it. Progress is the
/// bake's.
std::future<Control> begin_control(const Order& order) {
  TransferSettings settings = order.settings;
  settings.progress = nullptr;
  const bool beside = settings.solve.threads > 1;
  if (!beside) order.artist.start_control(order.clips, settings);
  return std::async(beside ? std::launch::async : std::launch::deferred,
                    [&order, settings] { return order.artist.control(order.clips, settings); });
}

/// Solves the clips in every mode; those of the first are in the document that is returned.
Transfer solve_modes(const Order& order, const RigFile& rig, BakeResult& result) {
  const BakeOptions& options = order.options;
  std::optional<RigFile> few;
  if (options.max_influences > 0) few = limited(rig, options.max_influences, result.influences.emplace());
  const Eigen::Matrix4d& artist_from_rig = result.matching.alignment.artist_from_rig;
  const double diag = result.diag / scale_of(artist_from_rig);  // in the rig's unit
  const RigFile& artist = order.artist.distinct();
  const auto pair_with = [&](const RigFile& onto) {
    return DistinctPair(artist, onto, result.matching.correspondence);
  };
  const auto run = [&](const DistinctPair& pair, JointMode mode) {
    const Motive motive{&artist.scene, &pair.correspondence(), artist_from_rig.inverse(),
                        &order.artist.surfaces()};
    return transfer(motive, order.clips, pair.rig(), diag, order.in(mode));
  };
  const DistinctPair played = pair_with(few ? *few : rig);
  const JointMode first = options.joints.front();
  result.joints = first, result.loss = order.settings.solve.loss;
  Transfer done = run(played, first);
  if (result.influences && result.influences->cut > 0)
    result.all_influences = run(pair_with(rig), first).clips;
  for (std::size_t n = 1; n < options.joints.size(); ++n)
    result.compared.push_back({options.joints[n], run(played, options.joints[n]).clips});
  const std::string& of = result.output.empty() ? result.rig : result.output;
  for (const std::string& warning : done.warnings) result.warnings.push_back(of + ": " + warning);
  result.bytes_before = done.bytes_before, result.bytes_after = done.bytes_after;
  result.clips = std::move(done.clips);
  return done;
}

}  // namespace

BakeResult bake(const BakeOptions& options, const SeenBake& seen) {
  int wanted = options.transfer.solve.threads;
  const Threads threads(wanted);
  check_order(options);
  std::future<RigFile> opened = std::async(wanted > 1 ? std::launch::async : std::launch::deferred,
                                           [&] { return open_rig_file(options.rig, options.mesh); });
  ArtistSession artist(options.artist, options.points);
  const RigFile rig = opened.get();
  BakeResult result = bake(artist, rig, options);
  if (seen) seen(artist, rig, result);
  return result;
}

BakeResult bake(ArtistSession& session, const RigFile& rig, const BakeOptions& options) {
  const RigFile& artist = session.file();
  TransferSettings settings = options.transfer;
  const Threads threads(settings.solve.threads);
  check_order(options);
  const std::vector<int> clips = choose_clips(artist.scene, options.clips);
  BakeResult result = matched_pair(session, rig, options, clips);
  result.output = options.output.string();
  result.no_control = why_no_control(artist);
  const Order order{options, settings, session, clips};
  std::future<Control> control;
  if (result.no_control.empty()) control = begin_control(order);
  const Transfer done = solve_modes(order, rig, result);
  std::unique_ptr<StagedFiles> output;  // made while the control may still run, put in its place after it
  if (!options.output.empty()) output = stage(done.document, options.output, files_of(*artist.document));
  if (control.valid()) result.control = control.get();
  if (output) commit_and_verify(*output, done, options.output);
  return result;
}

ControlResult control(const ControlOptions& options) {
  TransferSettings settings = options.transfer;
  const Threads threads(settings.solve.threads);
  ControlResult result;
  result.artist = options.artist.string(), result.output = options.output.string();
  if (!options.output.empty()) check_output(options.output, {options.artist});
  const RigFile artist = open_rig_file(options.artist);
  check_is_rig(artist);
  check_has_clips(artist);
  take_warnings(artist.scene, options.strict, result.warnings);
  const std::vector<int> clips = choose_clips(artist.scene, options.clips);
  result.diag = bounding_diagonal(artist.rest);
  result.joint_names = names_of_joints(artist);
  const std::optional<RigFile> few = with_distinct(artist, distinct_vertices(artist.scene));
  Transfer written;
  result.control = run_control(few ? *few : artist, clips, result.diag, settings, &written);
  for (const std::string& warning : written.warnings)
    result.warnings.push_back(result.artist + ": " + warning);
  if (options.output.empty()) return result;
  const auto output = stage(written.document, options.output, files_of(*artist.document));
  commit_and_verify(*output, written, options.output);
  return result;
}

}  // namespace pelt
