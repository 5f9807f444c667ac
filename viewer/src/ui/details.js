// What there is to say of the chosen rig: its joints, its gap, its health.
import { clips, reported } from '../app.js';
import { entryOf, rowOf } from '../data/report.js';
import { fixed, length, shortClip } from '../format.js';
import { rigNow } from '../moment.js';
import { KINDS } from '../surface/vertex_figures.js';
import { countKinds, gapQuantiles } from '../surface/gap.js';
import { h, labelled, select, setOptions } from './dom.js';

const MOST_BARS = 20;

export function mountDetails(app) {
  const choice = select([], (value) => app.store.set({ active: Number(value) }));
  const joints = h('div', {});
  const gap = h('div', {});
  const health = h('div', {});
  app.store.on(['loaded', 'model', 'shown', 'active'], () => {
    setOptions(choice, app.state.shown.map((rig) => [String(rig), app.page.rigs[rig].name]));
    choice.value = String(app.state.active);
  });
  app.store.on(['loaded', 'model', 'active', 'clip', 'mode'], () => {
    if (!app.model?.rigs.has(app.state.active)) return;
    joints.replaceChildren(...jointBars(app));
    gap.replaceChildren(...gapPanel(app));
    health.replaceChildren(...healthPanel(app));
    health.parentElement.hidden = health.childElementCount === 0;
  });
  const card = (title, content) => h('section', { class: 'card', 'aria-label': title }, h('h2', {}, title), content);
  return h('section', { class: 'details', 'aria-label': 'The chosen rig' },
    h('div', { class: 'details-head' }, labelled('Details of', choice)),
    card('Error by joint', joints), card('Gap', gap), card('Health of the rig', health));
}

/** Bars of joints, the worst first; the rest where they are asked for. */
function jointBars(app) {
  const clip = reported(app, app.state.active);
  const list = (clip?.per_joint ?? []).slice().sort((a, b) => b.mean_pct - a.mean_pct);
  if (list.length === 0) return [h('p', { class: 'note' }, 'The report has no figures by joint.')];
  const most = Math.max(...list.map((j) => j.mean_pct), 1e-9);
  const travel = Math.max(...list.map((j) => j.travel_pct ?? 0), 1e-9);
  const bars = (part) => h('table', { class: 'bars' },
    h('thead', {}, h('tr', {}, ['joint', 'mean error, %', 'mean travel, %'].map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, part.map((joint) => h('tr', {}, h('th', { scope: 'row' }, joint.joint), bar(joint.mean_pct, most, 'error'), bar(joint.travel_pct, travel, 'travel')))));
  const rest = list.slice(MOST_BARS);
  return [
    h('p', { class: 'note' }, `${shortClip(clips(app)[app.state.clip].name)}; the vertices of a joint count by its weight.`),
    bars(list.slice(0, MOST_BARS)),
    rest.length > 0 ? h('details', {}, h('summary', {}, `${rest.length} more joints`), bars(rest)) : '',
  ];
}

const bar = (value, most, kind) => h('td', { class: `bar ${kind}`, style: `--bar:${((100 * (value ?? 0)) / most).toFixed(1)}%` }, length(value));

const pairs = (list) => h('dl', {}, list.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]));

const percent = (value) => (value === undefined || value === null ? null : `${length(value)} %`);

function gapPanel(app) {
  const rig = rigNow(app, app.state.active);
  const matching = entryOf(app.page, app.state.active)?.matching;
  const [median, p90, p99, most] = gapQuantiles(rig, [0.5, 0.9, 0.99, 1]);
  const counts = countKinds(rig);
  const lines = [
    ['rig to artist: median', percent(median)], ['90 % have less', percent(p90)], ['99 % have less', percent(p99)], ['largest', percent(most)],
    ['both ways: mean', percent(matching?.two_sided_mean_pct)], ['both ways: p99', percent(matching?.two_sided_p99_pct)],
    ['artist to rig: p99', percent(matching?.gap_artist_to_rig?.p99_pct)],
    ['of the artist farther than 2 %', matching && `${fixed(matching.uncovered_artist_pct, 2)} % of the area`],
    ['of the rig farther than 2 %', matching && `${fixed(matching.uncovered_rig_pct, 2)} % of the area`],
    ['poses', matching && `${matching.artist_pose} on ${matching.rig_pose}`],
    ['scale of the rig', matching && fixed(matching.scale, 4)],
    ['turned by', matching && `${fixed(matching.rotation_deg, 2)}°${matching.mirrored ? ', mirrored' : ''}`],
    ...KINDS.map((kind, n) => [`vertices ${kind}`, counts[n] > 0 ? String(counts[n]) : null]),
  ].filter(([, value]) => value);
  const show = app.state.colors === 'gap' ? 'error' : 'gap';
  return [
    h('p', { class: 'note' }, 'Distance from the artist’s surface in the matching pose.'),
    pairs(lines),
    h('button', { type: 'button', onclick: () => app.store.set({ colors: show }) }, 'Colour the rigs by gap or error (e)'),
  ];
}

function healthPanel(app) {
  const health = rowOf(app.page, app.state.active)?.health ?? entryOf(app.page, app.state.active)?.health;
  if (!health) return [];
  const bends = (leg) => `${leg.bends_deg.map((b) => fixed(b, 1)).join('°, ')}°${leg.weighted ? '' : '; a bone moves nothing'}`;
  const lines = [
    ['joints', String(health.joints)], ['joints without weights', String(health.joints_without_weights)],
    ['far vertices', `${fixed(health.far_vertices_pct, 2)} % of the surface`], ['farthest', percent(health.farthest_pct)],
    ['weight islands', String(health.weight_islands)], ['influences, mean', fixed(health.mean_influences, 2)], ['influences, most', String(health.max_influences)],
    ['asymmetry', health.asymmetry_pct === null ? 'no legs' : percent(health.asymmetry_pct)],
    ['symmetric', health.symmetric === null ? null : health.symmetric ? 'yes' : 'no'],
    ['least bend of a leg', health.least_bend_deg === null ? null : `${fixed(health.least_bend_deg, 1)}°`],
    ...health.legs.map((leg) => [`leg ${leg.joint}`, bends(leg)]),
  ].filter(([, value]) => value);
  return [pairs(lines)];
}

