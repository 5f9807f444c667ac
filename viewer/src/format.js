// Numbers as the terminal writes them.

/** Lengths in % of diag, which span from 1e-7 to 100. */
export function length(percent) {
  if (percent === null || percent === undefined || Number.isNaN(percent)) return '-';
  if (percent === 0 || Math.abs(percent) >= 5e-4) return percent.toFixed(3);
  return percent.toExponential(1).replace(/e([+-])(\d)$/, 'e$10$2');
}

export const fixed = (value, digits) =>
  value === null || value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits);

/** A number for reading in passing. */
export function short(value) {
  if (!Number.isFinite(value)) return '-';
  if (value === 0) return '0';
  return Math.abs(value) < 0.01 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}

export const seconds = (s) => `${s.toFixed(2)} s`;

export const fileName = (path) => (path ?? '').split(/[\\/]/).pop();

/** What stands behind the last `|`, as in the tables; the whole where that is empty. */
export const shortClip = (name) => name.slice(name.lastIndexOf('|') + 1).trim() || name || '(unnamed)';
