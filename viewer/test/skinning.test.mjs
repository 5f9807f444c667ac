import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as THREE from 'three';
import { carry, influenceStarts, skinSurface } from '../src/surface/skinning.js';
import { rotation, scaling, times, translation } from './matrices.mjs';
import { near, random } from './near.mjs';

/** A skin of random points and influences on four bones. */
function randomSkin(vertices, next) {
  const influences = Uint8Array.from({ length: vertices }, (_, i) => 1 + (i % 4));
  const bone = [], weight = [];
  for (const count of influences) {
    const raw = Array.from({ length: count }, () => 0.1 + next());
    const sum = raw.reduce((a, b) => a + b);
    raw.forEach((w, k) => (bone.push(k), weight.push(w / sum)));
  }
  const position = Float32Array.from({ length: 3 * vertices }, () => 4 * next() - 2);
  return { position, influences, bone: Uint16Array.from(bone), weight: Float32Array.from(weight), bones: 4 };
}

const moved = (skin, normals, bones) => {
  const out = { positions: new Float32Array(skin.position.length), normals: normals ? new Float32Array(normals.length) : null };
  skinSurface(skin, normals, Float64Array.from(bones.flat()), out);
  return out;
};

const BONES = [
  times(translation(1, 2, 3), rotation('x', 0.7)),
  times(rotation('y', -1.1), scaling(2, 0.5, 1)),
  times(translation(0, -1, 0), times(rotation('z', 2), scaling(1, 3, 0.2))),
  scaling(-1, 1, 1),
];

const matrix4 = (m) => new THREE.Matrix4().set(...m, 0, 0, 0, 1);

test('positions are those of three’s own skinned mesh', () => {
  const skin = randomSkin(40, random());
  const starts = influenceStarts(skin.influences);
  const four = (list, i) => [0, 1, 2, 3].map((k) => (k < skin.influences[i] ? list[starts[i] + k] : 0));
  const geometry = new THREE.BufferGeometry();
  const vertices = [...skin.influences.keys()];
  geometry.setAttribute('position', new THREE.BufferAttribute(skin.position, 3));
  geometry.setAttribute('skinIndex', new THREE.BufferAttribute(Uint16Array.from(vertices.flatMap((i) => four(skin.bone, i))), 4));
  geometry.setAttribute('skinWeight', new THREE.BufferAttribute(Float32Array.from(vertices.flatMap((i) => four(skin.weight, i))), 4));
  const bones = BONES.map((m) => {
    const bone = new THREE.Bone();
    bone.matrixWorld.copy(matrix4(m));
    return bone;
  });
  const mesh = new THREE.SkinnedMesh(geometry);
  mesh.bind(new THREE.Skeleton(bones, BONES.map(() => new THREE.Matrix4())), new THREE.Matrix4());
  const expected = vertices.flatMap((i) => mesh.applyBoneTransform(i, new THREE.Vector3().fromArray(skin.position, 3 * i)).toArray());
  near(moved(skin, null, BONES).positions, expected, 2e-6);
});

/** A triangle with one set of influences at all corners moves as a flat thing: its normal is the cross product of its moved edges. */
function flatTriangle(weights, points) {
  const influences = Uint8Array.of(4, 4, 4);
  const bone = Uint16Array.from([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
  const weight = Float32Array.from([...weights, ...weights, ...weights]);
  return { position: Float32Array.from(points.flat()), influences, bone, weight, bones: 4 };
}

function crossOf(p) {
  const [a, b, c] = [0, 3, 6].map((at) => new THREE.Vector3().fromArray(p, at));
  return b.sub(a).cross(c.sub(a)).normalize();
}

test('normals under non-uniform scale, shear and mirroring are those of the moved triangles', () => {
  const next = random();
  for (let n = 0; n < 50; ++n) {
    const raw = Array.from({ length: 4 }, () => next());
    const sum = raw.reduce((a, b) => a + b);
    const weights = n === 0 ? [0, 1, 0, 0] : n === 1 ? [0, 0, 0, 1] : raw.map((w) => w / sum);
    const points = Array.from({ length: 3 }, () => [next(), next(), next()]);
    const skin = flatTriangle(weights, points);
    const own = crossOf(skin.position).toArray();
    const { positions, normals } = moved(skin, Float32Array.from([...own, ...own, ...own]), BONES);
    const expected = crossOf(positions).toArray();
    for (const at of [0, 3, 6]) near(normals.slice(at, at + 3), expected, 2e-4, `case ${n}`);
  }
});

test('a normal under non-uniform scale is along the gradient of the moved surface', () => {
  // The sphere x^2 + y^2 + z^2 = 1 becomes x^2 / 4 + y^2 / 0.25 + z^2 = 1, whose gradient is (x / 2, 8 y, 2 z).
  const point = [2 / 3, 1 / 3, 2 / 3];
  const skin = { position: Float32Array.from(point), influences: Uint8Array.of(1), bone: Uint16Array.of(0), weight: Float32Array.of(1), bones: 1 };
  const { positions: [x, y, z], normals } = moved(skin, Float32Array.from(point), [scaling(2, 0.5, 1)]);
  near(normals, new THREE.Vector3(x / 2, 8 * y, 2 * z).normalize().toArray(), 1e-6);
});

test('what is flattened keeps its normal, and what vanishes gives no NaN', () => {
  const skin = { position: Float32Array.of(1, 2, 3), influences: Uint8Array.of(1), bone: Uint16Array.of(0), weight: Float32Array.of(1), bones: 1 };
  const normal = (m, own = [0, 0, 1]) => Array.from(moved(skin, Float32Array.from(own), [m]).normals);
  near(normal(scaling(1, 1, 0)), [0, 0, 1], 0);
  near(normal(scaling(1, 1, -1)), [0, 0, 1], 0); // the winding turns as well
  near(normal(scaling(-1, 1, 1)), [0, 0, -1], 0);
  near(normal(scaling(1, 0, 0)), [0, 0, 0], 0);
  near(normal(scaling(0, 0, 0)), [0, 0, 0], 0);
  near(normal(scaling(1e-30, 1e-30, 1e-30)), [0, 0, 1], 1e-6);
  near(normal(scaling(1, 1, 1), [0, 0, 0]), [0, 0, 0], 0);
});

test('a vertex without influences is at the origin', () => {
  const skin = { position: Float32Array.of(1, 2, 3), influences: Uint8Array.of(0), bone: new Uint16Array(0), weight: new Float32Array(0), bones: 1 };
  near(moved(skin, Float32Array.of(0, 0, 1), [scaling(1, 1, 1)]).positions, [0, 0, 0], 0);
});

test('a bone carries a point', () => {
  const out = [0, 0, 0];
  carry(Float64Array.from([...BONES[1], ...BONES[0]]), 1, [9, 9, 9, 0, 1, 0], 3, out, 0);
  near(out, [1, 2 + Math.cos(0.7), 3 + Math.sin(0.7)], 1e-12);
  assert.equal(out.length, 3);
});
