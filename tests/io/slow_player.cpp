#include "slow_player.h"

#include <cmath>
#include <cstring>
#include <functional>

namespace pelt::test {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

template <typename T>
double number_at(const std::uint8_t* bytes, double divisor) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return std::max(static_cast<double>(value) / divisor, divisor == 1 ? -INFINITY : -1.0);
}

double component(const std::uint8_t* bytes, int type, bool normalized) {
  if (type == 5120) return number_at<std::int8_t>(bytes, normalized ? 127 : 1);
  if (type == 5121) return number_at<std::uint8_t>(bytes, normalized ? 255 : 1);
  if (type == 5122) return number_at<std::int16_t>(bytes, normalized ? 32767 : 1);
  if (type == 5123) return number_at<std::uint16_t>(bytes, normalized ? 65535 : 1);
  if (type == 5125) return number_at<std::uint32_t>(bytes, 1);
  return number_at<float>(bytes, 1);
}

/// `count` elements from a view on.
MatrixXd in_view(const GltfBuilder& file, const Json& where, int type, bool normalized, int rows, int count) {
  const Json& view = file.json["bufferViews"][where["bufferView"].get<int>()];
  const int size = type <= 5121 ? 1 : type <= 5123 ? 2 : 4;
  const int stride = view.value("byteStride", size * rows);
  const int start = view.value("byteOffset", 0) + where.value("byteOffset", 0);
  MatrixXd values(rows, count);
  for (int k = 0; k < count; ++k)
    for (int r = 0; r < rows; ++r)
      values(r, k) = component(file.bin.data() + start + k * stride + r * size, type, normalized);
  return values;
}

MatrixXd elements(const GltfBuilder& file, const Json& index) {
  const Json& accessor = file.json["accessors"][index.get<int>()];
  const std::string name = accessor["type"];
  const int rows = name == "SCALAR" ? 1 : name == "MAT4" ? 16 : name.back() - '0';
  const int type = accessor["componentType"];
  const bool normalized = accessor.value("normalized", false);
  const int count = accessor["count"];
  MatrixXd values = MatrixXd::Zero(rows, count);
  if (accessor.contains("bufferView")) values = in_view(file, accessor, type, normalized, rows, count);
  if (!accessor.contains("sparse")) return values;
  const Json& sparse = accessor["sparse"];
  const int replaced = sparse["count"];
  const MatrixXd columns =
      in_view(file, sparse["indices"], sparse["indices"]["componentType"], false, 1, replaced);
  const MatrixXd fresh = in_view(file, sparse["values"], type, normalized, rows, replaced);
  for (int k = 0; k < replaced; ++k) values.col(static_cast<int>(columns(k))) = fresh.col(k);
  return values;
}

VectorXd slerp(const VectorXd& a, VectorXd b, double s) {
  double cosine = a.dot(b);
  if (cosine < 0) b = -b, cosine = -cosine;
  const double angle = std::acos(std::min(cosine, 1.0));
  if (angle < 1e-9) return a;
  return (std::sin((1 - s) * angle) * a + std::sin(s * angle) * b) / std::sin(angle);
}

/// The value of one sampler; `rows` numbers a key.
VectorXd sampled(const GltfBuilder& file, const Json& sampler, int rows, bool rotation, double time) {
  const MatrixXd times = elements(file, sampler["input"]);
  const std::string kind = sampler.value("interpolation", "LINEAR");
  const MatrixXd stored = elements(file, sampler["output"]);
  const MatrixXd keys = stored.reshaped(rows, stored.size() / rows);
  const int last = static_cast<int>(times.size()) - 1;
  const auto value = [&](int key) -> VectorXd {
    const VectorXd v = keys.col(kind == "CUBICSPLINE" ? 3 * key + 1 : key);
    return rotation ? VectorXd(v / v.norm()) : v;
  };
  if (time <= times(0)) return value(0);
  if (time >= times(last)) return value(last);
  int k = 0;
  while (times(k + 1) <= time) ++k;
  const double dt = times(k + 1) - times(k), s = (time - times(k)) / dt;
  if (kind == "STEP") return value(k);
  if (kind == "LINEAR")
    return rotation ? slerp(value(k), value(k + 1), s) : VectorXd((1 - s) * value(k) + s * value(k + 1));
  const VectorXd out = dt * keys.col(3 * k + 2), in = dt * keys.col(3 * k + 3);
  const VectorXd mixed = (2 * s * s * s - 3 * s * s + 1) * value(k) + (s * s * s - 2 * s * s + s) * out +
                         (3 * s * s - 2 * s * s * s) * value(k + 1) + (s * s * s - s * s) * in;
  return rotation ? VectorXd(mixed / mixed.norm()) : mixed;
}

VectorXd numbers(const Json& object, const char* name, const VectorXd& otherwise) {
  if (!object.contains(name)) return otherwise;
  const auto list = object[name].get<std::vector<double>>();
  return Eigen::Map<const VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

struct Player {
  const GltfBuilder& file;
  int clip;
  double time;

  /// What the clip says of a property, else `rest`.
  VectorXd animated(int node, const char* path, const VectorXd& rest) const {
    if (clip < 0) return rest;
    const Json& animation = file.json["animations"][clip];
    for (const Json& channel : animation["channels"]) {
      const Json& target = channel["target"];
      if (target.value("node", -1) != node || target["path"] != path) continue;
      return sampled(file, animation["samplers"][channel["sampler"].get<int>()],
                     static_cast<int>(rest.size()), std::string(path) == "rotation", time);
    }
    return rest;
  }

  Matrix4d local(int n) const {
    const Json& node = file.json["nodes"][n];
    if (node.contains("matrix")) return numbers(node, "matrix", {}).reshaped(4, 4);
    const VectorXd t = animated(n, "translation", numbers(node, "translation", Eigen::Vector3d::Zero()));
    VectorXd q = animated(n, "rotation", numbers(node, "rotation", Eigen::Vector4d(0, 0, 0, 1)));
    const VectorXd s = animated(n, "scale", numbers(node, "scale", Eigen::Vector3d::Ones()));
    q /= q.norm();
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    Matrix4d m = Matrix4d::Identity();
    m.topLeftCorner<3, 3>() << 1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),  //
        2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),                         //
        2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y);
    for (int k = 0; k < 3; ++k) m.col(k) *= s[k];
    m.topRightCorner<3, 1>() = t;
    return m;
  }

  Matrix4d world(int n) const {
    const Json& nodes = file.json["nodes"];
    for (int p = 0; p < static_cast<int>(nodes.size()); ++p)
      for (const Json& child : nodes[p].value("children", Json::array()))
        if (child == n) return world(p) * local(n);
    return local(n);
  }

  MatrixXd mesh_points(int n, const Json& mesh, const Json& primitive) const {
    MatrixXd points = elements(file, primitive["attributes"]["POSITION"]);
    if (!primitive.contains("targets")) return points;
    const VectorXd zeros = VectorXd::Zero(static_cast<Eigen::Index>(primitive["targets"].size()));
    const VectorXd rest = numbers(file.json["nodes"][n], "weights", numbers(mesh, "weights", zeros));
    const VectorXd weights = animated(n, "weights", rest);
    for (int t = 0; t < weights.size(); ++t)
      points += weights[t] * elements(file, primitive["targets"][t]["POSITION"]);
    return points;
  }

  Eigen::Vector3d skinned(const Json& skin, const Json& attributes, int vertex,
                          const Eigen::Vector3d& point) const {
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    double total = 0;
    for (int set = 0; attributes.contains("JOINTS_" + std::to_string(set)); ++set) {
      const VectorXd joints = elements(file, attributes["JOINTS_" + std::to_string(set)]).col(vertex);
      const VectorXd weights = elements(file, attributes["WEIGHTS_" + std::to_string(set)]).col(vertex);
      for (int k = 0; k < 4; ++k) {
        if (weights[k] == 0) continue;
        const int joint = static_cast<int>(joints[k]);
        Matrix4d bind = Matrix4d::Identity();
        if (skin.contains("inverseBindMatrices"))
          bind = elements(file, skin["inverseBindMatrices"]).col(joint).reshaped(4, 4);
        sum += weights[k] * (world(skin["joints"][joint]) * (bind * point.homogeneous()));
        total += weights[k];
      }
    }
    return sum.head<3>() / total;
  }

  void add_primitive(int n, const Json& mesh, const Json& primitive,
                     std::vector<Eigen::Vector3d>& out) const {
    const Json& node = file.json["nodes"][n];
    const MatrixXd points = mesh_points(n, mesh, primitive);
    for (int v = 0; v < points.cols(); ++v) {
      const Eigen::Vector3d p = points.col(v);
      if (node.contains("skin"))
        out.push_back(skinned(file.json["skins"][node["skin"].get<int>()], primitive["attributes"], v, p));
      else
        out.push_back((world(n) * p.homogeneous()).head<3>());
    }
  }
};

}  // namespace

Eigen::Matrix3Xd play_slowly(const GltfBuilder& file, int clip, double time) {
  const Player player{file, clip, time};
  std::vector<char> in_scene(file.json["nodes"].size(), 0);
  const std::function<void(int)> enter = [&](int n) {
    in_scene[n] = 1;
    for (const Json& child : file.json["nodes"][n].value("children", Json::array())) enter(child);
  };
  for (const Json& root : file.json["scenes"][file.json.value("scene", 0)]["nodes"]) enter(root);
  std::vector<Eigen::Vector3d> points;
  for (int n = 0; n < static_cast<int>(in_scene.size()); ++n) {
    if (!in_scene[n] || !file.json["nodes"][n].contains("mesh")) continue;
    const Json& mesh = file.json["meshes"][file.json["nodes"][n]["mesh"].get<int>()];
    for (const Json& primitive : mesh["primitives"]) player.add_primitive(n, mesh, primitive, points);
  }
  Eigen::Matrix3Xd surface(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t v = 0; v < points.size(); ++v) surface.col(static_cast<Eigen::Index>(v)) = points[v];
  return surface;
}

}  // namespace pelt::test
