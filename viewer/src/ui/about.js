// Settings, versions and warnings.
import { entryOf, rowOf } from '../data/report.js';
import { h } from './dom.js';

const written = (value) => (value === null ? 'none' : typeof value === 'object' ? JSON.stringify(value).replaceAll('"', '') : String(value));

const list = (object) => h('dl', {}, Object.entries(object ?? {}).flatMap(([name, value]) => [h('dt', {}, name.replaceAll('_', ' ')), h('dd', {}, written(value))]));

/** The warnings of each rig that has any, and the page's own. */
function warningsOf(app) {
  const own = app.page.report?.warnings ?? [];
  const found = own.map((text) => ['', text]);
  for (const rig of app.page.models[app.state.model].rigs) {
    const entry = entryOf(app.page, rig);
    const warnings = rowOf(app.page, rig)?.warnings ?? (entry === app.page.report ? [] : entry?.warnings) ?? [];
    for (const text of warnings) found.push([app.page.rigs[rig].name, text]);
  }
  return found;
}

export function mountAbout(app) {
  const warnings = h('div', {});
  const { page } = app;
  const settings = page.report?.settings ?? page.report?.rows?.[0]?.details?.settings;
  app.store.on(['model', 'loaded'], () => {
    const found = warningsOf(app);
    const items = found.map(([rig, text]) => h('li', {}, rig ? h('b', {}, `${rig}: `) : null, text));
    warnings.replaceChildren(found.length === 0 ? h('p', { class: 'note' }, 'None.') : h('ul', {}, items));
  });
  const files = [
    ...page.artists.map((artist) => ['artist', artist.file, `diagonal ${Number(artist.diag.toPrecision(6))}`]),
    ...page.rigs.map((rig) => [rig.name, rig.file ?? '', rig.model ?? '']),
  ];
  return h('section', { class: 'card about', 'aria-label': 'Settings, versions, warnings' },
    h('h2', {}, 'Warnings'), warnings,
    h('details', {}, h('summary', {}, 'Settings'), list(settings)),
    h('details', {}, h('summary', {}, 'Versions'), list({ pelt: page.pelt, ...page.report?.versions })),
    h('details', {}, h('summary', {}, 'Files'), h('div', { class: 'table-box' }, h('table', { class: 'figures' }, h('tbody', {}, files.map((row) => h('tr', {}, row.map((text) => h('td', {}, text)))))))));
}
