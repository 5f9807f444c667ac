#include "solver/choose_path.h"

#include <catch2/catch.hpp>

#include "tests/fixtures.h"

using namespace pelt;

namespace {

/// One joint; candidates stand at places on the x axis.
struct Line {
  System system;
  std::vector<FrameMoments> frames;
  std::vector<std::vector<Candidate>> candidates;

  Line() {
    system.unknowns = 1;
    system.mass = 1;
    system.around.push_back(Eigen::Vector4d::UnitW() * Eigen::Vector4d::UnitW().transpose());
  }
  void add_frame(const std::vector<std::pair<double, double>>& place_and_energy) {
    frames.emplace_back();
    candidates.emplace_back();
    for (const auto& [place, energy] : place_and_energy) {
      Candidate c;
      c.pose.assign(1, Motion::Identity());
      c.pose[0](0, 3) = place;
      c.outcome.energy = energy;
      candidates.back().push_back(c);
    }
  }
  std::vector<int> path(const PathSettings& settings = {}) const {
    return choose_path(system, frames, candidates, settings);
  }
};

}  // namespace

TEST_CASE("Of equal minima those are chosen that move least from frame to frame") {
  Line line;
  line.add_frame({{0, 1}});
  line.add_frame({{5, 1}, {1, 1}});
  line.add_frame({{2, 1}, {-4, 1}});
  CHECK(line.path() == std::vector<int>{0, 1, 0});
}

TEST_CASE("A minimum that is truly lower is chosen however far it is") {
  Line line;
  line.add_frame({{0, 1}});
  line.add_frame({{9, 0.99}, {0, 1}});
  line.add_frame({{0, 1}});
  CHECK(line.path() == std::vector<int>{0, 0, 0});
  line.candidates[1][0].outcome.energy = 1 - 1e-4;  // a difference that nobody can see
  CHECK(line.path() == std::vector<int>{0, 1, 0});
}

TEST_CASE("Where joints only turn they may take more energy for a shorter way") {
  Line line;
  line.add_frame({{0, 1}});
  line.add_frame({{9, 1}, {0, 1.04}});
  line.add_frame({{0, 1}});
  CHECK(line.path() == std::vector<int>{0, 0, 0});
  CHECK(line.path({.freedom = Freedom::rotate}) == std::vector<int>{0, 1, 0});
  line.candidates[1][1].outcome.energy = 1.06;
  CHECK(line.path({.freedom = Freedom::rotate}) == std::vector<int>{0, 0, 0});
}

TEST_CASE("Energy above the best counts as way, a thousand times") {
  Line line;
  line.add_frame({{0, 1e-4}});
  line.add_frame({{0.01, 1e-4}, {0, 1.0015e-4}});
  line.add_frame({{0, 1e-4}});
  CHECK(line.path() == std::vector<int>{0, 1, 0});  // 1.5e-4 against there and back, 2e-4
  line.candidates[1][0].pose[0](0, 3) = 0.008;
  CHECK(line.path() == std::vector<int>{0, 0, 0});
}

TEST_CASE("The way is short over the whole clip and not only from one frame to the next") {
  Line line;
  line.add_frame({{0, 1}});
  line.add_frame({{1, 1}, {-2, 1}});  // the nearer one leads to a long way
  line.add_frame({{-4, 1}});
  line.add_frame({{-6, 1}});
  CHECK(line.path() == std::vector<int>{0, 1, 0, 0});
}

TEST_CASE("A loop ends where it began") {
  Line line;
  line.add_frame({{0, 1}, {4, 1}});
  line.add_frame({{1, 1}});
  line.add_frame({{5, 1}});
  line.add_frame({{0, 1}, {4, 1}});
  CHECK(line.path() == std::vector<int>{0, 0, 0, 1});
  const std::vector<int> loop = line.path({.loop = true});
  CHECK(loop.front() == loop.back());
}

TEST_CASE("A clip of no frames has no path") { CHECK(Line().path().empty()); }
