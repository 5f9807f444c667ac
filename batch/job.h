#pragma once

#include <functional>
#include <string>
#include <vector>

#include "../io/bake.h"

namespace pelt {

/// A pair of artist and rig that is to be scored, and baked where it has an output.
struct Job {
  std::string tool, model;  ///< no two jobs of a batch have the same
  BakeOptions bake;
  std::string fault;  ///< why there is nothing to run; else empty
};

/// What is to be done with the bake of a job while its files are open.
using Baked = std::function<void(const Job&, const ArtistSession&, const RigFile&, const BakeResult&)>;

/// "tool/model", for messages.
std::string display_name(const Job& job);

/// By tool and model, in whatever order they came; jobs that share both become one that tells so.
std::vector<Job> ordered(std::vector<Job> jobs);

/// The part k of n, from 1.
struct Shard {
  int part = 1, of = 1;
};

/// Slices of equal size of the jobs in an order that their names alone decide, an artist's jobs side by side:
/// every job is in one part, few artists are in two, and a further job moves few others.
/// \throw UsageError for a part that there is not
std::vector<Job> shard_of(const std::vector<Job>& jobs, const Shard& shard);

/// \throw UsageError where an output is the input or the output of another job
void check_outputs(const std::vector<Job>& jobs);

/// Files from which a bake reads; those that follow from a file's content as far as it can be read.
std::vector<std::filesystem::path> artist_files(const BakeOptions& options);
std::vector<std::filesystem::path> rig_files(const BakeOptions& options);

}  // namespace pelt
