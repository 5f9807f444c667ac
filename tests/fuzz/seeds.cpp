#include "seeds.h"

#include <meshoptimizer.h>

#include <bit>
#include <cmath>

#include "batch/score_row.h"
#include "tests/gltf_builder.h"
#include "tests/io/packing.h"
#include "tests/io/rich_file.h"

namespace pelt::fuzz {
namespace {

using namespace test;
using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

/// The unit square, stored in that way, as triangles of that mode.
GltfBuilder square(const Storage& storage, int mode) {
  GltfBuilder b;
  Eigen::Matrix3Xd corners(3, 4);
  corners << 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0;
  Json attributes = {{"POSITION", b.add_accessor(corners, storage)}};
  const int mesh = b.add_mesh(attributes, mode == 4 ? std::vector{0, 1, 2, 2, 1, 3} : std::vector<int>());
  b.primitive(mesh)["mode"] = mode;
  b.add_node("square", -1, {{"mesh", mesh}, {"translation", {1, 2, 3}}, {"scale", {1, -1, 2}}});
  return b;
}

/// Two skins that share joints with other matrices, an instance of the mesh without a skin, a second
/// primitive, a second scene.
GltfBuilder two_skins() {
  GltfBuilder b = two_joint_strip();
  const int skin = b.add_skin({1, 0});
  b.json["skins"][skin]["skeleton"] = 0;
  b.json["meshes"][0]["primitives"].push_back(b.primitive(0));
  b.add_node("twin", 0, {{"mesh", 0}, {"skin", skin}});
  b.add_node("rigid", 1, {{"mesh", 0}, {"rotation", {0, 0, 1, 0}}});
  b.json["scenes"].push_back({{"nodes", {0}}});
  return b;
}

/// Keys stored as normalised integers, on a node above an unskinned mesh.
GltfBuilder carried() {
  GltfBuilder b = square({.component = Component::i8, .normalized = true, .stride = 4}, 5);
  b.json["extensionsRequired"] = b.json["extensionsUsed"] = {"KHR_mesh_quantization"};
  const int clip = b.add_animation("Turn");
  Eigen::MatrixXd turn(4, 2);
  turn << 0, 0, 0, 0, 0, std::sqrt(0.5), 1, std::sqrt(0.5);
  b.add_channel(clip, 0, "rotation", {0.25, 1}, turn);
  const Storage shorts{.component = Component::i16, .normalized = true};
  b.json["animations"][clip]["samplers"][0]["output"] = b.add_accessor(turn, shorts);
  b.json["animations"][clip]["channels"].push_back(
      {{"sampler", 0},
       {"target", {{"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", Json::object()}}}}}});
  return b;
}

/// A packed mesh whose node turns, moves and carries a sheet by views with filters.
GltfBuilder filtered() {
  GltfBuilder b = skinned_sheet();
  const int clip = b.add_animation("Filtered"), node = b.add_node("carrier");
  const std::vector<float> turns = {0, 0, 0, 1, 0, 1, 0, 0}, places = {1, 2, 3, 4, 5, 6},
                           normals = {0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0};
  Bytes turn(16), place(24), ball(12);
  meshopt_encodeFilterQuat(turn.data(), 2, 8, 12, turns.data());
  meshopt_encodeFilterExp(place.data(), 2, 12, 15, places.data());
  meshopt_encodeFilterOct(ball.data(), 3, 4, 8, normals.data());
  const auto animate = [&](int channel, const char* path, int output) {
    b.add_channel(clip, node, path, {0, 1}, Eigen::MatrixXd::Zero(3, 2));
    b.json["animations"][clip]["samplers"][channel]["output"] = output;
  };
  animate(0, "rotation",
          add_filtered(b, turn, {.stride = 8, .filter = "QUATERNION"},
                       {{"componentType", 5122}, {"normalized", true}, {"type", "VEC4"}}));
  animate(1, "translation",
          add_filtered(b, place, {.stride = 12, .filter = "EXPONENTIAL"},
                       {{"componentType", 5126}, {"type", "VEC3"}}));
  const int points = add_filtered(b, ball, {.stride = 4, .filter = "OCTAHEDRAL"},
                                  {{"componentType", 5120}, {"normalized", true}, {"type", "VEC3"}});
  b.add_node("ball", node, {{"mesh", b.add_mesh({{"POSITION", points}})}});
  return b;
}

void add_packed_seeds(std::vector<Seed>& seeds) {
  for (const char* mode : {"TRIANGLES", "INDICES"}) {
    GltfBuilder b = skinned_sheet();
    pack_all_views(b, mode);
    add_placeholder(b);
    seeds.push_back({"reader", std::string("meshopt-") + mode, b.glb()});
  }
  seeds.push_back({"reader", "meshopt-filters", filtered().glb()});
  for (const bool edgebreaker : {true, false}) {
    GltfBuilder b = skinned_sheet();
    pack_primitive(b, 0, {.edgebreaker = edgebreaker, .position_bits = edgebreaker ? 11 : 0});
    seeds.push_back({"reader", edgebreaker ? "draco-edgebreaker" : "draco-sequential", b.glb()});
  }
}

void add_reader_seeds(std::vector<Seed>& seeds) {
  const auto add = [&](const char* name, const GltfBuilder& b) {
    seeds.push_back({"reader", name, b.glb()});
  };
  add("strip", two_joint_strip());
  add("rich", rich_file());
  add("two-skins", two_skins());
  add("carried", carried());
  add("triangles", square({.component = Component::i16, .stride = 8}, 4));
  add("fan", square({.component = Component::u16, .normalized = true, .stride = 8}, 6));
  add("sparse", square({.sparse_without_view = true}, 5));
  const std::string text = rich_file().gltf();
  seeds.push_back({"reader", "embedded", {text.begin(), text.end()}});
}

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

void add_text_seeds(std::vector<Seed>& seeds) {
  seeds.push_back(
      {"obj", "square",
       bytes_of("# a square\nmtllib a.mtl\no square\nv 0 0 0\nv 1 0 0 1\nv 1 1 0 0.5 0.5 0.5\nv 0 1e-3 0\n"
                "vt 0 0\nvt 1\nvn 0 0 1\ng a b\nf 1/1/1 2/2/1 -2//1 \\\n4/1\nf -4 -3 -2\nl 1 2\n")});
  seeds.push_back(
      {"text_rig", "chain",
       bytes_of("joints root 0 0 0\njoints tip 0 1 0\nroot root\nskin 0 root 1.0\n"
                "skin 1 root 0.5 tip 0.5\nskin 2 tip 1\nskin 3 root 0.25 tip 0.75\nhier root tip\n")});
}

void append(Bytes& bytes, std::uint32_t word, bool big_endian) {
  for (int k = 0; k < 4; ++k)
    bytes.push_back(static_cast<std::uint8_t>(word >> 8 * (big_endian ? 3 - k : k)));
}

/// A triangle in two frames.
void add_cache_seeds(std::vector<Seed>& seeds) {
  const auto words = [](Bytes bytes, const std::vector<float>& values, bool big_endian) {
    for (const float value : values) append(bytes, std::bit_cast<std::uint32_t>(value), big_endian);
    return bytes;
  };
  const std::vector<float> points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1};
  Bytes mdd, pc2 = bytes_of(std::string("POINTCACHE2") + '\0');
  for (const std::uint32_t count : {2, 3}) append(mdd, count, true);
  seeds.push_back({"mdd", "triangle", words(words(mdd, {0, 0.5}, true), points, true)});
  for (const std::uint32_t count : {1, 3}) append(pc2, count, false);
  pc2 = words(pc2, {0, 1}, false);
  append(pc2, 2, false);
  seeds.push_back({"pc2", "triangle", words(pc2, points, false)});
}

ScoreRow row() {
  ClipScore walk;
  walk.clip = "Rig|Walk", walk.quality = 87.5, walk.worst = 2;
  walk.joint_errors = {{"hip", 0.5, 1}};
  walk.regions = {{"trunk", 0.5, 1}};
  ScoreRow row;
  row.tool = "heat", row.model = "wolf", row.artist = "wolf.glb", row.rig = "heat/wolf.glb", row.ok = true;
  row.control.passed = true;
  row.control.clips = {walk};
  row.health.emplace();
  row.health->asymmetry = 0.5;
  row.health->legs = {{"hip", {15, 30}}, {"shoulder", {0}, false}};
  row.clips = {walk, walk};
  row.clips[1].joints = JointMode::rotate, row.clips[1].quality.reset();
  row.warnings = {"wolf.glb: odd"};
  row.details = {{"diag", 3.25}, {"clips", {{{"name", "Walk"}}}}};
  return row;
}

/// Two tools, and a pair that failed.
void add_row_seed(std::vector<Seed>& seeds) {
  ScoreRow other = row(), failed;
  other.tool = "net", other.clips[0].quality = 80;
  failed.tool = "net", failed.model = "fox", failed.exit_code = 2, failed.reason = "fox.glb: no such file";
  std::string text = "{\"pelt_rows\":1}\n";
  for (const ScoreRow& each : {row(), other, failed}) text += to_json(each).dump() + "\n";
  seeds.push_back({"rows", "three", bytes_of(text)});
}

void add_list_seeds(std::vector<Seed>& seeds) {
  seeds.push_back({"manifest_csv", "pairs",
                   bytes_of("artist,rig,tool,model,clips,options\nwolf.glb,heat/wolf.glb,heat,wolf,Walk;Run,"
                            "\"joints=free,rotate max-influences=4\"\n\nwolf.glb,\"a \"\"net\"\".glb\",,,,"
                            "force=true fps=24 align=turn.json points=w.mdd points-up=z stiffness=0.5\n")});
  seeds.push_back(
      {"manifest_json", "pairs",
       bytes_of(
           R"([{"artist":"wolf.glb","rig":"heat/wolf.glb","tool":"heat","model":"wolf",)"
           R"("clips":["Walk","Run"],"options":{"joints":["free","rotate"],"max-influences":4}},)"
           R"({"artist":"wolf.glb","rig":"net.glb","options":{"force":true,"fps":24,"match":"bind",)"
           R"("weighting":"uniform","key-tolerance":0.1,"mesh":"a.obj","stretch":1,"strict":false}}])")});
  seeds.push_back({"alignment", "turn",
                   bytes_of(R"({"artist_from_rig":[[0,-2,0,1],[2,0,0,-3.5],[0,0,2,1e-3],[0,0,0,1]]})")});
}

}  // namespace

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  add_reader_seeds(all);
  add_packed_seeds(all);
  add_text_seeds(all);
  add_cache_seeds(all);
  add_list_seeds(all);
  add_row_seed(all);
  return all;
}

}  // namespace pelt::fuzz
