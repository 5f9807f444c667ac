// A panel for each rig that is shown: its caption, the place in the canvas where it is drawn, and marks over that.
import { reported, shownRigs } from '../app.js';
import { fixed, length } from '../format.js';
import { createStage, drawPanels, inSight } from '../scene/stage.js';
import { linkControls } from '../scene/camera.js';
import { rigNow, viewNow } from '../moment.js';
import { h, setText } from './dom.js';
import { createMarks, placeMarks } from './marks.js';
import { watchPicking } from './picking.js';
import { rigColor, swatch } from './rig_colors.js';

/** What may change without a panel looking different. */
const UNSEEN = new Set(['plotFigure', 'speed', 'loop', 'playing', 'width']);

export function mountPanels(app) {
  const canvas = h('canvas', { 'aria-hidden': 'true' });
  const grid = h('div', { class: 'panels', role: 'group', 'aria-label': 'Rigs side by side' });
  const root = h('section', { class: 'stage', 'aria-label': 'Viewer' }, canvas, grid);
  app.store.on(['loaded', 'shown', 'model'], () => rebuild(app, grid, canvas));
  app.store.on(null, (changed) => [...changed].some((key) => !UNSEEN.has(key)) && draw(app));
  const redraw = () => app.store.touch('view');
  window.addEventListener('scroll', redraw, { passive: true });
  new ResizeObserver(redraw).observe(root);
  canvas.addEventListener('webglcontextrestored', redraw);
  return root;
}

const trianglesOf = ({ artist, rigs }) =>
  [...rigs.values()].reduce((sum, rig) => sum + rig.pack.triangles.length / 3, (rigs.size * artist.moving.triangles.length) / 3);

function rebuild(app, grid, canvas) {
  if (!app.model) return;
  if (app.stage === undefined) app.stage = createStage(canvas, trianglesOf(app.model));
  if (!app.stage) return grid.replaceChildren(h('p', { class: 'notice' }, 'This browser has no WebGL, so the rigs cannot be drawn. Tables and plots are below.'));
  for (const { controls } of app.panels) controls.dispose();
  app.panels = shownRigs(app).map((rig) => createPanel(app, rig));
  grid.dataset.count = app.panels.length;
  grid.replaceChildren(...app.panels.map((panel) => panel.root));
}

function createPanel(app, rig) {
  const entry = app.page.rigs[rig];
  const element = h('div', { class: 'view', tabindex: '0', role: 'img', 'data-rig': rig });
  const marks = createMarks();
  const figures = h('p', { class: 'now', title: 'Errors at this frame' });
  const quality = h('span', { class: 'quality' });
  const name = h('button', { type: 'button', class: 'name', title: `Details of ${entry.name} below`, onclick: () => app.store.set({ active: rig }) }, swatch(app, rig), entry.name);
  const root = h('article', { class: 'panel' }, h('header', {}, h('h2', {}, name), quality, figures), h('div', { class: 'view-box' }, element, marks.root));
  const controls = linkControls(app.shared, element, () => app.store.touch('camera'));
  watchPicking(app, element, rig);
  element.addEventListener('pointerdown', () => app.store.set({ active: rig }));
  return { rig, root, element, marks, figures, quality, controls };
}

/** Draws what can be seen; nothing else is moved or measured. */
function draw(app) {
  if (!app.model || !app.stage || app.quiet) return;
  const seen = app.panels.filter((panel) => inSight(panel.element));
  const views = seen.map((panel) => ({ element: panel.element, view: viewNow(app, panel.rig) }));
  drawPanels(app.stage, app.shared.camera, views);
  for (const panel of seen) tell(app, panel);
}

/** The figures of the moment, in words and marks. */
function tell(app, panel) {
  const rig = rigNow(app, panel.rig);
  const now = app.frameFigures.get(panel.rig);
  const clip = reported(app, panel.rig);
  panel.root.style.setProperty('--rig', rigColor(app, panel.rig));
  panel.root.classList.toggle('active', app.state.active === panel.rig);
  setText(panel.quality, clip ? `quality ${clip.quality === null ? 'none: it does not move' : fixed(clip.quality, 2)}` : '');
  setText(panel.figures, now ? `mean ${length(now.mean)} %, worst ${length(now.worst)} %` : 'has no such clip');
  panel.element.setAttribute('aria-label', `${app.page.rigs[panel.rig].name}: now ${panel.figures.textContent}. Click or press Enter for the figures of a vertex.`);
  placeMarks(app, panel, rig, now);
}
