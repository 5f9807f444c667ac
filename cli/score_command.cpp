#include <CLI/CLI.hpp>
#include <memory>

#include "batch_options.h"
#include "commands.h"
#include "io/io_error.h"
#include "pair_options.h"
#include "score_output.h"

namespace pelt::cli {
namespace {

struct ScoreCommand {
  PairOptions pair;
  BatchOptions batch;
  ScoreOutput output;
  std::string artist;
  std::vector<std::string> rigs;
};

/// The artist with each rig.
std::vector<Job> named_jobs(const ScoreCommand& c, const BakeOptions& defaults) {
  std::vector<Job> jobs;
  for (const std::string& rig : c.rigs) {
    Job job{std::filesystem::path(rig).stem().string(), std::filesystem::path(c.artist).stem().string(),
            defaults, ""};
    job.bake.artist = c.artist, job.bake.rig = rig;
    jobs.push_back(std::move(job));
  }
  return jobs;
}

int run_score(const ScoreCommand& c) {
  if (c.artist.empty() == !c.batch.asked())
    throw UsageError("score takes ARTIST and RIGs, or --manifest, or --artists and --rigs");
  if (!c.artist.empty() && c.rigs.empty()) throw UsageError("score: there is no RIG");
  if (c.batch.asked() && !c.pair.points.empty())
    throw UsageError("--points goes with ARTIST; in a manifest it is an option of a pair");
  const BakeOptions defaults = bake_options(c.pair);
  const CommonOptions& common = c.pair.common;
  PageRigs page;
  const BatchResult result =
      run_jobs(c.batch.asked() ? listed_jobs(c.batch, defaults) : named_jobs(c, defaults), c.batch, common,
               {common.report, c.pair.html, c.output.junit}, page);
  const int code = put_out(result.rows, c.output, {common.report, c.pair.html, &page}, common.quiet);
  return result.interrupted ? interrupted : code;
}

}  // namespace

void add_score(CLI::App& app, int& exit_code) {
  auto c = std::make_shared<ScoreCommand>();
  CLI::App* command = app.add_subcommand("score", "Tell how much of the artist's motion each rig can carry");
  command->add_option("ARTIST", c->artist, "Animated .glb or .gltf, or an .obj mesh with --points");
  command->add_option("RIG", c->rigs, "Rigs of the same animal");
  add_batch_options(*command, c->batch);
  add_pair_options(*command, c->pair);
  add_score_output(*command, c->output);
  command->callback([c, &exit_code] { exit_code = run_score(*c); });
}

}  // namespace pelt::cli
