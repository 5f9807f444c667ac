#include "transfer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "../solver/error.h"
#include "../solver/least_distance.h"
#include "added_keys.h"
#include "clip_choice.h"
#include "convergence.h"
#include "gltf_reader.h"
#include "io_error.h"
#include "key_times.h"
#include "measure_clip.h"
#include "parallel.h"
#include "smoothness.h"
#include "solve_bound.h"
#include "track.h"

namespace pelt {
namespace {

// Frames whose targets are held at a time: enough for a long inner loop, little enough for dense meshes.
constexpr int kBlockFrames = 24, kBlockPoints = 2 << 20;
constexpr int kKeyRounds = 3;
// Influences of which moments are made anew at a time, a frame on each thread.
constexpr int kReducedInfluences = 2 << 20;
// Clips are solved together up to so many frames of one joint, so that memory does not grow with their
// number.
constexpr std::size_t kSolvedAtATime = 50000;

/// The rig as the solver knows it.
struct Solver {
  RigMoments moments;
  System system;
};

Solver make_solver(const Motive& motive, const RigFile& rig, const TransferSettings& settings) {
  const Eigen::VectorXd shares = vertex_shares(motive, rig, settings.weighting);
  if (!(shares.sum() > 0))
    throw InvalidInput(rig.scene.file + ": no part of the surface counts: it has no area or no counterpart");
  Solver solver{rig_moments(rig.rig.rig, shares / shares.sum(), settings.solve.threads), {}};
  solver.system = make_system(rig.rig.rig, solver.moments);
  return solver;
}

/// The written clips, read again from what a file of them would hold.
Scene read_again(const RigFile& rig, const Document& document) {
  Document again = parse_document(serialise(document), document.path);
  again.new_buffers = document.new_buffers;
  for (const Document::NewBuffer& buffer : again.new_buffers) again.bytes_read += buffer.data.size();
  return read_scene_of(rig, again);
}

/// Bytes of all files that the document makes.
std::size_t file_size(const Document& document) {
  std::size_t size = serialise(document).size();
  for (const Document::NewBuffer& buffer : document.new_buffers) size += buffer.data.size();
  return size;
}

/// Everything that stays the same while a transfer runs.
struct Task {
  const Motive& motive;
  const std::vector<int>& clips;
  const RigFile& rig;
  double diag;
  const TransferSettings& settings;
  Solver solver;
  MeasureSettings measure;
  std::vector<int> counted;  ///< vertices that count

  const Clip& source(int n) const { return motive.scene->clips[clips[n]]; }
  int threads() const { return settings.solve.threads; }
  ClipMeasure measuring() const { return {motive, rig, diag, measure, threads()}; }
  void tell(const char* stage, std::size_t done, std::size_t total) const {
    check_stop(settings.solve);
    if (settings.progress) settings.progress(stage, static_cast<int>(done), static_cast<int>(total));
  }
};

/// Targets of a block of frames, after up to two frames of the block before.
struct TargetBlock {
  int first = 0, before = 0;  ///< frame after those of the block before, and how many they are
  std::vector<Eigen::Matrix3Xd> targets;

  int count() const { return static_cast<int>(targets.size()) - before; }
};

/// Goes on to the next frames of a clip, and computes their targets.
void advance(const Task& task, const Clip& source, const std::vector<float>& times, TargetBlock& block) {
  block.first += block.count();
  const int frames = static_cast<int>(times.size()), kept = std::min(block.first, 2);
  for (int k = 0; k < kept; ++k) block.targets[k].swap(block.targets[block.targets.size() - kept + k]);
  block.before = kept;
  const int most = std::clamp(kBlockPoints / std::max(task.rig.scene.vertices(), 1), 1, kBlockFrames);
  block.targets.resize(kept + std::min(most, frames - block.first));
  parallel_for(block.count(), task.threads(), [&](int f) {
    block.targets[block.before + f] = targets_at(task.motive, source, times[block.first + f]);
  });
}

/// Largest acceleration of the targets over the frames of the block and the two before each.
double acceleration_of(const Task& task, const std::vector<float>& times, const TargetBlock& block) {
  std::vector<double> largest(block.targets.size(), 0.0);
  const auto at = [&](int n) {
    return PointsInTime{times[block.first - block.before + n], block.targets[n]};
  };
  parallel_for(static_cast<int>(largest.size()) - 2, task.threads(),
               [&](int n) { largest[n] = largest_acceleration(at(n), at(n + 1), at(n + 2), task.counted); });
  return *std::max_element(largest.begin(), largest.end());
}

/// Moments of a clip's targets, a block of frames at a time: memory does not grow with the clip. Until keys
/// are added the targets' acceleration is that at the sampled keys.
TargetMoments moments_of(const Task& task, const Clip& source, ClipTransfer& clip) {
  const int frames = static_cast<int>(clip.times.size());
  TargetMoments all = room_for_moments(task.solver.moments, frames);
  TargetBlock block;
  double acceleration = 0;
  while (block.first + block.count() < frames) {
    check_stop(task.settings.solve);
    advance(task, source, clip.times, block);
    const TargetMoments part =
        target_moments(task.solver.moments, std::span(block.targets).subspan(block.before), task.threads());
    if (!part.sq_norm.allFinite())
      throw ReadError(task.motive.scene->file + ": clip '" + display_name(source) +
                      "': its surface leaves the range of numbers");
    put_moments(part, block.first, all);
    if (clip.keys_added == 0) acceleration = std::max(acceleration, acceleration_of(task, clip.times, block));
  }
  if (clip.keys_added == 0) clip.acceleration.surface = 100 * acceleration / task.diag;
  return all;
}

/// From the least squares to the least distances.
void reduce(const Task& task, const Clip& source, const std::vector<float>& times, SolveResult& solved) {
  const SolveSettings& settings = task.settings.solve;
  const int at_a_time = std::max(kReducedInfluences / std::max(task.rig.rig.rig.influences(), 1), 1);
  parallel_for(static_cast<int>(times.size()), std::min(task.threads(), at_a_time), [&](int f) {
    const Eigen::Matrix3Xd target = targets_at(task.motive, source, times[f]);
    reduce_distances({task.rig.rig.rig, task.solver.moments, target, solved.price}, settings, solved.poses[f],
                     solved.frames[f]);
  });
  check_stop(settings);
}

/// Where in the solve before each key of each clip was, -1: nowhere.
using KeysBefore = std::vector<std::vector<int>>;

/// Takes what was solved before keys were added out of the clips.
std::vector<SolveResult> take_results(std::span<const int> which, Transfer& out) {
  std::vector<SolveResult> results;
  for (const int n : which) {
    ClipTransfer& clip = out.clips[n];
    SolveResult& result = results.emplace_back();
    result.price = clip.price;
    result.poses = std::move(clip.poses);
    result.frames = std::move(clip.frames);
  }
  return results;
}

/// The least distances are found from the least squares, which are gone by then: of those the price alone is
/// kept.
Earlier earlier_of(const Task& task, const SolveResult& result, const std::vector<int>& keys) {
  if (result.frames.empty()) return {};
  const bool is_kept = task.settings.solve.loss == Loss::squares;
  return {&result, is_kept ? keys : std::vector<int>(keys.size(), -1)};
}

/// Clips that are solved together, and how many of `total` are done.
struct ClipGroup {
  std::span<const int> which;
  std::size_t done, total;
};

void solve_some(const Task& task, const ClipGroup& group, const KeysBefore& keys, Transfer& out) {
  const std::span<const int> which = group.which;
  std::vector<TargetMoments> targets;
  for (const int n : which) {
    task.tell("reading motion", group.done + targets.size(), group.total);
    targets.push_back(moments_of(task, task.source(n), out.clips[n]));
  }
  task.tell("solving", group.done, group.total);
  const std::vector<SolveResult> before = take_results(which, out);
  std::vector<Earlier> earlier;
  for (std::size_t k = 0; k < which.size(); ++k)
    earlier.push_back(earlier_of(task, before[k], keys[which[k]]));
  std::vector<SolveResult> solved = solve_clips(task.solver.system, targets, task.settings.solve, earlier);
  for (std::size_t k = 0; k < which.size(); ++k) {
    ClipTransfer& clip = out.clips[which[k]];
    if (task.settings.solve.loss == Loss::distance)
      reduce(task, task.source(which[k]), clip.times, solved[k]);
    clip.frames = std::move(solved[k].frames);
    clip.poses = std::move(solved[k].poses);
    clip.affine = std::move(solved[k].affine);
    clip.price = solved[k].price;
  }
}

/// What a clip takes while it is solved, as so many frames of one joint: its moments and poses, and a system
/// with its price.
std::size_t share_of_memory(const Task& task, const ClipTransfer& clip) {
  const System& system = task.solver.system;
  return clip.times.size() * task.rig.rig.rig.parent.size() + system.column.size() / 3;
}

void solve(const Task& task, const std::vector<int>& which, const KeysBefore& keys, Transfer& out) {
  for (std::size_t first = 0, next = 0; first < which.size(); first = next) {
    std::size_t together = 0;
    do together += share_of_memory(task, out.clips[which[next++]]);
    while (next < which.size() && together + share_of_memory(task, out.clips[which[next]]) <= kSolvedAtATime);
    solve_some(task, {std::span(which).subspan(first, next - first), first, which.size()}, keys, out);
  }
}

void write(const Task& task, Transfer& out) {
  std::vector<SolvedClip> solved;
  for (std::size_t n = 0; n < out.clips.size(); ++n) {
    const Clip& clip = task.source(static_cast<int>(n));
    solved.push_back({clip.name, clip.has_name, out.clips[n].times, out.clips[n].poses, out.clips[n].kept});
  }
  WriteOutcome outcome;
  out.document =
      with_clips(*task.rig.document, task.rig.scene, task.rig.rig, solved, task.settings.write, outcome);
  out.warnings = outcome.warnings;
  out.written_index = outcome.indices;
  for (std::size_t n = 0; n < out.clips.size(); ++n) out.clips[n].written_name = outcome.names[n];
}

/// Calls visit(clip, clip as read) for the clips `which`.
template <class Visit>
void visit_written(const Task& task, const Scene& written, const std::vector<int>& which, Transfer& out,
                   Visit&& visit) {
  for (std::size_t k = 0; k < which.size(); ++k) {
    const int n = which[k];
    task.tell("measuring", k, which.size());
    const Clip& clip = written.clips[out.written_index[n]];
    visit(out.clips[n], WrittenClip{task.source(n), written, clip});
    out.clips[n].measured_on = clip.tracks;
  }
}

std::vector<int> every_clip(const Transfer& out) {
  std::vector<int> all(out.clips.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Measures at every written key and between them.
void measure(const Task& task, const Scene& written, const std::vector<int>& which, Transfer& out) {
  visit_written(task, written, which, out, [&](ClipTransfer& clip, const WrittenClip& as_read) {
    std::vector<int> all(clip.times.size());
    std::iota(all.begin(), all.end(), 0);
    measure_surface(task.measuring(), as_read, all, clip);
    clip.sampled = all;
    measure_joints(task.measuring(), as_read, clip);
  });
}

/// Figures count the artist's own keys alone, however many were added, so that rigs can be compared.
void measure_sampled(const Task& task, const Scene& written, const std::vector<std::vector<float>>& sampled,
                     Transfer& out) {
  const auto changed = [](const ClipTransfer& clip) { return clip.keys_added > 0 || clip.thinning; };
  if (std::none_of(out.clips.begin(), out.clips.end(), changed)) return;
  // any of them, since a new key in one clip may give another clip a track
  visit_written(task, written, every_clip(out), out, [&](ClipTransfer& clip, const WrittenClip& as_read) {
    if (!changed(clip) && same(clip.measured_on, as_read.clip.tracks)) return;
    const std::vector<float>& times = sampled[static_cast<std::size_t>(&clip - out.clips.data())];
    clip.sampled.clear();
    for (std::size_t k = 0; k < clip.times.size(); ++k)
      if (std::binary_search(times.begin(), times.end(), clip.times[k]))
        clip.sampled.push_back(static_cast<int>(k));
    measure_surface(task.measuring(), as_read, clip.sampled, clip);
    measure_joints(task.measuring(), as_read, clip);
  });
}

/// Leaves out keys while the surface stays, and measures on the file without them that it does. `written`:
/// the file with all of them, then without.
void leave_out_keys(const Task& task, Scene& written, Transfer& out) {
  const double tolerance = task.settings.key_tolerance;
  const Scene before = std::move(written);
  const std::vector<int> index_before = out.written_index;
  const auto full = [&](std::size_t n) { return Play{before, before.clips[index_before[n]]}; };
  out.bytes_before = file_size(out.document);
  for (std::size_t n = 0; n < out.clips.size(); ++n) {
    task.tell("leaving out keys", n, out.clips.size());
    out.clips[n].kept = thin(full(n), out.clips[n].times, {tolerance, task.diag, task.threads()});
    out.clips[n].thinning = count_keys(full(n).clip, out.clips[n].kept);
  }
  write(task, out);
  out.bytes_after = file_size(out.document);
  written = read_again(task.rig, out.document);
  for (std::size_t n = 0; n < out.clips.size(); ++n) {
    ClipTransfer& clip = out.clips[n];
    const Play thinned{written, written.clips[out.written_index[n]]};
    const double strays = largest_distance(full(n), thinned, clip.times, task.threads());
    clip.thinning->deviation = 100 * strays / task.diag;
    if (!(clip.thinning->deviation <= tolerance))
      throw WriteError(task.rig.scene.file + ": clip '" + clip.written_name +
                       "': left-out keys move the surface by " + std::to_string(clip.thinning->deviation) +
                       " %, more than the key tolerance");
  }
}

/// Adds keys where they are missed; which clips changed.
std::vector<int> add_keys(const Task& task, KeysBefore& keys, Transfer& out) {
  std::vector<int> changed;
  if (task.settings.fps) return changed;  // the grid is the user's
  for (std::size_t n = 0; n < out.clips.size(); ++n) {
    // between its frames a point cache moves along chords, which no key should follow
    if (task.source(static_cast<int>(n)).points) continue;
    ClipTransfer& clip = out.clips[n];
    const std::vector<float> missing = missing_keys(clip, task.settings.between_tolerance);
    if (missing.empty()) continue;
    clip.keys_added += static_cast<int>(missing.size());
    keys[n] = insert_keys(missing, clip.times);
    changed.push_back(static_cast<int>(n));
  }
  return changed;
}

/// The clips with the times at which they are solved first.
Transfer planned(const Motive& motive, const std::vector<int>& clips, const TransferSettings& settings) {
  Transfer out;
  for (const int c : clips) {
    const Clip& clip = motive.scene->clips[c];
    out.clips.emplace_back();
    out.clips.back().name = clip.name;
    out.clips.back().source = c;
    out.clips.back().times = settings.fps ? regular_times(clip, *settings.fps) : key_times(clip);
  }
  return out;
}

void check_size(const Motive& motive, const RigFile& rig, const TransferSettings& settings,
                const Transfer& out) {
  SolvedFrames frames{.by_fps = settings.fps.has_value()};
  for (const ClipTransfer& clip : out.clips) {
    frames.all += clip.times.size();
    frames.longest = std::max(frames.longest, clip.times.size());
  }
  const SolveSettings& solve = settings.solve;
  const bool also_turns = solve.freedom == Freedom::free && solve.stretch + solve.stiffness >= kHighPrice;
  check_solve_size(motive, rig, also_turns ? Freedom::rotate : solve.freedom, frames);
}

}  // namespace

Transfer transfer(const Motive& motive, const std::vector<int>& clips, const RigFile& rig, double diag,
                  const TransferSettings& settings) {
  Transfer out = planned(motive, clips, settings);
  check_size(motive, rig, settings, out);
  Task task{motive,
            clips,
            rig,
            diag,
            settings,
            make_solver(motive, rig, settings),
            measure_settings(motive, rig, diag, settings.weighting),
            {}};
  task.counted = counted_vertices(task.measure);
  std::vector<std::vector<float>> sampled;
  for (const ClipTransfer& clip : out.clips) sampled.push_back(clip.times);
  std::vector<int> todo = every_clip(out);
  KeysBefore keys;
  for (const ClipTransfer& clip : out.clips) keys.emplace_back(clip.times.size(), -1);
  Scene written;
  for (int round = 0; !todo.empty(); ++round) {
    solve(task, todo, keys, out);
    write(task, out);
    written = read_again(rig, out.document);
    measure(task, written, todo, out);
    todo = round < kKeyRounds ? add_keys(task, keys, out) : std::vector<int>();
    check_size(motive, rig, settings, out);
  }
  if (settings.key_tolerance > 0) leave_out_keys(task, written, out);
  measure_sampled(task, written, sampled, out);
  out.clips_as_read = std::move(written.clips);
  for (std::string& warning : open_frames(out.clips)) out.warnings.push_back(std::move(warning));
  out.system = std::move(task.solver.system);
  return out;
}

}  // namespace pelt
