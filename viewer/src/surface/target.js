// Where a rig's vertices belong while the artist's surface is where it is (docs/page.md, `match`).

export const NO_TARGET = 0xffffffff;

/** Barycentric points of the artist's triangles. Where there is no target `out` keeps NaN. */
function onSurface({ corner, barycentric }, artist, out) {
  for (let i = 0, at = 0; at < corner.length; ++i, at += 3) {
    if (corner[at] === NO_TARGET) {
      out[at] = out[at + 1] = out[at + 2] = NaN;
      continue;
    }
    const a = 3 * corner[at], b = 3 * corner[at + 1], c = 3 * corner[at + 2];
    const u = barycentric[2 * i], v = barycentric[2 * i + 1], w = 1 - u - v;
    for (let axis = 0; axis < 3; ++axis)
      out[at + axis] = u * artist[a + axis] + v * artist[b + axis] + w * artist[c + axis];
  }
}

/**
 * Offsets of vertices that lie off the artist's surface turn with their triangle: its axes are x along b - a, z along the normal,
 * y = z x x. A triangle without area has no such axes; they are 0.
 */
function addOffsets({ carried, carrier, offset }, artist, out) {
  for (let n = 0, at = 0; n < carried.length; ++n, at += 3) {
    const a = 3 * carrier[at], b = 3 * carrier[at + 1], c = 3 * carrier[at + 2];
    let xx = artist[b] - artist[a], xy = artist[b + 1] - artist[a + 1], xz = artist[b + 2] - artist[a + 2];
    const ex = artist[c] - artist[a], ey = artist[c + 1] - artist[a + 1], ez = artist[c + 2] - artist[a + 2];
    let zx = xy * ez - xz * ey, zy = xz * ex - xx * ez, zz = xx * ey - xy * ex;
    const xLength = Math.sqrt(xx * xx + xy * xy + xz * xz);
    const zLength = Math.sqrt(zx * zx + zy * zy + zz * zz);
    if (xLength > 0) (xx /= xLength), (xy /= xLength), (xz /= xLength);
    if (zLength > 0) (zx /= zLength), (zy /= zLength), (zz /= zLength);
    const yx = zy * xz - zz * xy, yy = zz * xx - zx * xz, yz = zx * xy - zy * xx;
    const p = offset[at], q = offset[at + 1], r = offset[at + 2];
    const to = 3 * carried[n];
    out[to] += p * xx + q * yx + r * zx;
    out[to + 1] += p * xy + q * yy + r * zy;
    out[to + 2] += p * xz + q * yz + r * zz;
  }
}

/** Targets of all vertices into `out`. `match` null: the rig is the artist's own. */
export function placeTargets(match, artist, out) {
  if (!match) return out.set(artist);
  onSurface(match, artist, out);
  if (match.carried) addOffsets(match, artist, out);
}
