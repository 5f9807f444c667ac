// Normals of a surface from its triangles, each counted by its area (the length of its cross product).

/** Adds each triangle's cross product to its corners. `first`: see weld.js. */
function addTriangles(positions, triangles, first, sums) {
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    for (let corner = 0; corner < 3; ++corner) {
      const at = 3 * first[triangles[t + corner]];
      sums[at] += nx;
      sums[at + 1] += ny;
      sums[at + 2] += nz;
    }
  }
}

/** Normals of length 1 into `out`, the same at welded vertices; 0 where no triangle gives one. */
export function surfaceNormals(positions, triangles, first, out) {
  out.fill(0);
  addTriangles(positions, triangles, first, out);
  for (let i = 0; i < first.length; ++i) {
    const to = 3 * i;
    if (first[i] !== i) {
      out.copyWithin(to, 3 * first[i], 3 * first[i] + 3); // an earlier vertex: it has length 1 already
      continue;
    }
    const length = Math.hypot(out[to], out[to + 1], out[to + 2]);
    const scale = length > 0 ? 1 / length : 0;
    for (let axis = 0; axis < 3; ++axis) out[to + axis] *= scale;
  }
  return out;
}
