import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelsOf, openPage } from '../src/data/page.js';
import { at } from '../src/data/pointer.js';
import { clipsOf, named, nthOfName, perFrame, rowOf } from '../src/data/report.js';
import { frameFigures } from '../src/surface/error.js';
import { clipOf, createArtist, createRig, placeArtist, placeRig } from '../src/surface/model.js';
import { makePage } from './animal.mjs';
import { packText } from './encoder.mjs';
import { near } from './near.mjs';

test('pointers', () => {
  const json = { rows: [{ 'a/b~c': 5 }], none: null };
  assert.equal(at(json, '/rows/0/a~1b~0c'), 5);
  assert.equal(at(json, ''), json);
  assert.equal(at(json, '/none/x'), undefined);
  assert.equal(at(json, '/rows/7/x'), undefined);
  assert.equal(at(json, null), undefined);
});

test('figures by frame are read in both ways of writing', () => {
  const lists = { time_s: [0, 1], mean_pct: [2, 3], rms_pct: [4, 5], worst_pct: [6, 7] };
  const objects = [0, 1].map((f) => ({ time_s: f, mean_pct: 2 + f, rms_pct: 4 + f, worst_pct: 6 + f, solve: {} }));
  assert.deepEqual(perFrame({ per_frame: objects }), lists);
  assert.equal(perFrame({ per_frame: lists }), lists);
  assert.equal(perFrame(null), null);
});

test('clips of the same name are told apart', () => {
  const list = [{ name: 'a' }, { name: 'b' }, { name: 'a' }];
  assert.equal(named(list, 'a', 1), 2);
  assert.equal(named(list, 'c'), -1);
  assert.equal(nthOfName(list, 2), 1);
});

test('the first mode’s clips are the entry’s own', () => {
  const entry = { clips: [1], modes: [{ joints: 'rotate', clips: [2] }] };
  assert.deepEqual(clipsOf(entry, 'free', true), [1]);
  assert.deepEqual(clipsOf(entry, 'rotate', false), [2]);
  assert.deepEqual(clipsOf(entry, 'stretch', false), []);
  assert.deepEqual(clipsOf(null, 'free', true), []);
});

test('models are rigs of one artist', () => {
  const rig = (model, artist) => ({ model, artist });
  assert.deepEqual(modelsOf([rig('a', 0), rig('b', 1), rig('a', 0)]).map((m) => m.rigs), [[0, 2], [1]]);
});

test('every vertex of every rig, mode, clip and frame is as far off as the definition says', async () => {
  const { packs, errors, diag } = makePage({ rings: 3, keys: 5 });
  const page = await openPage((id) => packText(packs[id]));
  assert.equal(rowOf(page, 1).tool, 'soft');
  const artist = createArtist(await page.load(page.artists[0].pack), page.artists[0]);
  for (const [n, entry] of page.rigs.entries()) {
    const rig = createRig(await page.load(entry.pack), diag);
    for (const [m, mode] of ['free', 'rotate'].entries())
      for (const clip of artist.clips.keys())
        for (const [key, expected] of errors[n][m][clip].entries()) {
          const time = clipOf(rig.pack, mode, artist.clips, clip).times[key];
          placeArtist(artist, clip, time);
          placeRig(rig, artist, { mode, clip, time });
          near(rig.errors, expected, 1e-4, `${entry.name} ${mode} ${clip} ${key}`);
          const clips = m === 0 ? page.report.rows[n].details.clips : page.report.rows[n].details.modes[0].clips;
          const reported = clips[clip].per_frame;
          const figures = frameFigures(rig.errors, rig.pack.share);
          near([figures.mean, figures.rms, figures.worst], [reported.mean_pct[key], reported.rms_pct[key], reported.worst_pct[key]], 1e-4);
        }
  }
});

test('between keys the surface is the straight blend of the keys’ surfaces', () => {
  const { packs, diag } = makePage({ rings: 3, keys: 5, rigs: 1 });
  const artist = createArtist(packs['artist-0'], { diag });
  const { times } = artist.clips[0];
  const at = (time) => (placeArtist(artist, 0, time), artist.moving.positions.slice());
  const [a, b, between] = [at(times[1]), at(times[2]), at(times[1] + 0.25 * (times[2] - times[1]))];
  near(between, a.map((x, i) => x + 0.25 * (b[i] - x)), 1e-6);
});
