// A pack: base64 of a gzip stream of a JSON header and the arrays that it names (docs/page.md).

const BYTES = { u8: 1, u16: 2, u32: 4, f32: 4 };
const VIEW = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array };
const CHUNK = 1 << 20; // characters, a multiple of 4

/** @param {string} text base64, spaces allowed */
export function bytesFromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const packed = text.replace(/\s+/g, '');
  const padding = packed.endsWith('==') ? 2 : packed.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((packed.length / 4) * 3 - padding);
  let at = 0;
  for (let start = 0; start < packed.length; start += CHUNK) {
    const chunk = atob(packed.slice(start, start + CHUNK));
    for (let i = 0; i < chunk.length; ++i) bytes[at++] = chunk.charCodeAt(i);
  }
  return bytes;
}

/** @param {Uint8Array} bytes @returns {Promise<ArrayBuffer>} */
export function unzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

/** Undoes `planes`: all first bytes, then all second ones, and so on. Numbers are built as such, little-endian as all machines are. */
function fromPlanes(bytes, width) {
  const count = bytes.length / width;
  const numbers = width === 2 ? new Uint16Array(count) : new Uint32Array(count);
  const [p0, p1, p2, p3] = [0, 1, 2, 3].map((plane) => bytes.subarray(plane * count, (plane + 1) * count));
  if (width === 2) for (let i = 0; i < count; ++i) numbers[i] = p0[i] | (p1[i] << 8);
  else for (let i = 0; i < count; ++i) numbers[i] = p0[i] | (p1[i] << 8) | (p2[i] << 16) | (p3[i] << 24);
  return numbers.buffer;
}

/** An array that a header names, as a view into the pack where that is possible. */
function arrayOf(buffer, start, entry) {
  const width = BYTES[entry.type];
  const at = start + entry.at;
  if (at + entry.count * width > buffer.byteLength)
    throw new RangeError(`an array of ${entry.count} ${entry.type} at ${entry.at} is longer than its pack`);
  if (!entry.planes || width === 1) return new VIEW[entry.type](buffer, at, entry.count);
  return new VIEW[entry.type](fromPlanes(new Uint8Array(buffer, at, entry.count * width), width));
}

const namesArray = (value) => value.type in VIEW && 'at' in value && 'count' in value;

/** The header with each array that it names in place of the name. */
function withArrays(value, buffer, start) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => withArrays(item, buffer, start));
  if (namesArray(value)) return arrayOf(buffer, start, value);
  const filled = {};
  for (const key of Object.keys(value)) filled[key] = withArrays(value[key], buffer, start);
  return filled;
}

/** @param {ArrayBuffer} buffer an unzipped pack */
export function parsePack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  if (4 + length > buffer.byteLength) throw new RangeError(`a pack of ${buffer.byteLength} bytes has a header of ${length}`);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  return withArrays(header, buffer, 4 + length);
}

/** @param {string} text base64 */
export const decodePack = async (text) => parsePack(await unzip(bytesFromBase64(text)));
