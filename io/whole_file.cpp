#include "whole_file.h"

#include <fstream>

#include "io_error.h"

namespace pelt {

void check_is_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw ReadError(path.string() + ": no such file");
  if (!std::filesystem::is_regular_file(status)) throw ReadError(path.string() + ": not a file");
}

std::vector<std::uint8_t> read_whole_file(const std::filesystem::path& path) {
  check_is_file(path);
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) throw ReadError(path.string() + ": cannot be opened");
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(stream.tellg()));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!stream) throw ReadError(path.string() + ": cannot be read");
  return bytes;
}

}  // namespace pelt
