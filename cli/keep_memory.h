#pragma once

namespace pelt::cli {

/// For a program's first line. Surfaces are taken and given back all the time: the heap should keep their
/// memory, which the system would hand out zeroed, page by page, each time.
void keep_memory();

}  // namespace pelt::cli
