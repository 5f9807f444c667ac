// Tables of a score over many models: tools, what modes cost, health, and what failed.
import { fixed } from '../format.js';

const half = ({ low, high }) => (low === null || low === undefined ? '' : ` ±${fixed((high - low) / 2, 2)}`);

/** 92.31 ±0.84; with the number of models where that is not `usual`. */
function meanCell(mean, usual) {
  if (!mean || mean.mean === null) return { value: null, text: '-' };
  const models = mean.models === usual ? '' : ` (${mean.models})`;
  return { value: mean.mean, text: fixed(mean.mean, 2) + half(mean) + models, bar: mean.mean };
}

const text = (value) => ({ text: String(value) });
const count = (value) => ({ value, text: String(value) });
const number = (value, digits) => ({ value: value ?? null, text: fixed(value, digits) });

function rank(tool) {
  if (!tool.rank) return { value: null, text: '-' };
  const [best, last] = tool.rank;
  return { value: best, text: best === last ? String(best) : `${best}-${last}` };
}

/** What quality is where it is not the sum over vertices that the other tables have. */
function integralNote({ settings }) {
  return settings.quality === 'integrated'
    ? ['quality is integrated over triangles here, the control’s and that of the tables below is summed over vertices.'] : [];
}

function toolsTable(report, mode) {
  const columns = report.clips;
  const { control } = report;
  const row = (label, tool, usual) => [label, ...columns.map((column) => meanCell(tool.clips[column], usual))];
  const rows = [{ fixed: true, cells: row({ text: 'control (artists)' }, control, control.artists) }];
  rows[0].cells.splice(1, 0, text(''), count(control.artists), text(''), meanCell(control.quality, control.artists));
  for (const tool of report.tools.filter((t) => t.joints === mode)) {
    const cells = row({ text: tool.tool }, tool, tool.models);
    cells.splice(1, 0, rank(tool), count(tool.models), count(tool.failed), meanCell(tool.quality, tool.models));
    rows.push({ cells });
  }
  return {
    id: `tools ${mode}`,
    caption: `All models: quality, joints ${mode}`,
    columns: ['tool', 'rank', 'models', 'failed', 'mean', ...columns].map((name) => ({ name })),
    rows,
    notes: [...integralNote(report), 'mean: of each model’s mean over its clips; ±: half the 95 % interval over models; (n): over n models; rank a-b: against the tools between, the difference is within noise.'],
  };
}

function pricesTable(report) {
  return {
    id: 'prices',
    caption: 'What other modes cost: quality of the first mode less that of the mode, points',
    columns: [{ name: 'tool' }, { name: 'mode' }, { name: 'price' }],
    rows: report.prices.map(({ tool, joints, price }) => ({ cells: [text(tool), text(joints), { ...meanCell(price), bar: null }] })),
  };
}

const HEALTH = ['tool', 'rigs', 'joints', 'bare', 'far', 'islands', 'infl', 'max', 'symm', 'bend', 'drivable'];

function healthTable(report) {
  const part = (n, all) => ({ value: all > 0 ? n / all : null, text: `${n}/${all}` });
  return {
    id: 'health',
    caption: 'Health of the rigs, by tool',
    columns: HEALTH.map((name) => ({ name })),
    rows: report.health.filter((tool) => tool.rigs > 0).map((tool) => ({
      cells: [text(tool.tool), count(tool.rigs), number(tool.joints, 1), number(tool.joints_without_weights, 1),
        number(tool.far_vertices_pct, 2), number(tool.weight_islands, 1), number(tool.mean_influences, 2),
        count(tool.max_influences), part(tool.symmetric, tool.with_legs), number(tool.least_bend_deg, 1), part(tool.drivable, tool.with_legs)],
    })),
    notes: ['bare: joints without weights; far: % of the surface; infl, max: influences of a vertex; symm, drivable: rigs with symmetric and bendable legs; bend: of the straightest leg, degrees.'],
  };
}

function failedTable(report) {
  return {
    id: 'failed',
    caption: 'Failed',
    columns: [{ name: 'tool' }, { name: 'model' }, { name: 'reason' }],
    rows: report.rows.filter((row) => !row.ok).map((row) => ({ cells: [text(row.tool), text(row.model), text(row.reason)] })),
  };
}

/** None where the report is not of a score. */
export function fieldTables(report) {
  if (!report?.tools) return [];
  const modes = [...new Set(report.tools.map((tool) => tool.joints))];
  return [...modes.map((mode) => toolsTable(report, mode)), pricesTable(report), healthTable(report), failedTable(report)];
}
