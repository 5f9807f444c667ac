#include "io/point_cache.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "io/io_error.h"
#include "tests/io/point_files.h"

using namespace pelt;
using test::Bytes;
using test::Frames;

namespace {

/// Three frames of two points; every coordinate is another float.
Frames frames() {
  Frames list;
  for (int f = 0; f < 3; ++f) {
    Eigen::Matrix3Xd points(3, 2);
    points << 1, -2, 3.5, 0.25, -8, 1e-3f;
    list.push_back(points + Eigen::Matrix3Xd::Constant(3, 2, 16.0 * f));
  }
  return list;
}

Eigen::Matrix3Xd as_floats(const Eigen::Matrix3Xd& points) { return points.cast<float>().cast<double>(); }

const Eigen::Matrix3Xi kNoFaces(3, 0);

struct Folder : test::TempFolder {
  std::filesystem::path put(const std::string& name, const Bytes& bytes) const {
    test::write_bytes(*this / name, bytes);
    return *this / name;
  }
  void put_sequence(const std::vector<std::string>& names) const {
    for (std::size_t k = 0; k < names.size(); ++k) put(names[k], test::obj_of(frames()[k % 3], kNoFaces));
  }
};

std::string refusal(const std::filesystem::path& path) {
  try {
    open_point_cache(path, 24);
  } catch (const ReadError& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const std::string& name, const Bytes& bytes) {
  const Folder folder;
  const std::string text = refusal(folder.put(name, bytes)), front = (folder / name).string() + ": ";
  return text.rfind(front, 0) == 0 ? text.substr(front.size()) : text;
}

/// The bytes with a 32-bit word put elsewhere.
Bytes with_word(Bytes bytes, std::size_t offset, std::uint32_t word, bool big_endian) {
  Bytes fresh;
  test::add_word(fresh, word, big_endian);
  std::copy(fresh.begin(), fresh.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  return bytes;
}

Bytes with_float(const Bytes& bytes, std::size_t offset, float value, bool big_endian) {
  return with_word(bytes, offset, std::bit_cast<std::uint32_t>(value), big_endian);
}

const Bytes& mdd() {
  static const Bytes bytes = test::mdd_of(frames(), {0.5, 0.75, 1.5});
  return bytes;
}

const Bytes& pc2() {
  static const Bytes bytes = test::pc2_of(frames(), 1, 0.5);
  return bytes;
}

}  // namespace

TEST_CASE("An MDD cache is read, its first frame is at 0, and it is linear between frames") {
  const Folder folder;
  const PointCache cache = open_point_cache(folder.put("Walk.mdd", mdd()), 24);
  CHECK(cache.name == "Walk");
  CHECK(cache.points == 2);
  CHECK(cache.times == std::vector<float>{0, 0.25f, 1});
  for (int f = 0; f < 3; ++f) CHECK(points_in_frame(cache, f) == as_floats(frames()[f]));
  CHECK(points_at(cache, -1) == as_floats(frames()[0]));
  CHECK(points_at(cache, 0.25) == as_floats(frames()[1]));
  const Eigen::Matrix3Xd third = (2 * as_floats(frames()[1]) + as_floats(frames()[2])) / 3;
  CHECK((points_at(cache, 0.5) - third).norm() < 1e-12);
  CHECK(points_at(cache, 1) == as_floats(frames()[2]));
  CHECK(points_at(cache, 9) == as_floats(frames()[2]));
}

TEST_CASE("A PC2 cache counts in frames from its first sample") {
  const Folder folder;
  const PointCache cache = open_point_cache(folder.put("Walk.PC2", pc2()), 8);
  CHECK(cache.times == std::vector<float>{0, 0.0625f, 0.125f});
  for (int f = 0; f < 3; ++f) CHECK(points_in_frame(cache, f) == as_floats(frames()[f]));
  CHECK_THROWS_AS(open_point_cache(folder / "Walk.PC2", 0), UsageError);
  CHECK_THROWS_AS(open_point_cache(folder / "Walk.PC2", NAN), UsageError);
  CHECK_THROWS_AS(open_point_cache(folder.put("Walk.abc", pc2()), 8), UsageError);
}

TEST_CASE("An OBJ sequence goes on from its first file in numeric order") {
  const Folder folder;
  folder.put_sequence({"walk_9.obj", "walk_10.obj", "walk_011.obj"});
  for (const std::string other : {"walk_8.obj", "walk.obj", "walk_12.mtl", "run_12.obj", "walk_12b.obj",
                                  "walk_99999999999999999999.obj", "walk2_12.obj"})
    folder.put(other, {'x'});
  const PointCache cache = open_point_cache(folder / "walk_9.obj", 4);
  CHECK(cache.name == "walk");
  CHECK(cache.times == std::vector<float>{0, 0.25f, 0.5f});
  for (int f = 0; f < 3; ++f) CHECK(points_in_frame(cache, f) == as_floats(frames()[f]));
  folder.put_sequence({"0.obj"});
  CHECK(open_point_cache(folder / "0.obj", 4).name == "0");
}

TEST_CASE("An OBJ sequence with a gap, a number twice or another mesh is refused") {
  const Folder folder;
  const auto path = [&](const std::string& name) { return (folder / name).string(); };
  folder.put_sequence({"a1.obj", "a2.obj", "a4.obj"});
  CHECK(refusal(folder / "a1.obj") ==
        path("a1.obj") + ": the frame after a2.obj is a4.obj: a number is missing");
  folder.put_sequence({"b1.obj", "b2.obj", "b02.obj"});
  CHECK(refusal(folder / "b1.obj") ==
        path("b1.obj") + ": the frame after b02.obj is b2.obj: the same number");
  folder.put_sequence({"c.obj", "c0.obj", "e0.obj"});
  CHECK(refusal(folder / "c.obj") ==
        path("c.obj") +
            ": no number in its name: a sequence is given by its first file, as in walk_0001.obj");
  folder.put("c1.obj", test::obj_of(Eigen::Matrix3Xd::Zero(3, 3), kNoFaces));
  CHECK(refusal(folder / "c0.obj") == path("c1.obj") + ": 3 vertices, but " + path("c0.obj") + " has 2");
  folder.put("e1.obj", test::obj_of(frames()[0], Eigen::Matrix3Xi::Zero(3, 1)));
  CHECK(refusal(folder / "e0.obj") == path("e1.obj") + ": its faces are not those of " + path("e0.obj"));
  folder.put("g0.obj", {'v', ' ', '1', ' ', '2', ' ', '1', 'e', '9', '9', '\n'});
  CHECK(refusal(folder / "g0.obj") == path("g0.obj") + ": frame 0, point 0: not a finite number");
  CHECK(refusal(folder / "h0.obj") == path("h0.obj") + ": no such file");
}

TEST_CASE("An OBJ sequence leaves no temporary file and says where it could make none") {
  const Folder folder, elsewhere;
  folder.put_sequence({"a1.obj", "a2.obj"});
  const char* set = std::getenv("TMPDIR");
  const std::string before = set ? set : "";
  ::setenv("TMPDIR", elsewhere.path().c_str(), 1);
  const PointCache cache = open_point_cache(folder / "a1.obj", 24);
  CHECK(points_in_frame(cache, 1) == as_floats(frames()[1]));
  CHECK(elsewhere.names().empty());
  ::setenv("TMPDIR", (elsewhere / "missing").c_str(), 1);
  CHECK_THROWS_AS(open_point_cache(folder / "a1.obj", 24), WriteError);
  set ? ::setenv("TMPDIR", before.c_str(), 1) : ::unsetenv("TMPDIR");
}

TEST_CASE("A point cache cut off anywhere, or with bytes to spare, is refused") {
  for (const auto& [name, whole] : {std::pair("a.mdd", mdd()), std::pair("a.pc2", pc2())}) {
    CHECK(refusal(name, whole) == "");
    for (std::size_t n = 0; n < whole.size(); ++n) {
      INFO(name << " " << n);
      CHECK(refusal(name, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)))
                .rfind("truncated", 0) == 0);
    }
    Bytes longer = whole;
    longer.push_back(0);
    CHECK(refusal(name, longer) == "3 frames of 2 points need " + std::to_string(whole.size()) +
                                       " bytes, but it has " + std::to_string(longer.size()));
  }
}

TEST_CASE("Counts of a point cache that ask for more than the file holds are refused unread") {
  const std::string mdd_size = std::to_string(mdd().size()), pc2_size = std::to_string(pc2().size());
  const auto check = [](const std::string& name, const Bytes& bytes, const std::string& message) {
    CHECK(refusal(name, bytes) == message);
  };
  check("a.mdd", with_word(mdd(), 0, 0x7fffffff, true),
        "truncated: 2147483647 frames of 2 points need 60129542124 bytes, but it has " + mdd_size);
  check("a.mdd", with_word(mdd(), 4, 0x7fffffff, true),
        "truncated: 3 frames of 2147483647 points need 77309411312 bytes, but it has " + mdd_size);
  check("a.mdd", with_word(mdd(), 0, 0xffffffff, true), "has -1 frames of 2 points");
  check("a.mdd", with_word(mdd(), 4, 0, true), "has 3 frames of 0 points");
  check("a.pc2", with_word(pc2(), 28, 0, false), "has 0 frames of 2 points");
  check("a.pc2", with_word(pc2(), 16, 0x80000000, false), "has 3 frames of -2147483648 points");
  check("a.pc2", with_word(pc2(), 28, 0x7fffffff, false),
        "truncated: 2147483647 frames of 2 points need 51539607560 bytes, but it has " + pc2_size);
}

TEST_CASE("Times and coordinates of a point cache that are no numbers, or run backward, are refused") {
  const float nan = NAN, inf = std::numeric_limits<float>::infinity();
  CHECK(refusal("a.mdd", with_float(mdd(), 8, nan, true)) == "frame 0: time nan s does not come after 0 s");
  CHECK(refusal("a.mdd", with_float(mdd(), 12, 0.5f, true)) ==
        "frame 1: time 0.5 s does not come after 0.5 s");
  CHECK(refusal("a.mdd", with_float(mdd(), 16, inf, true)) ==
        "frame 2: time inf s does not come after 0.75 s");
  CHECK(refusal("a.mdd", with_float(mdd(), 20 + 24 + 12, nan, true)) ==
        "frame 1, point 1: not a finite number");
  CHECK(refusal("a.pc2", with_float(pc2(), 32 + 48 + 8, -inf, false)) ==
        "frame 2, point 0: not a finite number");
  CHECK(refusal("a.pc2", with_float(pc2(), 24, 0, false)) == "0.000000 frames a sample");
  CHECK(refusal("a.pc2", with_float(pc2(), 24, nan, false)) == "nan frames a sample");
  CHECK(refusal("a.pc2", with_word(pc2(), 12, 2, false)) == "PC2 of version 2, not 1");
  CHECK(refusal("a.pc2", with_word(pc2(), 8, 0x33324548, false)) ==
        "not a PC2 file: it does not begin with POINTCACHE2");
}

TEST_CASE("A point cache that loses its bytes while it is read is told") {
  const Folder folder;
  const PointCache cache = open_point_cache(folder.put("a.mdd", mdd()), 24);
  std::filesystem::resize_file(folder / "a.mdd", 60);
  CHECK(points_in_frame(cache, 0) == as_floats(frames()[0]));
  CHECK_THROWS_AS(points_in_frame(cache, 2), ReadError);
}
