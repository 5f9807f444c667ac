#pragma once

#include <string>

#include "content_hash.h"
#include "job.h"

namespace pelt {

/// Everything on which the figures of a job depend, in 32 digits: what its files hold, its settings, whether
/// it writes, and pelt's version. Names and places of files do not count.
std::string key_of(const Job& job, FileHashes& hashes);

/// Of the files that a bake has written; another where any is missing.
std::string output_hash(const std::filesystem::path& output);

}  // namespace pelt
