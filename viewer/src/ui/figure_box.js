// The figures of the chosen vertex: a strip under the panels; where there is one column of panels, under that of its rig.
import { fixed, length, short } from '../format.js';
import { rigNow } from '../moment.js';
import { vertexFigures } from '../surface/vertex_figures.js';
import { h } from './dom.js';
import { icon } from './icons.js';

const narrow = window.matchMedia('(max-width: 640px)');

const point = (numbers) => numbers.map(short).join(', ');

function lines(figures) {
  const placed = figures.error !== null;
  const off = figures.position.map((x, axis) => x - figures.target[axis]);
  return [
    ['error', placed ? `${length(figures.error)} %${figures.counts ? '' : ' (left out of the figures)'}` : 'none, it has no target'],
    ['gap', `${length(figures.gap)} %, ${figures.kind}`],
    ['position', point(figures.position)],
    ['target', placed ? point(figures.target) : '-'],
    ['off by', placed ? point(off) : '-'],
    ['influences', figures.influences.map(({ joint, weight }) => `${joint} ${fixed(weight, 3)}`).join(', ')],
  ];
}

export function mountFigureBox(app) {
  const title = h('h3', {});
  const list = h('dl', {});
  const close = h('button', { type: 'button', class: 'close', 'aria-label': 'No vertex (Escape)', onclick: () => app.store.set({ selected: null }) }, icon('close'));
  const hint = h('p', { class: 'note' }, 'Click or tap a rig, or press V, for the figures of a vertex.');
  const box = h('aside', { class: 'figure-box', 'aria-label': 'Figures of a vertex' }, title, list, close);
  const strip = h('div', { class: 'strip' }, hint, box);

  function update() {
    const { selected, playing } = app.state;
    const shown = Boolean(selected && app.model?.rigs.has(selected.rig) && app.state.shown.includes(selected.rig));
    const rig = shown ? rigNow(app, selected.rig) : null;
    box.hidden = !rig?.motion;
    hint.hidden = !box.hidden;
    strip.hidden = false;
    if (box.hidden) return;
    box.setAttribute('aria-live', playing ? 'off' : 'polite');
    title.textContent = `${app.page.rigs[selected.rig].name}, vertex ${selected.vertex}`;
    list.replaceChildren(...lines(vertexFigures(rig, selected.vertex)).map(([name, text]) => h('div', {}, h('dt', {}, name), h('dd', {}, text))));
    const home = narrow.matches ? app.panels.find((panel) => panel.rig === selected.rig)?.root : strip;
    if (home && box.parentElement !== home) home.append(box);
    strip.hidden = box.parentElement !== strip;
  }

  app.store.on(['selected', 'time', 'clip', 'mode', 'loaded', 'shown', 'playing', 'width'], update);
  return strip;
}
