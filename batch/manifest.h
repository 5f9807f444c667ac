#pragma once

#include <filesystem>
#include <vector>

#include "job.h"

namespace pelt {

/// The jobs of a list of pairs (docs/batch.md): a CSV file with a header, or by its ending .json an array of
/// objects. Fields are artist, rig, tool, model, clips and options; paths are relative to the list's folder,
/// and what a pair leaves open is as in `defaults`. \throw ReadError with line or place and field
std::vector<Job> read_manifest(const std::filesystem::path& path, const BakeOptions& defaults);

}  // namespace pelt
