import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blendKeys, blendPositions, keysAt, nearest } from '../src/surface/frames.js';
import { near } from './near.mjs';

const TIMES = Float32Array.of(0.5, 1, 2, 4);

test('a time lies between two keys', () => {
  assert.deepEqual(keysAt(TIMES, 3.5), { key: 2, next: 3, blend: 0.75 });
  assert.deepEqual(keysAt(TIMES, 0.75), { key: 0, next: 1, blend: 0.5 });
});

test('a key itself is taken as it is', () => {
  TIMES.forEach((time, key) => assert.deepEqual([keysAt(TIMES, time).key, keysAt(TIMES, time).blend], [key, 0]));
});

test('outside of the clip its ends stand', () => {
  assert.deepEqual(keysAt(TIMES, -1), { key: 0, next: 0, blend: 0 });
  assert.deepEqual(keysAt(TIMES, 9), { key: 3, next: 3, blend: 0 });
  assert.deepEqual(keysAt(TIMES, NaN), { key: 0, next: 0, blend: 0 });
  assert.deepEqual(keysAt(Float32Array.of(3), 2), { key: 0, next: 0, blend: 0 });
  assert.throws(() => keysAt(new Float32Array(0), 0), /without keys/);
});

test('keys are blended straight', () => {
  const out = new Float64Array(2);
  blendKeys([1, 10, 3, 30], 2, { key: 0, next: 1, blend: 0.25 }, out);
  near(out, [1.5, 15], 1e-12);
});

test('positions in 16 bits lie between low and high', () => {
  const motion = { positions: Uint16Array.of(0, 65535, 32768, 65535, 0, 32768), low: [0, -1, 10], high: [1, 1, 20] };
  const out = new Float32Array(3);
  blendPositions(motion, 3, { key: 0, next: 0, blend: 0 }, out);
  near(out, [0, 1, 10 + (10 * 32768) / 65535], 1e-6);
  blendPositions(motion, 3, { key: 0, next: 1, blend: 0.5 }, out);
  near(out, [0.5, 0, 10 + (10 * 32768) / 65535], 1e-6);
});

test('the nearest frame of a time', () => {
  assert.equal(nearest(TIMES, 1.4), 1);
  assert.equal(nearest(TIMES, 1.6), 2);
  assert.equal(nearest(TIMES, 99), 3);
});
