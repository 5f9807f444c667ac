#pragma once

#include <filesystem>
#include <string>

#include "../io/bake.h"

namespace pelt {

/// Sets what the command line's option `--name` sets, to the value that would follow it there; a flag takes
/// true or false. Paths are relative to the folder. \throw UsageError for a name or value that is none
void set_option(const std::string& name, const std::string& value, const std::filesystem::path& folder,
                BakeOptions& options);

}  // namespace pelt
