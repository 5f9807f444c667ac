#include "picture.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace pelt {
namespace {

constexpr int shades = 14;
constexpr double pixels_a_metre = 210;
constexpr int cell_width = 560, cell_height = 430, ground = 385;

/// Rows: right, up, towards the viewer.
Eigen::Matrix3d view_from_model() {
  const double turn = 0.42, height = 0.16;  // radians
  const Eigen::Vector3d towards(-std::cos(turn) * std::cos(height), std::sin(height),
                                std::sin(turn) * std::cos(height));
  const Eigen::Vector3d right(std::sin(turn), 0, std::cos(turn));
  Eigen::Matrix3d view;
  view << right.transpose(), towards.cross(right).transpose(), towards.transpose();
  return view;
}

struct Pixel {
  long x, y;
};

Pixel pixel(const Eigen::Vector3d& seen) {
  return {std::lround(cell_width / 2 - 25 + pixels_a_metre * seen.x()),
          std::lround(ground - pixels_a_metre * seen.y())};
}

struct Facet {
  int triangle, layer, shade;
};

/// Triangles that face the viewer, far ones first; within a thin layer sorted by shade, so that few paths
/// hold many.
std::vector<Facet> visible_facets(const Eigen::Matrix3Xd& seen, const Eigen::Matrix3Xi& triangles) {
  const double layers_a_metre = 40;
  const Eigen::Vector3d light = Eigen::Vector3d(-0.35, 0.75, 0.55).normalized();
  std::vector<Facet> facets;
  for (int t = 0; t < triangles.cols(); ++t) {
    const Eigen::Vector3d a = seen.col(triangles(0, t)), b = seen.col(triangles(1, t)),
                          c = seen.col(triangles(2, t));
    const Eigen::Vector3d normal = (b - a).cross(c - a).normalized();
    if (!(normal.z() > 0)) continue;
    const double bright = std::clamp(0.5 + 0.5 * normal.dot(light), 0.0, 0.999);
    facets.push_back({t, static_cast<int>(std::floor((a + b + c).z() / 3 * layers_a_metre)),
                      static_cast<int>(bright * shades)});
  }
  std::stable_sort(facets.begin(), facets.end(), [](const Facet& one, const Facet& two) {
    return std::pair(one.layer, one.shade) < std::pair(two.layer, two.shade);
  });
  return facets;
}

void draw_skin(const Eigen::Matrix3Xd& seen, const Eigen::Matrix3Xi& triangles, std::ostream& svg) {
  int open_shade = -1;
  for (const auto& facet : visible_facets(seen, triangles)) {
    if (facet.shade != open_shade)
      svg << (open_shade < 0 ? "" : "\"/>\n") << "<path class=\"s" << facet.shade << "\" d=\"";
    open_shade = facet.shade;
    Pixel last = pixel(seen.col(triangles(0, facet.triangle)));
    svg << 'M' << last.x << ' ' << last.y << 'l';
    for (int corner = 1; corner < 3; ++corner) {
      const Pixel next = pixel(seen.col(triangles(corner, facet.triangle)));
      svg << (corner > 1 ? " " : "") << next.x - last.x << ' ' << next.y - last.y;
      last = next;
    }
    svg << 'z';
  }
  svg << "\"/>\n";
}

void draw_bones(const Figure& figure, const Eigen::Matrix3d& view, std::ostream& svg) {
  for (std::size_t j = 0; j < figure.skeleton.size(); ++j) {
    const Joint& joint = figure.skeleton[j];
    const Pixel from = pixel(view * (figure.motions[j] * joint.origin));
    const Pixel to = pixel(view * (figure.motions[j] * joint.tip));
    const char* side = joint.origin.x() > 0 ? "l" : joint.origin.x() < 0 ? "r" : joint.weighted ? "m" : "u";
    svg << "<path class=\"b " << side << "\" d=\"M" << from.x << ' ' << from.y << 'L' << to.x << ' ' << to.y
        << "\"/><circle class=\"" << side << "\" cx=\"" << from.x << "\" cy=\"" << from.y << "\" r=\"4\"/>\n";
  }
}

void draw_figure(const Figure& figure, std::ostream& svg) {
  const Eigen::Matrix3d view = view_from_model();
  svg << "<ellipse cx=\"" << cell_width / 2 - 25 << "\" cy=\"" << ground
      << "\" rx=\"210\" ry=\"34\" class=\"g\"/>\n";
  draw_skin(view * figure.skin.positions, figure.skin.triangles, svg);
  if (figure.bones) draw_bones(figure, view, svg);
  svg << "<text x=\"" << cell_width / 2 - 25 << "\" y=\"24\">" << figure.caption << "</text>\n";
}

std::string style() {
  std::ostringstream css;
  css << "<style>path{stroke-width:.7;stroke-linejoin:round}text{font:16px "
         "sans-serif;text-anchor:middle;fill:#333}"
         ".g{fill:#e8e4da}.b{stroke-width:3;stroke-linecap:round}circle{stroke:#fff;stroke-width:1}"
         ".l{stroke:#2a6fb0;fill:#2a6fb0}.r{stroke:#c2342d;fill:#c2342d}.m{stroke:#333;fill:#333}"
         ".u{stroke:#8a5fb5;fill:#8a5fb5}";
  for (int shade = 0; shade < shades; ++shade) {
    const double bright = 0.25 + 0.75 * (shade + 0.5) / shades;
    std::ostringstream colour;
    colour << "rgb(" << std::lround(236 * bright) << ',' << std::lround(203 * bright) << ','
           << std::lround(163 * bright) << ')';
    css << ".s" << shade << "{fill:" << colour.str() << ";stroke:" << colour.str() << '}';
  }
  css << "</style>\n";
  return css.str();
}

Figure figure_of(const std::string& caption, const RiggedSkin& rig, const JointMotions& motions) {
  return {caption, {skinned(rig, motions), rig.skin.triangles}, rig.skeleton, motions, true};
}

}  // namespace

std::string draw(const std::vector<Figure>& figures, int columns) {
  const int count = static_cast<int>(figures.size()), rows = (count + columns - 1) / columns;
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << columns * cell_width << ' '
      << rows * cell_height << "\">\n"
      << style() << "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  for (int k = 0; k < count; ++k) {
    svg << "<g transform=\"translate(" << k % columns * cell_width << ' ' << k / columns * cell_height
        << ")\">\n";
    draw_figure(figures[k], svg);
    svg << "</g>\n";
  }
  svg << "</svg>\n";
  return svg.str();
}

std::string quadruped_picture() {
  const RiggedSkin artist = artist_rig(), straight = straight_rig(artist.skin);
  const auto still = [](const RiggedSkin& rig) {
    return JointMotions(rig.skeleton.size(), Eigen::Isometry3d::Identity());
  };
  return draw({figure_of("the artist's joints, at rest", artist, still(artist)),
               figure_of("straight legs, at rest", straight, still(straight)),
               figure_of("Walk, phase 0.15", artist, gait_pose(artist.skeleton, walk(), 0.15)),
               figure_of("Gallop, phase 0.42", artist, gait_pose(artist.skeleton, gallop(), 0.42))},
              2);
}

}  // namespace pelt
