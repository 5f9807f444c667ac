// Elements by hand.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Sets the text unless it is that already, which spares the layout. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let labels = 0;

/** A control with its label, which phones and screen readers need to be linked. */
export function labelled(text, control, attributes = {}) {
  control.id ||= `control-${++labels}`;
  return h('span', { class: 'field', ...attributes }, h('label', { for: control.id }, text), control);
}

export function select(options, onChange, attributes = {}) {
  const element = h('select', { ...attributes, onchange: () => onChange(element.value) });
  setOptions(element, options);
  return element;
}

/** @param {[string, string][]} options value and text */
export function setOptions(element, options) {
  element.replaceChildren(...options.map(([value, text]) => h('option', { value }, text)));
}

/** A button that is on or off. */
export function toggle(text, key, onToggle, attributes = {}) {
  return h('button', { type: 'button', class: 'toggle', 'aria-pressed': 'false', title: key ? `${text} (${key})` : text, onclick: onToggle, ...attributes }, text);
}

export const press = (button, on) => button.setAttribute('aria-pressed', String(Boolean(on)));
