// Linear blend skinning: a vertex is at (sum w_b B_b) p, its normal along the cofactor matrix of that sum's 3 x 3 part.
// The cofactor matrix is the inverse transpose times the determinant. Times any two edges it gives the cross product of the moved
// edges, so a mirrored blend turns the normal with the triangle's winding, and a flattened one needs no inverse.

/** Starts of each vertex's influences in the flat lists. */
export function influenceStarts(influences) {
  const starts = new Uint32Array(influences.length + 1);
  for (let i = 0; i < influences.length; ++i) starts[i + 1] = starts[i] + influences[i];
  return starts;
}

/**
 * Moves all vertices and turns their normals, in one pass. `matrices`: three rows of four for each bone. Normals have length 1 afterwards;
 * 0 where a vertex has none, or its surroundings lie on a line. `out.normals` null: positions alone.
 */
export function skinSurface({ position, influences, bone, weight }, ownNormals, matrices, out) {
  const { positions, normals } = out;
  for (let i = 0, k = 0, at = 0; i < influences.length; ++i, at += 3) {
    let m0 = 0, m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0, m8 = 0, m9 = 0, m10 = 0, m11 = 0;
    for (const end = k + influences[i]; k < end; ++k) {
      const w = weight[k];
      const b = bone[k] * 12;
      m0 += w * matrices[b]; m1 += w * matrices[b + 1]; m2 += w * matrices[b + 2]; m3 += w * matrices[b + 3];
      m4 += w * matrices[b + 4]; m5 += w * matrices[b + 5]; m6 += w * matrices[b + 6]; m7 += w * matrices[b + 7];
      m8 += w * matrices[b + 8]; m9 += w * matrices[b + 9]; m10 += w * matrices[b + 10]; m11 += w * matrices[b + 11];
    }
    const x = position[at], y = position[at + 1], z = position[at + 2];
    positions[at] = m0 * x + m1 * y + m2 * z + m3;
    positions[at + 1] = m4 * x + m5 * y + m6 * z + m7;
    positions[at + 2] = m8 * x + m9 * y + m10 * z + m11;
    if (normals === null) continue;
    const u = ownNormals[at], v = ownNormals[at + 1], w = ownNormals[at + 2];
    const nx = (m5 * m10 - m6 * m9) * u + (m6 * m8 - m4 * m10) * v + (m4 * m9 - m5 * m8) * w;
    const ny = (m2 * m9 - m1 * m10) * u + (m0 * m10 - m2 * m8) * v + (m1 * m8 - m0 * m9) * w;
    const nz = (m1 * m6 - m2 * m5) * u + (m2 * m4 - m0 * m6) * v + (m0 * m5 - m1 * m4) * w;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const scale = length > 0 ? 1 / length : 0;
    normals[at] = nx * scale;
    normals[at + 1] = ny * scale;
    normals[at + 2] = nz * scale;
  }
}

/** Where a bone's matrix sends a point: three numbers into `out` at `to`. */
export function carry(matrices, bone, points, from, out, to) {
  const b = bone * 12;
  const x = points[from], y = points[from + 1], z = points[from + 2];
  for (let row = 0; row < 3; ++row) {
    const r = b + 4 * row;
    out[to + row] = matrices[r] * x + matrices[r + 1] * y + matrices[r + 2] * z + matrices[r + 3];
  }
}
