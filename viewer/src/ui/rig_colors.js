// A colour and a dash for each rig, so that lines can be told apart without colours. Colours: Okabe and Ito (2008).
import { svg } from './dom.js';

const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7f7f7f', '#b8a900'];
const DASHES = ['', '7 3', '2 2.5', '9 3 2 3', '12 4', '4 2 1 2', '1 3', '6 2 2 2 2 2'];

const place = (app, rig) => app.page.models[app.state.model].rigs.indexOf(rig);

export const rigColor = (app, rig) => COLORS[place(app, rig) % COLORS.length];

export function rigDash(app, rig) {
  const n = place(app, rig);
  return DASHES[(n + Math.floor(n / COLORS.length)) % DASHES.length];
}

export const swatch = (app, rig) =>
  svg('svg', { class: 'swatch', width: 22, height: 10, 'aria-hidden': 'true' },
    svg('line', { x1: 0, x2: 22, y1: 5, y2: 5, stroke: rigColor(app, rig), 'stroke-width': 3, 'stroke-dasharray': rigDash(app, rig) }));
