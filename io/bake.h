#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "artist.h"
#include "artist_session.h"
#include "control.h"
#include "io_error.h"
#include "joint_mode.h"
#include "matching.h"
#include "transfer.h"

namespace pelt {

/// The surfaces do not correspond: another animal, or another place, unit or facing.
struct NoCorrespondence : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A joint that leaves its parent's motion by some length pays like a hundredth of its surface that is off by
/// as much.
constexpr double kDefaultStretch = 0.01;

struct BakeOptions {
  std::filesystem::path artist;  ///< animated .glb or .gltf, or an .obj mesh with point files
  PointFiles points;
  std::filesystem::path rig;       ///< another rig of the same animal
  std::filesystem::path mesh;      ///< of a text rig; empty: as open_document finds it
  std::filesystem::path output;    ///< the rig's file with the clips; .glb or .gltf by its ending; empty: all
                                   ///< is measured as it would be written, and nothing is
  std::vector<std::string> clips;  ///< names as in choose_clips; empty: all
  MatchPose match = MatchPose::automatic;
  bool align = true;                ///< look for turn, scale and place of the rig
  std::filesystem::path alignment;  ///< file that gives them (read_alignment); empty: none
  bool force = false;               ///< bake although the surfaces do not correspond
  bool strict = false;              ///< warnings of the inputs are errors
  int max_influences = 0;           ///< of a vertex in solve and measure, the largest; 0: all
  /// The first is written; the others are solved, written in memory and measured the same way, to compare.
  std::vector<JointMode> joints{JointMode::free};
  double stretch = kDefaultStretch;  ///< price of mode stretch
  /// transfer.solve.threads < 1: as many as there are; freedom and prices of a mode follow from the above,
  /// and transfer.solve.stiffness.
  TransferSettings transfer;
};

/// The clips as another mode than the written one has them.
struct ComparedMode {
  JointMode joints = JointMode::free;
  std::vector<ClipTransfer> clips;
};

/// What was made of a point cache.
struct PointSource {
  std::string file;
  int frames = 0, points = 0;
  bool z_up = false;      ///< turned from z up to y up
  bool by_place = false;  ///< points belong to vertices by place, not by their order
};

struct BakeResult {
  std::string artist, rig, output;  ///< paths as given
  double diag = 0;                  ///< the artist's rest diagonal, scene units
  Matching matching;
  std::vector<std::string> joint_names;  ///< of the rig's joints
  std::vector<std::string> artist_joint_names;
  std::optional<Control> control;
  std::string no_control;           ///< why there is none
  std::vector<PointSource> points;  ///< where the clips are point caches, one each
  std::vector<ClipTransfer> clips;
  JointMode joints = JointMode::free;             ///< the mode that is written
  Loss loss = Loss::squares;                      ///< what was made least
  std::vector<ComparedMode> compared;             ///< the other modes, in the order of the options
  std::size_t bytes_before = 0, bytes_after = 0;  ///< as in Transfer
  std::optional<InfluenceCut> influences;         ///< where max_influences was given
  /// The same bake without max_influences, which is not written; empty where no vertex has more than that.
  std::vector<ClipTransfer> all_influences;
  std::vector<std::string> warnings;  ///< a sentence each, starting with the file
};

/// What is to be done with a bake while its files are open.
using SeenBake = std::function<void(const ArtistSession&, const RigFile&, const BakeResult&)>;

/// Bakes the artist's clips onto the rig and writes the output. Everything in the result is measured on the
/// written file, read again. \throw ReadError, InvalidInput (exit 2), NoCorrespondence (3), WriteError (4),
/// UsageError and NoSuchClip (1): nothing is written then.
BakeResult bake(const BakeOptions& options, const SeenBake& seen = {});

/// The same onto a rig that has been opened, with an artist who serves many; of the options' files the output
/// alone is touched. \throw as above; Stopped where transfer.solve.stop asks for it
BakeResult bake(ArtistSession& artist, const RigFile& rig, const BakeOptions& options);

struct ControlOptions {
  std::filesystem::path artist;
  std::filesystem::path
      output;  ///< empty: nothing is written; else the artist's file with only the solved clips
  std::vector<std::string> clips;
  bool strict = false;
  TransferSettings transfer;
};

struct ControlResult {
  std::string artist, output;
  double diag = 0;
  std::vector<std::string> joint_names;
  Control control;
  std::vector<std::string> warnings;
};

/// Solves the artist's own rig for its own clips. \throw as bake().
ControlResult control(const ControlOptions& options);

}  // namespace pelt
