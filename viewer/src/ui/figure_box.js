// The figures of the chosen vertex, in the panel of its rig.
import { fixed, length, short } from '../format.js';
import { vertexFigures } from '../surface/vertex_figures.js';
import { h } from './dom.js';

const point = (numbers) => numbers.map(short).join(', ');

function lines(figures) {
  const off = figures.position.map((x, axis) => x - figures.target[axis]);
  return [
    ['error', figures.error === null ? 'none, it has no target' : `${length(figures.error)} %${figures.counts ? '' : ' (left out of the figures)'}`],
    ['position', point(figures.position)],
    ['target', figures.error === null ? '-' : point(figures.target)],
    ['off by', figures.error === null ? '-' : point(off)],
    ['gap', `${length(figures.gap)} %`],
    ['match', figures.kind],
  ];
}

export function figureBox(app, rig) {
  const title = h('h3', {});
  const list = h('dl', {});
  const influences = h('ul', { class: 'influences', 'aria-label': 'Influences' });
  const close = h('button', { type: 'button', class: 'close', 'aria-label': 'Close the figures of the vertex', onclick: () => app.store.set({ selected: null }) }, '×');
  const root = h('aside', { class: 'figure-box', hidden: true, 'aria-live': 'polite', 'aria-label': 'Figures of a vertex' }, close, title, list, influences);

  function update(model) {
    const { selected } = app.state;
    root.hidden = selected?.rig !== rig || !model.motion;
    if (root.hidden) return;
    const figures = vertexFigures(model, selected.vertex);
    title.textContent = `vertex ${figures.vertex}`;
    list.replaceChildren(...lines(figures).flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]));
    influences.replaceChildren(...figures.influences.map(({ joint, weight }) => h('li', {}, h('span', {}, joint), h('b', {}, fixed(weight, 3)))));
  }
  return { root, update };
}
