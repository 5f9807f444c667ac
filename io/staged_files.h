#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace pelt {

/// Files that appear together or not at all: written under temporary names in their folders, renamed by
/// `commit`. What was not committed is removed by the destructor, and what it would have replaced is there
/// again. All throw WriteError naming the path and the system's reason.
class StagedFiles {
 public:
  StagedFiles() = default;
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles();

  /// Replaces a file that is there.
  void write(const std::filesystem::path& target, std::span<const std::uint8_t> bytes);
  void write(const std::filesystem::path& target, std::string_view text);

  /// Makes missing folders above the target.
  void copy(const std::filesystem::path& source, const std::filesystem::path& target);

  /// Renames all, in the order they came, then runs `check`: where that throws, as where a file cannot be
  /// renamed, the files that stood there before come back.
  void commit(const std::function<void()>& check = {});

 private:
  struct File {
    std::filesystem::path temporary, target;
    std::filesystem::path replaced = {};  ///< another name of what stood at the target; empty: nothing did
    bool renamed = false;
  };
  File& stage(const std::filesystem::path& target);
  static void put_in_place(File& file);
  static void take_back(const File& file);

  std::vector<File> files_;
  std::vector<std::filesystem::path> new_folders_;
  bool committed_ = false;
};

}  // namespace pelt
