import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameFigures, measureErrors } from '../src/surface/error.js';
import { countKinds, gapQuantiles, gapValues } from '../src/surface/gap.js';
import { surfaceNormals } from '../src/surface/normals.js';
import { pickVertex } from '../src/surface/pick.js';
import { influenceStarts } from '../src/surface/skinning.js';
import { NO_TARGET, placeTargets } from '../src/surface/target.js';
import { createTravel, placeJoints } from '../src/surface/travel.js';
import { weld } from '../src/surface/weld.js';
import { identity, rotation, times, translation } from './matrices.mjs';
import { near } from './near.mjs';

const TRIANGLE = Float32Array.of(0, 0, 0, 2, 0, 0, 0, 4, 0);

const matchOf = (overrides) => ({ corner: Uint32Array.of(0, 1, 2), barycentric: Float32Array.of(0.25, 0.5), carried: [], carrier: [], offset: [], ...overrides });

test('a target is the barycentric point', () => {
  const out = new Float32Array(3);
  placeTargets(matchOf(), TRIANGLE, out);
  near(out, [0.5 * 2, 0.25 * 4, 0], 1e-6);
});

test('a target off the surface keeps its offset in the frame of its triangle', () => {
  const match = matchOf({ carried: [0], carrier: [0, 1, 2], offset: [0.1, 0.2, 0.3] });
  const out = new Float32Array(3);
  placeTargets(match, TRIANGLE, out);
  near(out, [1.1, 1.2, 0.3], 1e-6);
  // turned by a quarter round x: y becomes z, z becomes -y
  placeTargets(match, Float32Array.of(0, 0, 0, 2, 0, 0, 0, 0, 4), out);
  near(out, [1.1, -0.3, 1.2], 1e-6);
  // turned by a quarter round z: x becomes y, y becomes -x
  placeTargets(match, Float32Array.of(0, 0, 0, 0, 2, 0, -4, 0, 0), out);
  near(out, [-1.2, 1.1, 0.3], 1e-6);
  // stretched: the offset keeps its length
  placeTargets(match, TRIANGLE.map((x) => 10 * x), out);
  near(out, [10.1, 10.2, 0.3], 1e-5);
});

test('a carrier without area has no axes across it', () => {
  const out = new Float32Array(3);
  placeTargets(matchOf({ carried: [0], carrier: [0, 1, 1], offset: [0.1, 0.2, 0.3] }), TRIANGLE, out);
  near(out, [1.1, 1, 0], 1e-6);
  placeTargets(matchOf({ carried: [0], carrier: [0, 0, 0], offset: [0.1, 0.2, 0.3] }), TRIANGLE, out);
  near(out, [1, 1, 0], 1e-6);
});

test('a vertex of no triangle has no target and no error; the artist’s own rig has his vertices', () => {
  const match = matchOf({ corner: Uint32Array.of(NO_TARGET, NO_TARGET, NO_TARGET) });
  const targets = new Float32Array(3);
  placeTargets(match, TRIANGLE, targets);
  const errors = new Float32Array(1);
  measureErrors(Float32Array.of(1, 2, 3), targets, 5, errors);
  assert.equal(errors[0], -1);
  const own = new Float32Array(9);
  placeTargets(null, TRIANGLE, own);
  near(own, TRIANGLE, 0);
});

test('errors are in % of the diagonal', () => {
  const errors = new Float32Array(2);
  measureErrors(Float32Array.of(0, 0, 0, 1, 1, 1), Float32Array.of(3, 4, 0, 1, 1, 1), 50, errors);
  near(errors, [10, 0], 1e-6);
});

test('a frame’s figures count vertices by their share', () => {
  const figures = frameFigures(Float32Array.of(1, 3, 50, -1), Float32Array.of(0.75, 0.25, 0, 0));
  assert.deepEqual({ ...figures, rms: Math.round(figures.rms ** 2 * 1e9) / 1e9 }, { mean: 1.5, rms: 3, worst: 3, worstVertex: 1 });
  assert.equal(frameFigures(Float32Array.of(0, 0), Float32Array.of(0, 1)).worstVertex, 1);
});

test('joints’ travel is against what the parent’s bone carries', () => {
  const joints = { name: ['a', 'b'], bone: [1, 0], parent: [-1, 0], origin: Float32Array.of(0, 0, 0, 0, 1, 0), travel_from: Float32Array.of(0, 0, 0, 0, 1, 0) };
  const travel = createTravel(joints);
  const child = times(translation(0.3, 0, 0.4), rotation('y', 1));
  placeJoints(joints, Float64Array.from([...child, ...identity()]), 10, travel);
  near(travel.at, [0, 0, 0, 0.3, 1, 0.4], 1e-6);
  assert.ok(Number.isNaN(travel.travel[0]));
  near([travel.travel[1]], [5], 1e-5);
});

const skinAt = (points, bones) => ({
  position: Float32Array.from(points.flat()), influences: Uint8Array.from(points, () => 1), bone: Uint16Array.from(bones), weight: new Float32Array(points.length).fill(1),
});

test('vertices are one where position and influences are the same', () => {
  const skin = skinAt([[0, 0, 0], [1, 0, 0], [0, 0, 0], [1, 0, 0], [1, 0, 1e-7]], [0, 0, 0, 1, 0]);
  assert.deepEqual([...weld(skin, influenceStarts(skin.influences))], [0, 1, 0, 3, 4]);
});

test('normals are the same on both sides of a seam, and counted by area', () => {
  // A square in z = 0 and a triangle of half its area in x = 0 meet at a seam along y, where each has vertices of its own.
  const points = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0], [0, 1, 1], [5, 5, 5]];
  const skin = skinAt(points, points.map(() => 0));
  const first = weld(skin, influenceStarts(skin.influences));
  const normals = surfaceNormals(skin.position, Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6), first, new Float32Array(24));
  const root = Math.hypot(1, 2);
  for (const i of [0, 3, 4, 5]) near(normals.slice(3 * i, 3 * i + 3), i % 4 === 0 ? [1 / root, 0, 2 / root] : [1 / Math.SQRT2, 0, 1 / Math.SQRT2], 1e-6, `vertex ${i}`);
  near(normals.slice(21), [0, 0, 0], 0);
});

test('the nearest corner of the first triangle that a ray meets is picked', () => {
  const positions = Float32Array.of(...TRIANGLE, 0, 0, -1, 2, 0, -1, 0, 4, -1);
  const triangles = Uint32Array.of(3, 4, 5, 0, 1, 2);
  assert.deepEqual(pickVertex(positions, triangles, [1.6, 0.1, 9], [0, 0, -1]), { vertex: 1, distance: 9 });
  assert.deepEqual(pickVertex(positions, triangles, [0.1, 3.6, -9], [0, 0, 1]), { vertex: 5, distance: 8 });
  assert.equal(pickVertex(positions, triangles, [3, 3, 9], [0, 0, -1]), null);
  assert.equal(pickVertex(positions, triangles, [0.1, 0.1, 9], [0, 0, 1]), null);
  assert.equal(pickVertex(positions, triangles, [0.1, 0.1, 9], [1, 0, 0]), null);
});

test('gaps: quantiles by share, and kinds counted', () => {
  const match = { gap: Float32Array.of(3, 1, 2, 9), kind: Uint8Array.of(1, 1, 2, 0) };
  const rig = { pack: { match, vertices: 4, share: Float32Array.of(0.25, 0.25, 0.5, 0) } };
  assert.deepEqual([...gapValues(rig)], [3, 1, 2, -1]);
  assert.deepEqual(gapQuantiles(rig, [0.2, 0.5, 0.75, 1]), [1, 2, 2, 3]);
  assert.deepEqual(countKinds(rig), [1, 2, 1, 0, 0]);
});
