// A dialog with all keys.
import { h } from './dom.js';

let dialog = null;

/** @param {[string, string, string][]} keys of shortcuts.js */
export function mountHelp(keys) {
  const items = keys.filter(([, written]) => written).map(([, written, what]) => h('li', {}, h('kbd', {}, written), what));
  dialog = h('dialog', { class: 'help-dialog', 'aria-labelledby': 'help-title' },
    h('header', {}, h('h2', { id: 'help-title' }, 'Keys'), h('form', { method: 'dialog' }, h('button', { autofocus: true }, 'Close'))),
    h('ul', { class: 'keys' }, items),
    h('p', {}, 'Drag to turn, wheel or two fingers to zoom, right button or two fingers to shift: in all panels at once. Click or tap a rig for the figures of a vertex; drag in the plot to scrub.'),
    h('p', {}, 'Errors are distances from where the vertex belongs on the artist’s surface, in % of his diagonal at rest. The outline is his surface.'));
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return dialog;
}

export const openHelp = () => dialog.showModal();
