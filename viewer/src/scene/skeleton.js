// The rig's skeleton, and how far each joint has left its parent's motion.
import * as THREE from 'three';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { points, unculled } from './geometry.js';
import { dotMaterial, lineMaterial } from './materials.js';

const BONE = 0xffffff;
const EDGE = 0x111111;
const TRAVEL = 0xff2bd6; // no ramp has it

/** Segments whose ends are in `ends`, six numbers each. */
function segments(count) {
  const ends = new Float32Array(6 * count);
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(ends);
  return { ends, geometry };
}

const lines = ({ geometry }, color, width, order) => unculled(new LineSegments2(geometry, lineMaterial(color, width)), order);

const touchSegments = ({ geometry }) => (geometry.getAttribute('instanceStart').data.needsUpdate = true);

/** Bones and joints have a dark edge, to be seen on any colour. */
export function createSkeleton(joints) {
  const linked = Array.from(joints.parent).filter((parent) => parent >= 0).length;
  const bones = segments(linked);
  const off = segments(joints.name.length);
  const dots = points(joints.name.length);
  const skeleton = new THREE.Group();
  skeleton.add(lines(bones, EDGE, 4, 5), lines(bones, BONE, 2, 6));
  skeleton.add(unculled(new THREE.Points(dots, dotMaterial(EDGE, 8)), 7), unculled(new THREE.Points(dots, dotMaterial(BONE, 5)), 8));
  const travel = new THREE.Group();
  travel.add(lines(off, EDGE, 5, 9), lines(off, TRAVEL, 3, 10), unculled(new THREE.Points(dots, dotMaterial(TRAVEL, 5)), 10));
  const group = new THREE.Group();
  group.add(skeleton, travel);
  return { group, skeleton, travel, bones, dots, off, joints };
}

function copyPoint(from, i, to, j) {
  for (let axis = 0; axis < 3; ++axis) to[3 * j + axis] = from[3 * i + axis];
}

function placeBones({ bones, joints }, at) {
  let end = 0;
  for (let j = 0; j < joints.parent.length; ++j) {
    if (joints.parent[j] < 0) continue;
    copyPoint(at, joints.parent[j], bones.ends, end++);
    copyPoint(at, j, bones.ends, end++);
  }
}

/** A line from where a joint would be to where it is; none (of no length) where it has no parent. */
function placeTravel({ off }, { at, kept, travel }) {
  for (let j = 0; j < travel.length; ++j) {
    copyPoint(travel[j] >= 0 ? kept : at, j, off.ends, 2 * j);
    copyPoint(at, j, off.ends, 2 * j + 1);
  }
}

export function placeSkeleton(view, travel) {
  placeBones(view, travel.at);
  placeTravel(view, travel);
  touchSegments(view.bones);
  touchSegments(view.off);
  view.dots.getAttribute('position').array.set(travel.at);
  view.dots.getAttribute('position').needsUpdate = true;
}

export function disposeSkeleton({ bones, dots, off }) {
  for (const geometry of [bones.geometry, off.geometry, dots]) geometry.dispose();
}

/** The joints that are farthest off, the farthest first: index and % of diag. */
export function farthestJoints({ travel }, most, least = 0.05) {
  return Array.from(travel, (size, joint) => ({ joint, size }))
    .filter(({ size }) => size >= least)
    .sort((a, b) => b.size - a.size)
    .slice(0, most);
}
