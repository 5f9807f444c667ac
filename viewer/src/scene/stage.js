// One canvas under all panels, one WebGL context: each panel is drawn into its own rectangle.
import * as THREE from 'three';
import { setPixel } from './artist_view.js';

THREE.ColorManagement.enabled = false;
const MOST_PIXELS = 12e6;

const MOST_SMOOTHED = 3e5; // triangles that a processor draws in time with smooth edges

/** Whether the processor draws, for want of a graphics card. */
function drawsInSoftware() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/** @returns null where the browser has no WebGL */
export function createStage(canvas, triangles) {
  let renderer;
  try {
    const antialias = triangles <= MOST_SMOOTHED || !drawsInSoftware();
    renderer = new THREE.WebGLRenderer({ canvas, antialias, alpha: true });
  } catch {
    return null;
  }
  renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
  renderer.setClearColor(0x000000, 0);
  return { canvas, renderer };
}

/** Fits the canvas to its box. */
function fit({ canvas, renderer }) {
  const { clientWidth: width, clientHeight: height } = canvas.parentElement;
  const ratio = Math.min(window.devicePixelRatio, 2, Math.sqrt(MOST_PIXELS / Math.max(1, width * height)));
  const size = renderer.getSize(new THREE.Vector2());
  if (size.x !== width || size.y !== height || renderer.getPixelRatio() !== ratio) {
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height);
  }
}

export function inSight(element) {
  const rect = element.getBoundingClientRect();
  return rect.width > 0 && rect.bottom > 0 && rect.top < window.innerHeight;
}

/** Draws each view into the rectangle of its element. */
export function drawPanels(stage, camera, panels) {
  fit(stage);
  const { renderer, canvas } = stage;
  const origin = canvas.getBoundingClientRect();
  renderer.setScissorTest(false);
  renderer.clear();
  renderer.setScissorTest(true);
  for (const { element, view } of panels) {
    const rect = element.getBoundingClientRect();
    const box = [rect.left - origin.left, origin.bottom - rect.bottom, rect.width, rect.height];
    renderer.setViewport(...box);
    renderer.setScissor(...box);
    camera.aspect = rect.width / rect.height;
    camera.updateProjectionMatrix();
    setPixel(view.artist, rect.width, rect.height, 1);
    renderer.render(view.scene, camera);
  }
}

/** The pixels of one view, top row first, for a picture. */
export function drawPicture({ renderer }, camera, view, { width, height, background }) {
  const target = new THREE.WebGLRenderTarget(width, height, { samples: 4 });
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  setPixel(view.artist, width, height, 2);
  renderer.setRenderTarget(target);
  renderer.setScissorTest(false);
  renderer.setClearColor(background, 1);
  renderer.clear();
  renderer.render(view.scene, camera);
  const pixels = new Uint8Array(4 * width * height);
  renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
  renderer.setRenderTarget(null);
  renderer.setClearColor(0x000000, 0);
  target.dispose();
  return new ImageData(upright(pixels, width, height), width, height);
}

/** WebGL has the bottom row first. */
function upright(pixels, width, height) {
  const turned = new Uint8ClampedArray(pixels.length);
  const row = 4 * width;
  for (let y = 0; y < height; ++y) turned.set(pixels.subarray(y * row, (y + 1) * row), (height - 1 - y) * row);
  return turned;
}
