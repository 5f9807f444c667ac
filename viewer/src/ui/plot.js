// Error by frame, a line a rig; a drag in it scrubs.
import { figuresByFrame, frameTimes, shownRigs } from '../app.js';
import { length, short } from '../format.js';
import { nearest } from '../surface/frames.js';
import { h, labelled, select, svg } from './dom.js';
import { rigColor, rigDash, swatch } from './rig_colors.js';

const FIGURES = { worst_pct: 'Worst vertex', mean_pct: 'Mean', rms_pct: 'RMS' };
const BOX = { left: 44, right: 12, top: 10, bottom: 22, height: 150 };

export function mountPlot(app) {
  const drawing = svg('svg', { class: 'plot', role: 'img', height: BOX.height });
  const legend = h('ul', { class: 'plot-legend' });
  const figure = select(Object.entries(FIGURES), (value) => app.store.set({ plotFigure: value }));
  const root = h('section', { class: 'card plot-card', 'aria-label': 'Error by frame' },
    h('header', {}, h('h2', {}, 'Error by frame'), labelled('Figure', figure), legend), drawing);
  const plot = { drawing, legend, width: 0, cursor: null, range: null };
  const redraw = () => app.model && drawPlot(app, plot);
  app.store.on(['loaded', 'shown', 'clip', 'mode', 'plotFigure', 'model', 'active', 'theme', 'width'], redraw);
  app.store.on(['time', 'clip', 'loaded', 'plotFigure', 'width', 'shown', 'mode'], () => moveCursor(app, plot));
  new ResizeObserver(() => app.store.touch('width')).observe(root);
  scrubIn(app, plot);
  return root;
}

/** Round steps: 1, 2 or 5 times a power of ten. */
export function roundStep(span, most) {
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((n) => n * power).find((stepSize) => stepSize >= rough * 0.999);
}

function lines(app) {
  return shownRigs(app)
    .map((rig) => ({ rig, figures: figuresByFrame(app, rig) }))
    .filter(({ figures }) => figures)
    .map(({ rig, figures }) => ({ rig, times: figures.time_s, values: figures[app.state.plotFigure] }));
}

function drawPlot(app, plot) {
  const { drawing, legend } = plot;
  const list = lines(app);
  const width = Math.max(200, drawing.clientWidth);
  drawing.setAttribute('viewBox', `0 0 ${width} ${BOX.height}`);
  const times = frameTimes(app);
  const top = Math.max(1e-9, ...list.map(({ values }) => Math.max(...values)));
  plot.range = { from: times[0], to: Math.max(times.at(-1), times[0] + 1e-9), top, width };
  plot.cursor = svg('line', { class: 'cursor', y1: BOX.top, y2: BOX.height - BOX.bottom });
  drawing.replaceChildren(...grid(plot.range), ...list.flatMap((line) => curve(app, plot.range, line)), plot.cursor);
  drawing.setAttribute('aria-label', list.length === 0 ? 'No figures by frame' : `Largest: ${list.map((line) => sentence(app, line)).join('; ')}`);
  legend.replaceChildren(...(list.length > 0 ? [h('li', {}, 'largest:')] : []), ...list.map((line) => h('li', {}, swatch(app, line.rig), sentence(app, line))));
}

function peak({ values }) {
  let frame = 0;
  values.forEach((value, f) => value > values[frame] && (frame = f));
  return frame;
}

function sentence(app, line) {
  const frame = peak(line);
  return `${app.page.rigs[line.rig].name}: ${length(line.values[frame])} % at frame ${frame}`;
}

const xOf = ({ from, to, width }, time) => BOX.left + ((time - from) / (to - from)) * (width - BOX.left - BOX.right);
const yOf = ({ top }, value) => BOX.height - BOX.bottom - (value / top) * (BOX.height - BOX.top - BOX.bottom);

function grid(range) {
  const parts = [];
  const rise = roundStep(range.top, 4);
  for (let value = 0; value <= range.top * 1.0001; value += rise) {
    const y = yOf(range, value);
    parts.push(svg('line', { class: 'grid', x1: BOX.left, x2: range.width - BOX.right, y1: y, y2: y }));
    parts.push(svg('text', { x: BOX.left - 6, y: y + 4, 'text-anchor': 'end' }, short(value)));
  }
  const pace = roundStep(range.to - range.from, range.width / 90);
  for (let time = Math.ceil(range.from / pace) * pace; time <= range.to + 1e-9; time += pace)
    parts.push(svg('text', { x: xOf(range, time), y: BOX.height - 6, 'text-anchor': 'middle' }, `${short(time)} s`));
  parts.push(svg('text', { x: 6, y: BOX.height - 6 }, '%'));
  return parts;
}

function curve(app, range, line) {
  const points = line.values.map((value, f) => `${xOf(range, line.times[f]).toFixed(1)},${yOf(range, value).toFixed(1)}`);
  const frame = peak(line);
  const [x, y] = points[frame].split(',').map(Number);
  const color = rigColor(app, line.rig);
  const active = app.state.active === line.rig;
  return [
    svg('polyline', { class: 'curve', points: points.join(' '), stroke: color, 'stroke-dasharray': rigDash(app, line.rig), 'stroke-width': active ? 2.6 : 1.6 }),
    svg('path', { class: 'peak', fill: color, d: `M${x} ${y - 1}l-5 -8h10z` }),
  ];
}

function moveCursor(app, { cursor, range }) {
  if (!cursor) return;
  const x = xOf(range, app.state.time);
  cursor.setAttribute('x1', x);
  cursor.setAttribute('x2', x);
}

function scrubIn(app, plot) {
  const go = ({ clientX }) => {
    const rect = plot.drawing.getBoundingClientRect();
    const { from, to, width } = plot.range;
    const at = from + ((clientX - rect.left - BOX.left) / (width - BOX.left - BOX.right)) * (to - from);
    const times = frameTimes(app);
    app.store.set({ time: times[nearest(times, at)], playing: false });
  };
  plot.drawing.addEventListener('pointerdown', (event) => {
    plot.drawing.setPointerCapture(event.pointerId);
    go(event);
  });
  plot.drawing.addEventListener('pointermove', (event) => plot.drawing.hasPointerCapture(event.pointerId) && go(event));
}
