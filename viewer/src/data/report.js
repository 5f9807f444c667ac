// What the report says of a rig: the page draws the same numbers that `--report` writes.
import { at } from './pointer.js';

/** The n-th of a list that has this name: names need not be unique. */
export function named(list, name, nth = 0) {
  let seen = 0;
  return list.findIndex((item) => item.name === name && seen++ === nth);
}

/** How many before `index` have the same name. */
export const nthOfName = (list, index) => list.slice(0, index).filter((item) => item.name === list[index].name).length;

/** Figures by frame as lists, whether they were written so or as an object for each frame. */
export function perFrame(clip) {
  const frames = clip?.per_frame;
  if (!frames) return null;
  if (!Array.isArray(frames)) return frames;
  const lists = {};
  for (const figure of ['time_s', 'mean_pct', 'rms_pct', 'worst_pct']) lists[figure] = frames.map((f) => f[figure]);
  return lists;
}

export const entryOf = (page, rig) => at(page.report, page.rigs[rig].entry) ?? null;
export const controlOf = (page, rig) => at(page.report, page.rigs[rig].control) ?? null;

/** The row of a score report that a rig's entry is in, which has its health and warnings. */
export function rowOf(page, rig) {
  const row = /^(\/rows\/\d+)(\/|$)/.exec(page.rigs[rig].entry ?? '');
  return row ? at(page.report, row[1]) : null;
}

/** Clips of an entry in a mode; those of the first mode, the one that is written, stand in the entry itself. */
export function clipsOf(entry, mode, isFirst) {
  if (!entry) return [];
  if (isFirst) return entry.clips ?? [];
  return entry.modes?.find((m) => m.joints === mode)?.clips ?? [];
}

/** The report's clip of a name, or null. */
export function reportClip(page, rig, { mode, isFirst, name, nth = 0 }) {
  const clips = clipsOf(entryOf(page, rig), mode, isFirst);
  return clips[named(clips, name, nth)] ?? null;
}
