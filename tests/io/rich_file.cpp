#include "rich_file.h"

namespace pelt::test {

GltfBuilder rich_file() {
  GltfBuilder b = two_joint_strip();
  Eigen::Matrix3Xd displacement = Eigen::Matrix3Xd::Zero(3, 4);
  displacement.col(2).setOnes();
  const int morph = b.add_accessor(displacement, {.sparse_without_view = true});
  b.primitive(0)["targets"] = {{{"POSITION", morph}}};
  b.json["meshes"][0]["weights"] = {0.5};
  b.add_channel(0, 2, "weights", {0, 0.5, 1}, Eigen::RowVector3d(0, 1, 0));
  b.add_channel(0, 0, "translation", {0, 1}, Eigen::MatrixXd::Ones(3, 6), "CUBICSPLINE");
  b.add_channel(0, 0, "scale", {0.5}, Eigen::Vector3d::Ones(), "STEP");
  const Storage strided{.component = Component::u8, .normalized = true, .stride = 8};
  const int zeros = b.add_accessor(Eigen::MatrixXd::Zero(4, 4), strided);
  nlohmann::ordered_json& attributes = b.primitive(0)["attributes"];
  attributes["JOINTS_1"] = attributes["JOINTS_0"].get<int>();
  attributes["WEIGHTS_1"] = zeros;
  b.add_node("turned", 1, {{"matrix", {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}});
  return b;
}

}  // namespace pelt::test
