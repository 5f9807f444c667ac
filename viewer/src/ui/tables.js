// The terminal's tables.
import { clips, modes, setClip } from '../app.js';
import { controlOf, entryOf } from '../data/report.js';
import { fixed, length, shortClip } from '../format.js';
import { showRigs } from '../load.js';
import { CLIP_COLUMNS, clipCells, worstOfClips } from './clip_rows.js';
import { h } from './dom.js';
import { fieldTables } from './field_tables.js';
import { sortable } from './table.js';

export function mountTables(app) {
  const root = h('section', { class: 'card tables', 'aria-label': 'Tables' });
  const sorting = new Map(); // kept while the tables are made anew
  app.store.on(['loaded', 'model', 'clip', 'mode', 'active', 'shown'], () => {
    if (!app.model) return;
    const tables = [qualityTable(app), clipTable(app), rigTable(app), ...fieldTables(app.page.report)];
    root.replaceChildren(...tables.filter((table) => table && table.rows.length > 0).map((table) => {
      if (!sorting.has(table.id)) sorting.set(table.id, { column: -1, down: true });
      return sortable(table, sorting.get(table.id));
    }));
  });
  return root;
}

/** The model's rigs that the report has figures of; those that are not loaded as well. */
const rigsOf = (app) => app.page.models[app.state.model].rigs.filter((rig) => entryOf(app.page, rig)?.clips);

const clipsIn = (entry, mode) => (mode && entry.modes?.find((m) => m.joints === mode)?.clips) || entry.clips;

async function chooseRig(app, rig) {
  if (!app.state.shown.includes(rig)) await showRigs(app, [...app.state.shown, rig].sort((a, b) => a - b));
  app.store.set({ active: rig });
}

/** The first control of the model: all rigs of an artist have the same. */
function controlClips(app) {
  for (const rig of rigsOf(app)) {
    const control = controlOf(app.page, rig);
    if (control?.clips?.length) return control.clips;
  }
  return null;
}

function mean(values) {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
}

/** Qualities: a row a rig and mode, a column a clip, the control on top. */
function qualityTable(app) {
  const names = clips(app).map((clip) => clip.name);
  const row = (label, list, extra) => {
    const qualities = names.map((name, n) => (list.find((clip) => clip.name === name) ?? list.find((clip) => clip.clip === name) ?? (list.length === names.length ? list[n] : null))?.quality ?? null);
    const digits = extra?.fixed ? 4 : 2;
    const cells = [mean(qualities), ...qualities].map((q) => ({ value: q, text: fixed(q, digits), bar: q }));
    cells[app.state.clip + 1].current = true;
    return { cells: [label, ...cells], ...extra };
  };
  const control = controlClips(app);
  const rows = control ? [row({ text: 'control' }, control, { fixed: true })] : [];
  for (const rig of rigsOf(app))
    for (const [n, mode] of modesOf(app, rig).entries())
      rows.push(row(rigCell(app, rig, mode, n), clipsIn(entryOf(app.page, rig), n === 0 ? null : mode), { current: rig === app.state.active }));
  return {
    id: 'quality',
    caption: 'Quality, % of the motion',
    columns: [{ name: 'rig' }, { name: 'mean' }, ...names.map((name) => ({ name: shortClip(name), title: name }))],
    rows,
  };
}

/** The modes that the report has of a rig, the written one first. */
function modesOf(app, rig) {
  const entry = entryOf(app.page, rig);
  const first = entry.settings?.joints?.[0] ?? app.page.report?.settings?.joints?.[0] ?? modes(app)[0];
  return [first, ...(entry.modes ?? []).map((mode) => mode.joints)];
}

const rigCell = (app, rig, mode, n) => ({
  text: app.page.rigs[rig].name + (n === 0 ? '' : `, ${mode}`),
  onclick: () => app.guard(chooseRig(app, rig)),
});

/** All figures of the chosen clip: a row a rig. */
function clipTable(app) {
  const { name } = clips(app)[app.state.clip];
  const rows = [];
  const control = controlClips(app)?.find((clip) => (clip.name ?? clip.clip) === name);
  if (control) rows.push({ cells: [{ text: 'control' }, ...clipCells(control, 4)], fixed: true });
  for (const rig of rigsOf(app)) {
    for (const [n, mode] of modesOf(app, rig).entries()) {
      const clip = clipsIn(entryOf(app.page, rig), n === 0 ? null : mode).find((c) => c.name === name);
      if (clip) rows.push({ cells: [rigCell(app, rig, mode, n), ...clipCells(clip)], current: rig === app.state.active });
    }
  }
  return {
    id: 'clip',
    caption: `${shortClip(name)}: all figures`,
    columns: [{ name: 'rig' }, ...CLIP_COLUMNS],
    rows,
    notes: ['quality, floor: per cent of the motion; all lengths in % of the artist’s rest diagonal; between: RMS inside key intervals; floor: quality of the best affine motions; travel: joints off their parents’ motion; accel: largest acceleration of a joint against that of the surface.'],
  };
}

/** The chosen rig's clips, as `pelt bake` prints them. */
function rigTable(app) {
  const rig = app.state.active;
  const entry = entryOf(app.page, rig);
  if (!entry?.clips) return null;
  const rows = [];
  const control = controlOf(app.page, rig)?.clips;
  if (control?.length) rows.push({ cells: [{ text: 'control' }, ...clipCells(worstOfClips(control), 4)], fixed: true });
  entry.clips.forEach((clip, n) => {
    const index = clips(app).findIndex((c) => c.name === clip.name);
    const label = { text: clip.written_name || clip.name || '(unnamed)', onclick: index < 0 ? undefined : () => setClip(app, index) };
    rows.push({ cells: [label, ...clipCells(clip)], current: index === app.state.clip });
    if (clip.all_influences) rows.push({ cells: [{ text: `${label.text}, all weights` }, ...clipCells(clip.all_influences)] });
    for (const mode of entry.modes ?? []) rows.push({ cells: [{ text: `${label.text}, ${mode.joints}` }, ...clipCells(mode.clips[n])] });
  });
  return {
    id: 'rig',
    caption: `${app.page.rigs[rig].name}: all clips`,
    columns: [{ name: 'clip' }, ...CLIP_COLUMNS],
    rows,
    notes: [verdict(controlOf(app.page, rig)), gapLine(entry.matching)].filter(Boolean),
  };
}

function verdict(control) {
  if (!control) return null;
  if (control.passed === null || control.passed === undefined) return control.none ? `control: none, ${control.none}` : null;
  return `control: ${control.passed ? 'passed' : 'FAILED, so that nothing else here counts'}`;
}

const gapLine = (matching) => matching && `${matching.artist_pose} pose on ${matching.rig_pose} pose, gap mean ${length(matching.two_sided_mean_pct)} %, p99 ${length(matching.two_sided_p99_pct)} %`;
