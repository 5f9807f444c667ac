#include <pelt/solver/rig.h>

#include <iostream>

int main() {
  pelt::Rig rig;
  rig.parent = {-1};
  rig.model_from_joint = {Eigen::Matrix4d::Identity()};
  rig.first_influence = {0, 1};
  rig.joint = {0};
  rig.weight = {1.0};
  rig.rest_point = Eigen::Vector3d(3, 0, 0);
  std::cout << pelt::skin(rig, pelt::rest_pose(rig)).transpose() << "\n";
}
