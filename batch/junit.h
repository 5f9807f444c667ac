#pragma once

#include <string>
#include <vector>

#include "gates.h"

namespace pelt {

/// The rows as JUnit XML for CI systems: a testsuite a tool, a testcase a clip and mode of each rig, and one
/// for each gate on the whole rig that is set. Missed gates are failures, pairs that failed are errors. A
/// rig's time is spread over its testcases. Characters that XML 1.0 has no place for become '?'.
std::string junit(std::vector<ScoreRow> rows, const Gates& gates);

}  // namespace pelt
