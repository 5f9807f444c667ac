// Labels that neighbours agree on, by averaging: relaxation labelling (Rosenfeld, Hummel, Zucker, "Scene
// labeling by relaxation operations", 1976) with a linear update, as in random walks (Grady, "Random walks
// for image segmentation", 2006). Labels are sheets: what the triangles within reach that face the way the
// vertex does fall into, taken by connectivity.
#include "sheets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "weld.h"

namespace pelt {

namespace {

constexpr double kOwn = 0.01;     // share of a vertex's own distance in its average: about ten edges count
constexpr int kSweeps = 30;       // there and back
constexpr double kCrease = -0.5;  // cosine between normals of rig vertices at one place that hang together

/// The artist's surface as something to walk on.
struct Ground {
  const IndexedSurface& artist;
  Eigen::Matrix3Xd normals;  ///< of the triangles
  std::vector<int> weld;
  Lists around;

  Ground(const IndexedSurface& a, double coincidence)
      : artist(a),
        normals(face_normals(a.surface)),
        weld(welded(a.surface, coincidence)),
        around(triangles_around(a.surface, weld)) {}
  int corner(int triangle, int k) const { return weld[artist.surface.triangles(k, triangle)]; }
  bool touch(int a, int b) const {
    for (int k = 0; k < 9; ++k)
      if (corner(a, k / 3) == corner(b, k % 3)) return true;
    return false;
  }
};

struct Ball {
  Eigen::Vector3d centre;
  double radius = 0;
};

/// Walks from triangle to triangle.
class Walk {
 public:
  explicit Walk(const Ground& ground)
      : ground_(ground), seen_(static_cast<std::size_t>(ground.normals.cols()), 0) {}

  /// Do triangles that come into the ball lead from one to the other?
  bool leads(int from, int to, const Ball& ball) {
    if (from == to || ground_.touch(from, to)) return true;
    ++round_;
    pending_.assign(1, from);
    seen_[from] = round_;
    while (!pending_.empty()) {
      const int triangle = pending_.back();
      pending_.pop_back();
      for (int k = 0; k < 3; ++k)
        if (step_over(ground_.corner(triangle, k), to, ball)) return true;
    }
    return false;
  }

 private:
  bool step_over(int vertex, int to, const Ball& ball) {
    for (int n = ground_.around.first[vertex]; n < ground_.around.first[vertex + 1]; ++n) {
      const int next = ground_.around.item[n];
      if (next == to) return true;
      if (seen_[next] == round_) continue;
      seen_[next] = round_;
      const double sq_dist = closest_on(ground_.artist.surface, next, ball.centre).sq_dist;
      if (sq_dist <= ball.radius * ball.radius) pending_.push_back(next);
    }
    return false;
  }

  const Ground& ground_;
  std::vector<int> seen_, pending_;
  int round_ = 0;
};

/// The rig, its vertices' closest points, and what may be said against them.
struct Task {
  const Ground& ground;
  const Surface& rig;
  const Eigen::Matrix3Xd& rig_normals;
  const SheetSettings& settings;
  const std::vector<SurfacePoint>& places;

  /// Too near to be anywhere else, or too far to be anywhere.
  bool settled(int vertex) const {
    const double gap = std::sqrt(places[vertex].sq_dist);
    return gap <= settings.coincidence || gap > settings.reach;
  }
  double facing(int vertex, const SurfacePoint& place) const {
    return ground.normals.col(place.triangle).dot(rig_normals.col(vertex));
  }
  Eigen::Vector3d point_of(const SurfacePoint& place) const {
    const Surface& surface = ground.artist.surface;
    return surface.positions(Eigen::all, surface.triangles.col(place.triangle)) * place.barycentric;
  }
  /// Is the way between two vertices' places, along the artist's surface, as short as the edge lets expect?
  bool neighbours(int a, const SurfacePoint& of_a, int b, const SurfacePoint& of_b, Walk& walk) const {
    const Eigen::Vector3d from = rig.positions.col(a);
    const double edge = (rig.positions.col(b) - from).norm();
    return walk.leads(of_a.triangle, of_b.triangle,
                      {from, edge + std::sqrt(std::max(of_a.sq_dist, of_b.sq_dist))});
  }
};

/// Vertices of triangles whose places lie apart, and those on triangles that face away.
std::vector<int> doubtful_vertices(const Task& task) {
  const auto triangles = static_cast<int>(task.rig.triangles.cols());
  std::vector<char> torn(static_cast<std::size_t>(triangles), 0);
#pragma omp parallel
  {
    Walk walk(task.ground);
#pragma omp for schedule(static)
    for (int t = 0; t < triangles; ++t)
      for (int k = 0; k < 3 && !torn[t]; ++k) {
        const auto [a, b] = std::minmax({task.rig.triangles(k, t), task.rig.triangles((k + 1) % 3, t)});
        torn[t] = !task.neighbours(a, task.places[a], b, task.places[b], walk);
      }
  }
  std::vector<int> doubtful;
  for (int t = 0; t < triangles; ++t)
    for (const int v : task.rig.triangles.col(t))
      if (torn[t] || (!task.settled(v) && task.facing(v, task.places[v]) < 0)) doubtful.push_back(v);
  std::sort(doubtful.begin(), doubtful.end());
  doubtful.erase(std::unique(doubtful.begin(), doubtful.end()), doubtful.end());
  return doubtful;
}

/// Numbers the triangles of a list by what hangs together within the list.
std::vector<int> connected(const Ground& ground, const std::vector<SurfacePoint>& list) {
  std::vector<int> parent(list.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int n) {
    while (parent[n] != n) n = parent[n] = parent[parent[n]];
    return n;
  };
  std::vector<std::pair<int, int>> corners;
  for (std::size_t n = 0; n < list.size(); ++n)
    for (int k = 0; k < 3; ++k) corners.emplace_back(ground.corner(list[n].triangle, k), static_cast<int>(n));
  std::sort(corners.begin(), corners.end());
  for (std::size_t k = 1; k < corners.size(); ++k)
    if (corners[k].first == corners[k - 1].first)
      parent[root(corners[k].second)] = root(corners[k - 1].second);
  for (std::size_t n = 0; n < list.size(); ++n) parent[n] = root(static_cast<int>(n));
  return parent;
}

/// The closest point of each sheet within reach, one that faces the way the vertex does where there is any. A
/// sheet that the vertex's place hangs together with, going no farther away than it, is that place's own.
std::vector<SurfacePoint> sheets_at(const Task& task, int vertex, Walk& walk) {
  const SurfacePoint& place = task.places[vertex];
  if (task.settled(vertex)) return {place};
  const Eigen::Vector3d p = task.rig.positions.col(vertex);
  std::vector<SurfacePoint> near = task.ground.artist.tree.within(p, task.settings.reach);
  const auto away = [&](const SurfacePoint& point) { return task.facing(vertex, point) < 0; };
  if (!std::all_of(near.begin(), near.end(), away)) std::erase_if(near, away);
  const std::vector<int> sheet = connected(task.ground, near);
  std::vector<SurfacePoint> closest(near.size());  // of the sheet of each number; unused ones stay at -1
  for (std::size_t n = 0; n < near.size(); ++n) {
    SurfacePoint& best = closest[sheet[n]];
    if (best.triangle < 0 || near[n].sq_dist < best.sq_dist) best = near[n];
  }
  bool own = false;
  std::erase_if(closest, [&](const SurfacePoint& point) {
    if (point.triangle < 0) return true;
    const bool same = walk.leads(place.triangle, point.triangle, {p, std::sqrt(point.sq_dist)});
    own = own || same;
    return same;
  });
  if (own || closest.empty()) closest.push_back(place);
  return closest;
}

/// A vertex that may have to choose.
struct Choice {
  int vertex = 0;
  std::vector<SurfacePoint> sheets;
  std::vector<double> distance;  ///< of each sheet, on average over the neighbourhood
  std::vector<int> mates;        ///< vertices, then
  std::vector<int> goes_on;      ///< for each mate and sheet, which of its sheets goes on from it; -1 if none

  bool open() const { return sheets.size() > 1; }
  int sheet_count() const { return static_cast<int>(sheets.size()); }
};

/// Who hangs together with whom on the rig.
struct Mates {
  const Surface& rig;
  const Eigen::Matrix3Xd& normals;
  double coincidence;
  Lists around = triangles_around(rig);
  VertexFinder finder = VertexFinder(rig);

  /// The vertices that share a triangle with this one, and those at its place that face about the same way.
  std::vector<int> of(int vertex) const {
    std::vector<int> mates;
    for (int n = around.first[vertex]; n < around.first[vertex + 1]; ++n)
      for (const int v : rig.triangles.col(around.item[n])) mates.push_back(v);
    for (const int v : finder.within(rig.positions.col(vertex), coincidence))
      if (normals.col(v).dot(normals.col(vertex)) > kCrease) mates.push_back(v);
    std::sort(mates.begin(), mates.end());
    mates.erase(std::unique(mates.begin(), mates.end()), mates.end());
    std::erase(mates, vertex);
    return mates;
  }
};

/// The doubtful vertices, and from them on all that have more than one sheet in reach, and their mates.
std::vector<Choice> choices_from(const Task& task, std::vector<int> wave, std::vector<int>& choice_of) {
  const Mates mates{task.rig, task.rig_normals, task.settings.coincidence};
  std::vector<Choice> choices;
  while (!wave.empty()) {
    const std::size_t first = choices.size();
    for (const int vertex : wave) {
      choice_of[vertex] = static_cast<int>(choices.size());
      choices.emplace_back().vertex = vertex;
    }
#pragma omp parallel
    {
      Walk walk(task.ground);
#pragma omp for schedule(dynamic, 16)
      for (std::size_t n = first; n < choices.size(); ++n) {
        Choice& choice = choices[n];
        choice.sheets = sheets_at(task, choice.vertex, walk);
        for (const SurfacePoint& sheet : choice.sheets) choice.distance.push_back(std::sqrt(sheet.sq_dist));
        if (choice.open()) choice.mates = mates.of(choice.vertex);
      }
    }
    wave.clear();
    for (std::size_t n = first; n < choices.size(); ++n)
      for (const int mate : choices[n].mates) {
        if (choice_of[mate] >= 0) continue;
        choice_of[mate] = 0;  // until the next round
        wave.push_back(mate);
      }
  }
  return choices;
}

/// Which sheet of the mate goes on from one of the vertex: of those that can be walked to, the nearest.
int going_on(const Task& task, const Choice& from, const SurfacePoint& sheet, const Choice& mate,
             Walk& walk) {
  int best = -1;
  double least = 0;
  for (int n = 0; n < mate.sheet_count(); ++n) {
    const double apart = (task.point_of(mate.sheets[n]) - task.point_of(sheet)).norm();
    if (best >= 0 && apart >= least) continue;
    if (!task.neighbours(from.vertex, sheet, mate.vertex, mate.sheets[n], walk)) continue;
    best = n, least = apart;
  }
  return best;
}

void link(const Task& task, const std::vector<int>& choice_of, std::vector<Choice>& choices) {
#pragma omp parallel
  {
    Walk walk(task.ground);
#pragma omp for schedule(dynamic, 16)
    for (std::size_t n = 0; n < choices.size(); ++n)
      for (const int mate : choices[n].mates)
        for (const SurfacePoint& sheet : choices[n].sheets)
          choices[n].goes_on.push_back(going_on(task, choices[n], sheet, choices[choice_of[mate]], walk));
  }
}

/// The average over the mates; where the sheet does not go on it counts as out of reach.
void average(double reach, const std::vector<Choice>& choices, const std::vector<int>& choice_of,
             Choice& choice) {
  const auto sheets = choice.sheets.size();
  for (std::size_t s = 0; s < sheets && !choice.mates.empty(); ++s) {
    double sum = 0;
    for (std::size_t m = 0; m < choice.mates.size(); ++m) {
      const int there = choice.goes_on[m * sheets + s];
      sum += there < 0 ? reach : choices[choice_of[choice.mates[m]]].distance[there];
    }
    const double own = std::sqrt(choice.sheets[s].sq_dist);
    choice.distance[s] = kOwn * own + (1 - kOwn) * sum / static_cast<double>(choice.mates.size());
  }
}

/// There and back over the choices that are open, until averages have spread.
void settle(double reach, const std::vector<int>& choice_of, std::vector<Choice>& choices) {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (Choice& choice : choices)
      if (choice.open()) average(reach, choices, choice_of, choice);
    for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice)
      if (choice->open()) average(reach, choices, choice_of, *choice);
  }
}

}  // namespace

void keep_to_sheets(const IndexedSurface& artist, const Surface& rig, const Eigen::Matrix3Xd& normals,
                    const SheetSettings& settings, std::vector<SurfacePoint>& places) {
  const bool exact = std::all_of(places.begin(), places.end(), [&](const SurfacePoint& place) {
    return std::sqrt(place.sq_dist) <= settings.coincidence;
  });
  if (exact) return;
  const Ground ground(artist, settings.coincidence);
  const Task task{ground, rig, normals, settings, places};
  const std::vector<int> doubtful = doubtful_vertices(task);
  if (doubtful.empty()) return;
  std::vector<int> choice_of(places.size(), -1);
  std::vector<Choice> choices = choices_from(task, doubtful, choice_of);
  link(task, choice_of, choices);
  settle(settings.reach, choice_of, choices);
  for (const Choice& choice : choices) {
    const auto nearest = std::min_element(choice.distance.begin(), choice.distance.end());
    places[choice.vertex] = choice.sheets[static_cast<std::size_t>(nearest - choice.distance.begin())];
  }
}

}  // namespace pelt
