// What the page holds: the pack `page` at once, those of artists and rigs when they are first shown.
import { decodePack } from './pack.js';

/** @param {(id: string) => string} textOf the text of a pack's element */
export async function openPage(textOf) {
  const page = await decodePack(textOf('page'));
  return { ...page, models: modelsOf(page.rigs), load: (id) => decodePack(textOf(id)) };
}

/** Rigs of one model and one artist are looked at together. */
export function modelsOf(rigs) {
  const models = [];
  rigs.forEach((rig, index) => {
    let model = models.find((m) => m.artist === rig.artist && m.name === (rig.model ?? ''));
    if (!model) models.push((model = { name: rig.model ?? '', artist: rig.artist, rigs: [] }));
    model.rigs.push(index);
  });
  return models;
}

/** The text of an element of this document. */
export function textOfElement(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`this page has no pack '${id}'`);
  return element.textContent;
}
