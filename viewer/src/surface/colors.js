// Colours of an error: 0 to 1 is none to the scale's end. The first is the usual blue to red; cividis (Nunez, Anderton and Renslow,
// 2018: one hue axis, the same to all but the rarest eyes) and viridis (Smith and van der Walt, 2015) are evenly perceived.
import { interpolateCividis, interpolateViridis } from 'd3-scale-chromatic';

const HEAT = [
  [0, 36, 74, 196],
  [0.25, 38, 168, 214],
  [0.5, 122, 200, 90],
  [0.7, 245, 206, 66],
  [0.85, 240, 130, 40],
  [1, 204, 28, 30],
];

const clamp = (t) => Math.min(1, Math.max(0, t));

function heat(t) {
  const at = Math.max(1, HEAT.findIndex((stop) => stop[0] >= t));
  const [from, to] = [HEAT[at - 1], HEAT[at]];
  const part = (t - from[0]) / (to[0] - from[0]);
  return [1, 2, 3].map((c) => Math.round(from[c] + part * (to[c] - from[c])));
}

const numbers = (css) => css.startsWith('#')
  ? [1, 3, 5].map((at) => parseInt(css.slice(at, at + 2), 16))
  : css.match(/\d+/g).map(Number);

export const RAMPS = {
  heat: { label: 'Blue to red', color: heat },
  cividis: { label: 'Cividis', color: (t) => numbers(interpolateCividis(t)) },
  viridis: { label: 'Viridis', color: (t) => numbers(interpolateViridis(t)) },
};

/** Of vertices that have no value. */
export const NO_VALUE = [150, 150, 150];

/** @returns {number[]} red, green, blue, 0 to 255 */
export const colorOf = (ramp, value, scale) =>
  value >= 0 ? RAMPS[ramp].color(clamp(value / scale)) : NO_VALUE;

/** A ramp in `steps` texels of four bytes. */
export function rampTexels(ramp, steps = 256) {
  const texels = new Uint8Array(4 * steps);
  for (let i = 0; i < steps; ++i) texels.set([...RAMPS[ramp].color(i / (steps - 1)), 255], 4 * i);
  return texels;
}

export const cssColor = ([r, g, b]) => `rgb(${r} ${g} ${b})`;

export function cssGradient(ramp) {
  const stops = Array.from({ length: 17 }, (_, i) => cssColor(RAMPS[ramp].color(i / 16)));
  return `linear-gradient(to right, ${stops.join(', ')})`;
}
