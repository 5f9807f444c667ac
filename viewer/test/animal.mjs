// A small animal of tubes with an artist's skeleton and clips, and rigs that carry them more or less well. Their reports are
// computed here from the definitions, in doubles and without the viewer's code.
import { apply, inverseRigid, rotation, times, translation } from './matrices.mjs';

const SIDES = 12;

// name, parent, rest position
const JOINTS = [
  ['Root', -1, [0, 1, 0]],
  ['Chest', 0, [0, 1, 0.5]],
  ['Head', 1, [0, 1.35, 0.95]],
  ['Thigh_L', 0, [0.2, 0.9, -0.5]],
  ['Shin_L', 3, [0.2, 0.45, -0.5]],
  ['Thigh_R', 0, [-0.2, 0.9, -0.5]],
  ['Shin_R', 5, [-0.2, 0.45, -0.5]],
  ['Arm_L', 1, [0.2, 0.9, 0.5]],
  ['Wrist_L', 7, [0.2, 0.45, 0.5]],
  ['Arm_R', 1, [-0.2, 0.9, 0.5]],
  ['Wrist_R', 9, [-0.2, 0.45, 0.5]],
];

// from, to, radius, the joints along it
const TUBES = [
  [[0, 1, -0.7], [0, 1.02, 0.7], 0.27, [0, 1]],
  [[0, 1.1, 0.6], [0, 1.45, 1.15], 0.15, [1, 2]],
  ...[[0.2, -0.5, 3], [-0.2, -0.5, 5], [0.2, 0.5, 7], [-0.2, 0.5, 9]].map(([x, z, j]) => [[x, 0.95, z], [x, 0.02, z], 0.085, [j, j + 1]]),
];

const mix = (a, b, t) => a.map((value, axis) => value + t * (b[axis] - value));
const unit = (v) => v.map((value) => value / Math.hypot(...v));
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const minus = (a, b) => a.map((value, axis) => value - b[axis]);
const smooth = (t) => Math.min(1, Math.max(0, t)) ** 2 * (3 - 2 * Math.min(1, Math.max(0, t)));

/** A closed tube; `blur` is how softly weights go over from one joint to the next. */
function addTube(mesh, [from, to, radius, joints], rings, blur) {
  const along = unit(minus(to, from));
  const side = unit(cross(along, Math.abs(along[0]) > 0.9 ? [0, 1, 0] : [1, 0, 0]));
  const up = cross(along, side);
  const first = mesh.points.length;
  for (let r = 0; r <= rings; ++r) {
    const t = r / rings;
    const bulge = radius * Math.sqrt(Math.max(0.02, 1 - (2 * t - 1) ** 6));
    for (let s = 0; s < SIDES; ++s) {
      const angle = (2 * Math.PI * s) / SIDES;
      const offset = side.map((value, axis) => bulge * (Math.cos(angle) * value + Math.sin(angle) * up[axis]));
      mesh.points.push(mix(from, to, t).map((value, axis) => value + offset[axis]));
      const second = smooth((t - 0.5) / blur + 0.5);
      mesh.influences.push([[joints[0], 1 - second], [joints[1], second]].filter(([, w]) => w > 0));
    }
  }
  for (let r = 0; r < rings; ++r)
    for (let s = 0; s < SIDES; ++s) {
      const [a, b] = [first + r * SIDES + s, first + r * SIDES + ((s + 1) % SIDES)];
      mesh.triangles.push([a, b, a + SIDES], [b, b + SIDES, a + SIDES]);
    }
}

function mesh(rings, blur) {
  const made = { points: [], influences: [], triangles: [] };
  TUBES.forEach((tube, n) => addTube(made, tube, n < 2 ? 2 * rings : rings, blur));
  return made;
}

const rest = JOINTS.map(([, , at]) => translation(...at));

/** Angles by joint, and where the root goes. */
const CLIPS = {
  Walk: (phase) => ({
    angles: { 3: 0.5 * Math.sin(phase), 4: 0.4 * Math.max(0, Math.cos(phase)), 5: -0.5 * Math.sin(phase), 6: 0.4 * Math.max(0, -Math.cos(phase)), 7: -0.45 * Math.sin(phase), 8: 0.3, 9: 0.45 * Math.sin(phase), 10: 0.3, 2: 0.2 * Math.sin(2 * phase) },
    root: [0, 0.02 * Math.sin(2 * phase), 0.3 * phase],
  }),
  Bow: (phase) => ({ angles: { 1: 0.5 * Math.sin(phase / 2), 2: 0.8 * Math.sin(phase / 2), 7: -0.5 * Math.sin(phase / 2), 9: -0.5 * Math.sin(phase / 2) }, root: [0, 0, 0] }),
};

/** model_from_joint of all joints; `stiff` joints do not turn. */
function pose({ angles, root }, stiff) {
  const world = [];
  JOINTS.forEach(([, parent, at], j) => {
    const turn = rotation('x', stiff.includes(j) ? 0 : angles[j] ?? 0);
    const local = parent < 0 ? translation(...mix(at, at, 0)) : translation(...minus(at, JOINTS[parent][2]));
    const own = times(parent < 0 ? times(translation(...root), local) : local, turn);
    world.push(parent < 0 ? own : times(world[parent], own));
  });
  return world;
}

function clip(name, keys, stiff, jitter = 0) {
  const times_ = Array.from({ length: keys }, (_, k) => Math.fround(k / 24));
  const matrices = times_.map((_, k) => {
    const world = pose(CLIPS[name]((2 * Math.PI * k) / (keys - 1)), stiff);
    return world.map((m, j) => times(times(translation(0, j > 2 ? jitter * Math.sin(k) : 0, 0), m), inverseRigid(rest[j])));
  });
  return { name: `Armature|${name}`, times: times_, matrices };
}

export function skinned({ points, influences }, bones) {
  return points.map((p, i) => {
    const sum = [0, 0, 0];
    for (const [bone, weight] of influences[i]) apply(bones[bone], p).forEach((value, axis) => (sum[axis] += weight * value));
    return sum;
  });
}

/** Each rig vertex is a point of a triangle of the artist's, some with an offset. */
function matchOf(artist, offsets) {
  const corner = [], barycentric = [], kind = [], carried = [], carrier = [], offset = [];
  artist.points.forEach((_, i) => {
    const triangle = artist.triangles.find((t) => t.includes(i));
    const at = triangle.indexOf(i);
    const order = [triangle[at], triangle[(at + 1) % 3], triangle[(at + 2) % 3]];
    corner.push(...order);
    barycentric.push(0.7, 0.2);
    kind.push(offsets && i % 3 === 0 ? 3 : 2);
    if (!offsets || i % 3) return;
    carried.push(i);
    carrier.push(...order);
    offset.push(0, 0.001, 0.004);
  });
  return { corner, barycentric, kind, carried, carrier, offset };
}

export function targetsOf(match, surface) {
  const targets = [];
  for (let i = 0; i < match.kind.length; ++i) {
    const [a, b, c] = [0, 1, 2].map((k) => surface[match.corner[3 * i + k]]);
    const [u, v] = [match.barycentric[2 * i], match.barycentric[2 * i + 1]];
    targets.push(a.map((_, axis) => u * a[axis] + v * b[axis] + (1 - u - v) * c[axis]));
  }
  match.carried.forEach((i, n) => {
    const [a, b, c] = [0, 1, 2].map((k) => surface[match.carrier[3 * n + k]]);
    const x = unit(minus(b, a));
    const z = unit(cross(minus(b, a), minus(c, a)));
    const y = cross(z, x);
    for (let axis = 0; axis < 3; ++axis)
      targets[i][axis] += match.offset[3 * n] * x[axis] + match.offset[3 * n + 1] * y[axis] + match.offset[3 * n + 2] * z[axis];
  });
  return targets;
}

const flat = (Type, list) => Type.from(list.flat(2));

function skinOf({ points, influences }, bones) {
  return {
    position: flat(Float32Array, points),
    influences: Uint8Array.from(influences, (list) => list.length),
    bone: Uint16Array.from(influences.flat(), ([bone]) => bone),
    weight: Float32Array.from(influences.flat(), ([, weight]) => weight),
    bones,
  };
}

const motion = ({ matrices }) => ({ matrices: flat(Float32Array, matrices) });

function figures(errors) {
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const of = (list) => ({ mean_pct: mean(list), rms_pct: Math.sqrt(mean(list.map((e) => e * e))), worst_pct: Math.max(...list) });
  const sorted = errors.flat().sort((a, b) => a - b);
  const all = of(errors.flat());
  const frame = errors.findIndex((list) => Math.max(...list) === all.worst_pct);
  const quality = 100 - 8 * all.mean_pct; // of no known meaning: what a page shows is what the report says
  return {
    quality, quality_in_place: quality - 1, ...all, p95_pct: sorted[Math.floor(0.95 * sorted.length)], p99_pct: sorted[Math.floor(0.99 * sorted.length)],
    between: of(errors[0]), floor: { quality: quality + 1 }, joint_travel: { mean_pct: 0.1, max_pct: 0.4 }, acceleration: { ratio: 1.02 },
    worst: { frame, vertex: errors[frame].indexOf(all.worst_pct) }, frames: errors.map(of),
  };
}

function reportClip({ name, times: t }, errors, byFigure) {
  const { frames, ...rest_ } = figures(errors);
  const list = frames.map((frame, k) => ({ time_s: t[k], ...frame }));
  const lists = Object.fromEntries(['time_s', 'mean_pct', 'rms_pct', 'worst_pct'].map((key) => [key, list.map((f) => f[key])]));
  const per_joint = JOINTS.map(([joint], j) => ({ joint, mean_pct: rest_.mean_pct * (1 + Math.sin(j)), travel_pct: 0.05 * j }));
  return { name, written_name: name, keys: t.length, ...rest_, per_frame: byFigure ? lists : list, per_joint };
}

function rigErrors(rigMesh, rigClip, match, artistMesh, artistClip, diag) {
  return rigClip.matrices.map((bones, k) => {
    const targets = targetsOf(match, skinned(artistMesh, artistClip.matrices[k]));
    return skinned(rigMesh, bones).map((p, i) => (100 * Math.hypot(...minus(p, targets[i]))) / diag);
  });
}

const RIGS = [
  { name: 'good', blur: 0.5, stiff: [], jitter: 0.002 },
  { name: 'soft', blur: 1, stiff: [], jitter: 0.01 },
  { name: 'stiff-shins', blur: 0.3, stiff: [4, 6, 8, 10], jitter: 0 },
  { name: 'shaky', blur: 0.3, stiff: [2], jitter: 0.03 },
];

function joints() {
  const name = JOINTS.map(([n]) => n);
  const parent = JOINTS.map(([, p]) => p);
  const origin = Float32Array.from(JOINTS.flatMap(([, , at]) => at));
  return { name, bone: JOINTS.map((_, j) => j), parent, origin, travel_from: origin.slice() };
}

/** A rig's pack, its entry in the report, and its errors by mode, clip, frame and vertex. */
function makeRig(spec, artist, { keys, diag, byFigure }) {
  const match = matchOf(artist.mesh, true);
  const bound = targetsOf(match, artist.mesh.points);
  const rigMesh = { ...mesh(artist.rings, spec.blur), points: bound };
  const modes = ['free', 'rotate'].map((mode) => ({
    joints: mode,
    clips: artist.clips.map((own) => clip(own.name.split('|')[1], keys, spec.stiff, mode === 'free' ? spec.jitter : 2 * spec.jitter + 0.004)),
  }));
  const errors = modes.map((mode) => mode.clips.map((c, n) => rigErrors(rigMesh, c, match, artist.mesh, artist.clips[n], diag)));
  const entries = modes.map((mode, m) => mode.clips.map((c, n) => reportClip(c, errors[m][n], byFigure)));
  const vertices = rigMesh.points.length;
  const pack = {
    vertices,
    triangles: flat(Uint32Array, rigMesh.triangles),
    skin: skinOf(rigMesh, JOINTS.length),
    joints: joints(),
    match: {
      corner: Uint32Array.from(match.corner), barycentric: Float32Array.from(match.barycentric), kind: Uint8Array.from(match.kind),
      gap: Float32Array.from(match.kind, (kind, i) => (kind === 3 ? 0.2 : (i % 7) * 0.01)),
      carried: Uint32Array.from(match.carried), carrier: Uint32Array.from(match.carrier), offset: Float32Array.from(match.offset),
    },
    share: new Float32Array(vertices).fill(1 / vertices),
    modes: modes.map((mode) => ({
      joints: mode.joints,
      clips: mode.clips.map((c) => ({ name: c.name, times: Float32Array.from(c.times), sampled: Uint32Array.from(c.times.keys()), motion: motion(c) })),
    })),
  };
  const matching = { artist_pose: 'rest', rig_pose: 'rest', scale: 1, rotation_deg: 0, mirrored: false, uncovered_artist_pct: 0, uncovered_rig_pct: 0, two_sided_mean_pct: 0.1, two_sided_p99_pct: 0.2, gap_artist_to_rig: { p99_pct: 0.2 } };
  return { pack, entry: { settings: { joints: ['free', 'rotate'] }, matching, clips: entries[0], modes: [{ joints: 'rotate', clips: entries[1] }] }, errors };
}

const HEALTH = { joints: 11, joints_without_weights: 0, far_vertices_pct: 0, farthest_pct: 9.1, weight_islands: 1, mean_influences: 1.5, max_influences: 2, asymmetry_pct: 0, symmetric: true, least_bend_deg: 3.2, legs: [{ joint: 'Thigh_L', bends_deg: [3.2], weighted: true }] };

/** A page of several rigs as a score has it. @returns packs by id, and all errors to compare with */
export function makePage({ rings = 8, keys = 13, rigs = RIGS.length, models = 1 } = {}) {
  const artist = { rings, mesh: mesh(rings, 0.3) };
  artist.clips = Object.keys(CLIPS).map((name) => clip(name, keys, []));
  const corners = [0, 1, 2].map((axis) => artist.mesh.points.map((p) => p[axis]));
  const diag = Math.hypot(...corners.map((list) => Math.max(...list) - Math.min(...list)));
  const made = RIGS.slice(0, rigs).map((spec) => makeRig(spec, artist, { keys, diag, byFigure: true }));
  const controlClips = artist.clips.map((c) => ({ name: c.name, keys, quality: 99.99999, quality_in_place: 99.99999, mean_pct: 1e-6, rms_pct: 1e-6, p95_pct: 2e-6, p99_pct: 2e-6, worst_pct: 3e-6, between: { rms_pct: 1e-6 }, floor: { quality: 100 }, joint_travel: { mean_pct: 0 }, acceleration: { ratio: 1 } }));
  const names = Array.from({ length: models }, (_, m) => `model${m}`);
  const rows = names.flatMap((model) => made.map((rig, n) => ({ tool: RIGS[n].name, model, ok: true, health: HEALTH, warnings: n === 2 ? ['joint Shin_L: turns nothing'] : [], clips: [], details: { ...rig.entry, control: { passed: true, clips: controlClips } } })));
  const still = artist.mesh.points.flat();
  const mean = (value) => ({ models: models, mean: value, low: value - 1, high: value + 1 });
  const tools = made.flatMap((rig, n) => ['free', 'rotate'].map((mode, m) => ({ tool: RIGS[n].name, joints: mode, models, failed: 0, rank: [n + 1, n + 1], quality: mean(90 - n - m), clips: { Walk: mean(91 - n - m), Bow: mean(89 - n - m) } })));
  const page = {
    format: 1, pelt: '0.1.0', kind: 'score',
    report: { pelt: '0.1.0', command: 'score', settings: { joints: ['free', 'rotate'], weighting: 'area' }, clips: ['Walk', 'Bow'], tools, prices: [{ tool: 'good', joints: 'rotate', price: mean(1.2) }], health: [], control: { artists: 1, passed: 1, failed: [], none: [], quality: mean(100), clips: { Walk: mean(100), Bow: mean(100) } }, rows },
    artists: [{ pack: 'artist-0', file: 'models/animal-artist.glb', diag }],
    rigs: rows.map((row, r) => ({ pack: `rig-${r % made.length}`, artist: 0, name: row.tool, model: row.model, file: `rigs/${row.tool}.glb`, entry: `/rows/${r}/details`, control: `/rows/${r}/details/control` })),
  };
  const artistPack = {
    vertices: artist.mesh.points.length, triangles: flat(Uint32Array, artist.mesh.triangles), skin: skinOf(artist.mesh, JOINTS.length),
    clips: artist.clips.map((c) => ({ name: c.name, times: Float32Array.from(c.times), motion: motion(c) })),
    rest: { positions: Uint16Array.from(still, (x) => Math.round((65535 * (x + 2)) / 4)), low: [-2, -2, -2], high: [2, 2, 2] },
  };
  const packs = { page, 'artist-0': artistPack };
  made.forEach((rig, n) => (packs[`rig-${n}`] = rig.pack));
  return { packs, errors: made.map((rig) => rig.errors), diag };
}
