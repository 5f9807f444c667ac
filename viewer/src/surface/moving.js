// A surface that moves: what its pack says, and the arrays that hold where it is now. Nothing is allocated from frame to frame.
import { blendKeys, blendPositions } from './frames.js';
import { surfaceNormals } from './normals.js';
import { influenceStarts, skinNormals, skinPositions } from './skinning.js';
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

/** Puts the surface where a motion has it at the given keys. */
export function place(moving, motion, keys) {
  if (motion.positions) return blendPositions(motion, 3 * moving.vertices, keys, moving.positions);
  blendKeys(motion.matrices, moving.matrices.length, keys, moving.matrices);
  skinPositions(moving.skin, moving.matrices, moving.positions);
}

/** Its normals; \pre `place` was called with the same motion. */
export function placeNormals(moving, motion) {
  moving.first ??= weld(moving.skin, moving.starts);
  if (motion.positions) return surfaceNormals(moving.positions, moving.triangles, moving.first, moving.normals);
  if (!moving.ownNormals) {
    moving.ownNormals = new Float32Array(3 * moving.vertices);
    surfaceNormals(moving.skin.position, moving.triangles, moving.first, moving.ownNormals);
  }
  skinNormals(moving.skin, moving.ownNormals, moving.matrices, moving.normals);
}
