#pragma once

#include <exception>
#include <string>

#include "job.h"
#include "score_row.h"

namespace pelt {

/// The row of a job as far as its names go.
ScoreRow named_row(const Job& job);

/// None where the file is no rig that moves a surface.
std::optional<RigHealth> health_of(const RigFile& rig);

/// Bakes and scores a job with its rig and artist, which are open, into its row; without a key or time.
/// \throw as bake() and `baked`
void score_pair(const Job& job, const RigFile& rig, ArtistSession& artist, const Baked& baked, ScoreRow& row);

/// What stays of the row of a job that came to nothing: names, the rig's health, and why.
ScoreRow failed_row(const ScoreRow& row, int exit_code, const std::string& reason);
ScoreRow failed_row(const ScoreRow& row, const std::exception& error);

}  // namespace pelt
