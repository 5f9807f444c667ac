// Checks on pages that the program itself made: PELT_PAGES names their folder. NAME.html is compared with the report that it holds;
// where NAME.glb.json lists the written file of each rig (or null), positions are compared with three's own loader and mixer.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { open } from './open.mjs';

const folder = process.env.PELT_PAGES;
const here = dirname(fileURLToPath(import.meta.url));

const names = () => readdirSync(folder).filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -5));

/** All models, rigs, modes and clips at some frames, against the report of the page. */
async function compareWithReport(page) {
  return page.evaluate(async () => {
    const { pelt } = window;
    const found = { frames: 0, most: 0, where: '' };
    pelt.drawing(false);
    for (const [model, { rigs }] of pelt.page.models.entries()) {
      await pelt.seek({ model, rigs });
      for (const mode of pelt.modes)
        for (const clip of pelt.clips.keys()) {
          await pelt.seek({ mode, clip });
          const told = rigs.map((rig) => pelt.reported(rig));
          const frames = Math.max(0, ...told.map((t) => t?.mean_pct.length ?? 0));
          for (const frame of new Set([0, 1, frames >> 1, frames - 1])) {
            for (const [n, rig] of rigs.entries()) {
              if (!told[n] || !(frame < told[n].mean_pct.length)) continue;
              await pelt.seek({ time: Math.fround(told[n].time_s[frame]) });
              const now = pelt.figures(rig);
              for (const [a, b] of [[now.mean, told[n].mean_pct[frame]], [now.rms, told[n].rms_pct[frame]], [now.worst, told[n].worst_pct[frame]]]) {
                if (!(Math.abs(a - b) <= found.most)) (found.most = Math.abs(a - b)), (found.where = `rig ${rig} ${mode} clip ${clip} frame ${frame}: ${a}, told ${b}`);
              }
              ++found.frames;
            }
          }
        }
    }
    return found;
  });
}

let loader = null;

/** three's GLTFLoader with all that poses a file, as a script. */
async function loaderScript() {
  loader ??= await build({ entryPoints: [join(here, 'gltf_player.js')], bundle: true, write: false, format: 'iife', target: 'es2022' });
  return loader.outputFiles[0].text;
}

async function compareWithFiles(page, files) {
  await page.addScriptTag({ content: await loaderScript() });
  let compared = 0;
  for (const [rig, file] of files.entries()) {
    if (!file) continue;
    const bytes = readFileSync(resolve(folder, file)).toString('base64');
    const { most, frames } = await page.evaluate(([index, text]) => window.compareWithGltf(index, text), [rig, bytes]);
    assert.ok(frames > 0 && most < 0.01, `${file}: a vertex is ${most} % from where three's loader has it (${frames} frames)`);
    compared += frames;
  }
  return compared;
}

async function checkPage(browser, name, t) {
  const page = await open(browser, resolve(folder, `${name}.html`));
  const { frames, most, where } = await compareWithReport(page);
  assert.ok(frames > 0, 'no frame was compared');
  assert.ok(most < 0.01, `${most} % off: ${where}`);
  t.diagnostic(`${name}: ${frames} frames of rigs, at most ${most.toExponential(1)} % from the report`);
  assert.deepEqual(page.complaints, []);
  const list = resolve(folder, `${name}.glb.json`);
  if (existsSync(list)) t.diagnostic(`${name}: ${await compareWithFiles(page, JSON.parse(readFileSync(list, 'utf8')))} frames as three's loader has them`);
  await page.context().close();
}

/** Name and check for each page; none without the folder. */
export const realChecks = () => (folder ? names().map((name) => [`page ${name} draws what its report says`, ({ browser, t }) => checkPage(browser, name, t)]) : []);
