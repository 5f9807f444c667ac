// One camera for all panels: turned in any of them, it turns in all.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export const VIEWS = {
  start: [0.8, 0.32, 0.85],
  front: [0, 0.02, 1],
  side: [1, 0.02, 0],
  back: [0, 0.02, -1],
  top: [0.001, 1, 0],
};

export function createCamera() {
  const camera = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
  return { camera, target: new THREE.Vector3(), radius: 1, floor: null };
}

/** Turns, shifts and zooms by pointer, wheel and fingers in `element`. */
export function linkControls(shared, element, onChange) {
  const controls = new OrbitControls(shared.camera, element);
  controls.target = shared.target;
  controls.addEventListener('change', onChange);
  return controls;
}

/** Looks at a surface from a side (a name or a direction), all of it in sight. */
export function frame(shared, positions, view = 'start', aspect = 1.3) {
  const sphere = new THREE.Box3().setFromArray(positions).getBoundingSphere(new THREE.Sphere());
  shared.radius = sphere.radius || 1;
  shared.target.copy(sphere.center);
  shared.camera.near = shared.radius / 200;
  shared.camera.far = shared.radius * 200;
  const direction = new THREE.Vector3(...(VIEWS[view] ?? view)).normalize();
  shared.camera.position.copy(sphere.center).add(direction);
  shared.camera.lookAt(sphere.center);
  shared.camera.position.copy(sphere.center).addScaledVector(direction, distanceFor(shared, positions, aspect));
}

/** How far away the surface is in sight, with a margin. */
function distanceFor({ camera, target, radius }, positions, aspect) {
  const slope = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)) / 1.2;
  const toCamera = camera.quaternion.clone().invert();
  const at = new THREE.Vector3();
  let distance = radius / 10;
  for (let i = 0, step = sampleStep(positions); i < positions.length; i += step) {
    at.fromArray(positions, i).sub(target).applyQuaternion(toCamera);
    distance = Math.max(distance, at.z + Math.max(Math.abs(at.x) / aspect, Math.abs(at.y)) / slope);
  }
  return distance;
}

/** Some thousand vertices tell where a surface is. */
const sampleStep = (positions) => 3 * Math.max(1, Math.floor(positions.length / 3 / 4000));

/** Turns round the target, radians. */
export function turn(shared, sideways, up) {
  const offset = shared.camera.position.clone().sub(shared.target);
  const spherical = new THREE.Spherical().setFromVector3(offset);
  spherical.theta += sideways;
  spherical.phi = Math.min(Math.PI - 0.01, Math.max(0.01, spherical.phi + up));
  shared.camera.position.setFromSpherical(spherical).add(shared.target);
  shared.camera.lookAt(shared.target);
}

export function zoom(shared, factor) {
  shared.camera.position.sub(shared.target).multiplyScalar(factor).add(shared.target);
}

/** Goes along with the artist over the floor; his ups and downs stay to be seen. */
export function follow(shared, centre) {
  if (shared.floor) {
    for (const axis of ['x', 'z']) {
      const by = centre[axis] - shared.floor[axis];
      shared.camera.position[axis] += by;
      shared.target[axis] += by;
    }
  }
  shared.floor = { x: centre.x, z: centre.z };
}

export function middle(positions) {
  const step = sampleStep(positions);
  const sum = { x: 0, y: 0, z: 0 };
  let count = 0;
  for (let i = 0; i < positions.length; i += step, ++count) {
    sum.x += positions[i];
    sum.y += positions[i + 1];
    sum.z += positions[i + 2];
  }
  return { x: sum.x / count, y: sum.y / count, z: sum.z / count };
}

/** Goes near a vertex, to look at it from outside. */
export function lookClosely(shared, { positions, normals }, vertex) {
  shared.target.fromArray(positions, 3 * vertex);
  const out = new THREE.Vector3().fromArray(normals, 3 * vertex);
  if (out.lengthSq() === 0) out.copy(shared.camera.position).sub(shared.target);
  out.y += 0.2; // not from right below
  shared.camera.position.copy(out.setLength(0.9 * shared.radius)).add(shared.target);
  shared.camera.lookAt(shared.target);
}
