#include "solver/weighted_percentiles.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/fixtures.h"

using namespace pelt;
using test::Random;

namespace {

using Values = std::vector<WeightedValue>;

}  // namespace

TEST_CASE("Percentiles of equal weights interpolate order statistics") {
  Values values;
  for (const float v : {4.0f, 1.0f, 3.0f, 2.0f}) values.push_back({v, 1});
  CHECK(weighted_percentiles(values, {0, 50, 100}) == std::vector<double>{1, 2.5, 4});
  CHECK(weighted_percentiles(Values{{7, 3}}, {5, 95}) == std::vector<double>{7, 7});
  CHECK(weighted_percentiles(Values{}, {50}) == std::vector<double>{0});
}

TEST_CASE("Copies share a weight as values of their own would") {
  Random random;
  Values few, all;
  for (int k = 0; k < 200; ++k) {
    const int copies = 1 + random.below(5);
    const auto value = static_cast<float>(random.uniform(0, 1));
    few.push_back({value, static_cast<float>(copies), static_cast<float>(copies)});
    all.insert(all.end(), copies, {value, 1});
  }
  const std::vector<double> percents{0, 1, 20, 50, 95, 99, 99.9, 100};
  const std::vector<double> of_few = weighted_percentiles(few, percents),
                            of_all = weighted_percentiles(all, percents);
  for (std::size_t k = 0; k < percents.size(); ++k) CHECK(of_few[k] == Approx(of_all[k]).epsilon(1e-6));
}

namespace {

/// The slow twin: everything sorted, positions by the definition.
double sorted_percentile(Values v, double percent) {
  std::stable_sort(v.begin(), v.end(), [](auto a, auto b) { return a.value < b.value; });
  std::vector<double> place;
  double before = 0;
  for (const auto& x : v) place.push_back(before + x.weight / 2.0), before += x.weight;
  const double goal = place.front() + (place.back() - place.front()) * percent / 100;
  for (std::size_t k = 0; k + 1 < v.size(); ++k)
    if (goal <= place[k + 1])
      return v[k].value +
             std::max(0.0, (goal - place[k]) / (place[k + 1] - place[k])) * (v[k + 1].value - v[k].value);
  return v.back().value;
}

}  // namespace

TEST_CASE("Weighted percentiles agree with a sorted twin") {
  Random random;
  for (int n = 0; n < 300; ++n) {
    Values values;
    const int count = 1 + random.below(3000);
    for (int k = 0; k < count; ++k) {
      const double u = random.uniform(0, 1), value = n % 3 == 0   ? random.below(9)
                                                     : n % 3 == 1 ? u
                                                                  : std::pow(u, 20);
      values.push_back({static_cast<float>(value), static_cast<float>(n % 2 ? 1 : random.uniform(0.1, 1))});
    }
    const std::vector<double> percents{0, 5, 50, 95, 99, 100}, found = weighted_percentiles(values, percents);
    std::stable_sort(values.begin(), values.end(), [](auto a, auto b) { return a.value < b.value; });
    TopValues top{Values(values.begin() + count / 2, values.end()), 0, double{values[0].weight}};
    for (int k = 0; k < count / 2; ++k) top.below += double{values[k].weight};
    const std::vector<double> from_top = weighted_percentiles(top, {95, 99});
    if (count > 100 && n % 3 != 0) {
      CHECK(from_top[0] == Approx(found[3]));
      CHECK(from_top[1] == Approx(found[4]));
    }
    // values of equal rank may be taken in any order, which moves places by a weight at most
    for (std::size_t k = 0; k < percents.size(); ++k)
      CHECK(found[k] == Approx(sorted_percentile(values, percents[k])).margin(n % 3 == 0 ? 1.0 : 1e-6));
  }
}
