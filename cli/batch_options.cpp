#include "batch_options.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "batch/manifest.h"
#include "batch/path_pattern.h"
#include "console.h"
#include "interrupt.h"
#include "io/io_error.h"

namespace pelt::cli {
namespace {

/// k and n of "k/n".
Shard shard_named(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto part = std::from_chars(text.data(), end, shard.part);
  const bool slash = part.ec == std::errc() && part.ptr != end && *part.ptr == '/';
  const auto of = slash ? std::from_chars(part.ptr + 1, end, shard.of) : part;
  if (!slash || of.ec != std::errc() || of.ptr != end)
    throw UsageError("--shard: '" + text + "' is not k/n, such as 1/4");
  return shard;
}

/// Nothing that a run writes may be something that it reads, or written twice.
void check_written(const std::vector<Job>& jobs, const BatchOptions& options,
                   const std::vector<std::string>& written) {
  check_outputs(jobs);
  std::vector<std::string> files = {options.manifest};
  for (const Job& job : jobs) {
    for (const auto& file :
         {job.bake.artist, job.bake.rig, job.bake.mesh, job.bake.alignment, job.bake.output})
      files.push_back(file.string());
    for (const auto& file : job.bake.points.files) files.push_back(file.string());
  }
  for (const std::string& file : written) {
    check_report_path(file, files);
    files.push_back(file);
  }
}

}  // namespace

void add_batch_options(CLI::App& command, BatchOptions& o) {
  CLI::Option* manifest =
      command.add_option("--manifest", o.manifest, "List of pairs: a CSV file with a header, or JSON")
          ->option_text("FILE");
  CLI::Option* rigs =
      command.add_option("--rigs", o.rigs, "Rigs by pattern, such as rigs/{tool}/{model}.glb")
          ->option_text("PATTERN")
          ->excludes(manifest);
  CLI::Option* artists =
      command.add_option("--artists", o.artists, "Their artists: the folder of {model}.glb, or a pattern")
          ->option_text("DIR")
          ->needs(rigs);
  rigs->needs(artists);
  command
      .add_option(
          "--rows", o.rows,
          "Keep a row of figures of each pair in this file, and do only what is missing there or changed")
      ->option_text("FILE");
  command.add_option("--jobs", o.jobs, "Pairs that are worked on at a time (default: as many as threads)")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  command.add_option("--timeout", o.timeout, "Give a pair up after so many seconds")
      ->check(positive_number)
      ->option_text("SECONDS");
  command.add_option("--shard", o.shard, "Run part K of N alone; merge joins the parts")->option_text("K/N");
}

std::vector<Job> listed_jobs(const BatchOptions& o, const BakeOptions& defaults) {
  return o.manifest.empty() ? jobs_of_patterns(o.artists, o.rigs, defaults)
                            : read_manifest(o.manifest, defaults);
}

BatchResult run_jobs(std::vector<Job> jobs, const BatchOptions& o, const CommonOptions& common,
                     const BatchFiles& files, PageRigs& page) {
  jobs = ordered(std::move(jobs));
  check_written(jobs, o, {o.rows, files.report, files.html, files.junit});
  if (!files.html.empty()) check_has_viewer();
  if (!o.shard.empty()) jobs = shard_of(jobs, shard_named(o.shard));
  for (Job& job : jobs) job.bake.transfer.progress = nullptr;
  const bool wanted = !files.report.empty() || !files.html.empty();
  const Details details = wanted ? Details::keep : Details::drop;
  std::optional<RowsFile> rows;
  if (!o.rows.empty()) rows.emplace(o.rows, details);
  if (rows && rows->found().torn > 0)
    complain("warning: " + o.rows + ": the last line was cut short (" + std::to_string(rows->found().torn) +
             " bytes): dropped, its pair is done again");
  const Interrupt interrupt;
  BatchSettings settings{o.jobs, common.threads,  o.timeout, rows ? &*rows : nullptr, details,
                         {},     Interrupt::came, {}};
  if (!files.html.empty())
    settings.baked = [&](const Job& job, const ArtistSession& artist, const RigFile& rig,
                         const BakeResult& result) { page.take(job, artist, rig, result); };
  if (!common.quiet) settings.progress = show_batch_progress;
  BatchResult result = run_batch(jobs, settings);
  clear_progress();
  if (result.interrupted)
    complain("interrupted: " + std::to_string(result.rows.size()) + " of " + std::to_string(jobs.size()) +
             " pairs are done" + (rows ? " and kept in " + o.rows : ""));
  return result;
}

}  // namespace pelt::cli
