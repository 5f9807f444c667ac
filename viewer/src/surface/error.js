// The error of a vertex: its distance from its target, in % of diag. -1: it has no target.

export function measureErrors(positions, targets, diag, out) {
  const scale = 100 / diag;
  for (let i = 0, at = 0; i < out.length; ++i, at += 3) {
    const x = positions[at] - targets[at], y = positions[at + 1] - targets[at + 1], z = positions[at + 2] - targets[at + 2];
    const error = scale * Math.sqrt(x * x + y * y + z * z);
    out[i] = error >= 0 ? error : -1;
  }
}

/** What the report says of a frame, from the errors that are drawn. A vertex of share 0 counts nowhere. */
export function frameFigures(errors, share) {
  let mean = 0;
  let squared = 0;
  let worst = 0;
  let worstVertex = -1;
  for (let i = 0; i < errors.length; ++i) {
    if (!(share[i] > 0)) continue;
    mean += share[i] * errors[i];
    squared += share[i] * errors[i] * errors[i];
    if (worstVertex < 0 || errors[i] > worst) (worst = errors[i]), (worstVertex = i);
  }
  return { mean, rms: Math.sqrt(squared), worst, worstVertex };
}
