// Where joints are, and where they would be had they kept to their parents' motion.
import { carry } from './skinning.js';

/** @returns {{at: Float32Array, kept: Float32Array, travel: Float32Array}} points, 3 a joint, and % of diag; NaN where there is no parent */
export function createTravel(joints) {
  const count = joints.name.length;
  return { at: new Float32Array(3 * count), kept: new Float32Array(3 * count), travel: new Float32Array(count) };
}

export function placeJoints(joints, matrices, diag, { at, kept, travel }) {
  for (let j = 0; j < travel.length; ++j) {
    carry(matrices, joints.bone[j], joints.origin, 3 * j, at, 3 * j);
    const parent = joints.parent[j];
    if (parent < 0) kept.fill(NaN, 3 * j, 3 * j + 3);
    else carry(matrices, joints.bone[parent], joints.travel_from, 3 * j, kept, 3 * j);
    const off = [0, 1, 2].map((axis) => at[3 * j + axis] - kept[3 * j + axis]);
    travel[j] = (100 * Math.hypot(...off)) / diag;
  }
}
