#pragma once

#include <string>

#include "page/page.h"

namespace pelt::cli {

/// Writes the page into a new file in the folder for temporary files; its path. \throw WriteError
std::string write_temporary_page(const Page& page);

/// Starts the desktop's browser; false where there is none.
bool open_in_browser(const std::string& file);

}  // namespace pelt::cli
