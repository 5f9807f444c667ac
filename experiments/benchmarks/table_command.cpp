#include <sys/resource.h>
#include <unistd.h>

#include <Eigen/Core>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "commands.h"
#include "exact_file.h"
#include "io/bake.h"
#include "io/pose.h"
#include "machine.h"
#include "rig_dump.h"
#include "solver/affine.h"
#include "solver/newton.h"
#include "solver/solve.h"
#include "solver/sweep.h"
#include "stopwatch.h"

namespace pelt::bench {
namespace {

/// What a stage has to move and to multiply at the least; zero where that is not known.
struct Work {
  double bytes = 0, operations = 0;
};

struct Table {
  TableOptions options;
  MachineRates rates;
  int vertices = 0, joints = 0;

  int runs() const { return options.quick ? 3 : 9; }

  void line(const char* stage, const Seconds& cost, const Work& work = {}) const {
    std::printf("| %-22s | %6d | %3d | %10.3f | %10.3f |", stage, vertices, joints, 1e3 * cost.cpu,
                1e3 * cost.wall);
    const double seconds = cost.cpu / options.threads;  // a busy machine stretches the wall clock
    rate(1e-9 * work.bytes / seconds, rates.triad);
    rate(1e-9 * work.operations / seconds, rates.dgemm);
    std::printf("\n");
  }

  template <class Stage>
  void time(const char* stage, const Work& work, Stage&& run) const {
    line(stage, cost_of(run, runs(), options.quick ? 0 : 0.05), work);
  }

 private:
  static void rate(double reached, double limit) {
    if (reached > 0)
      std::printf(" %6.2f %4.0f %% |", reached, 100 * reached / limit);
    else
      std::printf("             |");
  }
};

void print_head(const TableOptions& options, const MachineRates& rates) {
  std::printf("Triad %.1f GB/s, products of matrices %.1f (double) and %.1f (single) GFLOP/s, %d threads.\n",
              rates.triad, rates.dgemm, rates.sgemm, options.threads);
  std::printf("Beside each stage: what it must move and multiply at the least, by CPU time a thread.\n\n");
  std::printf(
      "| stage                  | vertic. | jts |     CPU ms |    wall ms | GB/s, of triad | GFLOP/s, of "
      "double |\n|---|---|---|---|---|---|---|\n");
}

/// Moments, and skinning.
void time_passes(const Table& table, const RigDump& dump, const Rig& rig, const Eigen::VectorXd& shares) {
  const double v = rig.vertices(), influences = rig.influences(), f = dump.frames();
  const double per_influence = 4 + 8 + 24;  // joint, weight, rest point
  RigMoments moments;
  table.time("moments of the rig", {influences * (per_influence + 36), 0},
             [&] { moments = rig_moments(rig, shares, table.options.threads); });
  table.time("moments of the targets", {24 * v * f + 36 * influences, 24 * influences * f},
             [&] { target_moments(moments, dump.targets, table.options.threads); });
  table.time("skinning a frame", {per_influence * influences + 24 * v, 32 * influences},
             [&] { skin(rig, dump.truth[0]); });
  MeasureSettings settings;
  settings.weight = shares;
  settings.rest = dump.rest;
  Measure measure(settings, 1);
  table.time("measuring a frame", {3 * 24 * v, 0}, [&] { measure.add(0, dump.targets[0], dump.rest); });
}

/// What costs the same for any number of vertices; a frame each.
void time_solve(const Table& table, const RigDump& dump, const Rig& rig, const Eigen::VectorXd& shares) {
  const RigMoments moments = rig_moments(rig, shares);
  const System system = make_system(rig, moments);
  const std::vector<TargetMoments> targets = {target_moments(moments, dump.targets)};
  const FrameMoments frame = frame_moments(system, targets[0], dump.frames() / 3);
  const AffineSolver affine(system);
  const Pose start = nearest_rigid(system, affine.solve(frame));
  NewtonSolver newton(system);
  table.time("sweep of a frame", {}, [&] {
    Pose pose = start;
    sweep(system, frame, pose);
  });
  table.time("finish of a frame", {}, [&] {
    Pose pose = start;
    newton.polish(frame, {}, pose);
  });
  table.time("solve of the clip", {},
             [&] { solve_clips(system, targets, {.threads = table.options.threads}); });
}

/// Tree and closest points where no vertex coincides, on a mesh of about 60,000 triangles. Sheets stay out of
/// it: the made-up animal's tubes pass through each other everywhere.
void time_nearest(const Table& table, const RigDump& dump) {
  const RigDump other = exact_animal({30000, dump.joints(), 1});
  const Surface artist{other.rest, other.triangles}, rig{dump.rest, dump.triangles};
  table.line("nearest of 60k faces", cost_of([&] { correspond(artist, rig, {.reach = 0}); }, 3));
}

void time_bake(const Table& table, const RigDump& dump) {
  const auto folder = std::filesystem::temp_directory_path() / ("pelt-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  BakeOptions options;
  options.artist = folder / "artist.glb", options.rig = folder / "rig.glb",
  options.output = folder / "baked.glb";
  write_exact_file(dump, true, options.artist);
  write_exact_file(other_rig(dump), false, options.rig);
  options.transfer.solve.threads = table.options.threads;

  const RigFile artist = open_rig_file(options.artist), rig = open_rig_file(options.rig);
  Correspondence correspondence;
  const auto once = [](auto&& work) { return cost_of(work, 1); };
  table.line("correspondence", once([&] { correspondence = correspond(artist.rest, rig.rest); }));
  table.line("bake in memory", once([&] {
               transfer({&artist.scene, &correspondence}, {0}, rig, bounding_diagonal(artist.rest),
                        options.transfer);
             }));
  table.line("bake of a file", once([&] { bake(options); }));
  std::filesystem::remove_all(folder);
}

}  // namespace

void run_table(const TableOptions& options) {
  Table table{options, measure_machine(options.threads, options.quick ? 3 : 9)};
  print_head(options, table.rates);
  for (const int vertices : options.quick ? std::vector{5000} : std::vector{5000, 60000, 181000})
    for (const int joints : options.quick ? std::vector{20} : std::vector{20, 60, 200}) {
      table.vertices = vertices, table.joints = joints;
      const RigDump dump = exact_animal({vertices, joints, 24});
      const Rig rig = rig_of_dump(dump);
      const Eigen::VectorXd shares = Eigen::VectorXd::Constant(vertices, 1.0 / vertices);
      time_passes(table, dump, rig, shares);
      time_solve(table, dump, rig, shares);
      time_nearest(table, dump);
      time_bake(table, dump);
    }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("\nLargest memory of the program: %.0f MiB.\n", static_cast<double>(usage.ru_maxrss) / 1024);
}

}  // namespace pelt::bench
