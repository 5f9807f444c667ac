#include "io/staged_files.h"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "io/io_error.h"
#include "tests/temp_folder.h"

using namespace pelt;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

void put(const fs::path& path, const std::string& text) {
  test::write_bytes(path, {text.begin(), text.end()});
}

std::string text_in(const fs::path& path) {
  const std::vector<std::uint8_t> bytes = test::read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

void stage_two(const test::TempFolder& folder, StagedFiles& files) {
  files.write(folder / "a", std::string_view("new"));
  files.write(folder / "b", std::string_view("other"));
}

}  // namespace

TEST_CASE("Staged files replace what stands in their place and leave nothing else") {
  const test::TempFolder folder;
  put(folder / "a", "old");
  StagedFiles files;
  stage_two(folder, files);
  CHECK(text_in(folder / "a") == "old");
  files.commit();
  CHECK(text_in(folder / "a") == "new");
  CHECK(text_in(folder / "b") == "other");
  CHECK(folder.names() == Names{"a", "b"});
}

TEST_CASE("Staged files that are not committed, or fail the check, leave what stood there") {
  const test::TempFolder folder;
  put(folder / "a", "old");
  const bool commits = GENERATE(false, true);
  const auto faulty = [&] {
    CHECK(text_in(folder / "a") == "new");  // checked where it will be read
    throw std::runtime_error("faulty");
  };
  const auto run = [&] {
    StagedFiles files;
    stage_two(folder, files);
    if (commits) files.commit(faulty);
  };
  if (commits)
    CHECK_THROWS_WITH(run(), "faulty");
  else
    run();
  CHECK(text_in(folder / "a") == "old");
  CHECK(folder.names() == Names{"a"});
}

TEST_CASE("A staged file that cannot be put in its place brings back those before it") {
  const test::TempFolder folder;
  put(folder / "a", "old");
  const auto run = [&] {
    StagedFiles files;
    stage_two(folder, files);
    fs::create_directory(folder / "b");
    put(folder / "b" / "theirs", "kept");
    files.commit();
  };
  CHECK_THROWS_AS(run(), WriteError);
  CHECK(text_in(folder / "a") == "old");
  CHECK(text_in(folder / "b" / "theirs") == "kept");
  CHECK(folder.names() == Names{"a", "b"});
}

TEST_CASE("A target that is staged twice comes back as it was before both") {
  const test::TempFolder folder;
  put(folder / "a", "old");
  const auto run = [&] {
    StagedFiles files;
    for (const char* text : {"new", "newer"}) files.write(folder / "a", std::string_view(text));
    files.commit([] { throw std::runtime_error("faulty"); });
  };
  CHECK_THROWS_WITH(run(), "faulty");
  CHECK(text_in(folder / "a") == "old");
  CHECK(folder.names() == Names{"a"});
}

TEST_CASE("A staged file that somebody takes away leaves what stands in its place") {
  const test::TempFolder folder;
  put(folder / "a", "old");
  const auto run = [&] {
    StagedFiles files;
    files.write(folder / "a", std::string_view("new"));
    for (const std::string& name : folder.names())
      if (name != "a") fs::remove(folder / name);
    files.commit();
  };
  CHECK_THROWS_AS(run(), WriteError);
  CHECK(text_in(folder / "a") == "old");
  CHECK(folder.names() == Names{"a"});
}

TEST_CASE("A link in a staged file's place comes back as a link") {
  const test::TempFolder folder;
  put(folder / "a", "old");
  fs::create_symlink("a", folder / "link");
  const auto run = [&] {
    StagedFiles files;
    files.write(folder / "link", std::string_view("new"));
    files.commit([] { throw std::runtime_error("faulty"); });
  };
  CHECK_THROWS_WITH(run(), "faulty");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(text_in(folder / "link") == "old");
  CHECK(folder.names() == Names{"a", "link"});
}
