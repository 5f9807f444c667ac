// The artist's surface over a rig: an outline, or a ghost. Its geometry is shared by all panels.
import * as THREE from 'three';
import { unculled } from './geometry.js';
import { depthMaterial, ghostMaterial, hullMaterial } from './materials.js';

export function createArtistView(geometry) {
  const depth = unculled(new THREE.Mesh(geometry, depthMaterial()), 2);
  depth.onBeforeRender = (renderer) => renderer.clearDepth(); // it lies over the rig wherever that is
  const hull = unculled(new THREE.Mesh(geometry, hullMaterial()), 3);
  const ghost = unculled(new THREE.Mesh(geometry, ghostMaterial()), 3);
  const group = new THREE.Group();
  group.add(depth, hull, ghost);
  return { group, depth, hull, ghost };
}

/** @param {'outline' | 'ghost' | 'off'} how */
export function showArtist({ depth, hull, ghost }, how, color) {
  depth.visible = how !== 'off';
  hull.visible = how === 'outline';
  ghost.visible = how === 'ghost';
  hull.material.uniforms.color.value.set(color);
  ghost.material.uniforms.color.value.set(color);
}

/** Outlines are as wide in a panel of any size. */
export function setPixel({ hull }, width, height, ratio) {
  hull.material.uniforms.pixel.value.set(2 / width, 2 / height);
  hull.material.uniforms.width.value = 1.3 + 0.3 * ratio;
}
