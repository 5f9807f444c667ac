#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "batch/path_pattern.h"
#include "batch_options.h"
#include "commands.h"
#include "console.h"
#include "html_option.h"
#include "io/bake.h"
#include "io/io_error.h"
#include "io/report.h"
#include "page/page_rig.h"
#include "pair_options.h"
#include "score_output.h"
#include "table.h"

namespace pelt::cli {
namespace {

struct BakeCommand {
  PairOptions pair;
  BatchOptions batch;
  ScoreOutput score;
  std::string artist, rig, mesh, output;
  double key_tolerance = 0;
  bool replace = false;
  std::vector<const CLI::Option*> of_batch;  ///< options that a single pair does not know
};

/// The options without files.
BakeOptions bake_settings(const BakeCommand& c) {
  BakeOptions options = bake_options(c.pair);
  options.transfer.write.replace = c.replace;
  options.transfer.key_tolerance = c.key_tolerance;
  return options;
}

/// Clips below the gate are told; true if there are any.
bool misses_gate(const BakeResult& result, std::optional<double> min_quality) {
  bool missed = false;
  for (const ClipTransfer& clip : result.clips) {
    if (!min_quality || !clip.keys.quality || *clip.keys.quality >= *min_quality) continue;
    char text[80];
    std::snprintf(text, sizeof text, ": quality %.4f is below --min-quality %g", *clip.keys.quality,
                  *min_quality);
    complain(result.output + ": clip '" + clip.written_name + "'" + text);
    missed = true;
  }
  return missed;
}

/// Neither report nor page may be something that is read or written besides.
void check_results(const BakeCommand& c) {
  std::vector<std::string> files = c.pair.points;
  files.insert(files.end(), {c.artist, c.rig, c.mesh, c.output});
  if (c.pair.align != "none" && c.pair.align != "auto") files.push_back(c.pair.align);
  const std::string &report = c.pair.common.report, &html = c.pair.html;
  check_report_path(report, files);
  files.push_back(report);
  check_html_path(html, files);
  const auto ending = [](const std::string& file) { return std::filesystem::path(file).extension(); };
  for (const std::string& file : c.pair.points)  // a sequence has more files than the one that is named
    for (const std::string& result : {report, html})
      if (!result.empty() && ending(result) == ending(file))
        throw UsageError(result + ": a report or page must not end as the point files do");
}

int bake_one(const BakeCommand& c) {
  const CommonOptions& common = c.pair.common;
  for (const CLI::Option* option : c.of_batch)
    if (option->count() > 0) throw UsageError(option->get_name() + " goes with --manifest or --rigs");
  check_results(c);
  BakeOptions options = bake_settings(c);
  options.artist = c.artist, options.rig = c.rig, options.mesh = c.mesh, options.output = c.output;
  PageRig page;
  SeenBake seen;
  if (!c.pair.html.empty())
    seen = [&](const ArtistSession& artist, const RigFile& rig, const BakeResult& baked) {
      page = page_rig(artist, rig, options, baked);
    };
  const BakeResult result = bake(options, seen);
  clear_progress();
  print_warnings(result.warnings, common.quiet);
  if (!common.quiet) std::fputs(bake_table(result).c_str(), stdout);
  if (!common.report.empty()) write_report(bake_report(options, result), common.report);
  if (!c.pair.html.empty()) write_page(bake_page(options, result, std::move(page)), c.pair.html);
  if (result.control && !result.control->passed) {
    complain(failed_control(result.artist, *result.control) + "; no figure here counts");
    return gate_missed;
  }
  return misses_gate(result, c.score.min_quality) ? gate_missed : done;
}

/// The jobs, each with its output by the pattern.
std::vector<Job> jobs_with_outputs(const BakeCommand& c) {
  for (const char* name : {"tool", "model"})
    if (!has_placeholder(c.output, name))
      throw UsageError(c.output + ": must have {tool} and {model}, as in baked/{tool}/{model}.glb");
  std::vector<Job> jobs = listed_jobs(c.batch, bake_settings(c));
  for (Job& job : jobs) job.bake.output = filled(c.output, {job.tool, job.model});
  return jobs;
}

int bake_many(const BakeCommand& c) {
  if (!c.artist.empty()) throw UsageError("ARTIST and RIG do not go with --manifest or --rigs");
  if (!c.mesh.empty() || !c.pair.points.empty())
    throw UsageError(
        "--mesh and --points do not go with --manifest or --rigs; in a manifest they are options "
        "of a pair");
  const CommonOptions& common = c.pair.common;
  PageRigs page;
  const BatchResult result =
      run_jobs(jobs_with_outputs(c), c.batch, common, {common.report, c.pair.html, c.score.junit}, page);
  const int code = put_out(result.rows, c.score, {common.report, c.pair.html, &page}, common.quiet);
  return result.interrupted ? interrupted : code;
}

int run_bake(const BakeCommand& c) {
  const bool many = c.batch.asked();  // of which no single file is named
  if (!many && c.artist.empty()) throw CLI::RequiredError("ARTIST");
  if (!many && c.rig.empty()) throw CLI::RequiredError("RIG");
  if (c.output.empty()) throw CLI::RequiredError("--output");
  return many ? bake_many(c) : bake_one(c);
}

}  // namespace

void add_bake(CLI::App& app, int& exit_code) {
  auto c = std::make_shared<BakeCommand>();
  CLI::App* command = app.add_subcommand("bake", "Bake the artist's clips onto another rig, or onto many");
  command->add_option("ARTIST", c->artist, "Animated .glb or .gltf, or an .obj mesh with --points");
  command->add_option("RIG", c->rig, "Another rig of the same animal, or a text rig");
  command
      ->add_option("-o,--output", c->output,
                   "The rig's file with the clips; of many rigs a pattern such as baked/{tool}/{model}.glb")
      ->option_text("OUT");
  command->add_option("--mesh", c->mesh, "The OBJ that a text rig is for (default: the one beside it)")
      ->option_text("FILE");
  add_pair_options(*command, c->pair);
  command
      ->add_option("--key-tolerance", c->key_tolerance,
                   "Leave out keys while no vertex moves by more than so many % of the diagonal")
      ->check(number_from_zero)
      ->capture_default_str()
      ->option_text("P");
  command->add_flag("--replace", c->replace, "Replace a clip of the same name");
  add_batch_options(*command, c->batch);
  add_score_output(*command, c->score);
  for (const char* name :
       {"--artists", "--rows", "--jobs", "--timeout", "--shard", "--format", "--quality", "--per-model",
        "--max-worst", "--require-control", "--min-bend", "--junit", "--seed"})
    c->of_batch.push_back(command->get_option(name));
  command->callback([c, &exit_code] { exit_code = run_bake(*c); });
}

}  // namespace pelt::cli
