// A surface that moves: what its pack says, and the arrays that hold where it is now. Nothing is allocated from frame to frame.
import { blendKeys, blendPositions } from './frames.js';
import { surfaceNormals } from './normals.js';
import { influenceStarts, skinSurface } from './skinning.js';
import { weld } from './weld.js';

export function createMoving({ skin, triangles, vertices }) {
  const starts = influenceStarts(skin.influences);
  return {
    skin,
    starts,
    triangles,
    vertices,
    positions: new Float32Array(3 * vertices),
    normals: new Float32Array(3 * vertices),
    matrices: new Float64Array(12 * skin.bones), // double, so that a blend adds no rounding of its own
    ownNormals: null, // in the space of `position`, made when first wanted
    first: null,
  };
}

/** Puts the surface and its normals where a motion has it at the given keys. */
export function place(moving, motion, keys) {
  moving.first ??= weld(moving.skin, moving.starts);
  if (motion.positions) {
    blendPositions(motion, 3 * moving.vertices, keys, moving.positions);
    surfaceNormals(moving.positions, moving.triangles, moving.first, moving.normals);
    return;
  }
  moving.ownNormals ??= surfaceNormals(moving.skin.position, moving.triangles, moving.first, new Float32Array(3 * moving.vertices));
  blendKeys(motion.matrices, moving.matrices.length, keys, moving.matrices);
  skinSurface(moving.skin, moving.ownNormals, moving.matrices, moving);
}
