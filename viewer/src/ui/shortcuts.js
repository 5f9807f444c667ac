// Keys. Where a control has the focus, the keys that it needs itself are left to it.
import { clips, following, goToFrame, jumpToWorst, modes, selectWorstVertex, setClip, step } from '../app.js';
import { lookClosely, turn, zoom } from '../scene/camera.js';
import { frameModel } from '../load.js';
import { openHelp } from './help.js';
import { nextOutline, nextRamp, setScale } from './legend.js';
import { savePicture } from './picture.js';
import { nextSpeed, playOrPause } from './transport.js';
import { scaleOf } from '../moment.js';

const flip = (flag) => (app) => app.store.set({ [flag]: !app.state[flag] });
const turned = (sideways, up) => (app) => (turn(app.shared, sideways, up), app.store.touch('camera'));
const zoomed = (factor) => (app) => (zoom(app.shared, factor), app.store.touch('camera'));
const clipBy = (by) => (app) => setClip(app, (app.state.clip + by + clips(app).length) % clips(app).length);
const TURN = Math.PI / 24;

/** Key, how it is written in the help, what it does. */
export const KEYS = [
  [' ', 'Space', 'play or pause', playOrPause],
  ['ArrowRight', '→', 'next frame', (app) => step(app, 1)],
  ['ArrowLeft', '←', 'frame before', (app) => step(app, -1)],
  ['Home', 'Home', 'first frame', (app) => goToFrame(app, 0)],
  ['End', 'End', 'last frame', (app) => goToFrame(app, Infinity)],
  ['w', 'W', 'worst frame and vertex of this clip', (app) => jumpToWorst(app)],
  ['W', 'Shift W', 'worst frame and vertex of all clips', (app) => jumpToWorst(app, { allClips: true })],
  ['v', 'V', 'worst vertex of this frame, of the chosen rig', (app) => selectWorstVertex(app)],
  ['z', 'Z', 'look closely at the chosen vertex', closely],
  ['Escape', 'Esc', 'no vertex is chosen', (app) => app.store.set({ selected: null })],
  ['ArrowDown', '↓', 'next clip', clipBy(1)],
  ['ArrowUp', '↑', 'clip before', clipBy(-1)],
  ['m', 'M', 'next joint mode (free, rotate, ...)', (app) => app.store.set({ mode: following(modes(app), app.state.mode) })],
  ['a', 'A', 'next rig for the details', (app) => app.store.set({ active: following(app.state.shown, app.state.active) })],
  ['f', 'F', 'the artist’s surface: outline, ghost, off', nextOutline],
  ['g', 'G', 'wireframe', flip('wireframe')],
  ['k', 'K', 'skeleton', flip('skeleton')],
  ['t', 'T', 'joint travel', flip('travel')],
  ['e', 'E', 'colours: error, gap', (app) => app.store.set({ colors: app.state.colors === 'gap' ? 'error' : 'gap' })],
  ['c', 'C', 'next palette', nextRamp],
  ['[', '[', 'smaller scale', (app) => setScale(app, scaleOf(app.state) / 1.25)],
  [']', ']', 'larger scale', (app) => setScale(app, scaleOf(app.state) * 1.25)],
  ['l', 'L', 'loop', flip('loop')],
  ['s', 'S', 'next speed', nextSpeed],
  ['o', 'O', 'follow the artist over the floor', flip('follow')],
  ['shift+ArrowLeft', 'Shift ←', 'turn the camera, also → ↑ ↓', turned(TURN, 0)],
  ['shift+ArrowRight', null, '', turned(-TURN, 0)],
  ['shift+ArrowUp', null, '', turned(0, -TURN)],
  ['shift+ArrowDown', null, '', turned(0, TURN)],
  ['+', '+', 'nearer', zoomed(1 / 1.2)],
  ['=', null, '', zoomed(1 / 1.2)],
  ['-', '-', 'farther', zoomed(1.2)],
  ['1', '1 2 3 4', 'from the front, the side, behind, above', (app) => frameModel(app, 'front')],
  ['2', null, '', (app) => frameModel(app, 'side')],
  ['3', null, '', (app) => frameModel(app, 'back')],
  ['4', null, '', (app) => frameModel(app, 'top')],
  ['r', 'R', 'look at all of it', (app) => frameModel(app)],
  ['p', 'P', 'save the picture', savePicture],
  ['?', '?', 'this help', openHelp],
];

function closely(app) {
  const { selected } = app.state;
  const rig = selected && app.model.rigs.get(selected.rig);
  if (!rig) return;
  lookClosely(app.shared, rig.moving, selected.vertex);
  app.store.touch('camera');
}

/** Whether the focused element wants the key for itself. */
function isTaken({ target, key }) {
  if (target.closest('dialog[open]')) return true;
  if (target.matches('select') && (key.length === 1 || key.startsWith('Arrow') || key === 'Home' || key === 'End')) return true;
  if (target.matches('input[type=number]')) return true;
  return key === ' ' && target.matches('button, summary, a');
}

export function watchKeys(app) {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event) || !app.model) return;
    const name = event.shiftKey && event.key.startsWith('Arrow') ? `shift+${event.key}` : event.key;
    const found = KEYS.find(([key]) => key === name);
    if (!found) return;
    event.preventDefault();
    found[3](app);
  });
}
