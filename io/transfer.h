#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../solver/measure.h"
#include "../solver/solve.h"
#include "clip_writer.h"
#include "document.h"
#include "motive.h"
#include "rig_file.h"
#include "thinning.h"

namespace pelt {

struct TransferSettings {
  std::optional<double>
      fps;  ///< sample at k / fps; else at the artist's keys, with keys added where players would stray
  Weighting weighting = Weighting::area;
  double between_tolerance =
      0.02;  ///< % of diag by which the RMS error inside a key interval may exceed that at its ends
  double key_tolerance = 0;  ///< % of diag by which keys that are left out may move a vertex; 0: all stay
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

/// Largest accelerations at the sampled keys, % of diag per s^2 (smoothness.h): of the written joints, and of
/// the artist's surface at the vertices that count.
struct Acceleration {
  double joints = 0, surface = 0;

  /// Without value where the surface does not accelerate.
  std::optional<double> ratio() const { return surface > 0 ? std::optional(joints / surface) : std::nullopt; }
};

/// One clip, solved, written and measured on the file as read again.
struct ClipTransfer {
  std::string name;  ///< the artist's
  int source = 0;    ///< index of the artist's clip in his scene
  std::string written_name;
  std::vector<float> times;  ///< at which the clip was solved, seconds
  int keys_added = 0;        ///< beyond the artist's own keys
  std::vector<int>
      sampled;      ///< which of `times` are the artist's own keys, or the grid's: figures count these alone
  Figures keys;     ///< at the sampled times
  Figures between;  ///< at three times inside every interval between them
  Figures floor;    ///< of the best affine motions, at the keys
  std::optional<double> quality_integrated;   ///< at the keys; none where the rig is the artist's own
  std::optional<double> quality_gap_counted;  ///< likewise (gap_counted.h)
  Travel travel;
  std::vector<double> joint_travel;  ///< J; mean a joint, % of diag
  Acceleration acceleration;
  double price = 0;  ///< what stiffness and stretch came to
  std::vector<FrameResult> frames;
  std::vector<Pose> poses;           ///< F; solved motions of the rig's joints
  std::vector<Pose> affine;          ///< F; those of the floor
  std::vector<Track> measured_on;    ///< tracks of the written clip as read when the figures were taken
  KeptKeys kept;                     ///< keys that are written
  std::optional<Thinning> thinning;  ///< where keys were to be left out

  /// False of a clip that was found in a file and only measured.
  bool is_solved() const { return !frames.empty(); }
};

struct Transfer {
  std::vector<ClipTransfer> clips;
  System system;                      ///< the rig as the solver saw it, without a price
  Document document;                  ///< the rig's file with the clips
  std::vector<int> written_index;     ///< of each clip among the document's animations
  std::vector<Clip> clips_as_read;    ///< all clips of the document, as they were read again and measured
  std::vector<std::string> warnings;  ///< of the file, and of frames that did not converge
  std::size_t bytes_before = 0, bytes_after = 0;  ///< of the whole document, where keys were to be left out
};

/// Solves the clips (indices into the motive's scene) onto a rig and writes them into a copy of its document.
/// \throw ReadError, WriteError, InvalidInput; Stopped where settings.solve.stop asks for it
Transfer transfer(const Motive& motive, const std::vector<int>& clips, const RigFile& rig, double diag,
                  const TransferSettings& settings);

}  // namespace pelt
