#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// A .glb taken apart with no help from pelt: one skinned mesh of one primitive, 4 influences a vertex, clips
/// with LINEAR keys that share their times.
struct GlbContents {
  nlohmann::json json;
  std::vector<std::uint8_t> bin;
  Eigen::MatrixXd positions;     ///< 3 x V
  Eigen::MatrixXi triangles;     ///< 3 x T
  Eigen::MatrixXi slots;         ///< 4 x V
  Eigen::MatrixXd weights;       ///< 4 x V
  std::vector<int> joint_nodes;  ///< node of each slot
  std::vector<Eigen::Matrix4d> joint_from_bind;
};

GlbContents contents_of(const std::vector<std::uint8_t>& glb);

/// The numbers of an accessor, a column an element.
Eigen::MatrixXd numbers(const GlbContents& glb, int accessor);

/// Name of the joint of a slot.
std::string joint_name(const GlbContents& glb, int slot);

/// The skinned surface at rest, 3 x V.
Eigen::MatrixXd surface_at_rest(const GlbContents& glb);

/// The skinned surface at a key of a clip, 3 x V.
Eigen::MatrixXd surface_at_key(const GlbContents& glb, int clip, int key);
