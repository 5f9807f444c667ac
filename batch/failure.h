#pragma once

#include <exception>

namespace pelt {

/// Exit codes of failures (docs/command-line.md). `unfinished`: of a batch, in which a pair failed; of a
/// pair, that it was not given the time or memory that it takes.
enum FailureCode {
  usage_failure = 1,
  input_failure = 2,
  no_correspondence_failure = 3,
  output_failure = 4,
  unfinished = 6
};

/// Which of them an exception stands for: the end of memory is `unfinished`.
int failure_code(const std::exception& error);

}  // namespace pelt
