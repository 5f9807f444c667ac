// Skin weights as in glTF 2.0, section 3.7.3.3. Sums that are off 1 are common in real files; they are
// normalised because skinning would otherwise pull vertices towards the origin.
#include "gltf_influences.h"

#include <cmath>
#include <vector>

#include "gltf_nodes.h"

namespace pelt {
namespace {

using Json = nlohmann::ordered_json;

const Json& attributes_of(const GltfSource& source, const Part& part) {
  return source.json["meshes"][part.mesh]["primitives"][part.primitive]["attributes"];
}

struct Sets {
  Eigen::MatrixXd joints, weights;  ///< slots x vertices, as stored
  Eigen::VectorXd precision;        ///< of the weights in a slot
};

Eigen::MatrixXd read_set(const GltfSource& source, int accessor, const std::string& place, const Part& part) {
  const std::size_t count = source.accessors.count(accessor);
  if (count != static_cast<std::size_t>(part.vertices))
    fail(source, place,
         std::to_string(count) + " elements for " + std::to_string(part.vertices) + " vertices");
  return source.accessors.read(accessor, {place, "VEC4"});
}

/// How many sets have both joints and weights; the first that has not ends them.
int count_sets(const Json& attributes, const std::string& place, Scene& scene) {
  for (int n = 0;; ++n) {
    const std::string joints = "JOINTS_" + std::to_string(n), weights = "WEIGHTS_" + std::to_string(n);
    const bool has_joints = attributes.contains(joints), has_weights = attributes.contains(weights);
    if (has_joints && has_weights) continue;
    if (has_joints || has_weights)
      scene.warnings.push_back(place + ": " + joints + " and " + weights +
                               " are not both there and are ignored");
    return n;
  }
}

/// Stacked once: appending set by set would copy the first ones again and again.
Eigen::MatrixXd stacked(const std::vector<Eigen::MatrixXd>& sets, int vertices) {
  Eigen::MatrixXd rows(4 * sets.size(), vertices);
  for (std::size_t n = 0; n < sets.size(); ++n)
    rows.middleRows<4>(4 * static_cast<Eigen::Index>(n)) = sets[n];
  return rows;
}

Sets read_sets(const GltfSource& source, const std::string& place, const Part& part, Scene& scene) {
  const Json& attributes = attributes_of(source, part);
  const int count = count_sets(attributes, place, scene);
  const std::string prefix = place + ".attributes.";
  std::vector<Eigen::MatrixXd> joints, weights;
  Eigen::VectorXd precision(4 * count);
  for (int n = 0; n < count; ++n) {
    const std::string of_joints = "JOINTS_" + std::to_string(n), of_weights = "WEIGHTS_" + std::to_string(n);
    const int accessor = integer_of(attributes, of_weights.c_str());
    joints.push_back(read_set(source, integer_of(attributes, of_joints.c_str()), prefix + of_joints, part));
    weights.push_back(read_set(source, accessor, prefix + of_weights, part));
    precision.segment<4>(4 * n).setConstant(source.accessors.precision(accessor));
  }
  return {stacked(joints, part.vertices), stacked(weights, part.vertices), precision};
}

void check_vertex(const GltfSource& source, const std::string& place, const Sets& sets, Eigen::Index vertex,
                  std::size_t joints) {
  const std::string where = place + ", vertex " + std::to_string(vertex);
  const auto joint = sets.joints.col(vertex), weight = sets.weights.col(vertex);
  if (!weight.allFinite()) fail(source, where, "a weight that is not finite");
  if (weight.minCoeff() < 0) fail(source, where, "a weight of " + number(weight.minCoeff()));
  if (weight.maxCoeff() == 0) fail(source, where, "all weights are zero");
  const auto names_joint = [&](double index) {
    return index >= 0 && index < static_cast<double>(joints) && index == std::floor(index);
  };
  for (Eigen::Index slot = 0; slot < joint.size(); ++slot)
    if (weight(slot) > 0 && !names_joint(joint(slot)))
      fail(source, where, "joint " + number(joint(slot)) + " of a skin of " + std::to_string(joints));
}

/// Counts a sum that rounding does not explain.
void note_sum(double sum, double explained, Part& part) {
  if (std::abs(sum - 1) > std::abs(part.worst_sum - 1)) part.worst_sum = sum;
  if (std::abs(sum - 1) > explained) ++part.odd_sums;
}

}  // namespace

void read_influences(const GltfSource& source, const std::string& place, const std::vector<char>& used,
                     Scene& scene, Part& part) {
  const Sets sets = read_sets(source, place, part, scene);
  if (sets.weights.rows() == 0) {
    scene.warnings.push_back(place + ": has a skin but no JOINTS_0 and WEIGHTS_0, and moves with its node");
    part.skin = -1;
    return;
  }
  part.influences = static_cast<int>(sets.weights.rows());
  part.joints = Eigen::MatrixXi::Zero(part.influences, part.vertices);
  part.weights = Eigen::MatrixXd::Zero(part.influences, part.vertices);
  for (Eigen::Index v = 0; v < part.vertices; ++v) {
    if (!used[v]) continue;
    check_vertex(source, place, sets, v, scene.skins[part.skin].joints.size());
    const auto weight = sets.weights.col(v);
    const double sum = weight.sum();
    note_sum(sum, 1e-6 + (weight.array() > 0).select(sets.precision, 0.0).sum(), part);
    part.weights.col(v) = weight / sum;
    for (Eigen::Index slot = 0; slot < weight.size(); ++slot)
      if (weight(slot) > 0) part.joints(slot, v) = static_cast<int>(sets.joints(slot, v));
  }
  if (part.odd_sums > 0)
    scene.warnings.push_back(place + ": the weights of " + std::to_string(part.odd_sums) + " of " +
                             std::to_string(part.vertices) + " vertices do not sum to 1 (worst sum " +
                             number(part.worst_sum) + "), normalised");
}

}  // namespace pelt
