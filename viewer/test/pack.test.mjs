import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesFromBase64, decodePack, parsePack } from '../src/data/pack.js';
import { packBytes, packText, planesOf } from './encoder.mjs';

const buffer = (bytes) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);

const CONTENT = {
  name: 'Ä wolf',
  bytes: Uint8Array.of(1, 2, 255),
  shorts: Uint16Array.of(1, 258, 65535),
  deep: [{ ints: Uint32Array.of(0, 16909060, 4294967295), floats: Float32Array.of(-0.5, 1e-30, NaN, Infinity) }],
  none: null,
};

for (const planes of [false, true])
  test(`a pack is read as it was written, planes: ${planes}`, async () => {
    const pack = await decodePack(packText(CONTENT, { planes }));
    assert.deepEqual(pack, CONTENT);
  });

test('planes put first bytes first', () => {
  assert.deepEqual([...planesOf(Uint16Array.of(0x0201, 0x0403))], [1, 3, 2, 4]);
});

test('arrays start after the padded header', () => {
  const bytes = packBytes({ a: Uint32Array.of(7) }, { planes: false });
  const length = bytes.readUInt32LE(0);
  assert.equal((4 + length) % 8, 0);
  assert.equal(bytes.readUInt32LE(4 + length), 7);
  assert.deepEqual([...parsePack(buffer(bytes)).a], [7]);
});

test('an array that is longer than its pack is told', () => {
  const bytes = packBytes({ a: Uint32Array.of(7, 8) });
  assert.throws(() => parsePack(buffer(bytes.subarray(0, bytes.length - 4))), /2 u32 at 0 is longer/);
});

test('a header that is longer than its pack is told', () => {
  assert.throws(() => parsePack(Uint8Array.of(200, 0, 0, 0, 32).buffer), /5 bytes has a header of 200/);
});

test('base64 is read with and without the browser’s help', () => {
  for (const length of [0, 1, 2, 3, 100, 3 << 18]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7) & 255);
    const text = Buffer.from(bytes).toString('base64');
    assert.deepEqual(bytesFromBase64(` ${text.slice(0, 8)}\n${text.slice(8)} `), bytes);
  }
});
