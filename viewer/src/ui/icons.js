// Signs of buttons, drawn: not every font has them.
import { svg } from './dom.js';

const PATHS = {
  first: 'M3 3h2v10H3zM14 3v10L6 8z',
  before: 'M11 3v10L4 8z',
  play: 'M4 2.5v11L13.5 8z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  next: 'M5 3v10l7-5z',
  last: 'M11 3h2v10h-2zM2 3v10l8-5z',
  close: 'M3.5 4.9l1.4-1.4L8 6.6l3.1-3.1 1.4 1.4L9.4 8l3.1 3.1-1.4 1.4L8 9.4l-3.1 3.1-1.4-1.4L6.6 8z',
};

export const icon = (name) =>
  svg('svg', { class: 'icon', width: 16, height: 16, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('path', { d: PATHS[name], fill: 'currentColor' }));
