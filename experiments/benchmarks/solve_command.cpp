#include <Eigen/Core>
#include <cmath>
#include <cstdio>

#include "commands.h"
#include "rig_dump.h"
#include "solver/solve.h"
#include "stopwatch.h"

namespace pelt::bench {
namespace {

void print_cost(std::FILE* out, const char* stage, const Seconds& cost) {
  std::fprintf(out, "%-28s %10.3f ms CPU %10.3f ms wall\n", stage, 1e3 * cost.cpu, 1e3 * cost.wall);
}

/// A part of the solve: mean of the runs, clock time summed over threads.
void print_share(std::FILE* out, const char* stage, double seconds) {
  std::fprintf(out, "%-28s %10.3f ms\n", stage, 1e3 * seconds);
}

struct Errors {
  double mean = 0, rms = 0, max = 0;
};

/// Of all vertices with influences and all frames, fractions of `length`.
Errors errors_of(const Rig& rig, const RigDump& dump, const std::vector<Pose>& poses, double length) {
  double sum = 0, squares = 0, worst = 0, count = 0;
  for (int f = 0; f < dump.frames(); ++f) {
    const Eigen::Matrix3Xd skinned = skin(rig, poses[f]);
    for (int i = 0; i < rig.vertices(); ++i) {
      if (rig.first_influence[i] == rig.first_influence[i + 1]) continue;
      const double error = (skinned.col(i) - dump.targets[f].col(i)).norm() / length;
      sum += error, squares += error * error, worst = std::max(worst, error), ++count;
    }
  }
  count = std::max(count, 1.0);
  return {sum / count, std::sqrt(squares / count), worst};
}

}  // namespace

void run_solve(const SolveOptions& options) {
  const RigDump dump = read_dump(options.dump);
  const Rig rig = rig_of_dump(dump);
  const Eigen::VectorXd shares = Eigen::VectorXd::Constant(rig.vertices(), 1.0 / rig.vertices());
  const SolveSettings settings{.threads = options.threads};
  std::FILE* out = options.out;
  std::fprintf(out, "%d vertices, %.2f influences, %d joints, %d frames, %d threads; least of %d runs\n",
               rig.vertices(), static_cast<double>(rig.influences()) / std::max(rig.vertices(), 1),
               rig.joints(), dump.frames(), options.threads, options.runs);

  RigMoments moments;
  print_cost(out, "moments of the rig",
             cost_of([&] { moments = rig_moments(rig, shares, options.threads); }, options.runs));
  std::vector<TargetMoments> targets(1);
  print_cost(
      out, "moments of the targets",
      cost_of([&] { targets[0] = target_moments(moments, dump.targets, options.threads); }, options.runs));
  SolveResult result;
  const auto solve = [&](const SolveSettings& s) {
    const System system = make_system(rig, moments);
    result = solve_clips(system, targets, s).front();
  };
  print_cost(out, "starts, sweeps, finish", cost_of([&] { solve(settings); }, options.runs));
  SolveTimes times;
  SolveSettings timed = settings;
  timed.times = &times;
  for (int n = 0; n < options.runs; ++n) solve(timed);
  print_share(out, "  starts", times.starts / options.runs);
  print_share(out, "  sweeps", times.sweeps / options.runs);
  print_share(out, "  finish", times.finish / options.runs);
  const Errors errors = errors_of(rig, dump, result.poses, moments.unit.length);
  std::fprintf(out, "error / diag                 mean %.3e  RMS %.3e  max %.3e\n", errors.mean, errors.rms,
               errors.max);
  if (!options.solution.empty()) write_solution(result.poses, options.solution);
}

}  // namespace pelt::bench
