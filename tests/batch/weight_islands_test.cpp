#include "batch/weight_islands.h"

#include <catch2/catch.hpp>

namespace pelt {
namespace {

/// Strips of quads along x, 1 wide; a strip starts at each given number, so that pieces lie apart.
struct Strips {
  Rig rig;
  Surface surface;
  std::vector<Eigen::Vector3d> points;

  Strips() {
    rig.parent = {-1, 0, 0};
    rig.model_from_joint.assign(3, Eigen::Matrix4d::Identity());
    rig.first_influence = {0};
    surface.triangles.resize(3, 0);
  }

  /// A pair of vertices a column, with the weight on joint 0; the rest goes to joint 1.
  void add(double start, const std::vector<double>& weights) {
    for (std::size_t c = 0; c < weights.size(); ++c) {
      for (const double y : {0.0, 1.0}) {
        points.emplace_back(start + static_cast<double>(c), y, 0);
        for (const int joint : {0, 1}) {
          const double weight = joint == 0 ? weights[c] : 1 - weights[c];
          if (!(weight > 0)) continue;
          rig.joint.push_back(joint);
          rig.weight.push_back(weight);
        }
        rig.first_influence.push_back(rig.influences());
      }
      if (c == 0) continue;
      const int v = static_cast<int>(points.size()) - 4;
      surface.triangles.conservativeResize(3, surface.triangles.cols() + 2);
      surface.triangles.rightCols(2) << v, v + 1, v + 1, v + 3, v + 2, v + 2;
    }
    surface.positions.resize(3, static_cast<Eigen::Index>(points.size()));
    for (std::size_t k = 0; k < points.size(); ++k)
      surface.positions.col(static_cast<Eigen::Index>(k)) = points[k];
  }

  std::vector<int> islands(double least = 0.1) const { return weight_islands(rig, surface, least); }
};

}  // namespace

TEST_CASE("A joint that holds two patches of one piece has an island", "[health]") {
  Strips strips;
  strips.add(0, {1, 1, 0, 0, 1});
  CHECK(strips.islands() == std::vector<int>{1, 0, 0});
  Strips three;
  three.add(0, {1, 0, 1, 0, 1});
  CHECK(three.islands() == std::vector<int>{2, 1, 0});
}

TEST_CASE("Weight that reaches across joins patches, less than the bar does not", "[health]") {
  Strips strips;
  strips.add(0, {1, 0.1, 0.1, 1});
  CHECK(strips.islands() == std::vector<int>{0, 0, 0});
  CHECK(strips.islands(0.11) == std::vector<int>{1, 0, 0});
}

TEST_CASE("Pieces that one joint holds whole are no islands", "[health]") {
  Strips eyes;
  eyes.add(0, {1, 1, 0.5, 0});
  eyes.add(10, {1, 1});
  eyes.add(20, {1, 1});
  CHECK(eyes.islands() == std::vector<int>{0, 0, 0});
  eyes.add(30, {1, 0, 1});
  CHECK(eyes.islands() == std::vector<int>{1, 0, 0});
}

TEST_CASE("Split vertices at one place are one", "[health]") {
  Strips seam;
  seam.add(0, {1, 1, 1});
  seam.add(2, {1, 0, 0});
  seam.add(4, {0, 0});
  CHECK(seam.islands() == std::vector<int>{0, 0, 0});
  Strips bridged;  // one piece only because of its seam
  bridged.add(0, {0, 1});
  bridged.add(1 + 1e-7, {1, 0});
  CHECK(bridged.islands() == std::vector<int>{0, 1, 0});
}

}  // namespace pelt
