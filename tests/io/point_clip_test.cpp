#include "io/point_clip.h"

#include <catch2/catch.hpp>

#include "io/io_error.h"
#include "io/key_times.h"
#include "io/obj_scene.h"
#include "io/pose.h"
#include "tests/fixtures.h"
#include "tests/io/point_files.h"
#include "tests/io/reading.h"

using namespace pelt;

namespace {

/// A square of unequal heights, so that no turn lays it on itself.
Eigen::Matrix3Xd slope() {
  Eigen::Matrix3Xd corners = test::square();
  corners.row(2) << 0, 0.5, 2, 1;
  return corners;
}

Eigen::Matrix3Xi halves() { return (Eigen::Matrix3Xi(3, 2) << 0, 0, 1, 2, 2, 3).finished(); }

struct Case {
  test::TempFolder folder;

  Scene rest(const Eigen::Matrix3Xd& points = slope(), const Eigen::Matrix3Xi& faces = halves()) const {
    test::write_bytes(folder / "rest.obj", test::obj_of(points, faces));
    return read_obj_scene(folder / "rest.obj");
  }
  PointCache cache(const test::Frames& frames) const {
    std::vector<double> times;
    for (std::size_t f = 0; f < frames.size(); ++f) times.push_back(0.5 * static_cast<double>(f));
    test::write_bytes(folder / "Move.mdd", test::mdd_of(frames, times));
    return open_point_cache(folder / "Move.mdd", 24);
  }
  std::string refusal(Scene scene, const test::Frames& frames) const {
    try {
      add_point_clip(scene, cache(frames), PointsUp::automatic);
    } catch (const ReadError& error) {
      return error.what();
    }
    return "";
  }
};

Eigen::Matrix3Xd surface_then(const Scene& scene, double time) {
  return surface_at(scene, pose_at(scene, scene.clips.back(), time));
}

}  // namespace

TEST_CASE("An OBJ mesh is a scene at rest and a point clip moves all of it") {
  const Case c;
  Scene scene = c.rest();
  CHECK(rest_surface(scene).positions == slope());
  CHECK(rest_surface(scene).triangles == halves());
  const Eigen::Matrix3Xd end = slope().colwise() + Eigen::Vector3d(4, 0, 2);
  add_point_clip(scene, c.cache({slope(), end}), PointsUp::automatic);
  REQUIRE(scene.clips.size() == 1);
  CHECK(scene.clips[0].name == "Move");
  CHECK(scene.clips[0].end == 0.5f);
  CHECK(key_times(scene.clips[0]) == std::vector<float>{0, 0.5f});
  CHECK(test::largest_distance(surface_then(scene, 0.25), slope().colwise() + Eigen::Vector3d(2, 0, 1)) <
        1e-12);
  CHECK(surface_then(scene, 7) == end);
  CHECK(rest_surface(scene).positions == slope());
  CHECK(scene.warnings.empty());
}

TEST_CASE("Points with z up are told from those with y up by the rest mesh, unless one is asked for") {
  const Case c;
  // what moves: a point by a quarter of the mesh's size
  Eigen::Matrix3Xd first = slope();
  first(1, 2) += 0.5;
  for (const bool z_up : {false, true})
    for (const PointsUp up : {PointsUp::automatic, PointsUp::y, PointsUp::z}) {
      INFO(z_up << static_cast<int>(up));
      Scene scene = c.rest();
      add_point_clip(scene, c.cache({z_up ? test::z_up(first) : first}), up);
      const bool taken = scene.clips[0].points->z_up;
      CHECK(taken == (up == PointsUp::automatic ? z_up : up == PointsUp::z));
      CHECK((surface_then(scene, 0) == first) == (taken == z_up));
    }
}

TEST_CASE("Points belong to a mesh with split vertices by place") {
  const Case c;
  Eigen::Matrix3Xd split(3, 6);
  const Eigen::Matrix3Xd p = slope();
  split << p.col(0), p.col(1), p.col(2), p.col(2), p.col(3), p.col(0);
  const Eigen::Matrix3Xi faces = (Eigen::Matrix3Xi(3, 2) << 0, 3, 1, 4, 2, 5).finished();
  Eigen::Matrix3Xd end = p;
  end.row(0) << 5, 6, 7, 8;
  for (const bool z_up : {false, true}) {
    Scene scene = c.rest(split, faces);
    add_point_clip(scene, z_up ? c.cache({test::z_up(p), test::z_up(end)}) : c.cache({p, end}),
                   PointsUp::automatic);
    CHECK(scene.clips[0].points->z_up == z_up);
    CHECK(surface_then(scene, 0.5).row(0) ==
          Eigen::RowVectorXd::Map(std::array<double, 6>{5, 6, 7, 7, 8, 5}.data(), 6));
  }
  const std::string cache = (c.folder / "Move.mdd").string(), mesh = (c.folder / "rest.obj").string();
  CHECK(c.refusal(c.rest(split, faces), {end}) ==
        cache + ": 4 points, but " + mesh +
            " has 6 vertices, and not each of them lies on a point of the first frame: give an .obj mesh "
            "with the points in the cache's order");
  Eigen::Matrix3Xd twice(3, 5);
  twice << p, p.col(3);
  CHECK(
      c.refusal(c.rest(split, faces), {twice}) ==
      cache +
          ": points 3 and 4 of its first frame both lie on vertex 4 of the mesh: give an .obj mesh with the "
          "points in the cache's order");
}

TEST_CASE("A point cache in another unit, space or order is warned of") {
  const Case c;
  const std::string words = " times the size of the mesh, lies far from it";
  const auto check = [&](const Eigen::Matrix3Xd& first, const std::string& size) {
    Scene scene = c.rest();
    add_point_clip(scene, c.cache({first}), PointsUp::automatic);
    REQUIRE(scene.warnings.size() == (size.empty() ? 0 : 1));
    if (!size.empty())
      CHECK_THAT(scene.warnings[0],
                 Catch::StartsWith((c.folder / "Move.mdd").string() + ": its first frame, " + size + words));
  };
  check(slope(), "");
  check(slope().colwise() + Eigen::Vector3d(50, 0, -50), "");
  check(100 * slope(), "100");
  check(0.01 * slope(), "0.01");
  check(slope().rowwise().reverse(), "1");
  check(Eigen::Vector3d(-1, 1, -1).asDiagonal() * slope(), "1");
}

TEST_CASE("An OBJ mesh without faces is no surface") {
  const Case c;
  CHECK_THROWS_AS(c.rest(slope(), Eigen::Matrix3Xi(3, 0)), ReadError);
}
