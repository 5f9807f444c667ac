// `window.pelt`: what tests and scripts read out of the running page (see README.md).
import { clips, figuresByFrame, frameTimes, jumpToWorst, modes, packClip, shownRigs } from './app.js';
import { showModel, showRigs } from './load.js';
import { rigNow } from './moment.js';
import { makePicture } from './ui/picture.js';

function rig(app, index) {
  if (!app.model?.rigs.has(index)) throw new RangeError(`rig ${index} is not shown`);
  return rigNow(app, index);
}

function clipIndex(app, clip) {
  const index = typeof clip === 'number' ? clip : clips(app).findIndex(({ name }) => name === clip);
  if (!clips(app)[index]) throw new RangeError(`no clip '${clip}'`);
  return index;
}

async function seek(app, { model, rigs, clip, mode, key, frame, time }) {
  if (model !== undefined && model !== app.state.model) await showModel(app, model);
  if (rigs !== undefined) await showRigs(app, rigs);
  const patch = { playing: false };
  if (mode !== undefined) patch.mode = mode;
  if (clip !== undefined) patch.clip = clipIndex(app, clip);
  app.store.set(patch);
  const chosen = packClip(app, app.state.active);
  if (key !== undefined) app.store.set({ time: chosen.times[key] });
  else if (frame !== undefined) app.store.set({ time: frameTimes(app)[frame] });
  else if (time !== undefined) app.store.set({ time });
  app.store.flush();
}

export function createHook(app, ready) {
  return {
    ready,
    page: app.page,
    get state() { return { ...app.state }; },
    get clips() { return clips(app).map(({ name }) => name); },
    get modes() { return modes(app); },
    get shown() { return shownRigs(app); },
    seek: (to) => seek(app, to),
    set: (patch) => (app.store.set(patch), app.store.flush()),
    show: (rigs) => showRigs(app, rigs),
    worst: (options) => (jumpToWorst(app, options), app.store.flush()),
    frames: (index) => Array.from(packClip(app, index)?.sampled ?? []),
    positions: (index) => rig(app, index).moving.positions,
    normals: (index) => rig(app, index).moving.normals,
    targets: (index) => rig(app, index).targets,
    errors: (index) => rig(app, index).errors,
    joints: (index) => ({ names: rig(app, index).pack.joints.name, ...rig(app, index).travel }),
    figures: (index) => (rig(app, index), app.frameFigures.get(index)),
    reported: (index) => figuresByFrame(app, index),
    get camera() { return { position: app.shared.camera.position.toArray(), target: app.shared.target.toArray() }; },
    drawing: (on) => (app.quiet = !on),
    picture: () => makePicture(app),
  };
}
