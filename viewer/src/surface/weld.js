// Vertices that a file keeps apart (for their texture coordinates or normals) though they always move as one.

const sameSkin = (skin, starts, a, b) => {
  if (skin.influences[a] !== skin.influences[b]) return false;
  for (let k = 0; k < skin.influences[a]; ++k) {
    if (skin.bone[starts[a] + k] !== skin.bone[starts[b] + k]) return false;
    if (skin.weight[starts[a] + k] !== skin.weight[starts[b] + k]) return false;
  }
  return true;
};

const samePoint = (p, a, b) =>
  p[3 * a] === p[3 * b] && p[3 * a + 1] === p[3 * b + 1] && p[3 * a + 2] === p[3 * b + 2];

/** A hash of the bits of a point. */
function hashOf(bits, vertex) {
  let hash = 0x9e3779b1;
  for (let axis = 0; axis < 3; ++axis) hash = Math.imul(hash ^ bits[3 * vertex + axis], 0x85ebca6b) ^ (hash >>> 15);
  return hash >>> 0;
}

/**
 * The first vertex of each vertex's kind: the same position and the same influences.
 * An open hash table in typed arrays, for there may be hundreds of thousands.
 */
export function weld(skin, starts) {
  const { position } = skin;
  const vertices = position.length / 3;
  const bits = new Uint32Array(position.buffer, position.byteOffset, position.length);
  let size = 1;
  while (size < 2 * vertices) size *= 2;
  const slots = new Int32Array(size).fill(-1);
  const first = new Uint32Array(vertices);
  for (let i = 0; i < vertices; ++i) {
    let slot = hashOf(bits, i) & (size - 1);
    while (slots[slot] >= 0 && !(samePoint(position, slots[slot], i) && sameSkin(skin, starts, slots[slot], i)))
      slot = (slot + 1) & (size - 1);
    if (slots[slot] < 0) slots[slot] = i;
    first[i] = slots[slot];
  }
  return first;
}
