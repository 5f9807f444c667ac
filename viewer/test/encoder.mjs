// Writes packs and pages as the program does (docs/page.md).
import { gzipSync } from 'node:zlib';

const TYPES = new Map([[Uint8Array, 'u8'], [Uint16Array, 'u16'], [Uint32Array, 'u32'], [Float32Array, 'f32']]);

/** All first bytes of the numbers, then all second ones, and so on. */
export function planesOf(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const width = array.BYTES_PER_ELEMENT;
  const planes = new Uint8Array(bytes.length);
  for (let i = 0; i < array.length; ++i) for (let p = 0; p < width; ++p) planes[p * array.length + i] = bytes[i * width + p];
  return planes;
}

/** The bytes of a pack: typed arrays inside `content` become named arrays. */
export function packBytes(content, { planes = true } = {}) {
  const arrays = [];
  let at = 0;
  const header = JSON.stringify(content, (key, value) => {
    const type = TYPES.get(value?.constructor);
    if (!type) return value;
    const inPlanes = planes && value.BYTES_PER_ELEMENT > 1;
    arrays.push({ at, bytes: inPlanes ? planesOf(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength) });
    const named = { at, type, count: value.length, ...(inPlanes ? { planes: true } : {}) };
    at += Math.ceil(value.byteLength / 4) * 4;
    return named;
  });
  const text = Buffer.from(header, 'utf8');
  const length = Math.ceil((4 + text.length) / 8) * 8 - 4;
  const out = Buffer.alloc(4 + length + at, 0);
  out.fill(' ', 4, 4 + length);
  out.writeUInt32LE(length, 0);
  text.copy(out, 4);
  for (const array of arrays) out.set(array.bytes, 4 + length + array.at);
  return out;
}

export const packText = (content, options) => gzipSync(packBytes(content, options)).toString('base64');

/** A page of the template and packs by id. */
export function pageOf(template, packs, title = 'pelt') {
  const elements = Object.entries(packs).map(([id, content]) => `<script type="application/x-pelt-pack" id="${id}">${packText(content)}</script>`);
  return template.replace('<!--title-->', () => title).replace('<!--packs-->', () => elements.join('\n'));
}
