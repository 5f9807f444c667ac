// Checks on pages of the synthetic animal: four rigs, two clips, two modes.
import assert from 'node:assert/strict';
import { makePage } from '../animal.mjs';
import { near } from '../near.mjs';
import { open, temporary, writePage } from './open.mjs';

const made = makePage({ rings: 4, keys: 9 });
const folder = temporary();
const files = {};
const pageFile = (models) => (files[models] ??= writePage(folder, `${models}.html`, models === 1 ? made.packs : makePage({ rings: 2, keys: 3, models, rigs: 2 }).packs));

const state = (page) => page.evaluate(() => window.pelt.state);

/** How many pixels of a rig's panel are so, right after it is drawn. */
const pixels = (page, rig, kind) => page.evaluate(([index, name]) => {
  const is = { red: (r, g, b) => r > 1.8 * g && r > 1.8 * b && r > 90, dark: (r, g, b, a) => a > 150 && Math.max(r, g, b) < 70, drawn: (r, g, b, a) => a > 200 }[name];
  const canvas = document.querySelector('.stage canvas');
  const [all, box] = [canvas, document.querySelector(`.view[data-rig="${index}"]`)].map((e) => e.getBoundingClientRect());
  window.pelt.set({ redrawn: (window.pelt.state.redrawn ?? 0) + 1 });
  const ratio = canvas.width / all.width;
  const copy = new OffscreenCanvas(Math.floor(box.width * ratio), Math.floor(box.height * ratio));
  const pen = copy.getContext('2d');
  pen.drawImage(canvas, (all.left - box.left) * ratio, (all.top - box.top) * ratio);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += is(data[i], data[i + 1], data[i + 2], data[i + 3]);
  return count;
}, [rig, kind]);

async function figuresEqualReport({ page }) {
  const { found, most } = await page.evaluate(async () => {
    let found = 0, most = 0;
    window.pelt.drawing(false);
    for (const mode of window.pelt.modes)
      for (const clip of window.pelt.clips.keys())
        for (const frame of [0, 3, 8]) {
          await window.pelt.seek({ mode, clip, frame });
          for (const rig of window.pelt.shown) {
            const [now, told] = [window.pelt.figures(rig), window.pelt.reported(rig)];
            for (const [a, b] of [[now.mean, told.mean_pct[frame]], [now.rms, told.rms_pct[frame]], [now.worst, told.worst_pct[frame]]]) most = Math.max(most, Math.abs(a - b)), ++found;
          }
        }
    window.pelt.drawing(true);
    return { found, most };
  });
  assert.equal(found, 2 * 2 * 3 * 4 * 3);
  assert.ok(most < 1e-4, `off by ${most} %`);
}

async function arraysAreThoseOfTheDefinition({ page }) {
  for (const [rig, mode, clip, frame] of [[1, 'free', 0, 4], [3, 'rotate', 1, 6]]) {
    const { errors, positions, targets } = await page.evaluate(async (to) => {
      await window.pelt.seek(to);
      return { errors: [...window.pelt.errors(to.rig)], positions: [...window.pelt.positions(to.rig)], targets: [...window.pelt.targets(to.rig)] };
    }, { rig, mode, clip, frame });
    const expected = made.errors[rig][mode === 'free' ? 0 : 1][clip][frame];
    near(errors, expected, 1e-4);
    const off = expected.map((_, i) => (100 / made.diag) * Math.hypot(...[0, 1, 2].map((axis) => positions[3 * i + axis] - targets[3 * i + axis])));
    near(off, expected, 1e-4);
  }
}

async function opensAtTheWorst({ page }) {
  const { frame, clip, selected, worst } = await page.evaluate(() => {
    const { clip: at, selected: chosen } = window.pelt.state;
    const told = window.pelt.shown.map((rig) => Math.max(...window.pelt.clips.flatMap((_, n) => [window.pelt.reported(rig)].flatMap((r) => (n === at ? r.worst_pct : [])))));
    return { clip: at, selected: chosen, worst: told, frame: document.querySelector('.readout').textContent };
  });
  const all = made.errors.map((modes) => modes[0].map((frames) => Math.max(...frames.flat())));
  const most = Math.max(...all.flat());
  assert.equal(all[selected.rig][clip], most);
  assert.ok(Math.abs(worst[selected.rig] - most) < 1e-9);
  assert.match(frame, /^frame \d of 8/);
  assert.match(await page.locator('.figure-box').innerText(), /error\s+\d+\.\d{3} %/i);
}

async function keyboard({ page }) {
  const press = async (key) => (await page.keyboard.press(key), state(page));
  const frame = () => page.locator('.readout').innerText();
  await page.evaluate(() => window.pelt.seek({ clip: 0, mode: 'free', frame: 2 }));
  await page.evaluate(() => document.activeElement.blur());
  await press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.readout').textContent.startsWith('frame 3'));
  await press('ArrowLeft');
  await press('Home');
  await page.waitForFunction(() => document.querySelector('.readout').textContent.startsWith('frame 0'));
  await press('End');
  await page.waitForFunction(() => document.querySelector('.readout').textContent.startsWith('frame 8'));
  await press('ArrowRight'); // round the loop
  await page.waitForFunction(() => document.querySelector('.readout').textContent.startsWith('frame 0'));
  assert.equal((await press(' ')).playing, true);
  await page.waitForFunction(() => window.pelt.state.time > 0);
  assert.equal((await press(' ')).playing, false);
  assert.equal((await press('m')).mode, 'rotate');
  assert.equal((await press('m')).mode, 'free');
  assert.equal((await press('ArrowDown')).clip, 1);
  assert.equal((await press('ArrowUp')).clip, 0);
  assert.equal((await press('f')).outline, 'ghost');
  assert.equal((await press('f')).outline, 'off');
  assert.equal((await press('f')).outline, 'outline');
  for (const [key, flag] of Object.entries({ k: 'skeleton', t: 'travel', g: 'wireframe' })) {
    assert.equal((await press(key))[flag], true, key);
    assert.equal((await press(key))[flag], false, key);
  }
  assert.equal((await press('e')).colors, 'gap');
  assert.equal((await press('e')).colors, 'error');
  assert.equal((await press('c')).ramp, 'cividis');
  await press('c');
  assert.equal((await press('c')).ramp, 'heat');
  assert.ok((await press(']')).errorScale > 3.7);
  await press('[');
  await press('Escape');
  assert.equal((await state(page)).selected, null);
  const worst = await press('w');
  assert.ok(worst.selected && worst.clip === 0);
  const before = await page.evaluate(() => window.pelt.camera.position);
  await press('Shift+ArrowLeft');
  await press('+');
  await press('z');
  assert.notDeepEqual(await page.evaluate(() => window.pelt.camera.position), before);
  await press('r');
  await press('?');
  assert.ok(await page.locator('dialog[open]').isVisible());
  assert.equal(await page.locator('dialog kbd').count() > 25, true);
  await press('Escape');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  assert.match(await frame(), /^frame/);
}

/** All that can be worked is reached with Tab, and has a name and a visible focus. */
async function tabOrder({ page }) {
  await page.evaluate(() => (document.activeElement.blur(), window.scrollTo(0, 0)));
  const seen = new Set();
  for (let n = 0; n < 45; ++n) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      const label = e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent.trim() || e.title;
      return { tag: e.tagName, label, outline: getComputedStyle(e).outlineStyle };
    });
    if (at.tag === 'BODY') break;
    assert.ok(at.label, `a ${at.tag} has no name`);
    assert.notEqual(at.outline, 'none', at.label);
    seen.add(at.label);
  }
  for (const label of ['Clip', 'free', 'rotate', 'Save picture', 'Help', 'Play (space)', 'Frame', 'Worst', 'Palette', 'Skeleton']) assert.ok([...seen].some((text) => text.includes(label)), `${label} is not reached: ${[...seen].join('; ')}`);
}

async function colours({ page }) {
  await page.evaluate(() => (window.scrollTo(0, 0), window.pelt.worst({ allClips: true })));
  assert.ok((await pixels(page, 3, 'drawn')) > 500);
  const red = await pixels(page, 3, 'red');
  assert.ok(red > 10, `${red} red pixels where an error is beyond the scale`);
  assert.equal(await pixels(page, 2, 'red'), 0);
  await page.evaluate(() => window.pelt.set({ errorScale: 100 }));
  assert.equal(await pixels(page, 3, 'red'), 0);
  await page.evaluate(() => window.pelt.set({ errorScale: 3 }));
  const outlined = await pixels(page, 0, 'dark');
  await page.evaluate(() => window.pelt.set({ outline: 'off' }));
  const plain = await pixels(page, 0, 'dark');
  assert.ok(outlined > plain + 25, `${outlined} dark pixels with the outline, ${plain} without`);
  await page.evaluate(() => window.pelt.set({ outline: 'outline' }));
}

async function pointer({ page }) {
  await page.evaluate(() => (window.scrollTo(0, 0), window.pelt.set({ selected: null })));
  const box = await page.locator('.view[data-rig="0"]').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.click(x, y);
  await page.waitForFunction(() => window.pelt.state.selected?.rig === 0);
  const { text, error } = await page.evaluate(() => (window.pelt.set({}), { text: document.querySelector('.figure-box').textContent, error: window.pelt.errors(0)[window.pelt.state.selected.vertex] }));
  assert.ok(text.includes(`${error.toFixed(3)} %`), text);
  const before = await page.evaluate(() => window.pelt.camera.position);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 20, { steps: 3 });
  await page.mouse.up();
  assert.notDeepEqual(await page.evaluate(() => window.pelt.camera.position), before);
  await page.keyboard.press('r');
}

async function plotScrubs({ page }) {
  await page.evaluate(() => window.pelt.seek({ frame: 8 }));
  const plot = page.locator('svg.plot');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.click(box.x + 46, box.y + 60);
  await page.waitForFunction(() => document.querySelector('.readout').textContent.startsWith('frame 0'));
  assert.equal(await plot.locator('polyline').count(), 4);
  assert.match(await plot.getAttribute('aria-label'), /shaky: \d/);
}

async function tables({ page }) {
  const table = page.locator('table.figures').first();
  const firsts = () => table.locator('tbody th').allInnerTexts();
  assert.equal((await firsts())[0], 'control');
  const head = table.locator('thead th').nth(1);
  await head.locator('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  const down = await table.locator('tbody tr td:nth-child(2)').allInnerTexts();
  const numbers = down.slice(1).map(Number);
  assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
  await head.locator('button').click();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  assert.equal((await firsts())[0], 'control');
  const captions = await page.locator('caption').allInnerTexts();
  for (const part of ['Quality', 'all figures', 'all clips', 'All models']) assert.ok(captions.some((text) => text.includes(part)), part);
  const text = await page.locator('.details').innerText();
  for (const part of ['Error by joint', 'Gap', '99 % have less', 'Health of the rig', 'weight islands']) assert.ok(text.includes(part), part);
  assert.match(await page.locator('.about').innerText(), /stiff-shins: joint Shin_L/);
}

async function chipsHideRigs({ page }) {
  await page.locator('.chip[data-rig="1"]').click();
  await page.waitForFunction(() => document.querySelectorAll('.panel').length === 3);
  assert.match(await page.locator('.chips').innerText(), /3 of 4 rigs shown/);
  await page.locator('.chip[data-rig="1"]').click();
  await page.waitForFunction(() => document.querySelectorAll('.panel').length === 4);
}

async function picture({ page }) {
  const before = await state(page);
  const { width, height, colors } = await page.evaluate(async () => {
    const image = await createImageBitmap(await window.pelt.picture());
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(640, 64, 640, 480);
    return { width: image.width, height: image.height, colors: new Set(new Uint32Array(data.buffer)).size };
  });
  assert.deepEqual([width, height], [1280, 2 * 544 + 56]);
  assert.ok(colors > 100, `${colors} colours`);
  const after = await state(page);
  assert.deepEqual([after.time, after.clip], [before.time, before.clip]);
  await page.evaluate(() => window.scrollTo(0, 0));
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save picture' }).click()]);
  assert.equal(download.suggestedFilename(), 'pelt-worst-frames.png');
}

async function noComplaints({ page }) {
  assert.deepEqual(page.complaints, []);
}

async function phone({ browser }) {
  const page = await open(browser, pageFile(1), { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1, colorScheme: 'dark' });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(await wide(), 375);
  const box = await page.locator('.view[data-rig="0"]').boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => window.pelt.state.selected?.rig === 0);
  await page.locator('.panel .figure-box').waitFor();
  assert.equal(await page.locator('.strip').isVisible(), false);  // nothing is left in it
  assert.equal(await wide(), 375);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(20, 22, 26)');
  await page.evaluate(() => window.pelt.set({ theme: 'light' }));
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(246, 247, 249)');
  await page.getByRole('button', { name: 'Play (space)' }).tap();
  await page.waitForFunction(() => window.pelt.state.playing);
  await page.screenshot({ path: `${folder}/phone.png` });
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

async function manyModels({ browser }) {
  const page = await open(browser, pageFile(3));
  await page.getByLabel('Model', { exact: true }).selectOption('2');
  await page.waitForFunction(() => window.pelt.state.model === 2);
  assert.deepEqual(await page.evaluate(() => window.pelt.shown), [4, 5]);
  assert.equal(await page.locator('.panel').count(), 2);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

export const openFixture = (browser) => open(browser, pageFile(1));

/** Name and check; those with `page` share one. */
export const CHECKS = [
  ['opens at the worst frame with the worst vertex chosen', opensAtTheWorst],
  ['figures equal the report in all modes and clips', figuresEqualReport],
  ['positions, targets and errors are those of the definition', arraysAreThoseOfTheDefinition],
  ['everything can be done by keys', keyboard],
  ['everything is reached by Tab, is named and shows its focus', tabOrder],
  ['errors are coloured, and the outline is dark', colours],
  ['a click picks a vertex, a drag turns the camera', pointer],
  ['the plot scrubs', plotScrubs],
  ['tables are sorted, panels are full', tables],
  ['rigs are switched off and on', chipsHideRigs],
  ['the picture has all rigs', picture],
  ['nothing complained', noComplaints],
  ['a phone has no horizontal scroll, takes touch and a dark theme', phone],
  ['models are chosen', manyModels],
];
