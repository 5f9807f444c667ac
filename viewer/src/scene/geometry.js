// Buffers that three draws from, which are the very arrays that the page measures.
import * as THREE from 'three';

function attribute(array, size) {
  const made = new THREE.BufferAttribute(array, size);
  made.setUsage(THREE.DynamicDrawUsage);
  return made;
}

/** Of a surface that moves. */
export function geometryOf(moving) {
  const geometry = new THREE.BufferGeometry();
  geometry.setIndex(new THREE.BufferAttribute(moving.triangles, 1));
  geometry.setAttribute('position', attribute(moving.positions, 3));
  geometry.setAttribute('normal', attribute(moving.normals, 3));
  return geometry;
}

/** Takes a value a vertex; the arrays are kept, not copied. */
export function setValues(geometry, values) {
  const old = geometry.getAttribute('value');
  if (old?.array === values) old.needsUpdate = true;
  else geometry.setAttribute('value', attribute(values, 1));
}

export function touch(geometry) {
  geometry.getAttribute('position').needsUpdate = true;
  geometry.getAttribute('normal').needsUpdate = true;
}

/** Nothing is culled: surfaces move, and their spheres would have to be found anew for each frame. */
export function unculled(object, order) {
  object.frustumCulled = false;
  object.renderOrder = order;
  return object;
}

export function points(count) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', attribute(new Float32Array(3 * count), 3));
  return geometry;
}
