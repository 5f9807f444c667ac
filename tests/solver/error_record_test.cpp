#include "solver/error_record.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

constexpr int kVertices = 500, kFrames = 40;

Eigen::VectorXd random_shares(Random& random) {
  Eigen::VectorXd shares(kVertices);
  for (double& share : shares) share = random.uniform(0.1, 1);
  shares(7) = 0;
  return shares / shares.sum();
}

/// Errors over seven decades, and some that are zero.
std::vector<Eigen::VectorXf> random_errors(Random& random) {
  std::vector<Eigen::VectorXf> errors(kFrames, Eigen::VectorXf(kVertices));
  for (auto& of_frame : errors)
    for (float& error : of_frame)
      error = random.below(20) == 0 ? 0 : static_cast<float>(std::pow(10, random.uniform(-8, -1)));
  return errors;
}

}  // namespace

TEST_CASE("Counted errors have the percentiles and means of kept ones") {
  Random random;
  const Eigen::VectorXd shares = random_shares(random);
  const auto errors = random_errors(random);
  ErrorRecord kept(shares, kFrames), counted(shares, kFrames, 100);
  for (int f = 0; f < kFrames; ++f) kept.add(f, errors[f]), counted.add(f, errors[f]);
  for (const double percent : {20.0, 50.0, 95.0, 99.0}) {
    const double found = counted.percentiles({percent})[0];  // one of 20,000 is 0.005 per cent
    const std::vector<double> around = kept.percentiles({percent - 0.01, percent + 0.01});
    CHECK(found >= around[0] * (1 - 1.0 / 4096));
    CHECK(found <= around[1] * (1 + 1.0 / 4096));
  }
  CHECK((kept.vertex_means() - counted.vertex_means()).cwiseAbs().maxCoeff() < 1e-11);
}

TEST_CASE("Percentiles of kept errors are those of all of them") {
  Random random;
  constexpr int vertices = 3000, frames = 20;  // more than are looked at to find the largest
  Eigen::VectorXd shares(vertices);
  for (double& share : shares) share = random.uniform(0, 1) < 0.1 ? 0 : random.uniform(0.1, 1);
  shares /= shares.sum();
  // Seldom large; large in one frame alone; large wherever a regular sample looks; all the same; none.
  for (const int kind : {0, 1, 2, 3, 4}) {
    ErrorRecord record(shares, frames);
    std::vector<WeightedValue> all;
    for (int f = 0; f < frames; ++f) {
      Eigen::VectorXf error(vertices);
      for (int i = 0; i < vertices; ++i) {
        const double u = random.uniform(0, 1);
        const bool is_sampled = (f * vertices + i) % (vertices * frames / 4000) == 0;
        const double of_kind[] = {std::pow(u, 20), f == 7 ? 1 + u : u, is_sampled ? 1 + u : u, 0.25, 0};
        error(i) = static_cast<float>(of_kind[kind]);
        if (shares(i) > 0) all.push_back({error(i), static_cast<float>(shares(i))});
      }
      record.add(f, error);
    }
    for (const auto& percents : std::vector<std::vector<double>>{{95, 99}, {0, 50, 100}, {100}}) {
      const std::vector<double> found = record.percentiles(percents),
                                sought = weighted_percentiles(all, percents);
      for (std::size_t k = 0; k < percents.size(); ++k) CHECK(found[k] == Approx(sought[k]).epsilon(1e-9));
    }
  }
}

TEST_CASE("A counted percentile is within a 4096th of its value") {
  for (const float error : {1e-30f, 3e-7f, 0.1f, 0.99f, 7.0f}) {
    ErrorRecord counted(Eigen::VectorXd::Constant(4, 0.25), 2, 0);
    for (const int f : {0, 1}) counted.add(f, Eigen::VectorXf::Constant(4, error));
    CHECK(std::abs(counted.percentiles({95})[0] - double{error}) <= double{error} / 4096);
  }
}

TEST_CASE("Counted errors do not depend on the order of frames") {
  Random random;
  const Eigen::VectorXd shares = random_shares(random);
  const auto errors = random_errors(random);
  ErrorRecord forward(shares, kFrames, 0), backward(shares, kFrames, 0);
  for (int f = 0; f < kFrames; ++f) {
    forward.add(f, errors[f]);
    backward.add(kFrames - 1 - f, errors[kFrames - 1 - f]);
  }
  CHECK(forward.percentiles({5, 50, 95}) == backward.percentiles({5, 50, 95}));
  CHECK(forward.vertex_means() == backward.vertex_means());
}

TEST_CASE("Errors that are no numbers are counted without harm") {
  ErrorRecord counted(Eigen::VectorXd::Constant(3, 1.0 / 3), 1, 0);
  counted.add(0, Eigen::Vector3f(std::nanf(""), INFINITY, 1e30f));
  CHECK(counted.vertex_means().allFinite());
  CHECK_NOTHROW(counted.percentiles({95}));
}
