// node picture.mjs PAGE.html OUT.png           the contact sheet: each rig at its worst frame
// node picture.mjs PAGE.html OUT.png 1280x900  the page as a window of that size shows it, at its worst moment
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { executable, launch } from './test/browser/chromium.mjs';

const [page, out, size] = process.argv.slice(2);

/** The PNG that the page makes. */
async function contactSheet(tab) {
  const url = await tab.evaluate(async () => {
    const reader = new FileReader();
    const read = new Promise((done) => { reader.onload = () => done(reader.result); });
    reader.readAsDataURL(await window.pelt.picture());
    return read;
  });
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

async function screenshot(tab) {
  await tab.evaluate(() => window.pelt.worst({ allClips: true }));
  return tab.screenshot();
}

async function main() {
  if (!page || !out) throw new Error('usage: picture.mjs PAGE.html OUT.png [WIDTHxHEIGHT]');
  if (!executable) throw new Error('there is no chromium here; scripts/setup --browser installs it');
  readFileSync(page);  // says so where there is none
  const browser = await launch();
  try {
    const [width, height] = (size ?? '1280x900').split('x').map(Number);
    const tab = await browser.newPage({ viewport: { width, height } });
    await tab.goto(pathToFileURL(resolve(page)).href);
    await tab.evaluate(() => window.pelt.ready);
    writeFileSync(out, size ? await screenshot(tab) : await contactSheet(tab));
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(`picture: ${error.message}`);
  process.exitCode = 1;
});
