// What the modules share: the page, what is chosen, the loaded model, and what is done with them.
import { nthOfName, perFrame, reportClip } from './data/report.js';
import { createCamera } from './scene/camera.js';
import { createStore } from './store.js';
import { nearest } from './surface/frames.js';
import { clipOf, modeOf } from './surface/model.js';

export const MOST_SHOWN = 6; // at first; any number can be switched on

const INITIAL = {
  model: 0,
  shown: [],
  active: 0, // a rig of the page
  clip: 0, // of the artist's
  mode: '',
  time: 0,
  playing: false,
  speed: 1,
  loop: true,
  colors: 'error', // or 'gap'
  ramp: 'heat',
  errorScale: 3,
  gapScale: 1,
  outline: 'outline',
  wireframe: false,
  skeleton: false,
  travel: false,
  follow: true,
  selected: null, // {rig, vertex}
  plotFigure: 'worst_pct',
  theme: 'auto',
  loaded: 0,
  failure: '',
};

export function createApp(page) {
  const store = createStore(INITIAL, (run) => requestAnimationFrame(run));
  return { page, store, state: store.state, shared: createCamera(), model: null, stage: undefined, quiet: true, panels: [], frameFigures: new Map() };
}

/** The rigs that are on the page now and loaded. */
export const shownRigs = (app) => app.state.shown.filter((rig) => app.model?.rigs.has(rig));

export const clips = (app) => app.model?.artist.clips ?? [];

/** All modes of the model's rigs, the written one first. */
export function modes(app) {
  const names = [];
  for (const { pack } of app.model?.rigs.values() ?? [])
    for (const { joints } of pack.modes) if (!names.includes(joints)) names.push(joints);
  return names;
}

/** A rig's clip of the pack, at what is chosen. */
export const packClip = (app, rig, clip = app.state.clip) =>
  clipOf(app.model.rigs.get(rig).pack, app.state.mode, app.model.artist.clips, clip);

/** What the report says of a rig's clip. */
export function reported(app, rig, clip = app.state.clip) {
  const { pack } = app.model.rigs.get(rig);
  const artistClips = clips(app);
  const mode = modeOf(pack, app.state.mode).joints;
  return reportClip(app.page, rig, {
    mode,
    isFirst: mode === pack.modes[0].joints,
    name: artistClips[clip].name,
    nth: nthOfName(artistClips, clip),
  });
}

/** Its figures by frame, or null. */
export const figuresByFrame = (app, rig, clip = app.state.clip) =>
  perFrame(reported(app, rig, clip));

/** The times of the frames that count: those of the active rig, or of the first that has the clip, or the artist's. */
export function frameTimes(app, clip = app.state.clip) {
  for (const rig of [app.state.active, ...app.state.shown]) {
    if (!app.model?.rigs.has(rig)) continue;
    const own = packClip(app, rig, clip);
    if (own) return Array.from(own.sampled, (key) => own.times[key]);
  }
  return Array.from(clips(app)[clip]?.times ?? [0]);
}

/** The frame that is shown or nearest. */
export const frameNow = (app) => nearest(frameTimes(app), app.state.time);

export function goToFrame(app, frame) {
  const times = frameTimes(app);
  app.store.set({ time: times[Math.min(times.length - 1, Math.max(0, frame))], playing: false });
}

export function step(app, by) {
  const times = frameTimes(app);
  const now = nearest(times, app.state.time);
  const next = app.state.loop ? (now + by + times.length) % times.length : now + by;
  goToFrame(app, next);
}

export function setClip(app, clip) {
  const times = frameTimes(app, clip);
  app.store.set({ clip, time: times[0] });
}

/** Of lists of figures, the frame of the largest and its size. */
function largest(list) {
  let frame = 0;
  list.forEach((value, f) => {
    if (value > list[frame]) frame = f;
  });
  return { frame, size: list[frame] ?? -1 };
}

/** The worst moment of the shown rigs in one clip or in all: {rig, clip, frame, size}; null where no figures are. */
export function worstMoment(app, among = [app.state.clip], rigs = shownRigs(app)) {
  let worst = null;
  for (const clip of among)
    for (const rig of rigs) {
      const figures = figuresByFrame(app, rig, clip);
      if (!figures) continue;
      const here = largest(figures.worst_pct);
      if (here.size >= 0 && (!worst || here.size > worst.size)) worst = { rig, clip, ...here };
    }
  return worst;
}

/** Shows the worst frame, with its worst vertex chosen. */
export function jumpToWorst(app, { allClips = false, rigs = shownRigs(app) } = {}) {
  const among = allClips ? clips(app).map((_, clip) => clip) : [app.state.clip];
  const worst = worstMoment(app, among, rigs);
  if (!worst) return;
  app.store.set({ clip: worst.clip, active: worst.rig });
  goToFrame(app, worst.frame);
  app.store.flush(); // the vertex is that of the frame
  selectWorstVertex(app, worst.rig);
}

export function selectWorstVertex(app, rig = app.state.active) {
  const figures = app.frameFigures.get(rig);
  if (figures && figures.worstVertex >= 0) app.store.set({ selected: { rig, vertex: figures.worstVertex }, active: rig });
}

/** The next of a list after what is chosen. */
export const following = (list, now) => list[(list.indexOf(now) + 1) % list.length];
