#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace pelt {

/// 128 bits in hexadecimal digits (XXH3): against change by chance, not by intent.
std::string hash_of(std::string_view text);

/// Of a file's bytes; "absent" where it cannot be read.
std::string hash_of_file(const std::filesystem::path& path);

/// Hashes of files that are asked for again and again. Threads may share it.
class FileHashes {
 public:
  std::string operator()(const std::filesystem::path& path);

 private:
  std::mutex mutex_;
  std::map<std::filesystem::path, std::string> known_;
};

}  // namespace pelt
