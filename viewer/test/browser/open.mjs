// Pages in the browser.
import { readFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageOf } from '../encoder.mjs';

const template = () => readFileSync(new URL('../../dist/viewer.html', import.meta.url), 'utf8');

export const temporary = () => mkdtempSync(join(tmpdir(), 'pelt-viewer-'));

export function writePage(folder, name, packs) {
  const file = join(folder, name);
  writeFileSync(file, pageOf(template(), packs));
  return file;
}

const PATIENCE = 180000; // ms; a busy machine is no failure

/** Opens a file of the disk, in few pixels since software draws them, and waits until it can be used. @returns the page; what went wrong in it is in `page.complaints` */
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 900, height: 600 }, deviceScaleFactor: 0.5, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.complaints.push(message.text()));
  await page.goto(`file://${file}`);
  await page.waitForSelector('body.ready');
  return page;
}
