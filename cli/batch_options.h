#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batch/run_batch.h"
#include "html_option.h"
#include "transfer_options.h"

namespace pelt::cli {

/// Where many pairs come from and how they are run, for bake and score.
struct BatchOptions {
  std::string manifest, artists, rigs, rows, shard;
  int jobs = 0;
  std::optional<double> timeout;

  bool asked() const { return !manifest.empty() || !rigs.empty(); }
};

void add_batch_options(CLI::App& command, BatchOptions& options);

/// The pairs of the manifest or the patterns. \throw UsageError, ReadError
std::vector<Job> listed_jobs(const BatchOptions& options, const BakeOptions& defaults);

/// Files that a run is to write beside its outputs and rows; empty where not asked for.
struct BatchFiles {
  std::string report, html, junit;
};

/// What becomes of the pairs, in the order of their names and only those of the shard, with details where
/// there is to be a report or a page, whose rigs go to `page`; progress goes to stderr.
/// \throw UsageError, ReadError, WriteError
BatchResult run_jobs(std::vector<Job> jobs, const BatchOptions& options, const CommonOptions& common,
                     const BatchFiles& files, PageRigs& page);

}  // namespace pelt::cli
