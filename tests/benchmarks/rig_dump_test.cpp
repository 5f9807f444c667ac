#include "experiments/benchmarks/rig_dump.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "solver/error.h"
#include "tests/temp_folder.h"

using namespace pelt;
using namespace pelt::bench;

namespace {

/// Bytes as the format lays them out, written here one number after another.
class Bytes {
 public:
  Bytes& text(const std::string& t) { return bytes_ += t, *this; }
  Bytes& ints(const std::vector<std::int32_t>& values) { return raw(values); }
  Bytes& doubles(const std::vector<double>& values) { return raw(values); }
  const std::string& str() const { return bytes_; }

 private:
  template <class Value>
  Bytes& raw(const std::vector<Value>& values) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), sizeof(Value) * values.size());
    return *this;
  }
  std::string bytes_;
};

/// Three vertices, two joints, two frames, two slots a vertex, one triangle, truth and rest transforms.
std::string small_dump() {
  Bytes b;
  b.text("RIGDUMP1").ints({3, 2, 2, 2, 1, 3}).ints({-1, 0});
  b.doubles({0, 0, 0, 1, 0, 0, 0, 1, 0});  // rest
  b.ints({0, -1, 0, 1, 1, -1});            // joint
  b.doubles({1, 0, 0.25, 0.75, 1, 0});     // weight
  b.doubles({0, 0, 0, 1, 0, 0, 0, 1, 0});  // target, frame 0
  b.doubles({0, 0, 5, 1, 0, 5, 0, 1, 5});  // frame 1
  b.ints({0, 1, 2});                       // triangle
  for (const double z : {0., 0., 5., 6.})  // truth: a frame's joints, then the next frame's
    b.doubles({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, z});
  b.doubles({1, 0, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9, 0, 0, 0, 1});
  b.doubles({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  return b.str();
}

std::filesystem::path write(const std::filesystem::path& folder, const std::string& bytes) {
  std::ofstream(folder / "a.dump", std::ios::binary) << bytes;
  return folder / "a.dump";
}

/// The dump with one of its 32-bit numbers replaced, counted from the header's first.
std::string with_int(int place, std::int32_t value) {
  std::string bytes = small_dump();
  bytes.replace(8 + 4 * static_cast<std::size_t>(place), 4, reinterpret_cast<const char*>(&value), 4);
  return bytes;
}

}  // namespace

TEST_CASE("A problem dump is read as its format lays it out") {
  const test::TempFolder folder;
  const RigDump dump = read_dump(write(folder.path(), small_dump()));
  CHECK(dump.parent == std::vector<int>{-1, 0});
  CHECK(dump.rest.col(1) == Eigen::Vector3d(1, 0, 0));
  CHECK(dump.joint.col(1) == Eigen::Vector2i(0, 1));
  CHECK(dump.joint(1, 2) == -1);
  CHECK(dump.weight(1, 1) == 0.75);
  REQUIRE(dump.targets.size() == 2);
  CHECK(dump.targets[1].col(2) == Eigen::Vector3d(0, 1, 5));
  CHECK(dump.triangles.col(0) == Eigen::Vector3i(0, 1, 2));
  CHECK(dump.truth[1][1](2, 3) == 6);
  CHECK(dump.model_from_joint[0].col(3) == Eigen::Vector4d(7, 8, 9, 1));
  CHECK(rig_of_dump(dump).influences() == 4);
}

TEST_CASE("A problem dump and a solution are written as the format says") {
  const test::TempFolder folder;
  const RigDump dump = read_dump(write(folder.path(), small_dump()));
  const auto contents = [&](const char* name) {
    std::ifstream in(folder.path() / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  write_dump(dump, folder.path() / "b.dump");
  CHECK(contents("b.dump") == small_dump());
  write_solution(dump.truth, folder.path() / "solution");
  const std::size_t before = 8 + 24 + 8 + 72 + 24 + 48 + 144 + 12;
  CHECK(contents("solution") == small_dump().substr(before, 4 * 96));
}

TEST_CASE("A problem dump that is cut or lies about itself is refused") {
  const test::TempFolder folder;
  const std::string whole = small_dump();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO("first " << length << " bytes");
    CHECK_THROWS_AS(read_dump(write(folder.path(), whole.substr(0, length))), InvalidInput);
  }
  CHECK_THROWS_AS(read_dump(write(folder.path(), whole + "x")), InvalidInput);
  for (int count = 0; count < 5; ++count)
    for (const std::int32_t wrong : {-1, 2147483647, 1000})
      CHECK_THROWS_AS(read_dump(write(folder.path(), with_int(count, wrong))), InvalidInput);
  CHECK_THROWS_WITH(read_dump(write(folder.path(), with_int(6, 0))), Catch::Contains("joint 0 has parent 0"));
  CHECK_THROWS_WITH(read_dump(write(folder.path(), with_int(8 + 18, 2))),
                    Catch::Contains("influence of joint 2 of 2"));
}
