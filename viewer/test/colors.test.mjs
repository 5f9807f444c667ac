import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_VALUE, RAMPS, colorOf, rampTexels } from '../src/surface/colors.js';

test('none is blue, the scale’s end and more are red, and what has no value is grey', () => {
  const [r0, , b0] = colorOf('heat', 0, 3);
  const [r1, , b1] = colorOf('heat', 3, 3);
  assert.ok(b0 > 150 && r0 < 60);
  assert.ok(r1 > 180 && b1 < 60);
  assert.deepEqual(colorOf('heat', 30, 3), colorOf('heat', 3, 3));
  assert.deepEqual(colorOf('heat', 1.5, 3), colorOf('heat', 1, 2));
  assert.deepEqual(colorOf('heat', -1, 3), NO_VALUE);
  assert.deepEqual(colorOf('heat', NaN, 3), NO_VALUE);
});

/** Relative luminance (WCAG 2.2). */
function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test('the colour-blind safe palettes grow lighter all the way, so that they are read without hues', () => {
  for (const ramp of ['cividis', 'viridis'])
    for (let i = 1; i <= 16; ++i)
      assert.ok(luminance(RAMPS[ramp].color(i / 16)) > luminance(RAMPS[ramp].color((i - 1) / 16)), `${ramp} at ${i}`);
});

test('ends of the published palettes', () => {
  assert.deepEqual(RAMPS.viridis.color(0), [68, 1, 84]);
  assert.deepEqual(RAMPS.viridis.color(1), [253, 231, 37]);
  for (const [t, published] of [[0, [0, 34, 78]], [1, [254, 232, 56]]])
    RAMPS.cividis.color(t).forEach((c, n) => assert.ok(Math.abs(c - published[n]) <= 16, `${t} ${c}`));
});

test('texels are the ramp’s colours', () => {
  const texels = rampTexels('heat', 5);
  assert.deepEqual([...texels.subarray(16)], [...RAMPS.heat.color(1), 255]);
  assert.deepEqual([...texels.subarray(8, 11)], RAMPS.heat.color(0.5));
});
