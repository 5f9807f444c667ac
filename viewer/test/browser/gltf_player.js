// Plays a .glb with three's own loader and mixer, and compares its vertices with those that the viewer draws.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** The file's meshes in the order of the report: by node and primitive. */
function parts({ scene, parser }) {
  const list = [];
  scene.traverse((object) => {
    if (!object.isMesh) return;
    const own = parser.associations.get(object);
    const node = own.nodes ?? parser.associations.get(object.parent).nodes;
    list.push({ object, node, primitive: own.primitives ?? 0 });
  });
  return list.sort((a, b) => a.node - b.node || a.primitive - b.primitive).map(({ object }) => object);
}

function positionsOf(gltf) {
  gltf.scene.updateMatrixWorld(true);
  const point = new THREE.Vector3();
  return parts(gltf).flatMap((mesh) => {
    const { count } = mesh.geometry.getAttribute('position');
    return Array.from({ length: count }, (_, i) => mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld).toArray());
  });
}

const artistFromRig = (entry) => {
  const rows = entry?.matching?.artist_from_rig;
  return rows ? new THREE.Matrix4().set(...rows.flat()) : new THREE.Matrix4();
};

const entryAt = (page, pointer) => pointer.split('/').slice(1).reduce((value, part) => value[part], page.report);

window.compareWithGltf = async (rig, base64) => {
  const { pelt } = window;
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const entry = entryAt(pelt.page, pelt.page.rigs[rig].entry);
  const model = pelt.page.models.findIndex(({ rigs }) => rigs.includes(rig));
  await pelt.seek({ model, rigs: [rig] });
  const { diag } = pelt.page.artists[pelt.page.rigs[rig].artist];
  const found = { most: 0, frames: 0 };
  for (const [n, clip] of entry.clips.entries()) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations.findLast(({ name }) => name === clip.written_name)).play();
    const name = pelt.clips.findIndex((c) => c === clip.name);
    await pelt.seek({ clip: name < 0 ? n : name, mode: pelt.modes[0] });
    const times = pelt.reported(rig).time_s;
    for (const frame of new Set([0, times.length >> 1, times.length - 1])) {
      const time = Math.fround(times[frame]);
      await pelt.seek({ time });
      mixer.setTime(Math.min(time, mixer._actions[0].getClip().duration - 1e-7));
      const drawn = pelt.positions(rig);
      const toArtist = artistFromRig(entry);
      positionsOf(gltf).forEach((at, i) => {
        const p = new THREE.Vector3(...at).applyMatrix4(toArtist);
        const off = Math.hypot(p.x - drawn[3 * i], p.y - drawn[3 * i + 1], p.z - drawn[3 * i + 2]);
        if (!((100 * off) / diag <= found.most)) found.most = (100 * off) / diag;
      });
      ++found.frames;
    }
    mixer.stopAllAction();
  }
  return found;
};
