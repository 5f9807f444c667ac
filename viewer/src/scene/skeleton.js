// The rig's skeleton, and how far each joint has left its parent's motion.
import * as THREE from 'three';
import { points, unculled } from './geometry.js';
import { dotMaterial, lineMaterial } from './materials.js';

const BONE = 0xffffff;
const BONE_EDGE = 0x111111;
const TRAVEL = 0xff2bd6; // no ramp has it

/** Lines on a dark edge, to be seen on any colour. */
export function createSkeleton(joints) {
  const group = new THREE.Group();
  const linked = joints.parent.reduce?.((n, p) => n + (p >= 0), 0) ?? 0;
  const bones = points(2 * linked);
  const dots = points(joints.name.length);
  const skeleton = new THREE.Group();
  skeleton.add(unculled(new THREE.LineSegments(bones, lineMaterial(BONE_EDGE)), 5));
  skeleton.add(unculled(new THREE.Points(dots, dotMaterial(BONE_EDGE, 7)), 5));
  skeleton.add(unculled(new THREE.Points(dots, dotMaterial(BONE, 4)), 6));
  const off = points(2 * joints.name.length);
  const travel = new THREE.Group();
  travel.add(unculled(new THREE.LineSegments(off, lineMaterial(TRAVEL)), 7));
  travel.add(unculled(new THREE.Points(dots, dotMaterial(TRAVEL, 4)), 7));
  group.add(skeleton, travel);
  return { group, skeleton, travel, bones, dots, off, joints };
}

function copyPoint(from, i, to, j) {
  for (let axis = 0; axis < 3; ++axis) to[3 * j + axis] = from[3 * i + axis];
}

function placeBones({ bones, joints }, at) {
  const array = bones.getAttribute('position').array;
  let end = 0;
  for (let j = 0; j < joints.parent.length; ++j) {
    if (joints.parent[j] < 0) continue;
    copyPoint(at, joints.parent[j], array, end++);
    copyPoint(at, j, array, end++);
  }
}

/** A line from where a joint would be to where it is; none (of no length) where it has no parent. */
function placeTravel({ off }, { at, kept, travel }) {
  const array = off.getAttribute('position').array;
  for (let j = 0; j < travel.length; ++j) {
    copyPoint(travel[j] >= 0 ? kept : at, j, array, 2 * j);
    copyPoint(at, j, array, 2 * j + 1);
  }
}

export function placeSkeleton(view, travel) {
  placeBones(view, travel.at);
  view.dots.getAttribute('position').array.set(travel.at);
  placeTravel(view, travel);
  for (const geometry of [view.bones, view.dots, view.off]) geometry.getAttribute('position').needsUpdate = true;
}

/** The joints that are farthest off, the farthest first: index and % of diag. */
export function farthestJoints({ travel }, most, least = 0.05) {
  return Array.from(travel, (size, joint) => ({ joint, size }))
    .filter(({ size }) => size >= least)
    .sort((a, b) => b.size - a.size)
    .slice(0, most);
}
