// Playing and scrubbing.
import { following, frameNow, frameTimes, goToFrame, jumpToWorst, step } from '../app.js';
import { seconds } from '../format.js';
import { h, press, select, setText, toggle } from './dom.js';
import { icon } from './icons.js';

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

const button = (name, label, onclick) => h('button', { type: 'button', class: name, title: label, 'aria-label': label, onclick }, icon(name));

export function mountTransport(app) {
  const play = button('play', 'Play (space)', () => playOrPause(app));
  const loop = toggle('Loop', 'l', () => app.store.set({ loop: !app.state.loop }));
  const speed = select(SPEEDS.map((s) => [String(s), `${s}×`]), (value) => app.store.set({ speed: Number(value) }), { 'aria-label': 'Speed' });
  const slider = h('input', { type: 'range', min: 0, step: 'any', 'aria-label': 'Frame', oninput: () => scrub(app, Number(slider.value)) });
  const readout = h('output', { class: 'readout' });
  app.store.on(['time', 'clip', 'model', 'loaded', 'active', 'mode'], () => update(app, slider, readout));
  app.store.on(['playing'], () => {
    play.replaceChildren(icon(app.state.playing ? 'pause' : 'play'));
    play.setAttribute('aria-label', app.state.playing ? 'Pause (space)' : 'Play (space)');
  });
  app.store.on(['loop', 'speed', 'loaded'], () => {
    press(loop, app.state.loop);
    speed.value = String(app.state.speed);
  });
  return h('section', { class: 'transport', 'aria-label': 'Time' },
    h('div', { class: 'buttons' },
      button('first', 'First frame (Home)', () => goToFrame(app, 0)),
      button('before', 'Frame before (left arrow)', () => step(app, -1)),
      play,
      button('next', 'Next frame (right arrow)', () => step(app, 1)),
      button('last', 'Last frame (End)', () => goToFrame(app, Infinity)),
      h('button', { type: 'button', class: 'accent', title: 'Worst frame and vertex of this clip (w); with shift, of all clips', onclick: (event) => jumpToWorst(app, { allClips: event.shiftKey }) }, 'Worst'),
      h('button', { type: 'button', title: 'Worst frame and vertex of all clips (W)', onclick: () => jumpToWorst(app, { allClips: true }) }, 'Worst of all'),
      loop),
    h('div', { class: 'slide' }, slider, readout, speed));
}

export function playOrPause(app) {
  const times = frameTimes(app);
  const atEnd = !app.state.loop && app.state.time >= times.at(-1);
  app.store.set({ playing: !app.state.playing, ...(atEnd && !app.state.playing ? { time: times[0] } : {}) });
}

/** `at`: frames, with their fractions. */
function scrub(app, at) {
  const times = frameTimes(app);
  const frame = Math.round(at);
  app.store.set({ time: times[Math.min(frame, times.length - 1)], playing: false });
}

/** The frame of a time, with its fraction. */
function fractionOf(times, time) {
  const next = times.findIndex((t) => t >= time);
  if (next <= 0) return next < 0 ? times.length - 1 : 0;
  return next - (times[next] - time) / (times[next] - times[next - 1]);
}

function update(app, slider, readout) {
  if (!app.model) return;
  const times = frameTimes(app);
  const frame = frameNow(app);
  slider.max = Math.max(1, times.length - 1);
  slider.value = fractionOf(times, app.state.time);
  const text = `frame ${frame} of ${times.length - 1}, ${seconds(app.state.time)}`;
  slider.setAttribute('aria-valuetext', text);
  setText(readout, text);
}

/** Lets the time run while it plays. */
export function runClock(app) {
  let before = null;
  const tick = (now) => {
    if (!app.state.playing) return (before = null);
    if (before !== null) advance(app, ((now - before) / 1000) * app.state.speed);
    before = now;
    requestAnimationFrame(tick);
  };
  app.store.on(['playing'], () => app.state.playing && before === null && requestAnimationFrame(tick));
}

function advance(app, by) {
  const times = frameTimes(app);
  const [first, last] = [times[0], times.at(-1)];
  const time = app.state.time + by;
  if (time <= last) app.store.set({ time });
  else if (app.state.loop && last > first) app.store.set({ time: first + ((time - first) % (last - first)) });
  else app.store.set({ time: last, playing: false });
}

export const nextSpeed = (app) => app.store.set({ speed: following(SPEEDS, app.state.speed) });
