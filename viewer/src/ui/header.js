// What is looked at: model, clip, mode and rigs.
import { clips, modes, reported, setClip, shownRigs } from '../app.js';
import { fileName, fixed, shortClip } from '../format.js';
import { showRigs } from '../load.js';
import { h, labelled, press, select, setOptions } from './dom.js';
import { openHelp } from './help.js';
import { savePicture } from './picture.js';
import { swatch } from './rig_colors.js';
import { THEMES } from './theme.js';

export function mountHeader(app) {
  return h('header', { class: 'top' },
    h('h1', {}, 'pelt', h('span', { class: 'artist' }, titleOf(app))),
    modelChoice(app), clipChoice(app), modeChoice(app),
    h('div', { class: 'end' },
      h('button', { type: 'button', onclick: () => savePicture(app), title: 'The worst frame of each rig, as PNG (p)' }, 'Save picture'),
      themeChoice(app),
      h('button', { type: 'button', class: 'help', onclick: openHelp, title: 'Keys and help (?)', 'aria-label': 'Help' }, '?')));
}

const titleOf = ({ page }) =>
  page.artists.length === 1 ? fileName(page.artists[0].file) : `${page.models.length} models, ${page.rigs.length} rigs`;

const modelName = (app, model) => model.name || fileName(app.page.artists[model.artist].file);

function modelChoice(app) {
  if (app.page.models.length < 2) return null;
  const options = app.page.models.map((model, index) => [String(index), modelName(app, model)]);
  const element = select(options, (value) => app.loadModel(Number(value)));
  app.store.on(['model'], () => (element.value = String(app.state.model)));
  return labelled('Model', element);
}

function clipChoice(app) {
  const element = select([], (value) => setClip(app, Number(value)));
  app.store.on(['model', 'loaded'], () =>
    setOptions(element, clips(app).map((clip, index) => [String(index), shortClip(clip.name)])));
  app.store.on(['clip', 'model', 'loaded'], () => (element.value = String(app.state.clip)));
  return labelled('Clip', element);
}

function modeChoice(app) {
  const group = h('div', { class: 'segments', role: 'group', 'aria-label': 'What joints may do (m)' });
  app.store.on(['model', 'loaded'], () => {
    const names = modes(app);
    group.hidden = names.length < 2;
    group.replaceChildren(...names.map((name) =>
      h('button', { type: 'button', 'data-mode': name, title: 'Joint mode (m)', onclick: () => app.store.set({ mode: name }) }, name)));
  });
  app.store.on(['mode', 'model', 'loaded'], () => {
    for (const button of group.children) press(button, button.dataset.mode === app.state.mode);
  });
  return group;
}

function themeChoice(app) {
  const element = select(Object.entries(THEMES), (theme) => app.store.set({ theme }), { 'aria-label': 'Colours of the page' });
  app.store.on(['theme'], () => (element.value = app.state.theme));
  return element;
}

/** A chip for each rig of the model, to switch it on and off. */
export function mountRigChips(app) {
  const group = h('div', { class: 'chips', role: 'group', 'aria-label': 'Rigs to show' });
  const update = () => {
    const { rigs } = app.page.models[app.state.model];
    group.hidden = rigs.length < 2;
    group.replaceChildren(...rigs.map((rig) => chip(app, rig)), note(app, rigs) ?? '');
  };
  app.store.on(['loaded', 'model', 'shown', 'clip', 'mode'], update);
  return group;
}

function chip(app, rig) {
  const { shown } = app.state;
  const on = shown.includes(rig);
  const clip = app.model.rigs.has(rig) ? reported(app, rig) : null;
  const next = () => (on ? shown.filter((other) => other !== rig) : [...shown, rig].sort((a, b) => a - b));
  return h('button', {
    type: 'button', class: 'chip', 'aria-pressed': String(on), 'data-rig': rig,
    onclick: () => next().length > 0 && app.guard(showRigs(app, next())),
  }, swatch(app, rig), app.page.rigs[rig].name, clip ? h('b', {}, fixed(clip.quality, 1)) : null);
}

const note = (app, rigs) => {
  const shown = shownRigs(app).length;
  return shown < rigs.length ? h('span', { class: 'note' }, `${shown} of ${rigs.length} rigs shown`) : null;
};

