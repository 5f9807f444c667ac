// 3 x 4 matrices in rows, in doubles: small and plain, to check by.

export const identity = () => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

export function times(a, b) {
  const out = [];
  for (let r = 0; r < 3; ++r)
    for (let c = 0; c < 4; ++c)
      out.push(a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c] + (c === 3 ? a[4 * r + 3] : 0));
  return out;
}

export const translation = (x, y, z) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];

export const scaling = (x, y, z) => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0];

export function rotation(axis, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  if (axis === 'x') return [1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0];
  if (axis === 'y') return [c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0];
  return [c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0];
}

export const apply = (m, [x, y, z]) => [0, 4, 8].map((r) => m[r] * x + m[r + 1] * y + m[r + 2] * z + m[r + 3]);

/** Of a rotation and translation. */
export function inverseRigid(m) {
  const turned = [m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0];
  const t = apply(turned, [m[3], m[7], m[11]]);
  return turned.map((value, i) => (i % 4 === 3 ? -t[(i - 3) / 4] : value));
}
