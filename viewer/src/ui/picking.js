// Clicks and taps choose the vertex under them; a drag turns the camera instead.
import * as THREE from 'three';
import { rigNow } from '../moment.js';
import { selectWorstVertex } from '../app.js';
import { pickVertex } from '../surface/pick.js';

const STILL = 6; // pixels that a finger may slip

export function watchPicking(app, element, rig) {
  let down = null;
  element.addEventListener('pointerdown', (event) => {
    down = event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
  });
  element.addEventListener('pointerup', (event) => {
    if (down && Math.hypot(event.clientX - down.x, event.clientY - down.y) <= STILL) pick(app, element, rig, event);
    down = null;
  });
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') selectWorstVertex(app, rig);
  });
}

function pick(app, element, index, { clientX, clientY }) {
  const rect = element.getBoundingClientRect();
  const { camera } = app.shared;
  camera.aspect = rect.width / rect.height;
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
  const at = new THREE.Vector3(((clientX - rect.left) / rect.width) * 2 - 1, 1 - ((clientY - rect.top) / rect.height) * 2, 0.5);
  const direction = at.unproject(camera).sub(camera.position).normalize();
  const rig = rigNow(app, index);
  if (!rig.motion) return;
  const hit = pickVertex(rig.moving.positions, rig.moving.triangles, camera.position.toArray(), direction.toArray());
  app.store.set({ selected: hit ? { rig: index, vertex: hit.vertex } : null });
}
