// A time between the keys of a clip, and the straight blend of what stands at two keys.

/** @returns {{key: number, next: number, blend: number}} the keys around a time; outside of the clip its first or last */
export function keysAt(times, time) {
  const last = times.length - 1;
  if (last < 0) throw new RangeError('a clip without keys');
  if (!(time > times[0])) return { key: 0, next: 0, blend: 0 };
  if (time >= times[last]) return { key: last, next: last, blend: 0 };
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const blend = (time - times[low]) / (times[high] - times[low]);
  return { key: low, next: blend > 0 ? high : low, blend };
}

/** Blends `size` numbers of two keys into `out`; what stands at a key is taken as it is. */
export function blendKeys(values, size, { key, next, blend }, out) {
  const a = key * size;
  const b = next * size;
  if (blend === 0) for (let i = 0; i < size; ++i) out[i] = values[a + i];
  else for (let i = 0; i < size; ++i) out[i] = values[a + i] + blend * (values[b + i] - values[a + i]);
}

/** The same for positions in 16 bits, between `low` and `high`. */
export function blendPositions({ positions, low, high }, size, { key, next, blend }, out) {
  const a = key * size;
  const b = next * size;
  for (let axis = 0; axis < 3; ++axis) {
    const step = (high[axis] - low[axis]) / 65535;
    for (let i = axis; i < size; i += 3)
      out[i] = low[axis] + step * (positions[a + i] + blend * (positions[b + i] - positions[a + i]));
  }
}

/** The index of the time nearest to `time`. */
export function nearest(times, time) {
  const { key, next, blend } = keysAt(times, time);
  return blend > 0.5 ? next : key;
}
