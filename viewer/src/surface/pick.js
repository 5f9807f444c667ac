// The vertex under the pointer: the corner nearest to where a ray first meets the surface (Moller and Trumbore 1997).

/** @returns {{vertex: number, distance: number} | null} `origin`, `direction`: three numbers each */
export function pickVertex(positions, triangles, origin, direction) {
  let nearest = Infinity;
  let hit = -1, hitU = 0, hitV = 0;
  const [dx, dy, dz] = direction;
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = positions[b] - positions[a], uy = positions[b + 1] - positions[a + 1], uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a], vy = positions[c + 1] - positions[a + 1], vz = positions[c + 2] - positions[a + 2];
    const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx;
    const determinant = ux * px + uy * py + uz * pz;
    if (determinant === 0) continue;
    const sx = origin[0] - positions[a], sy = origin[1] - positions[a + 1], sz = origin[2] - positions[a + 2];
    const u = (sx * px + sy * py + sz * pz) / determinant;
    if (!(u >= 0 && u <= 1)) continue;
    const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux;
    const v = (dx * qx + dy * qy + dz * qz) / determinant;
    if (!(v >= 0 && u + v <= 1)) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / determinant;
    if (!(distance > 0 && distance < nearest)) continue;
    nearest = distance;
    hit = t;
    hitU = u;
    hitV = v;
  }
  if (hit < 0) return null;
  const shares = [1 - hitU - hitV, hitU, hitV];
  const corner = shares.indexOf(Math.max(...shares));
  return { vertex: triangles[hit + corner], distance: nearest };
}
