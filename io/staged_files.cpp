#include "staged_files.h"

#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>

#include "io_error.h"

namespace pelt {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::error_code& reason) {
  throw WriteError(path.string() + ": cannot be written: " + reason.message());
}

std::error_code last_error() { return {errno, std::generic_category()}; }

/// A short name that no other file of the folder has, whatever the length of the target's own.
fs::path temporary_beside(const fs::path& target) {
  std::random_device random;
  char name[32];
  std::snprintf(name, sizeof name, ".pelt-%08x%08x.tmp", random(), random());
  return target.parent_path() / name;
}

/// Gives what stands at the path a second name, so that whoever looks finds it or its successor. Where files
/// have but one it moves there.
fs::path second_name(const fs::path& path) {
  const fs::path name = temporary_beside(path);
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(path, error)))
    refuse(path, std::make_error_code(std::errc::is_a_directory));
  fs::create_hard_link(path, name, error);
  if (error) fs::rename(path, name, error);
  if (error) refuse(path, error);
  return name;
}

}  // namespace

StagedFiles::~StagedFiles() {
  if (committed_) return;
  std::error_code ignored;
  for (auto file = files_.rbegin(); file != files_.rend(); ++file) {  // a target may be there twice
    fs::remove(file->temporary, ignored);
    take_back(*file);
  }
  for (auto folder = new_folders_.rbegin(); folder != new_folders_.rend(); ++folder)
    fs::remove(*folder, ignored);
}

StagedFiles::File& StagedFiles::stage(const fs::path& target) {
  std::error_code ignored;
  const fs::file_status status = fs::status(target, ignored);
  if (fs::is_directory(status)) refuse(target, std::make_error_code(std::errc::is_a_directory));
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw WriteError(target.string() + ": is not a plain file");
  files_.push_back({temporary_beside(target), target});
  return files_.back();
}

void StagedFiles::write(const fs::path& target, std::span<const std::uint8_t> bytes) {
  const File& file = stage(target);
  std::FILE* stream = std::fopen(file.temporary.c_str(), "wbx");
  if (!stream) refuse(target, last_error());
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size();
  const std::error_code reason = last_error();
  if (!written) {
    std::fclose(stream);
    refuse(target, reason);
  }
  if (std::fclose(stream) != 0) refuse(target, last_error());
}

void StagedFiles::write(const fs::path& target, std::string_view text) {
  write(target, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

void StagedFiles::copy(const fs::path& source, const fs::path& target) {
  std::error_code error;
  std::vector<fs::path> missing;
  for (fs::path up = target.parent_path(); !up.empty() && !fs::exists(up, error); up = up.parent_path())
    missing.push_back(up);
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
    if (!fs::create_directory(*folder, error)) refuse(target, error);
    new_folders_.push_back(*folder);
  }
  if (!fs::copy_file(source, stage(target).temporary, error)) refuse(target, error);
}

void StagedFiles::put_in_place(File& file) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(file.target, error))) file.replaced = second_name(file.target);
  fs::rename(file.temporary, file.target, error);
  if (error) refuse(file.target, error);
  file.renamed = true;
}

void StagedFiles::take_back(const File& file) {
  std::error_code ignored;
  if (!file.replaced.empty()) {
    fs::rename(file.replaced, file.target, ignored);
    fs::remove(file.replaced, ignored);  // where both still name one file, neither went away
  } else if (file.renamed) {
    fs::remove(file.target, ignored);
  }
}

void StagedFiles::commit(const std::function<void()>& check) {
  for (File& file : files_) put_in_place(file);
  if (check) check();
  committed_ = true;
  std::error_code ignored;
  for (const File& file : files_) fs::remove(file.replaced, ignored);
}

}  // namespace pelt
