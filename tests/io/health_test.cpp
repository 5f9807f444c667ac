// Each check on a file with exactly that fault, and silence on sound files.
#include "io/health.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>

#include "../gltf_builder.h"
#include "data/quadruped_files.h"
#include "io/gltf_reader.h"
#include "io/io_error.h"
#include "packing.h"

namespace pelt {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;

std::vector<Finding> findings_of(const Document& document) {
  return find_faults(document, read_scene(document));
}

Names names_of(const std::vector<Finding>& findings) {
  Names names;
  for (const Finding& f : findings) {
    CHECK_FALSE(f.what.empty());
    CHECK_FALSE(f.cause.empty());
    CHECK_FALSE(f.cure.empty());
    names.push_back(f.check);
  }
  return names;
}

Names checks_of(const GltfBuilder& b) { return names_of(findings_of(b.document())); }

/// The strip with a fault in it.
Names with(const std::function<void(GltfBuilder&)>& fault) {
  GltfBuilder b = two_joint_strip();
  fault(b);
  return checks_of(b);
}

/// Why the strip with a fault in it cannot be read.
std::string refused_with(const std::function<void(GltfBuilder&)>& fault) {
  GltfBuilder b = two_joint_strip();
  fault(b);
  try {
    read_scene(b.document());
  } catch (const ReadError& error) {
    return explained(error.what()).check;
  }
  return "readable";
}

void set_weights(GltfBuilder& b, double weight) {
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(4, 4);
  weights.row(0).setConstant(weight);
  b.primitive(0)["attributes"]["WEIGHTS_0"] = b.add_accessor(weights);
}

void set_matrices(GltfBuilder& b, const std::vector<Eigen::Matrix4d>& matrices) {
  Eigen::MatrixXd columns(16, matrices.size());
  for (std::size_t j = 0; j < matrices.size(); ++j) columns.col(j) = matrices[j].reshaped();
  b.json["skins"][0]["inverseBindMatrices"] = b.add_accessor(columns);
}

Eigen::Matrix4d shifted(double y) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix(1, 3) = y;
  return matrix;
}

/// Turns the tip to these angles about z, degrees.
void turn_tip(GltfBuilder& b, const std::vector<double>& angles, double length = 1) {
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(4, angles.size());
  std::vector<double> times;
  for (std::size_t k = 0; k < angles.size(); ++k) {
    const double half = 0.5 * angles[k] * static_cast<double>(EIGEN_PI) / 180;
    values.col(k) << 0, 0, length * std::sin(half), length * std::cos(half);
    times.push_back(static_cast<double>(k));
  }
  b.json["animations"] = Json::array();
  b.add_channel(b.add_animation("Turn"), 1, "rotation", times, values);
}

/// A strip along y with as many joints as rungs, `gap` apart; the mesh is one unit wide and high.
GltfBuilder ladder(int joints, double gap) {
  GltfBuilder b;
  std::vector<int> nodes;
  std::vector<Eigen::Matrix4d> matrices;
  Eigen::Matrix3Xd positions(3, 2 * joints);
  Eigen::MatrixXd slots = Eigen::MatrixXd::Zero(4, 2 * joints), weights = slots;
  std::vector<int> corners;
  for (int j = 0; j < joints; ++j) {
    nodes.push_back(
        b.add_node("joint", j > 0 ? nodes.back() : -1, {{"translation", {0, j > 0 ? gap : 0, 0}}}));
    matrices.push_back(shifted(-j * gap));
    const double y = static_cast<double>(j) / (joints - 1);
    positions.middleCols<2>(2 * j) << 0, 1, y, y, 0, 0;
    slots.row(0).segment<2>(2 * j).setConstant(j);
    weights.row(0).segment<2>(2 * j).setOnes();
    if (j > 0)
      for (const int c : {0, 1, 3, 0, 3, 2}) corners.push_back(2 * j - 2 + c);
  }
  const int skin = b.add_skin(nodes, matrices);
  const int mesh = b.add_mesh(skinned_attributes(b, positions, slots, weights), corners);
  b.add_node("strip", -1, {{"mesh", mesh}, {"skin", skin}});
  return b;
}

}  // namespace

TEST_CASE("Nothing is found in sound files") {
  CHECK(checks_of(two_joint_strip()).empty());
  CHECK(checks_of(ladder(6, 0.2)).empty());
  for (const QuadrupedFile& file : make_quadruped_files()) {
    INFO(file.name);
    CHECK(names_of(findings_of(parse_document(file.bytes, file.name))).empty());
  }
}

TEST_CASE("No warning comes up on the well-made animals of the corpora") {
  const char* set = std::getenv("PELT_CORPORA");
  const std::filesystem::path folder =
      (set ? std::filesystem::path(set) : std::filesystem::path(PELT_SOURCE_DIR) / "../shared/corpora") /
      "quaternius-animals";
  if (!std::filesystem::exists(folder)) {
    std::cout << "skipped: 8 corpus checks (no corpora folder)\n";
    return;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".glb") continue;
    INFO(entry.path());
    for (const Finding& f : findings_of(read_document(entry.path()))) CHECK(f.note);
  }
}

TEST_CASE("A surface that is not there or cannot move is found") {
  const auto drop_skin = [](GltfBuilder& b) { b.json["nodes"][2].erase("skin"); };
  CHECK(with([](GltfBuilder& b) {
          b.json["nodes"][2].erase("skin");
          b.json["nodes"][2].erase("mesh");
        }) == Names{"no-surface"});
  CHECK(with(drop_skin) == Names{"weights-without-skin"});
  CHECK(with([&](GltfBuilder& b) {
          drop_skin(b);
          b.primitive(0)["attributes"].erase("JOINTS_0");
          b.primitive(0)["attributes"].erase("WEIGHTS_0");
        }) == Names{"no-skin"});
}

TEST_CASE("Bind matrices that are missing, flat or too many are found") {
  CHECK(with([](GltfBuilder& b) { b.json["skins"][0].erase("inverseBindMatrices"); }) ==
        Names{"no-bind-matrices"});
  Eigen::Matrix4d flat = shifted(-1);
  flat(0, 0) = 0;
  CHECK(with([&](GltfBuilder& b) { set_matrices(b, {shifted(0), flat}); }) == Names{"singular-bind-matrix"});
  CHECK(with([](GltfBuilder& b) {
          set_matrices(b, {shifted(0), shifted(-1), shifted(0)});
        }) == Names{"spare-bind-matrices"});
}

TEST_CASE("Missing bind matrices of joints that stand at the origin are sound") {
  CHECK(with([](GltfBuilder& b) {
          b.json["skins"][0].erase("inverseBindMatrices");
          b.json["nodes"][1]["translation"] = {0, 0, 0};
        }).empty());
}

TEST_CASE("The transform of a skinned mesh's node is a note") {
  GltfBuilder b = two_joint_strip();
  b.json["nodes"][2]["scale"] = {100, 100, 100};
  const std::vector<Finding> findings = findings_of(b.document());
  REQUIRE(names_of(findings) == Names{"mesh-node-transform"});
  CHECK(findings[0].note);
  CHECK_THAT(findings[0].what, Catch::Contains("nodes[2] 'strip'"));
}

TEST_CASE("Negative and uneven scales are found") {
  CHECK(with([](GltfBuilder& b) { b.json["nodes"][1]["scale"] = {-1, 1, 1}; }) == Names{"negative-scale"});
  CHECK(with([](GltfBuilder& b) { b.json["nodes"][0]["scale"] = {1, 2, 1}; }) == Names{"uneven-scale"});
  // nothing turns below the tip: no shear comes of it
  CHECK(with([](GltfBuilder& b) { b.json["nodes"][1]["scale"] = {1, 2, 1}; }).empty());
}

TEST_CASE("A scale of zero is found where it carries the surface") {
  CHECK(with([](GltfBuilder& b) { b.json["nodes"][1]["scale"] = {0, 1, 1}; }) == Names{"zero-scale"});
  CHECK(with([](GltfBuilder& b) {
          b.json["nodes"][2]["scale"] = {0, 0, 0};
        }) == Names{"mesh-node-transform"});
}

TEST_CASE("Weights off 1 and more than four influences are found") {
  CHECK(with([](GltfBuilder& b) { set_weights(b, 0.5); }) == Names{"weight-sums"});
  GltfBuilder b = ladder(6, 0.2);
  Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(4, 12), weights = joints;
  joints.row(0).setConstant(4);
  weights.row(0).setConstant(0.1);
  b.primitive(0)["attributes"]["JOINTS_1"] = b.add_accessor(joints, {.component = Component::u8});
  b.primitive(0)["attributes"]["WEIGHTS_1"] = b.add_accessor(weights);
  Eigen::MatrixXd first(4, 12), share = Eigen::MatrixXd::Constant(4, 12, 0.225);
  first.colwise() = Eigen::Vector4d(0, 1, 2, 3);
  b.primitive(0)["attributes"]["JOINTS_0"] = b.add_accessor(first, {.component = Component::u8});
  b.primitive(0)["attributes"]["WEIGHTS_0"] = b.add_accessor(share);
  const std::vector<Finding> findings = findings_of(b.document());
  REQUIRE(names_of(findings) == Names{"many-influences"});
  CHECK_THAT(findings[0].what, Catch::Contains("12 of 12") && Catch::Contains("at most 5"));
}

TEST_CASE("Joints outside the scene are found") {
  CHECK(with([](GltfBuilder& b) { b.json["scenes"][0]["nodes"] = {2}; }) == Names{"joints-outside-scene"});
}

TEST_CASE("A unit factor is found where it makes the animal absurdly big or small") {
  CHECK(with([](GltfBuilder& b) { b.json["nodes"][0]["scale"] = {100, 100, 100}; }) == Names{"unit-factor"});
  CHECK(with([](GltfBuilder& b) {
          b.json["nodes"][0]["scale"] = {0.01, 0.01, 0.01};
        }) == Names{"unit-factor"});
  // centimetres under an armature that turns them into metres are as they should be
  CHECK(with([](GltfBuilder& b) {
          Eigen::Matrix3Xd positions(3, 4);
          positions << 0, 100, 100, 0, 0, 0, 100, 100, 0, 0, 0, 0;
          b.primitive(0)["attributes"]["POSITION"] = b.add_accessor(positions);
          b.json["nodes"][0]["scale"] = {0.01, 0.01, 0.01};
          b.json["nodes"][1]["translation"] = {0, 100, 0};
          set_matrices(b, {shifted(0), shifted(-100)});
        }).empty());
}

TEST_CASE("A skeleton in another unit than its mesh is found") {
  CHECK(checks_of(ladder(6, 0.002)) == Names{"skeleton-size"});
}

TEST_CASE("Bind matrices of other joints are found by what they do to the mesh") {
  GltfBuilder b = ladder(6, 0.2);
  set_matrices(b, {shifted(0), shifted(-0.2), shifted(-0.4), shifted(9), shifted(-0.8), shifted(-1)});
  CHECK(checks_of(b) == Names{"torn-at-rest"});
}

TEST_CASE("A clip that moves nothing of the mesh is found") {
  CHECK(with([](GltfBuilder& b) {
          b.json["animations"][0]["channels"][0]["target"]["node"] = b.add_node("control");
        }) == Names{"clip-moves-nothing"});
}

TEST_CASE("Joints with weights that hang on a root of their own are found where others move") {
  const auto part = [](GltfBuilder& b) {
    b.json["nodes"][0].erase("children");
    b.json["scenes"][0]["nodes"].push_back(1);
  };
  CHECK(with(part) == Names{"left-behind"});
  CHECK(with([&](GltfBuilder& b) {
          part(b);
          b.json.erase("animations");
        }).empty());
}

TEST_CASE("Two clips of one name are found") {
  CHECK(with([](GltfBuilder& b) { b.json["animations"].push_back(b.json["animations"][0]); }) ==
        Names{"same-clip-name"});
}

TEST_CASE("Half turns and rotations of odd length are found") {
  CHECK(with([](GltfBuilder& b) { turn_tip(b, {0, 170}); }).empty());
  CHECK(with([](GltfBuilder& b) { turn_tip(b, {0, 180}); }) == Names{"half-turn"});
  // the shorter way is the rule: no fault
  CHECK(with([](GltfBuilder& b) { turn_tip(b, {0, 359}); }).empty());
  CHECK(with([](GltfBuilder& b) { turn_tip(b, {0, 90}, 1.1); }) == Names{"quaternion-length"});
}

TEST_CASE("A spline between rotations of opposite sign is found") {
  const auto spline = [](double sign) {
    return with([&](GltfBuilder& b) {
      Eigen::MatrixXd values = Eigen::MatrixXd::Zero(4, 6);
      values(3, 1) = 1;
      values(3, 4) = sign;
      b.json["animations"] = Json::array();
      b.add_channel(b.add_animation("Spin"), 1, "rotation", {0, 1}, values, "CUBICSPLINE");
    });
  };
  CHECK(spline(1).empty());
  CHECK(spline(-1) == Names{"long-way-round"});
}

TEST_CASE("A clip that tears the mesh is found") {
  CHECK(with([](GltfBuilder& b) {
          Eigen::MatrixXd values(3, 2);
          values << 0, 0, 1, 100, 0, 0;
          b.add_channel(0, 1, "translation", {0, 1}, values);
        }) == Names{"torn-in-clip"});
}

TEST_CASE("Why a file cannot be read has a cause and a cure") {
  CHECK(refused_with([](GltfBuilder& b) { set_weights(b, 0); }) == "vertex-without-weights");
  CHECK(refused_with([](GltfBuilder& b) { set_weights(b, -1); }) == "bad-weights");
  CHECK(refused_with([](GltfBuilder& b) { set_weights(b, std::nan("")); }) == "bad-weights");
  CHECK(refused_with([](GltfBuilder& b) { set_matrices(b, {shifted(0)}); }) == "missing-bind-matrices");
  CHECK(refused_with([](GltfBuilder& b) { b.json["skins"][0]["joints"] = {0, 0}; }) == "joint-twice");
  CHECK(refused_with([](GltfBuilder& b) { b.json["skins"][0]["joints"] = {0}; }) == "joint-out-of-range");
  CHECK(refused_with([](GltfBuilder& b) {
          set_matrices(b, {shifted(0), shifted(-1).transpose()});
        }) == "bad-matrix");
  CHECK(refused_with([](GltfBuilder& b) { turn_tip(b, {0, 90}, 0); }) == "quaternion-length");
  CHECK(refused_with([](GltfBuilder& b) { b.json["extensionsRequired"] = {"EXT_other"}; }) ==
        "unsupported-extension");
  CHECK(refused_with([](GltfBuilder& b) { b.json["nodes"][0]["children"] = {0}; }) == "broken-node-tree");
  CHECK(refused_with([](GltfBuilder& b) {
          b.json["nodes"].push_back({{"children", {1}}});
        }) == "broken-node-tree");
  CHECK(refused_with([](GltfBuilder& b) { b.json["buffers"][0]["uri"] = "gone.bin"; }) == "missing-buffer");
  CHECK(refused_with([](GltfBuilder& b) { b.json["buffers"][0]["byteLength"] = 4; }) == "damaged-file");
  CHECK(refused_with([](GltfBuilder& b) { b.json["buffers"][0]["byteLength"] = 99999; }) == "damaged-file");
  CHECK(refused_with([](GltfBuilder& b) { b.json["bufferViews"][0]["byteLength"] = 4; }) == "damaged-file");
  CHECK(refused_with([](GltfBuilder& b) {
          b.json["accessors"][b.primitive(0)["indices"].get<int>()] = {
              {"componentType", 5125}, {"count", 2000000000}, {"type", "SCALAR"}};
        }) == "unfolds-too-far");
  CHECK(refused_with([](GltfBuilder& b) {
          b.add_channel(0, 1, "translation", {0, 1, 1}, Eigen::Matrix3d(Eigen::Matrix3d::Zero()));
        }) == "unsorted-keys");
  CHECK(refused_with([](GltfBuilder& b) { b.json["accessors"][0]["componentType"] = 5124; }) == "other");
}

TEST_CASE("Packing that is broken has a cause and a cure") {
  CHECK(refused_with([](GltfBuilder& b) {
          pack_view(b, 0, {.stride = 12});
          b.bin.back() ^= 1;
          b.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["byteLength"] = 9;
        }) == "broken-packing");
  const auto with_draco = [](const std::function<void(GltfBuilder&)>& fault) {
    return refused_with([&](GltfBuilder& b) {
      pack_primitive(b, 0);
      fault(b);
    });
  };
  const auto extension = [](GltfBuilder& b) -> Json& {
    return b.primitive(0)["extensions"]["KHR_draco_mesh_compression"];
  };
  CHECK(with_draco([&](GltfBuilder& b) { extension(b)["bufferView"] = 0; }) == "broken-packing");
  CHECK(with_draco([&](GltfBuilder& b) { extension(b)["attributes"]["POSITION"] = 9; }) == "broken-packing");
}

TEST_CASE("What the reader copes with has a cause and a cure") {
  CHECK(with([](GltfBuilder& b) {
          b.json["nodes"][1]["rotation"] = {0, 0, 0, 1.1};
        }) == Names{"quaternion-length"});
  CHECK(with([](GltfBuilder& b) {
          b.json["animations"][0]["channels"].push_back(b.json["animations"][0]["channels"][0]);
        }) == Names{"ignored-channels"});
  CHECK(with([](GltfBuilder& b) {
          b.json["animations"][0]["channels"].push_back(b.json["animations"][0]["channels"][0]);
          b.json["animations"][0]["channels"][1]["target"].erase("node");
        }) == Names{"ignored-channels"});
  CHECK(with([](GltfBuilder& b) {
          b.json["nodes"][1].erase("translation");
          b.json["nodes"][1]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1};
        }) == Names{"animated-matrix"});
  CHECK(with([](GltfBuilder& b) {
          b.json["animations"][0]["channels"].push_back(b.json["animations"][0]["channels"][0]);
          b.json["animations"][0]["channels"][1]["target"]["extensions"]["KHR_animation_pointer"] =
              Json::object();
        }) == Names{"ignored-channels"});
  CHECK(with([](GltfBuilder& b) { b.json["extensionsUsed"] = {"EXT_mesh_gpu_instancing"}; }) ==
        Names{"ignored-extension"});
  CHECK(with([](GltfBuilder& b) { b.json["meshes"][0]["weights"] = {1}; }) == Names{"morph-weights"});
}

}  // namespace pelt
