// A table that is sorted by a click on a column's head. Rows that are `fixed` (the control) stay on top.
import { h } from './dom.js';

/**
 * @typedef {{text: string, value?: number | string | null, onclick?: () => void, bar?: number, current?: boolean}} Cell
 * @param {{caption: string, columns: {name: string, title?: string}[], rows: {cells: Cell[], fixed?: boolean, current?: boolean}[], notes?: string[]}} table
 */
export function sortable({ caption, columns, rows, notes = [] }, sorting = { column: -1, down: true }) {
  const body = h('tbody', {});
  const heads = columns.map((column, n) => h('th', { scope: 'col', title: column.title }, h('button', { type: 'button', onclick: () => sort(n) }, column.name)));

  function show() {
    heads.forEach((head, n) => head.setAttribute('aria-sort', n !== sorting.column ? 'none' : sorting.down ? 'descending' : 'ascending'));
    body.replaceChildren(...ordered(rows, sorting).map(rowElement));
  }

  function sort(column) {
    const numeric = rows.some((row) => typeof valueOf(row, column) === 'number');
    sorting.down = sorting.column === column ? !sorting.down : numeric;
    sorting.column = column;
    show();
  }

  show();
  return h('div', { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', { class: 'figures' }, h('caption', {}, caption), h('thead', {}, h('tr', {}, heads)), body),
    notes.map((note) => h('p', { class: 'note' }, note)));
}

const valueOf = (row, column) => {
  const cell = row.cells[column];
  return cell?.value === undefined ? cell?.text : cell.value;
};

/** Without a value comes last, whichever way. */
function compare(a, b) {
  const [noA, noB] = [a === null || a === '-', b === null || b === '-'];
  if (noA || noB) return noA - noB || 0;
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
}

/** The rows in the order that is asked for; as they came where none is. */
export function ordered(rows, { column, down }) {
  if (column < 0) return rows;
  const absent = (row) => [null, '-'].includes(valueOf(row, column));
  const free = rows.filter((row) => !row.fixed).sort((a, b) => {
    const order = compare(valueOf(a, column), valueOf(b, column));
    return down && !absent(a) && !absent(b) ? -order : order;
  });
  return [...rows.filter((row) => row.fixed), ...free];
}

function rowElement(row) {
  return h('tr', { class: [row.fixed ? 'fixed' : '', row.current ? 'current' : ''].join(' ').trim() || null },
    row.cells.map((cell, n) => cellElement(cell, n === 0)));
}

function cellElement({ text, onclick, bar, current }, first) {
  const content = onclick ? h('button', { type: 'button', class: 'link', onclick }, text) : text;
  const style = bar === undefined || bar === null ? null : `--bar:${Math.min(100, Math.max(0, bar)).toFixed(1)}%`;
  const attributes = { style, class: [style ? 'barred' : '', current ? 'current' : ''].join(' ').trim() || null };
  return first ? h('th', { scope: 'row', ...attributes }, content) : h('td', attributes, content);
}
