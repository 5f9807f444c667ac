#include "io/thin_keys.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace pelt;

namespace {

constexpr double pi = 3.14159265358979323846;

Track track_of(TrackPath path, int keys, const std::function<Eigen::VectorXd(double)>& value) {
  Track track;
  track.path = path;
  for (int k = 0; k < keys; ++k) track.times.push_back(static_cast<float>(k) / 64);
  track.values.resize(value(0).size(), keys);
  for (int k = 0; k < keys; ++k) track.values.col(k) = value(track.times[k]);
  return track;
}

Eigen::VectorXd along_x(double x) { return Eigen::Vector3d(x, 0, 0); }

/// A turn by `angle` about z, as x, y, z, w.
Eigen::VectorXd about_z(double angle) {
  return Eigen::Vector4d(0, 0, std::sin(angle / 2), std::cos(angle / 2));
}

using Keys = std::vector<int>;

}  // namespace

TEST_CASE("Still and linear tracks keep their first and last key alone") {
  CHECK(choose_keys(track_of(TrackPath::translation, 50, [](double) { return along_x(3); }), 1e-9) ==
        Keys{0, 49});
  CHECK(choose_keys(track_of(TrackPath::scale, 50, [](double t) { return along_x(0.1 + t / 3); }), 1e-9) ==
        Keys{0, 49});
  CHECK(choose_keys(track_of(TrackPath::rotation, 50, [](double t) { return about_z(1 + 2 * t); }), 1e-7) ==
        Keys{0, 49});
  CHECK(choose_keys(track_of(TrackPath::translation, 1, along_x), 1) == Keys{0});
  CHECK(choose_keys(track_of(TrackPath::translation, 2, along_x), 1) == Keys{0, 1});
}

TEST_CASE("A sine keeps few keys and is missed by no more than the tolerance") {
  for (const double tolerance : {0.3, 0.03, 0.003}) {
    const auto sine = [](double t) { return along_x(std::sin(2 * pi * t)); };
    const Track track = track_of(TrackPath::translation, 257, sine);  // four periods
    const Keys keys = choose_keys(track, tolerance);
    REQUIRE(keys.front() == 0);
    REQUIRE(keys.back() == 256);
    double worst = 0;
    for (std::size_t n = 0; n + 1 < keys.size(); ++n)
      for (int k = keys[n]; k <= keys[n + 1]; ++k) {
        const double f = static_cast<double>(k - keys[n]) / (keys[n + 1] - keys[n]);
        const double x = (1 - f) * track.values(0, keys[n]) + f * track.values(0, keys[n + 1]);
        worst = std::max(worst, std::abs(x - track.values(0, k)));
      }
    CHECK(worst <= tolerance);
    // a chord over a time h misses a curve of curvature (2 pi)^2 by at most (2 pi h)^2 / 8; runs of whole
    // keys
    const double run = std::floor(64 * std::sqrt(8 * tolerance) / (2 * pi));
    CHECK(static_cast<double>(keys.size()) <= 2 + 256 / run);
  }
}

TEST_CASE("A run ends where the tolerance of its keys does") {
  const auto corner = [](double t) { return along_x(std::abs(t - 0.5)); };  // turns at key 32
  const Track track = track_of(TrackPath::translation, 65, corner);
  CHECK(choose_keys(track, 1e-9) == Keys{0, 32, 64});
  CHECK(choose_keys(track, 0.5) == Keys{0, 64});
}

TEST_CASE("A jump between neighbouring times stays a jump") {
  Track track = track_of(TrackPath::translation, 4, [](double t) { return along_x(t < 0.02 ? 0 : 1); });
  track.times = {0, std::nextafter(0.5f, 0.0f), 0.5f, 1};
  CHECK(choose_keys(track, 0.1) == Keys{0, 1, 2, 3});
}

TEST_CASE(
    "donmccurdy/glTF-Transform PR #760, #501: A long turn is never left to the shortest path the other way "
    "round") {
  const double radians = pi / 180;
  for (const double whole : {200.0, 540.0, 720.0, -900.0}) {
    const Track track = track_of(TrackPath::rotation, 33, [&](double t) {
      return about_z(whole * radians * t * 2);  // half a second
    });
    const Keys keys = choose_keys(track, 100);  // radians: every rotation is near enough
    double gone = 0;
    for (std::size_t n = 0; n + 1 < keys.size(); ++n) {
      const double step = std::abs(whole) / 32 * (keys[n + 1] - keys[n]);
      CHECK(step < 180);
      CHECK(track.values.col(keys[n]).dot(track.values.col(keys[n + 1])) > 0);
      gone += step;
    }
    CHECK(gone == Approx(std::abs(whole)));
    CHECK(static_cast<double>(keys.size()) <= 2 + std::ceil(std::abs(whole) / 130));
  }
}

TEST_CASE("Turning there and back may be left out and signs of quaternions do not matter") {
  const auto swing = [](double t) { return about_z(0.02 * std::sin(2 * pi * t * 4)); };
  Track track = track_of(TrackPath::rotation, 65, swing);
  for (int k = 0; k < 65; k += 3) track.values.col(k) = -track.values.col(k);
  CHECK(choose_keys(track, 0.021).size() == 2);
  CHECK(choose_keys(track, 0.001).size() > 8);
}

TEST_CASE("The tolerance of rotations is an angle") {
  const auto kink = [](double t) { return about_z(std::abs(t - 0.5)); };  // 0.5 radians off at key 32
  const Track track = track_of(TrackPath::rotation, 65, kink);
  CHECK(choose_keys(track, 0.499).size() == 3);
  CHECK(choose_keys(track, 0.501).size() == 2);
}
