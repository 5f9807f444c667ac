// A clip's row, as the terminal has it.
import { fixed, length } from '../format.js';

export const CLIP_COLUMNS = [
  { name: 'keys', title: 'times at which the clip was solved' },
  { name: 'quality', title: 'per cent of the motion that the rig reproduces' },
  { name: 'in place', title: 'quality of the motion without its travel and turning as a whole' },
  { name: 'mean', title: 'mean error, % of the artist’s rest diagonal, as all lengths' },
  { name: 'RMS', title: 'root of the mean squared error' },
  { name: 'p95', title: '95 % of the surface and the time have less' },
  { name: 'p99', title: '99 % of the surface and the time have less' },
  { name: 'worst', title: 'largest error of a vertex' },
  { name: 'between', title: 'RMS inside key intervals' },
  { name: 'floor', title: 'quality of the best affine joint motions' },
  { name: 'travel', title: 'how far joints leave their parents’ motion, mean' },
  { name: 'accel', title: 'largest acceleration of a joint against that of the surface' },
];

const cell = (value, text) => ({ value: value ?? null, text });
const percent = (value, digits = 2) => cell(value, fixed(value, digits));
const size = (value) => cell(value, length(value));

/** Cells of a clip of the report. A control's qualities have four digits. */
export function clipCells(clip, digits = 2) {
  return [
    cell(clip.keys, clip.keys === undefined ? '-' : String(clip.keys)),
    { ...percent(clip.quality, digits), bar: clip.quality ?? null },
    percent(clip.quality_in_place, digits),
    size(clip.mean_pct), size(clip.rms_pct), size(clip.p95_pct), size(clip.p99_pct), size(clip.worst_pct),
    size(clip.between?.rms_pct),
    percent(clip.floor?.quality, digits),
    size(clip.joint_travel?.mean_pct ?? clip.travel_mean_pct),
    percent(clip.acceleration?.ratio),
  ];
}

const most = (list) => list.reduce((a, b) => (b === null || b === undefined ? a : Math.max(a, b)), 0);
const least = (list) => list.reduce((a, b) => (b === null || b === undefined ? a : a === null ? b : Math.min(a, b)), null);

/** All clips in one: the worst of each figure, and all keys. */
export function worstOfClips(clips) {
  const of = (read) => clips.map(read);
  const worst = { keys: clips.reduce((sum, clip) => sum + (clip.keys ?? 0), 0) };
  for (const figure of ['mean_pct', 'rms_pct', 'p95_pct', 'p99_pct', 'worst_pct']) worst[figure] = most(of((c) => c[figure]));
  for (const figure of ['quality', 'quality_in_place']) worst[figure] = least(of((c) => c[figure]));
  worst.between = { rms_pct: most(of((c) => c.between?.rms_pct)) };
  worst.floor = { quality: least(of((c) => c.floor?.quality)) };
  worst.joint_travel = { mean_pct: most(of((c) => c.joint_travel?.mean_pct ?? c.travel_mean_pct)) };
  worst.acceleration = { ratio: most(of((c) => c.acceleration?.ratio)) };
  return worst;
}
