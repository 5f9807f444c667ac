// Starts the page.
import { createApp, clips, jumpToWorst, shownRigs, worstMoment } from './app.js';
import { openPage, textOfElement } from './data/page.js';
import { createHook } from './hook.js';
import { frameModel, showModel } from './load.js';
import { rigNow } from './moment.js';
import { mountAbout } from './ui/about.js';
import { mountDetails } from './ui/details.js';
import { h } from './ui/dom.js';
import { mountFigureBox } from './ui/figure_box.js';
import { mountHeader, mountRigChips } from './ui/header.js';
import { mountHelp } from './ui/help.js';
import { mountLegend, mountToggles } from './ui/legend.js';
import { mountPanels } from './ui/panels.js';
import { mountPlot } from './ui/plot.js';
import { KEYS, watchKeys } from './ui/shortcuts.js';
import { mountTables } from './ui/tables.js';
import { watchTheme } from './ui/theme.js';
import { mountTransport, runClock } from './ui/transport.js';

/** Failures are shown, not only written to the console. */
function guardOf(notice) {
  return (promise) => promise.catch((error) => {
    notice.hidden = false;
    notice.textContent = `This page could not be shown: ${error.message}`;
    console.error(error);
  });
}

/** Shows a model at the clip and frame that a person should see first: the worst. It is drawn once, when all is in its place. */
async function open(app, index) {
  app.quiet = true;
  await showModel(app, index);
  app.store.flush();
  for (const rig of shownRigs(app)) rigNow(app, rig);
  if (worstMoment(app, clips(app).map((_, clip) => clip))) jumpToWorst(app, { allClips: true });
  app.store.flush();
  app.quiet = false;
  frameModel(app);
  app.store.flush();
}

function mount(app, root) {
  watchTheme(app);
  root.replaceChildren(
    mountHeader(app),
    mountRigChips(app),
    mountPanels(app),
    mountFigureBox(app),
    h('div', { class: 'under' }, mountLegend(app), mountToggles(app)),
    mountTransport(app),
    mountPlot(app),
    mountTables(app),
    mountDetails(app),
    mountAbout(app),
    mountHelp(KEYS));
  watchKeys(app);
  runClock(app);
}

async function start() {
  const root = document.getElementById('app');
  const notice = document.getElementById('notice');
  const guard = guardOf(notice);
  let isReady;
  window.pelt = { ready: new Promise((resolve) => (isReady = resolve)) };
  await guard((async () => {
    const app = createApp(await openPage(textOfElement));
    app.guard = guard;
    app.loadModel = (index) => guard(open(app, index));
    mount(app, root);
    await open(app, 0);
    window.pelt = createHook(app, window.pelt.ready);
    document.body.classList.add('ready');
    isReady();
  })());
}

start();
