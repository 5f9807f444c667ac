#pragma once

#include <string_view>

namespace pelt {

/// The viewer as an HTML file with places for a title and packs (viewer/); empty where pelt was built without
/// node and npm.
std::string_view viewer_template();

}  // namespace pelt
