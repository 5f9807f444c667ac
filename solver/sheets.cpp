// Labels that neighbours agree on, by averaging: relaxation labelling (Rosenfeld, Hummel, Zucker, "Scene
// labeling by relaxation operations", 1976) with a linear update, as in random walks (Grady, "Random walks
// for image segmentation", 2006). Labels are sheets: what the triangles within reach that face the way the
// vertex does fall into, taken by connectivity.
#include "sheets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surface_walk.h"

namespace pelt {

namespace {

constexpr double kOwn = 0.01;     // share of a vertex's own distance in its average: about ten edges count
constexpr int kSweeps = 30;       // there and back
constexpr double kCrease = -0.5;  // cosine between normals of rig vertices at one place that hang together

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
  double facing(int vertex, int triangle) const {
    return ground.normals.col(triangle).dot(rig_normals.col(vertex));
  }
  Eigen::Vector3d point_of(const SurfacePoint& place) const {
    const Surface& surface = ground.indexed.surface;
    return surface.positions(Eigen::all, surface.triangles.col(place.triangle)) * place.barycentric;
  }
  /// How far apart the places of an edge's ends may be.
  double span(int a, const SurfacePoint& of_a, int b, const SurfacePoint& of_b) const {
    return (rig.positions.col(a) - rig.positions.col(b)).norm() + std::sqrt(of_a.sq_dist) +
           std::sqrt(of_b.sq_dist);
  }
  /// Is the way between places of an edge's ends, along the artist's surface, as short as that?
  bool goes_on(int a, const SurfacePoint& of_a, int b, const SurfacePoint& of_b, Walk& walk) const {
    return walk.leads(of_a.triangle, of_b.triangle, point_of(of_b), span(a, of_a, b, of_b));
  }
};

bool has_edge(const Surface& surface, const Lists& around, int a, int b) {
  for (int n = around.first[a]; n < around.first[a + 1]; ++n) {
    const Eigen::Vector3i corner = surface.triangles.col(around.item[n]);
    for (int k = 0; k < 3; ++k)
      if (corner[k] == a && corner[(k + 1) % 3] == b) return true;
  }
  return false;
}

/// How far to look for other sheets: for the ends of edges whose places lie apart, and vertices on triangles
/// that face away; 0 for all others.
std::vector<double> doubts(const Task& task, const Lists& around) {
  const auto triangles = static_cast<int>(task.rig.triangles.cols());
  std::vector<double> torn(static_cast<std::size_t>(triangles), 0);
#pragma omp parallel
  {
    Walk walk(task.ground);
#pragma omp for schedule(static)
    for (int t = 0; t < triangles; ++t)
      for (int k = 0; k < 3; ++k) {
        const int a = task.rig.triangles(k, t), b = task.rig.triangles((k + 1) % 3, t);
        if (a > b && has_edge(task.rig, around, b, a)) continue;  // it is looked at from the other side
        if (!task.goes_on(a, task.places[a], b, task.places[b], walk))
          torn[t] = std::max(torn[t], task.span(a, task.places[a], b, task.places[b]));
      }
  }
  std::vector<double> doubt(task.places.size(), 0);
  for (int t = 0; t < triangles; ++t)
    for (const int v : task.rig.triangles.col(t)) {
      doubt[v] = std::max(doubt[v], std::min(torn[t], task.settings.reach));
      if (!task.settled(v) && task.facing(v, task.places[v].triangle) < 0)
        doubt[v] = std::max(doubt[v], std::sqrt(task.places[v].sq_dist));
    }
  return doubt;
}

/// A vertex that may have to choose.
struct Choice {
  int vertex = 0;
  double reach = 0;  ///< how far sheets may be
  std::vector<SurfacePoint> sheets;
  std::vector<int> part;           ///< of each sheet, among
  std::vector<SurfacePoint> near;  ///< what is within reach, by triangles, and
  std::vector<int> part_of_near;   ///< the numbers of what hangs together of it
  std::vector<int> mates;          ///< vertices
  std::vector<int> goes_on;  ///< for each mate and sheet, which of its sheets goes on from it; -1 if none

  bool open() const { return sheets.size() > 1; }
  int sheet_count() const { return static_cast<int>(sheets.size()); }
  /// The part that a triangle belongs to; -1 if it is not near.
  int part_with(int triangle) const {
    const auto at = std::lower_bound(near.begin(), near.end(), triangle,
                                     [](const SurfacePoint& point, int t) { return point.triangle < t; });
    if (at == near.end() || at->triangle != triangle) return -1;
    return part_of_near[static_cast<std::size_t>(at - near.begin())];
  }
};

/// What faces the way the vertex does of the artist's surface within the choice's reach, which grows until
/// there is something; if there is nothing within the largest reach, what faces away.
std::vector<SurfacePoint> facing_near(const Task& task, Choice& choice) {
  const Eigen::Vector3d p = task.rig.positions.col(choice.vertex);
  const auto faces = [&](int triangle) { return !(task.facing(choice.vertex, triangle) < 0); };
  for (;; choice.reach = std::min(2 * choice.reach, task.settings.reach)) {
    std::vector<SurfacePoint> near = task.ground.indexed.tree.within(p, choice.reach, faces);
    if (!near.empty()) return near;
    if (choice.reach >= task.settings.reach) return task.ground.indexed.tree.within(p, choice.reach);
  }
}

/// The closest point of each sheet within reach. A sheet that the vertex's place hangs together with, on a
/// way as short as the distances to both, is that place's own.
void find_sheets(const Task& task, Walk& walk, Choice& choice) {
  const SurfacePoint& place = task.places[choice.vertex];
  choice.sheets = {place};
  if (task.settled(choice.vertex)) return;
  choice.near = facing_near(task, choice);
  choice.part_of_near = walk.parts(choice.near);
  std::vector<int> closest(choice.near.size(), -1);  // of each part
  for (std::size_t n = 0; n < choice.near.size(); ++n) {
    int& best = closest[choice.part_of_near[n]];
    if (best < 0 || choice.near[n].sq_dist < choice.near[best].sq_dist) best = static_cast<int>(n);
  }
  int own = -1;
  choice.sheets.clear();
  for (const int n : closest) {
    if (n < 0) continue;
    const SurfacePoint& point = choice.near[n];
    const double radius = std::sqrt(point.sq_dist) + std::sqrt(place.sq_dist);
    if (walk.leads(place.triangle, point.triangle, task.point_of(point), radius)) {
      own = own < 0 ? choice.part_of_near[n] : own;
      continue;
    }
    choice.sheets.push_back(point);
    choice.part.push_back(choice.part_of_near[n]);
  }
  if (own < 0 && !choice.sheets.empty()) return;
  choice.sheets.push_back(place);
  choice.part.push_back(own);
}

/// Who hangs together with whom on the rig.
struct Mates {
  const Surface& rig;
  const Eigen::Matrix3Xd& normals;
  double coincidence;
  const Lists& around;
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
std::vector<Choice> choices_from(const Task& task, const std::vector<double>& doubt, const Mates& mates,
                                 std::vector<int>& choice_of) {
  std::vector<Choice> choices;
  const auto add = [&](int vertex, double reach) {
    if (choice_of[vertex] >= 0) return;
    choice_of[vertex] = static_cast<int>(choices.size());
    choices.emplace_back().vertex = vertex;
    choices.back().reach = reach;
  };
  for (std::size_t v = 0; v < doubt.size(); ++v)
    if (doubt[v] > 0) add(static_cast<int>(v), doubt[v]);
  for (std::size_t first = 0, end = choices.size(); first < end; first = end, end = choices.size()) {
#pragma omp parallel
    {
      Walk walk(task.ground);
#pragma omp for schedule(dynamic, 16)
      for (std::size_t n = first; n < end; ++n) {
        Choice& choice = choices[n];
        find_sheets(task, walk, choice);
        if (choice.open()) choice.mates = mates.of(choice.vertex);
      }
    }
    for (std::size_t n = first; n < end; ++n)
      for (std::size_t m = 0; m < choices[n].mates.size(); ++m) add(choices[n].mates[m], choices[n].reach);
  }
  return choices;
}

/// Does a sheet of one vertex go on as one of its mate? What is near either of them tells, else a walk.
bool goes_on(const Task& task, const Choice& a, int of_a, const Choice& b, int of_b, Walk& walk) {
  const int part_at_a = a.part_with(b.sheets[of_b].triangle);
  if (part_at_a >= 0) return part_at_a == a.part[of_a];
  const int part_at_b = b.part_with(a.sheets[of_a].triangle);
  if (part_at_b >= 0) return part_at_b == b.part[of_b];
  return task.goes_on(a.vertex, a.sheets[of_a], b.vertex, b.sheets[of_b], walk);
}

/// Which sheet of the mate goes on from one of the vertex: of all that do, the nearest.
int going_on(const Task& task, const Choice& from, int sheet, const Choice& mate, Walk& walk) {
  std::vector<std::pair<double, int>> by_distance;
  for (int n = 0; n < mate.sheet_count(); ++n)
    by_distance.emplace_back((task.point_of(mate.sheets[n]) - task.point_of(from.sheets[sheet])).norm(), n);
  std::sort(by_distance.begin(), by_distance.end());
  for (const auto& [apart, n] : by_distance)
    if (goes_on(task, from, sheet, mate, n, walk)) return n;
  return -1;
}

void link(const Task& task, const std::vector<int>& choice_of, std::vector<Choice>& choices) {
#pragma omp parallel
  {
    Walk walk(task.ground);
#pragma omp for schedule(dynamic, 16)
    for (std::size_t n = 0; n < choices.size(); ++n)
      for (const int mate : choices[n].mates)
        for (int sheet = 0; sheet < choices[n].sheet_count(); ++sheet)
          choices[n].goes_on.push_back(going_on(task, choices[n], sheet, choices[choice_of[mate]], walk));
  }
}

/// The sheets of all choices in a row, those of one after those of another.
struct Row {
  std::vector<std::size_t> first{0};  ///< sheet of each choice, and the end
  std::vector<double> own,
      distance;  ///< of each sheet: from the vertex, and on average over the neighbourhood
  std::vector<std::size_t> first_next{0};  ///< of each sheet
  std::vector<int> next;  ///< for each sheet the sheets of the mates that go on from it; -1 where none does
};

Row row_of(const std::vector<Choice>& choices, const std::vector<int>& choice_of) {
  Row row;
  for (const Choice& choice : choices) {
    for (const SurfacePoint& sheet : choice.sheets) row.own.push_back(std::sqrt(sheet.sq_dist));
    row.first.push_back(row.own.size());
  }
  row.distance = row.own;
  for (const Choice& choice : choices)
    for (std::size_t s = 0; s < choice.sheets.size(); ++s) {
      for (std::size_t m = 0; m < choice.mates.size(); ++m) {
        const int there = choice.goes_on[m * choice.sheets.size() + s];
        row.next.push_back(there < 0 ? -1 : static_cast<int>(row.first[choice_of[choice.mates[m]]]) + there);
      }
      row.first_next.push_back(row.next.size());
    }
  return row;
}

/// The average over the mates; where the sheet does not go on it counts as out of reach.
void average(std::size_t sheet, double reach, Row& row) {
  const std::size_t first = row.first_next[sheet], end = row.first_next[sheet + 1];
  if (first == end) return;
  double sum = 0;
  for (std::size_t n = first; n < end; ++n) sum += row.next[n] < 0 ? reach : row.distance[row.next[n]];
  row.distance[sheet] = kOwn * row.own[sheet] + (1 - kOwn) * sum / static_cast<double>(end - first);
}

/// There and back over the choices that are open, until averages have spread.
void settle(const std::vector<Choice>& choices, Row& row) {
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (const bool back : {false, true})
      for (std::size_t n = 0; n < choices.size(); ++n) {
        const std::size_t k = back ? choices.size() - 1 - n : n;
        for (std::size_t sheet = row.first[k]; sheet < row.first[k + 1]; ++sheet)
          average(sheet, choices[k].reach, row);
      }
}

}  // namespace

void keep_to_sheets(const IndexedSurface& artist, const Surface& rig, const Eigen::Matrix3Xd& normals,
                    const SheetSettings& settings, std::vector<SurfacePoint>& places) {
  const bool exact = std::all_of(places.begin(), places.end(), [&](const SurfacePoint& place) {
    return std::sqrt(place.sq_dist) <= settings.coincidence;
  });
  if (exact || settings.reach == 0) return;
  const Ground ground(artist, settings.coincidence);
  const Task task{ground, rig, normals, settings, places};
  const Lists around = triangles_around(rig);
  const std::vector<double> doubt = doubts(task, around);
  if (*std::max_element(doubt.begin(), doubt.end()) == 0) return;
  const Mates mates{rig, normals, settings.coincidence, around};
  std::vector<int> choice_of(places.size(), -1);
  std::vector<Choice> choices = choices_from(task, doubt, mates, choice_of);
  link(task, choice_of, choices);
  Row row = row_of(choices, choice_of);
  settle(choices, row);
  for (std::size_t n = 0; n < choices.size(); ++n) {
    const auto first = row.distance.begin() + static_cast<std::ptrdiff_t>(row.first[n]);
    const auto nearest = std::min_element(first, first + choices[n].sheet_count());
    places[choices[n].vertex] = choices[n].sheets[static_cast<std::size_t>(nearest - first)];
  }
}

}  // namespace pelt
