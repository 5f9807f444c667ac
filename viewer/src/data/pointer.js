// JSON pointers (RFC 6901).

/** @returns the value at `pointer`; `undefined` where there is none */
export function at(json, pointer) {
  if (typeof pointer !== 'string') return undefined;
  let value = json;
  for (const part of pointer.split('/').slice(1)) {
    if (value === null || typeof value !== 'object') return undefined;
    value = value[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}
