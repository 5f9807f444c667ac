#pragma once

#include <exception>
#include <string>

#include "job.h"
#include "score_row.h"

namespace pelt {

/// Bakes and scores a job with an artist that is open; without a key or time. What goes wrong is the row's
/// reason. \throw Stopped alone
ScoreRow score_pair(const Job& job, ArtistSession& artist);

/// The row of a job that came to nothing.
ScoreRow failed_row(const Job& job, int exit_code, const std::string& reason);
ScoreRow failed_row(const Job& job, const std::exception& error);

}  // namespace pelt
