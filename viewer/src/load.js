// Brings a model's artist and rigs onto the stage, when they are first shown.
import { createArtist, createRig } from './surface/model.js';
import { geometryOf } from './scene/geometry.js';
import { createRigView, disposeRigView } from './scene/rig_view.js';
import { frame } from './scene/camera.js';
import { MOST_SHOWN, modes, setClip } from './app.js';

/** Shows a model of the page, with its first rigs. */
export async function showModel(app, index) {
  const model = app.page.models[index];
  const artistEntry = app.page.artists[model.artist];
  const pack = await app.page.load(artistEntry.pack);
  clearModel(app);
  const artist = createArtist(pack, artistEntry);
  app.model = { index, entry: artistEntry, artist, artistGeometry: geometryOf(artist.moving), rigs: new Map(), views: new Map() };
  const shown = model.rigs.slice(0, MOST_SHOWN);
  await loadRigs(app, shown);
  const mode = modes(app).includes(app.state.mode) ? app.state.mode : modes(app)[0];
  app.store.set({ model: index, shown, active: shown[0], mode, clip: 0, selected: null, loaded: app.state.loaded + 1 });
  setClip(app, 0);
}

/** Rigs that are shown and not there yet. */
export async function loadRigs(app, rigs) {
  const { model } = app;
  await Promise.all(rigs.filter((rig) => !model.rigs.has(rig)).map(async (rig) => {
    const pack = await app.page.load(app.page.rigs[rig].pack);
    const made = createRig(pack, model.artist.diag);
    model.rigs.set(rig, made);
    model.views.set(rig, createRigView(made, model.artistGeometry));
  }));
}

function clearModel(app) {
  if (!app.model) return;
  for (const view of app.model.views.values()) disposeRigView(view);
  app.model.artistGeometry.dispose();
  app.frameFigures.clear();
}

/** Switches rigs on and off. */
export async function showRigs(app, rigs) {
  await loadRigs(app, rigs);
  const active = rigs.includes(app.state.active) ? app.state.active : rigs[0];
  app.store.set({ shown: rigs, active, loaded: app.state.loaded + 1 });
}

/** Looks at the artist where he is now. */
export function frameModel(app, view) {
  const { positions } = app.model.artist.moving;
  const element = app.panels[0]?.element;
  const aspect = element ? element.clientWidth / Math.max(1, element.clientHeight) : 1.3;
  frame(app.shared, positions, view, aspect);
  app.store.touch('camera');
}
