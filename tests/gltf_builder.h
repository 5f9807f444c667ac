#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../io/document.h"

namespace pelt::test {

/// glTF component types by their numbers in the file.
enum class Component { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

/// How an accessor is stored; the defaults are tightly packed floats.
struct Storage {
  Component component = Component::f32;
  bool normalized = false;  ///< values are given decoded (-1..1 or 0..1) and rounded to the integer grid
  int stride = 0;           ///< bytes; 0 = tight, no byteStride in the file
  bool sparse_without_view = false;  ///< every non-zero column is stored sparsely over no bufferView
};

/// Makes little glTF files for tests. `json` and `bin` are open: what the functions below do not offer, and
/// every fault a test wants, is written into them directly. All functions return the index of what they
/// added.
///
///     GltfBuilder b;
///     const int root = b.add_node("root");
///     const int mesh = b.add_mesh({{"POSITION", b.add_accessor(positions)}}, {0, 1, 2});
///     b.add_node("body", root, {{"mesh", mesh}});
///     const Scene scene = read_scene(b.document());
struct GltfBuilder {
  nlohmann::ordered_json json;
  std::vector<std::uint8_t> bin;

  GltfBuilder();

  /// Appends bytes at the next multiple of four as a bufferView. A stride of 0 is left out of the JSON.
  int add_view(const std::vector<std::uint8_t>& bytes, int stride = 0);

  /// Elements are columns: 1, 2, 3, 4 rows = SCALAR, VEC2, VEC3, VEC4; 16 rows = MAT4, column by column.
  int add_accessor(const Eigen::MatrixXd& values, const Storage& storage = {});

  /// Adds a node; it is a root of the scene unless `parent` is given. `properties` are merged into it.
  int add_node(const std::string& name, int parent = -1, const nlohmann::ordered_json& properties = {});

  /// Adds a mesh of one triangle primitive. `attributes` are accessor indices by attribute name, as in the
  /// file.
  int add_mesh(const nlohmann::ordered_json& attributes, const std::vector<int>& indices = {});

  /// Adds a skin; no matrices = no inverseBindMatrices in the file.
  int add_skin(const std::vector<int>& joints, const std::vector<Eigen::Matrix4d>& joint_from_bind = {});

  int add_animation(const std::string& name);

  /// Adds a sampler and its channel to an animation. `values`: a column a key (three columns a key for
  /// CUBICSPLINE; for "weights" a row per morph target). Returns the channel's index.
  int add_channel(int animation, int node, const std::string& path, const std::vector<double>& times,
                  const Eigen::MatrixXd& values, const std::string& interpolation = "LINEAR");

  /// The first primitive of a mesh. Like any reference into `json`, it dies when a member is added around it.
  nlohmann::ordered_json& primitive(int mesh) { return json["meshes"][mesh]["primitives"][0]; }

  std::vector<std::uint8_t> glb() const;

  /// The same as a .gltf with its buffer in a data URI.
  std::string gltf() const;

  /// glb() parsed; `path` appears in messages.
  Document document(const std::filesystem::path& path = "test.glb") const;
};

/// Accessors of a skinned strip: POSITION, JOINTS_0 and WEIGHTS_0 as an attributes object. `positions` 3 x V;
/// `joints` and `weights` 4 x V.
nlohmann::ordered_json skinned_attributes(GltfBuilder& builder, const Eigen::Matrix3Xd& positions,
                                          const Eigen::MatrixXd& joints, const Eigen::MatrixXd& weights);

/// A file with two joints (root at the origin, tip one unit up y), a strip of two triangles (four vertices, y
/// = 0 and 1) weighted to root below and tip above, and one clip "Bend" of 1 s that turns the tip by 90
/// degrees about z. Nodes: 0 root, 1 tip, 2 the skinned mesh.
GltfBuilder two_joint_strip();

/// The same without its clip, the strip at z = `height` in place of 0.
GltfBuilder raised_strip(double height);

}  // namespace pelt::test
