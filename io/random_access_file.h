#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace pelt {

/// A file that is read by place, from any thread.
class RandomAccessFile {
 public:
  /// Opens a plain file. \throw ReadError
  explicit RandomAccessFile(const std::filesystem::path& path);

  /// A new file without a name in the folder for temporary files, gone with the object. \throw WriteError
  RandomAccessFile();

  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;
  ~RandomAccessFile();

  std::uint64_t size() const { return size_; }

  /// Fills all of `into`. \throw ReadError where the file has no more bytes, or no longer has them
  void read(std::uint64_t offset, std::span<std::uint8_t> into) const;

  /// \throw WriteError, such as on a full disk
  void append(std::span<const std::uint8_t> bytes);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace pelt
