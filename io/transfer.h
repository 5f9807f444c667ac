#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../solver/correspond.h"
#include "../solver/measure.h"
#include "../solver/solve.h"
#include "clip_writer.h"
#include "document.h"
#include "rig_of_scene.h"
#include "scene.h"

namespace pelt {

/// How vertices count in solve and measure: by area of the rig's rest surface, or all alike.
enum class Weighting { area, uniform };

/// A file that has been read and looked at as a rig.
struct RigFile {
  Document document;
  Scene scene;
  SceneRig rig;
  Surface rest;
};

/// \throw ReadError, also where finite numbers of the file multiply to what is not finite, or a weighted
/// joint's inverse bind matrix is singular.
RigFile make_rig_file(Document document);

/// The same of a scene without a document.
RigFile make_rig_file(Scene scene);

/// The same from a file.
RigFile open_rig_file(const std::filesystem::path& path);

/// The artist's surface in motion, as the rig's vertices should follow it.
struct Motive {
  const Scene* scene = nullptr;  ///< of the artist
  const Correspondence* correspondence =
      nullptr;  ///< nullptr: the rig is the artist's own, vertex for vertex
};

/// Targets at a time of a clip, 3 x V of the rig, model space.
Eigen::Matrix3Xd targets_at(const Motive& motive, const Clip& clip, double time);

/// Targets at the artist's rest.
Eigen::Matrix3Xd targets_at_rest(const Motive& motive);

struct TransferSettings {
  std::optional<double>
      fps;  ///< sample at k / fps; else at the artist's keys, with keys added where players would stray
  Weighting weighting = Weighting::area;
  double between_tolerance =
      0.02;  ///< % of diag by which the RMS error inside a key interval may exceed that at its ends
  SolveSettings solve;
  WriteSettings write;
  /// Called from the calling thread where work goes on: what is being done, and how many clips are done.
  std::function<void(const char* stage, int done, int total)> progress;
};

/// How far joints leave their parent's motion: |D_j o_j - D_p o_j| over joints with a parent and frames, % of
/// diag.
struct Travel {
  double mean = 0, max = 0;
};

/// One clip, solved, written and measured on the file as read again.
struct ClipTransfer {
  std::string name;  ///< the artist's
  std::string written_name;
  std::vector<float> times;  ///< keys, seconds
  int keys_added = 0;        ///< beyond the artist's own keys
  std::vector<int>
      sampled;      ///< which of `times` are the artist's own keys, or the grid's: figures count these alone
  Figures keys;     ///< at the sampled times
  Figures between;  ///< at three times inside every interval between them
  Figures floor;    ///< of the best affine motions, at the keys
  Travel travel;
  std::vector<double> joint_travel;  ///< J; mean a joint, % of diag
  std::vector<FrameResult> frames;
  std::vector<Pose> poses;   ///< F; solved motions of the rig's joints
  std::vector<Pose> affine;  ///< F; those of the floor
};

struct Transfer {
  std::vector<ClipTransfer> clips;
  Document document;                ///< the rig's file with the clips
  std::vector<int> written_index;   ///< of each clip among the document's animations
  std::vector<Clip> clips_as_read;  ///< all clips of the document, as they were read again and measured
  std::vector<std::string> warnings;
};

/// Solves the clips (indices into the motive's scene) onto a rig and writes them into a copy of its document.
/// \throw ReadError, WriteError, InvalidInput
Transfer transfer(const Motive& motive, const std::vector<int>& clips, const RigFile& rig, double diag,
                  const TransferSettings& settings);

/// What the measure needs of a rig: weights, rest targets, influences.
MeasureSettings measure_settings(const Motive& motive, const RigFile& rig, double diag, Weighting weighting);

/// V vertex shares (not normalised): areas of the rig's rest surface or ones; zero where no triangle uses the
/// vertex or it has no counterpart on the artist's surface.
Eigen::VectorXd vertex_shares(const Motive& motive, const RigFile& rig, Weighting weighting);

}  // namespace pelt
