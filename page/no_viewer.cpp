#include "viewer.h"

namespace pelt {

std::string_view viewer_template() { return {}; }

}  // namespace pelt
