#include "random_access_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "io_error.h"
#include "whole_file.h"

namespace pelt {
namespace {

std::string last_error() { return std::error_code(errno, std::generic_category()).message(); }

}  // namespace

RandomAccessFile::RandomAccessFile(const std::filesystem::path& path) : path_(path) {
  check_is_file(path);
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0)
    throw ReadError(path.string() + ": cannot be opened: " + last_error());
  size_ = static_cast<std::uint64_t>(status.st_size);
}

RandomAccessFile::RandomAccessFile() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) throw WriteError("no folder for temporary files: " + error.message());
  std::string name = (folder / "pelt-XXXXXX").string();
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) throw WriteError(folder.string() + ": no temporary file: " + last_error());
  ::unlink(name.c_str());
  path_ = name;
}

RandomAccessFile::~RandomAccessFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RandomAccessFile::read(std::uint64_t offset, std::span<std::uint8_t> into) const {
  while (!into.empty()) {
    const ssize_t count = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      throw ReadError(path_.string() + ": cannot be read at byte " + std::to_string(offset) + ": " +
                      last_error());
    if (count == 0) throw ReadError(path_.string() + ": ends at byte " + std::to_string(offset));
    into = into.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void RandomAccessFile::append(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw WriteError(path_.string() + ": cannot be written: " + last_error());
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    size_ += static_cast<std::uint64_t>(count);
  }
}

}  // namespace pelt
