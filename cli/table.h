#pragma once

#include <string>

#include "io/bake.h"

namespace pelt::cli {

/// The tables that go to stdout; the control is always on the first line.
std::string bake_table(const BakeResult& result);
std::string control_table(const ControlResult& result);

/// A line about a control that failed: the artist's file, the clips and the largest errors.
std::string failed_control(const std::string& artist, const Control& control);

}  // namespace pelt::cli
