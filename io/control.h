#pragma once

#include <string>
#include <vector>

#include "transfer.h"

namespace pelt {

/// Bars of the control run, % of diag (DESIGN section 8).
struct ControlBars {
  double mean = 1e-5, worst = 3e-4;
};

/// What became of one clip of the control.
struct ControlVerdict {
  bool within_bars = false;
  bool artist_deforms = false;  ///< the artist scales or shears joints, or morphs: no rigid motion can follow
  double rigid_mean = 0;        ///< % of diag: error of the artist's own joint motions made rigid, in memory
  double rigid_rms = 0;         ///< both only where artist_deforms
  double lost_in_file = 0;      ///< RMS that writing added, % of diag: shear that no TRS can say
  bool passed =
      false;  ///< within the bars; or, in memory, at most the error of the artist's own motions made rigid
};

/// The artist's own rig solved for its own clips.
struct Control {
  std::vector<ClipTransfer> clips;
  std::vector<ControlVerdict> verdicts;  ///< a clip each
  bool passed = false;                   ///< all of them
  double mean = 0, worst = 0;            ///< largest over the clips, % of diag
};

/// Runs the control through the same transfer as a bake, joints free and without a price; existing clips are
/// dropped from the document, which is returned if asked for.
Control run_control(const RigFile& artist, const std::vector<int>& clips, double diag,
                    const TransferSettings& settings, Transfer* written = nullptr,
                    SurfaceCache* cache = nullptr);

}  // namespace pelt
