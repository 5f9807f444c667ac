import assert from 'node:assert/strict';

/** Two lists of numbers are the same to `tolerance`. */
export function near(actual, expected, tolerance = 1e-6, what = '') {
  assert.equal(actual.length, expected.length, `${what} lengths`);
  for (let i = 0; i < expected.length; ++i)
    assert.ok(Math.abs(actual[i] - expected[i]) <= tolerance, `${what}[${i}]: ${actual[i]}, not ${expected[i]}`);
}

/** A small generator with a seed (mulberry32), 0 to 1. */
export function random(seed = 12345) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
