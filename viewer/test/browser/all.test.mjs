// All browser checks, in one Chromium. Where there is none they are skipped, and counted.
import { after, before, test } from 'node:test';
import { executable, launch } from './chromium.mjs';
import { CHECKS, openFixture } from './fixture_checks.mjs';
import { realChecks } from './real_checks.mjs';

const all = [...CHECKS, ...realChecks()];

if (!executable) {
  console.log(`skipped: ${all.length} browser checks (no chromium)`);
} else {
  const shared = {};
  before(async () => {
    shared.browser = await launch();
    shared.page = await openFixture(shared.browser);
  });
  after(() => shared.browser?.close());
  for (const [name, check] of all) test(name, (t) => check({ ...shared, t }));
}
