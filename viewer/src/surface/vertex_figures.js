// What is known of one vertex of a rig, now.

export const KINDS = [
  'in no triangle',
  "on a vertex of the artist's",
  "on the artist's surface",
  'on the sheet of its neighbours',
  'no counterpart',
];

const point = (values, vertex) => Array.from(values.subarray(3 * vertex, 3 * vertex + 3));

/** The vertex's influences, the largest first: joint's name (or the bone's number) and weight. */
export function influencesOf({ pack, moving }, vertex) {
  const names = new Map();
  for (let j = 0; j < (pack.joints?.name.length ?? 0); ++j) names.set(pack.joints.bone[j], pack.joints.name[j]);
  const list = [];
  for (let k = moving.starts[vertex]; k < moving.starts[vertex + 1]; ++k) {
    const bone = moving.skin.bone[k];
    list.push({ joint: names.get(bone) ?? `bone ${bone}`, weight: moving.skin.weight[k] });
  }
  return list.sort((a, b) => b.weight - a.weight);
}

export function vertexFigures(rig, vertex) {
  const { match, share } = rig.pack;
  return {
    vertex,
    error: rig.errors[vertex] >= 0 ? rig.errors[vertex] : null,
    position: point(rig.moving.positions, vertex),
    target: point(rig.targets, vertex),
    gap: match ? match.gap[vertex] : 0,
    kind: match ? KINDS[match.kind[vertex]] : KINDS[1],
    counts: share[vertex] > 0,
    influences: influencesOf(rig, vertex),
  };
}
