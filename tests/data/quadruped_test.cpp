#include <Eigen/Geometry>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "../../data/picture.h"
#include "../../data/quadruped_files.h"
#include "glb_contents.h"

namespace {

const std::vector<pelt::QuadrupedFile>& files() {
  static const auto made = pelt::make_quadruped_files();
  return made;
}

GlbContents file_named(const std::string& name) {
  for (const auto& file : files())
    if (file.name == "quadruped-" + name + ".glb") return contents_of(file.bytes);
  throw std::out_of_range(name);
}

/// Triangles with vertices at one place made one vertex.
Eigen::MatrixXi welded(const GlbContents& glb) {
  std::map<std::array<double, 3>, int> first_at;
  Eigen::MatrixXi triangles = glb.triangles;
  for (int& v : triangles.reshaped()) {
    const Eigen::Vector3d p = glb.positions.col(v);
    v = first_at.try_emplace({p.x(), p.y(), p.z()}, v).first->second;
  }
  return triangles;
}

/// Union-find over things numbered from 0.
struct Groups {
  std::vector<int> parent;
  explicit Groups(int count) : parent(count) { std::iota(parent.begin(), parent.end(), 0); }
  int root(int k) { return parent[k] == k ? k : parent[k] = root(parent[k]); }
  void join(int a, int b) { parent[root(a)] = root(b); }
};

std::set<std::pair<int, int>> half_edges(const Eigen::MatrixXi& triangles) {
  std::set<std::pair<int, int>> edges;
  for (const auto& tri : triangles.colwise())
    for (int k = 0; k < 3; ++k) edges.insert({tri[k], tri[(k + 1) % 3]});
  return edges;
}

double smallest_angle(const GlbContents& glb) {
  double smallest = 180;
  for (const auto& tri : glb.triangles.colwise())
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d apex = glb.positions.col(tri[k]);
      const Eigen::Vector3d a = glb.positions.col(tri[(k + 1) % 3]) - apex;
      const Eigen::Vector3d b = glb.positions.col(tri[(k + 2) % 3]) - apex;
      smallest = std::min(smallest, std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / M_PI);
    }
  return smallest;
}

/// Middles (x, z) of the separate loops in which a horizontal plane cuts the surface.
std::vector<Eigen::Vector2d> loops_at_height(const GlbContents& glb, double height) {
  Groups groups(static_cast<int>(glb.positions.cols()));
  std::vector<int> cut;
  for (const auto& tri : glb.triangles.colwise()) {
    int below = 0;
    for (const int v : tri) below += glb.positions(1, v) < height;
    if (below == 0 || below == 3) continue;
    groups.join(tri[0], tri[1]);
    groups.join(tri[1], tri[2]);
    cut.insert(cut.end(), tri.begin(), tri.end());
  }
  std::map<int, std::pair<Eigen::Vector2d, int>> sums;
  for (const int v : cut) {
    auto& [sum, count] = sums.try_emplace(groups.root(v), Eigen::Vector2d::Zero(), 0).first->second;
    sum += Eigen::Vector2d(glb.positions(0, v), glb.positions(2, v));
    ++count;
  }
  std::vector<Eigen::Vector2d> middles;
  for (const auto& [root, sum] : sums) middles.push_back(sum.first / sum.second);
  return middles;
}

bool ends_with(const std::string& name, const std::string& end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

/// Height above the ground and way forward of the sole: the vertex of a foot that is lowest, and the mean of
/// the foot.
struct Sole {
  double height, forward;
};

Sole sole_at(const GlbContents& glb, const Eigen::MatrixXd& surface, const std::string& foot) {
  Sole sole{1e9, 0};
  int count = 0;
  for (int v = 0; v < surface.cols(); ++v) {
    if (joint_name(glb, glb.slots(0, v)) != foot || glb.weights(0, v) < 0.9) continue;
    sole.height = std::min(sole.height, surface(1, v));
    sole.forward += surface(2, v);
    ++count;
  }
  REQUIRE(count >= 10);
  sole.forward /= count;
  return sole;
}

struct StatedGait {
  int clip;
  std::string name;
  int keys;
  std::map<std::string, double> footfall;  ///< phase at which the foot of that joint lands
  double duty;
};

const std::vector<StatedGait> gaits{
    {0,
     "Walk",
     25,
     {{"HindFoot.L", 0}, {"ForeFoot.L", 0.25}, {"HindFoot.R", 0.5}, {"ForeFoot.R", 0.75}},
     0.65},
    {1,
     "Gallop",
     13,
     {{"HindFoot.L", 0}, {"HindFoot.R", 0.125}, {"ForeFoot.L", 0.375}, {"ForeFoot.R", 0.5}},
     0.25}};

}  // namespace

TEST_CASE("the quadruped's skin is closed and in one piece without handles") {
  for (const char* name : {"artist", "resplit", "subdivided"}) {
    INFO(name);
    const auto triangles = welded(file_named(name));
    const auto edges = half_edges(triangles);
    CHECK(static_cast<Eigen::Index>(edges.size()) == 3 * triangles.cols());  // no direction of an edge twice
    CHECK(std::all_of(edges.begin(), edges.end(), [&](auto edge) {
      return edges.count({edge.second, edge.first});
    }));
    std::set<int> vertices(triangles.reshaped().begin(), triangles.reshaped().end());
    const auto euler =
        static_cast<long>(vertices.size()) - static_cast<long>(edges.size()) / 2 + triangles.cols();
    CHECK(euler == 2);
    Groups groups(triangles.maxCoeff() + 1);
    for (const auto& [a, b] : edges) groups.join(a, b);
    for (const int v : vertices) REQUIRE(groups.root(v) == groups.root(*vertices.begin()));
  }
}

TEST_CASE("the quadruped's triangles are well shaped and face outwards") {
  const auto artist = file_named("artist");
  CHECK(artist.positions.cols() >= 3800);
  CHECK(artist.positions.cols() <= 4200);
  CHECK(smallest_angle(artist) >= 20);
  CHECK(smallest_angle(file_named("resplit")) >= 20);
  CHECK(smallest_angle(file_named("subdivided")) >= 20);
  double volume = 0;
  for (const auto& tri : artist.triangles.colwise()) {
    Eigen::Matrix3d corners;
    for (int k = 0; k < 3; ++k) corners.col(k) = artist.positions.col(tri[k]);
    volume += corners.determinant() / 6;
  }
  CHECK(volume > 0.1);  // cubic metres
  CHECK(volume < 0.4);
}

TEST_CASE("the quadruped stands on the ground on four separate legs and is the same on both sides") {
  const auto artist = file_named("artist");
  CHECK(std::abs(artist.positions.row(1).minCoeff()) < 0.005);
  for (const double height : {0.08, 0.2, 0.3, 0.4, 0.5}) {
    INFO("height " << height);
    const auto loops = loops_at_height(artist, height);
    REQUIRE(loops.size() == 4);
    std::set<std::pair<bool, bool>> corners;
    for (const auto& middle : loops) corners.insert({middle.x() > 0.05, middle.y() > 0});
    CHECK(corners.size() == 4);
  }
  std::set<std::array<double, 3>> places;
  for (const auto& p : artist.positions.colwise()) places.insert({p.x(), p.y(), p.z()});
  for (const auto& p : artist.positions.colwise()) REQUIRE(places.count({-p.x(), p.y(), p.z()}) == 1);
}

TEST_CASE("weights of the quadruped's rigs are shares of one") {
  for (const auto& file : files()) {
    INFO(file.name);
    const auto glb = contents_of(file.bytes);
    CHECK(glb.weights.minCoeff() >= 0);
    CHECK((glb.weights.colwise().sum().array() - 1).abs().maxCoeff() < 1e-6);
    CHECK(glb.slots.maxCoeff() < static_cast<int>(glb.joint_nodes.size()));
  }
}

TEST_CASE("no joint of one side pulls the other side where weights are clean") {
  for (const char* name : {"artist", "straight-legs"}) {
    const auto glb = file_named(name);
    for (int v = 0; v < glb.positions.cols(); ++v)
      for (int k = 0; k < 4; ++k) {
        if (glb.weights(k, v) == 0) continue;
        const std::string joint = joint_name(glb, glb.slots(k, v));
        INFO(name << " vertex " << v << " joint " << joint);
        if (ends_with(joint, ".L")) REQUIRE(glb.positions(0, v) > 0);
        if (ends_with(joint, ".R")) REQUIRE(glb.positions(0, v) < 0);
      }
  }
}

TEST_CASE("the artist animates a joint without weights above all weighted ones") {
  const auto artist = file_named("artist");
  CHECK(artist.joint_nodes.size() == 32);
  CHECK(file_named("straight-legs").joint_nodes.size() == 22);
  REQUIRE(joint_name(artist, 0) == "Root");
  CHECK((artist.slots.array() == 0).select(artist.weights, 0).maxCoeff() == 0);
  std::set<int> weighted;
  for (int v = 0; v < artist.slots.cols(); ++v)
    for (int k = 0; k < 4; ++k)
      if (artist.weights(k, v) > 0) weighted.insert(artist.slots(k, v));
  CHECK(weighted.size() == 31);
  for (const auto& clip : artist.json["animations"]) {
    const auto& sampler = clip["samplers"][clip["channels"][0]["sampler"].get<int>()];
    CHECK(clip["channels"][0]["target"]["node"] == artist.joint_nodes[0]);
    const Eigen::MatrixXd keys = numbers(artist, sampler["output"]);
    CHECK((keys.rowwise().maxCoeff() - keys.rowwise().minCoeff()).maxCoeff() > 1);  // centimetres
  }
}

TEST_CASE("every quadruped rests in its bind pose but the one that is posed") {
  const auto artist = file_named("artist");
  for (const auto& file : files()) {
    INFO(file.name);
    const auto glb = contents_of(file.bytes);
    const double moved = (surface_at_rest(glb) - glb.positions).colwise().norm().maxCoeff();
    if (file.name != "quadruped-posed-rest.glb") {
      CHECK(moved < 2e-6);
      continue;
    }
    CHECK(moved > 0.1);
    CHECK(glb.positions == artist.positions);
    CHECK(glb.weights == artist.weights);
    for (std::size_t j = 0; j < glb.joint_from_bind.size(); ++j)
      CHECK(glb.joint_from_bind[j] == artist.joint_from_bind[j]);
  }
}

TEST_CASE("the quadruped's clips have steady keys and loop") {
  const auto artist = file_named("artist");
  for (const auto& gait : gaits) {
    const auto& clip = artist.json["animations"][gait.clip];
    CHECK(clip["name"] == gait.name);
    for (const auto& sampler : clip["samplers"]) {
      CHECK(sampler["interpolation"] == "LINEAR");
      const Eigen::VectorXd times = numbers(artist, sampler["input"]).row(0);
      REQUIRE(times.size() == gait.keys);
      for (int k = 0; k < times.size(); ++k) CHECK(times[k] == Approx(k / 24.0));
      const Eigen::MatrixXd keys = numbers(artist, sampler["output"]);
      CHECK(keys.col(0) == keys.col(keys.cols() - 1));
      if (keys.rows() != 4) continue;
      CHECK((keys.colwise().norm().array() - 1).abs().maxCoeff() < 1e-6);
      for (int k = 1; k < keys.cols(); ++k) CHECK(keys.col(k).dot(keys.col(k - 1)) > std::cos(0.6));
    }
  }
}

TEST_CASE("feet touch the ground at the stated phases and push backwards") {
  const auto artist = file_named("artist");
  for (const auto& gait : gaits) {
    const auto& stated = artist.json["animations"][gait.clip]["extras"];
    CHECK(stated["duty"] == gait.duty);
    CHECK(stated["footfall"]["right fore"] == gait.footfall.at("ForeFoot.R"));
    std::map<std::string, double> forward_before;
    for (int k = 0; k < gait.keys; ++k) {
      const Eigen::MatrixXd surface = surface_at_key(artist, gait.clip, k);
      for (const auto& [foot, footfall] : gait.footfall) {
        const double phase = static_cast<double>(k) / (gait.keys - 1) - footfall;
        const double since_landing = phase - std::floor(phase);
        const Sole sole = sole_at(artist, surface, foot);
        INFO(gait.name << " key " << k << ' ' << foot << " since landing " << since_landing);
        const double in_swing = (since_landing - gait.duty) / (1 - gait.duty);
        if (since_landing < gait.duty) CHECK(std::abs(sole.height) < 0.01);
        if (since_landing < gait.duty && k > 0 && since_landing > 1.0 / (gait.keys - 1))
          CHECK(sole.forward < forward_before[foot]);
        if (in_swing > 0.25 && in_swing < 0.75) CHECK(sole.height > 0.03);
        forward_before[foot] = sole.forward;
      }
    }
  }
}

TEST_CASE("the faulty rigs have the faults that they are named for") {
  const auto artist = file_named("artist"), blurred = file_named("blurred"),
             scattered = file_named("scattered");
  CHECK(blurred.weights.row(0).mean() < artist.weights.row(0).mean() - 0.1);
  int strayed = 0;
  for (int v = 0; v < artist.slots.cols(); ++v) strayed += artist.slots(0, v) != scattered.slots(0, v);
  CHECK(strayed > 0.15 * static_cast<double>(artist.slots.cols()));
  CHECK(strayed < 0.6 * static_cast<double>(artist.slots.cols()));
}

TEST_CASE("resplit and subdivided quadrupeds have the artist's surface") {
  const auto artist = file_named("artist"), resplit = file_named("resplit"), fine = file_named("subdivided");
  using Corners = std::set<std::array<double, 3>>;
  const auto triangle_set = [](const GlbContents& glb) {
    std::set<Corners> all;
    for (const auto& tri : glb.triangles.colwise()) {
      Corners corners;
      for (const int v : tri) corners.insert({glb.positions(0, v), glb.positions(1, v), glb.positions(2, v)});
      all.insert(corners);
    }
    return all;
  };
  CHECK(triangle_set(resplit) == triangle_set(artist));
  CHECK(resplit.positions.cols() > artist.positions.cols() + 500);
  CHECK(resplit.positions.leftCols(100) != artist.positions.leftCols(100));
  CHECK(fine.triangles.cols() == 4 * artist.triangles.cols());
  CHECK(fine.positions.leftCols(artist.positions.cols()) == artist.positions);
}

TEST_CASE("the quadruped's files are the same bytes at every call and from the program") {
  const auto again = pelt::make_quadruped_files();
  REQUIRE(again.size() == 7);
  const auto folder =
      std::filesystem::temp_directory_path() / ("pelt-quadruped-" + std::to_string(::getpid()));
  const std::string command = "\"" PELT_QUADRUPED "\" \"" + folder.string() + "\" > /dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  for (std::size_t k = 0; k < again.size(); ++k) {
    INFO(again[k].name);
    CHECK(again[k].bytes == files()[k].bytes);
    std::ifstream file(folder / again[k].name, std::ios::binary);
    const std::vector<std::uint8_t> written(std::istreambuf_iterator<char>{file}, {});
    CHECK(written == again[k].bytes);
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("the picture of the quadruped is small and the same at every call") {
  const std::string svg = pelt::quadruped_picture();
  CHECK(svg.size() < 400000);
  CHECK(svg == pelt::quadruped_picture());
}
