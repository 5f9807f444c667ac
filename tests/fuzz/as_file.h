#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "io/io_error.h"
#include "tests/temp_folder.h"

namespace pelt::fuzz {

/// What a target says of a reader that takes a file: calls read(path) with the bytes in a file of that name.
template <class Read>
int as_file(std::span<const std::uint8_t> bytes, const std::string& name, Read&& read) {
  static const test::TempFolder folder;
  test::write_bytes(folder / name, {bytes.begin(), bytes.end()});
  try {
    read(folder / name);
    return 1;
  } catch (const ReadError&) {
    return 0;
  }
}

}  // namespace pelt::fuzz
