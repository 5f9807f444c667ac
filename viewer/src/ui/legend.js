// What the colours mean, and what else is drawn.
import { following } from '../app.js';
import { short } from '../format.js';
import { frameModel } from '../load.js';
import { scaleOf } from '../moment.js';
import { cssColor, cssGradient, NO_VALUE, RAMPS } from '../surface/colors.js';
import { h, labelled, press, select, setText, toggle } from './dom.js';

const COLORS = { error: 'Error', gap: 'Gap when matched' };
const OUTLINES = { outline: 'Outline', ghost: 'Ghost', off: 'Off' };
const TICKS = 4;

export function mountLegend(app) {
  const ticks = Array.from({ length: TICKS + 1 }, () => h('span', {}));
  const bar = h('div', { class: 'ramp' });
  const colors = select(Object.entries(COLORS), (value) => app.store.set({ colors: value }));
  const ramp = select(Object.entries(RAMPS).map(([key, { label }]) => [key, label]), (value) => app.store.set({ ramp: value }));
  const scale = h('input', { type: 'number', min: '0.001', step: 'any', inputmode: 'decimal', onchange: () => setScale(app, Number(scale.value)) });
  app.store.on(['colors', 'ramp', 'errorScale', 'gapScale', 'loaded'], () => {
    bar.style.background = cssGradient(app.state.ramp);
    ticks.forEach((tick, n) => setText(tick, `${short((scaleOf(app.state) * n) / TICKS)}${n === TICKS ? ' % +' : ''}`));
    colors.value = app.state.colors;
    ramp.value = app.state.ramp;
    scale.value = String(scaleOf(app.state));
  });
  return h('section', { class: 'legend', 'aria-label': 'Colours' },
    h('div', { class: 'scale' }, bar, h('div', { class: 'ticks' }, ticks)),
    h('p', { class: 'note' }, '% of diagonal; striped: more; ', h('span', { class: 'box', style: `background:${cssColor(NO_VALUE)}` }), ' no target'),
    labelled('Show', colors), labelled('Red at, %', scale), labelled('Palette', ramp));
}

export function setScale(app, scale) {
  if (!(scale > 0)) return app.store.touch('errorScale');
  app.store.set(app.state.colors === 'gap' ? { gapScale: scale } : { errorScale: scale });
}

export const nextOutline = (app) => app.store.set({ outline: following(Object.keys(OUTLINES), app.state.outline) });

export const nextRamp = (app) => app.store.set({ ramp: following(Object.keys(RAMPS), app.state.ramp) });

export function mountToggles(app) {
  const outline = select(Object.entries(OUTLINES), (value) => app.store.set({ outline: value }), { title: 'The artist’s true surface (f)' });
  const flags = Object.entries({ skeleton: ['Skeleton', 'k'], travel: ['Joint travel', 't'], wireframe: ['Wireframe', 'g'], follow: ['Follow', 'o'] });
  const buttons = flags.map(([flag, [text, key]]) => [flag, toggle(text, key, () => app.store.set({ [flag]: !app.state[flag] }))]);
  app.store.on(['outline', 'loaded', ...flags.map(([flag]) => flag)], () => {
    outline.value = app.state.outline;
    for (const [flag, button] of buttons) press(button, app.state[flag]);
  });
  return h('section', { class: 'toggles', 'aria-label': 'What is drawn' },
    labelled('Artist’s surface', outline), buttons.map(([, button]) => button),
    h('button', { type: 'button', onclick: () => frameModel(app), title: 'Look at all of it (r)' }, 'Reset view'));
}
