// A headless Chromium of the system, for all browser tests.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = [process.env.PELT_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where it is; undefined where there is none. */
export const executable = PLACES.find((place) => place && existsSync(place));

export const launch = () => chromium.launch({
  executablePath: executable,
  headless: true,
  timeout: 180000,
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--in-process-gpu'],
});
