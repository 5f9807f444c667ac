import assert from 'node:assert/strict';
import { test } from 'node:test';
import { length, short, shortClip } from '../src/format.js';
import { createStore } from '../src/store.js';
import { clipCells, worstOfClips } from '../src/ui/clip_rows.js';
import { fieldTables } from '../src/ui/field_tables.js';
import { roundStep } from '../src/ui/plot.js';
import { ordered } from '../src/ui/table.js';
import { makePage } from './animal.mjs';

test('lengths are written as the terminal writes them', () => {
  assert.deepEqual([0, 0.5, 0.0005, 0.00049, 1.23e-7, 12.3456, null, undefined].map(length), ['0.000', '0.500', '0.001', '4.9e-04', '1.2e-07', '12.346', '-', '-']);
});

test('short numbers and names', () => {
  assert.deepEqual([0, 1.23456, 0.00123, -250].map(short), ['0', '1.23', '1.2e-3', '-250']);
  assert.deepEqual(['A|Walk', 'Walk', 'A|', ''].map(shortClip), ['Walk', 'Walk', 'A|', '(unnamed)']);
});

const row = (value, fixed = false) => ({ cells: [{ text: String(value), value }], fixed });

test('sorting keeps fixed rows on top and what has no value at the end', () => {
  const rows = [row(100, true), row(2), row(null), row(10)];
  const values = (sorting) => ordered(rows, sorting).map((r) => r.cells[0].value);
  assert.deepEqual(values({ column: -1, down: true }), [100, 2, null, 10]);
  assert.deepEqual(values({ column: 0, down: true }), [100, 10, 2, null]);
  assert.deepEqual(values({ column: 0, down: false }), [100, 2, 10, null]);
  assert.deepEqual(ordered([row('b'), row('A10'), row('a2')], { column: 0, down: false }).map((r) => r.cells[0].text), ['a2', 'A10', 'b']);
});

test('steps of a scale are round', () => {
  assert.equal(roundStep(10, 5), 2);
  assert.equal(roundStep(0.5, 10), 0.05);
  assert.equal(roundStep(7, 4), 2);
  assert.equal(roundStep(1000, 8), 200);
});

test('a clip’s cells, and the worst of several', () => {
  const clip = { keys: 5, quality: 91.234, quality_in_place: null, mean_pct: 0.1, rms_pct: 0.2, p95_pct: 0.3, p99_pct: 0.4, worst_pct: 0.5, between: { rms_pct: 0.6 }, floor: null, joint_travel: { mean_pct: 1e-5 }, acceleration: { ratio: null } };
  assert.deepEqual(clipCells(clip).map((cell) => cell.text), ['5', '91.23', '-', '0.100', '0.200', '0.300', '0.400', '0.500', '0.600', '-', '1.0e-05', '-']);
  const worst = worstOfClips([clip, { ...clip, quality: 80, worst_pct: 3, keys: 7 }, { ...clip, quality: null }]);
  assert.deepEqual([worst.keys, worst.quality, worst.worst_pct, worst.floor.quality], [17, 80, 3, null]);
});

test('tables of a score have a row a tool below the control', () => {
  const { report } = makePage({ rings: 2, keys: 3 }).packs.page;
  const [free] = fieldTables(report);
  assert.deepEqual(free.rows.map((r) => r.cells[0].text), ['control (artists)', 'good', 'soft', 'stiff-shins', 'shaky']);
  assert.deepEqual(free.rows[1].cells.map((c) => c.text), ['good', '1', '1', '0', '90.00 ±1.00', '91.00 ±1.00', '89.00 ±1.00']);
  assert.equal(free.rows[0].fixed, true);
  assert.ok(free.rows.every((r) => r.cells.length === free.columns.length));
  assert.deepEqual(fieldTables({ clips: [] }), []);
});

test('listeners hear of their keys once a round, in order', () => {
  const runs = [];
  const heard = [];
  const store = createStore({ a: 1, b: 2 }, (run) => runs.push(run));
  store.on(['a'], () => heard.push('a'));
  store.on(['b'], () => heard.push('b'));
  store.on(null, (changed) => heard.push([...changed].join()));
  store.set({ a: 5 });
  store.set({ a: 6, b: 2 });
  assert.equal(runs.length, 1);
  runs[0]();
  assert.deepEqual(heard, ['a', 'a']);
  store.touch('b');
  store.flush();
  assert.deepEqual(heard.slice(2), ['b', 'b']);
  assert.equal(store.state.a, 6);
});
