// How far from the artist's surface a rig's vertices lie in the matching pose, % of diag.

/** Gaps to draw: -1 where a vertex is in no triangle. Made once. */
export function gapValues(rig) {
  const { match, vertices } = rig.pack;
  rig.gaps ??= match ? match.gap.map((gap, i) => (match.kind[i] === 0 ? -1 : gap)) : new Float32Array(vertices);
  return rig.gaps;
}

/** Vertices with a gap that counts, the closest first. Sorted once: there may be hundreds of thousands. */
function byGap(rig, gaps) {
  rig.byGap ??= Uint32Array.from(gaps.keys()).filter((i) => gaps[i] >= 0 && rig.pack.share[i] > 0).sort((a, b) => gaps[a] - gaps[b]);
  return rig.byGap;
}

/** Quantiles of the gaps, each counted by the vertex's share. */
export function gapQuantiles(rig, quantiles) {
  const gaps = gapValues(rig);
  const order = byGap(rig, gaps);
  const total = order.reduce((sum, i) => sum + rig.pack.share[i], 0);
  return quantiles.map((quantile) => {
    let sum = 0;
    for (const i of order) if ((sum += rig.pack.share[i]) >= quantile * total) return gaps[i];
    return order.length > 0 ? gaps[order.at(-1)] : 0;
  });
}

/** How many vertices there are of each kind of match. */
export function countKinds({ pack }) {
  const counts = [0, 0, 0, 0, 0];
  if (pack.match) for (const kind of pack.match.kind) ++counts[kind];
  else counts[1] = pack.vertices;
  return counts;
}
