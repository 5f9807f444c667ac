#pragma once

#include <exception>
#include <functional>
#include <string>

#include "job.h"
#include "score_row.h"

namespace pelt {

/// What is to be done with a bake while its files are open.
using Baked = std::function<void(const Job&, const ArtistSession&, const RigFile&, const BakeResult&)>;

/// Bakes and scores a job with an artist that is open; without a key or time. What goes wrong is the row's
/// reason. \throw Stopped alone
ScoreRow score_pair(const Job& job, ArtistSession& artist, const Baked& baked = {});

/// The row of a job that came to nothing.
ScoreRow failed_row(const Job& job, int exit_code, const std::string& reason);
ScoreRow failed_row(const Job& job, const std::exception& error);

}  // namespace pelt
