#include "skeleton.h"

#include <stdexcept>

namespace pelt {
namespace {

struct Bone {
  std::string name;
  Eigen::Vector3d origin, tip;
};

/// Adds the bones as a chain, each the child of the one before, the first the child of `parent`.
void add_chain(const std::string& parent, BodyPart limb, const std::vector<Bone>& bones, Skeleton& skeleton) {
  int above = parent.empty() ? -1 : joint_named(skeleton, parent);
  for (const auto& bone : bones) {
    skeleton.push_back({bone.name, above, limb, bone.origin, bone.tip});
    above = static_cast<int>(skeleton.size()) - 1;
  }
}

/// The chain on the left, named with .L, then its mirror image, named with .R.
void add_pair(const std::string& parent, BodyPart left, BodyPart right, std::vector<Bone> bones,
              Skeleton& skeleton) {
  auto other = bones;
  for (auto& bone : bones) bone.name += ".L";
  for (auto& bone : other) bone = {bone.name + ".R", mirrored(bone.origin), mirrored(bone.tip)};
  add_chain(parent, left, bones, skeleton);
  add_chain(parent, right, other, skeleton);
}

}  // namespace

Skeleton artist_skeleton() {
  const Landmarks at;
  Skeleton bones;
  add_chain("", BodyPart::trunk, {{"Root", at.trunk, at.trunk + Eigen::Vector3d(0, 0, 0.2)}}, bones);
  bones[0].weighted = false;
  add_chain("Root", BodyPart::trunk,
            {{"Body", at.pelvis, at.loin},
             {"Spine1", at.loin, at.thorax},
             {"Spine2", at.thorax, at.withers},
             {"Spine3", at.withers, at.neck_base}},
            bones);
  add_chain(
      "Spine3", BodyPart::head,
      {{"Neck1", at.neck_base, at.neck_mid}, {"Neck2", at.neck_mid, at.poll}, {"Head", at.poll, at.muzzle}},
      bones);
  add_chain("Head", BodyPart::head, {{"Jaw", at.jaw, at.chin}}, bones);
  add_pair("Head", BodyPart::head, BodyPart::head, {{"Ear", at.ear_base, at.ear_tip}}, bones);
  add_chain(
      "Body", BodyPart::tail,
      {{"Tail1", at.dock, at.tail_1}, {"Tail2", at.tail_1, at.tail_2}, {"Tail3", at.tail_2, at.tail_tip}},
      bones);
  add_pair("Spine3", BodyPart::fore_left, BodyPart::fore_right,
           {{"Scapula", at.scapula, at.shoulder},
            {"UpperArm", at.shoulder, at.elbow},
            {"Forearm", at.elbow, at.carpus},
            {"ForeCannon", at.carpus, at.fore_fetlock},
            {"ForeFoot", at.fore_fetlock, at.fore_toe}},
           bones);
  add_pair("Body", BodyPart::hind_left, BodyPart::hind_right,
           {{"Thigh", at.hip, at.stifle},
            {"Shin", at.stifle, at.hock},
            {"HindCannon", at.hock, at.hind_fetlock},
            {"HindFoot", at.hind_fetlock, at.hind_toe}},
           bones);
  return bones;
}

Skeleton straight_skeleton() {
  const Landmarks at;
  const double fore_z = 0.30, hind_z = -0.52, leg_x = 0.145;
  const auto fore = [&](double y) { return Eigen::Vector3d(leg_x, y, fore_z); };
  const auto hind = [&](double y) { return Eigen::Vector3d(leg_x, y, hind_z); };
  Skeleton bones;
  add_chain("", BodyPart::trunk,
            {{"hips", at.pelvis, at.loin},
             {"back", at.loin, at.thorax},
             {"chest", at.thorax, at.withers},
             {"withers", at.withers, at.neck_base}},
            bones);
  add_chain(
      "withers", BodyPart::head,
      {{"neck", at.neck_base, at.neck_mid}, {"nape", at.neck_mid, at.poll}, {"skull", at.poll, at.muzzle}},
      bones);
  add_chain(
      "hips", BodyPart::tail,
      {{"tail_a", at.dock, at.tail_1}, {"tail_b", at.tail_1, at.tail_2}, {"tail_c", at.tail_2, at.tail_tip}},
      bones);
  add_pair(
      "withers", BodyPart::fore_left, BodyPart::fore_right,
      {{"arm", fore(0.92), fore(0.52)}, {"wrist", fore(0.52), fore(0.14)}, {"hand", fore(0.14), fore(0.02)}},
      bones);
  add_pair(
      "hips", BodyPart::hind_left, BodyPart::hind_right,
      {{"leg", hind(0.92), hind(0.52)}, {"ankle", hind(0.52), hind(0.14)}, {"paw", hind(0.14), hind(0.02)}},
      bones);
  return bones;
}

int joint_named(const Skeleton& skeleton, const std::string& name) {
  for (std::size_t j = 0; j < skeleton.size(); ++j)
    if (skeleton[j].name == name) return static_cast<int>(j);
  throw std::out_of_range("no joint named " + name);
}

Eigen::Isometry3d bind_transform(const Joint& joint) {
  const Eigen::Vector3d along = (joint.tip - joint.origin).normalized();
  const Eigen::Vector3d across = (Eigen::Vector3d::UnitX() - along.x() * along).normalized();
  Eigen::Isometry3d model_from_joint = Eigen::Isometry3d::Identity();
  model_from_joint.linear() << across, along, across.cross(along);
  model_from_joint.translation() = joint.origin;
  return model_from_joint;
}

}  // namespace pelt
