#pragma once

#include <string>
#include <vector>

#include "batch/run_batch.h"

namespace pelt::cli {

/// The text with its control characters made '?': names in a file may hold line breaks and terminal codes.
std::string printable(std::string text);

/// One line to stderr, "pelt: " in front.
void complain(const std::string& text);

/// One line each to stderr, unless quiet.
void print_warnings(const std::vector<std::string>& warnings, bool quiet);

/// What is going on, as one line that the next replaces; only where stderr is a terminal.
void show_progress(const char* stage, int done, int total);

/// How far a batch is: on a terminal a bar with the time that is left, elsewhere a line for each pair.
void show_batch_progress(const BatchProgress& progress);

/// Takes that line away.
void clear_progress();

/// Sends what was printed on its way. \throw WriteError where stdout takes it not, such as on a full disk.
void flush_stdout();

}  // namespace pelt::cli
