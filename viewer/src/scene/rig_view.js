// One rig in its panel's scene.
import * as THREE from 'three';
import { createArtistView, showArtist } from './artist_view.js';
import { geometryOf, setValues, touch, unculled } from './geometry.js';
import { setRamp, surfaceMaterial, wireMaterial } from './materials.js';
import { createSkeleton, disposeSkeleton, placeSkeleton } from './skeleton.js';

export function createRigView(rig, artistGeometry) {
  const scene = new THREE.Scene();
  const geometry = geometryOf(rig.moving);
  setValues(geometry, rig.errors);
  const surface = unculled(new THREE.Mesh(geometry, surfaceMaterial()), 0);
  const wires = unculled(new THREE.Mesh(geometry, wireMaterial()), 1);
  const artist = createArtistView(artistGeometry);
  const skeleton = rig.travel ? createSkeleton(rig.pack.joints) : null;
  scene.add(surface, wires, artist.group);
  if (skeleton) scene.add(skeleton.group);
  return { rig, scene, geometry, surface, wires, artist, skeleton };
}

/** Where the rig is now. */
export function updateRigView(view, values) {
  touch(view.geometry);
  setValues(view.geometry, values);
  if (view.skeleton && view.rig.motion) placeSkeleton(view.skeleton, view.rig.travel);
}

/** How it is drawn. */
export function styleRigView(view, look) {
  const here = view.rig.motion !== null;
  setRamp(view.surface.material, look.ramp, look.scale);
  view.surface.visible = here;
  view.wires.visible = here && look.wireframe;
  view.wires.material.color.set(look.ramp === 'heat' ? 0x000000 : 0xffffff); // the others begin dark
  showArtist(view.artist, look.outline, look.dark ? '#f2f4f8' : '#0b0d12');
  if (!view.skeleton) return;
  view.skeleton.skeleton.visible = here && look.skeleton;
  view.skeleton.travel.visible = here && look.travel;
}

export function disposeRigView(view) {
  view.geometry.dispose();
  view.scene.traverse((object) => object.material?.dispose());
  if (view.skeleton) disposeSkeleton(view.skeleton);
}
