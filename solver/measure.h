#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "error_record.h"

namespace pelt {

/// How error is weighed and scaled (DESIGN section 4).
struct MeasureSettings {
  Eigen::VectorXd weight;  ///< V; vertex shares >= 0; vertices of share 0 are left out of everything
  Eigen::VectorXd copies;  ///< V; how many vertices at one place each stands for; empty: one
  Eigen::Matrix3Xd rest;   ///< 3 x V; the targets at the artist's rest, from which displacement is counted
  double diag = 1;         ///< the artist's rest diagonal: lengths are reported in % of it
  std::vector<int> first_influence,
      joint;  ///< as in Rig: to whose share a vertex's error counts; may be empty
  std::vector<double> influence_weight;
  int joints = 0;
};

/// Where the largest error is.
struct WorstPlace {
  int frame = -1, vertex = -1;
  int joint = -1;  ///< of the largest influence there, -1 if it has none
};

struct FrameFigures {
  double mean = 0, rms = 0, worst = 0, displacement = 0;  ///< % of diag
};

/// One surface against another over the frames of a clip. Lengths in % of diag; qualities in per cent,
/// without value where nothing moves.
struct Figures {
  std::optional<double> quality;  ///< 100 (1 - sum a|err| / sum a|target - rest|)
  std::optional<double>
      quality_in_place;  ///< the target's best rigid motion per frame taken out of the denominator
  double mean = 0, rms = 0, p95 = 0, p99 = 0, worst = 0;
  double displacement = 0;  ///< mean of |target - rest|
  double erms = 0;  ///< 1000 |errors|_F / sqrt(3 V F) with diag = 1, every vertex alike: the form of the
                    ///< skinning-decomposition papers (Kavan et al. 2010, Le and Deng 2012), whose
                    ///< factors and model sizes differ
  WorstPlace worst_place;
  std::vector<FrameFigures> frames;
  std::vector<double> joint_mean;   ///< J; mean error of a joint's vertices weighted by its influence, % of
                                    ///< diag; 0 without any
  std::vector<double> joint_share;  ///< J; of the surface that counts, each vertex split by its influences;
                                    ///< sums to 1 where all vertices have some
  double squared = 0;               ///< weighted mean of |err|^2 in units of diag^2
};

/// How far a frame's targets are from rest, mean over the vertices, share of diag: as they are, and with
/// their best rigid motion taken out.
struct Displacement {
  double total = 0, in_place = 0;
};

/// In per cent, of mean error and mean displacement, shares of diag; none where nothing moves.
std::optional<double> quality_from(double error, double displacement);

/// Collects frames, then gives the figures. Frames may be added in parallel if each thread adds others.
class Measure {
 public:
  /// \throw InvalidInput if sizes disagree or no vertex counts.
  Measure(MeasureSettings settings, int frames);

  /// Target and actual surface, 3 x V. Vertices of share 0 count for nothing and may be NaN.
  void add(int frame, const Eigen::Matrix3Xd& target, const Eigen::Matrix3Xd& actual);

  /// The same where several measures share a target.
  Displacement displacement(const Eigen::Matrix3Xd& target) const;
  void add(int frame, const Displacement& displacement, const Eigen::Matrix3Xd& target,
           const Eigen::Matrix3Xd& actual);

  /// Weighted mean over the vertices that count, share of diag.
  double mean_distance(const Eigen::Matrix3Xd& a, const Eigen::Matrix3Xd& b) const;

  /// Percentiles as in ErrorRecord.
  Figures figures() const;

 private:
  struct FrameSums {
    double error = 0, squared = 0, displacement = 0, local = 0, plain_squared = 0;
    float worst = 0;
    int worst_vertex = 0;
  };
  void add_joint_means(Figures& out) const;
  int joint_of(int vertex) const;

  MeasureSettings settings_;
  int first_counted_ = -1;  // of the vertices of share > 0
  double counted_ = 0;      // how many they and their copies are
  std::optional<ErrorRecord> record_;
  std::vector<FrameSums> sums_;
};

}  // namespace pelt
