// Keeps surfaces, targets and errors at the chosen clip, mode and time, of the rigs that are looked at, when they are looked at.
import { follow, middle } from './scene/camera.js';
import { touch } from './scene/geometry.js';
import { styleRigView, updateRigView } from './scene/rig_view.js';
import { frameFigures } from './surface/error.js';
import { gapValues } from './surface/gap.js';
import { placeArtist, placeRig } from './surface/model.js';
import { isDark } from './ui/theme.js';

/** Moves the artist to the chosen time. */
export function artistNow(app) {
  const { model, state } = app;
  if (!placeArtist(model.artist, state.clip, state.time)) return;
  touch(model.artistGeometry);
  const centre = middle(model.artist.moving.positions);
  if (state.follow) follow(app.shared, centre);
  else app.shared.floor = null;
}

/** A rig where it is now; its figures of the frame are in `app.frameFigures`. */
export function rigNow(app, index) {
  const { model, state } = app;
  artistNow(app);
  const rig = model.rigs.get(index);
  const moment = `${state.mode} ${state.clip} ${state.time}`;
  if (rig.moment === moment) return rig;
  rig.moment = moment;
  placeRig(rig, model.artist, state);
  app.frameFigures.set(index, rig.motion ? frameFigures(rig.errors, rig.pack.share) : null);
  rig.drawn = '';
  return rig;
}

/** The rig's view, ready to be drawn as it is chosen to look. */
export function viewNow(app, index) {
  const rig = rigNow(app, index);
  const view = app.model.views.get(index);
  if (rig.drawn !== app.state.colors) {
    rig.drawn = app.state.colors;
    updateRigView(view, app.state.colors === 'gap' ? gapValues(rig) : rig.errors);
  }
  styleRigView(view, lookOf(app.state));
  return view;
}

export const scaleOf = (state) => (state.colors === 'gap' ? state.gapScale : state.errorScale);

export const lookOf = (state) => ({ ...state, scale: scaleOf(state), dark: isDark() });
