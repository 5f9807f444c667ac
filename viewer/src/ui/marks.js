// Marks over a panel: the worst vertex of the moment, the chosen vertex, and the joints that are farthest off.
import * as THREE from 'three';
import { length } from '../format.js';
import { farthestJoints } from '../scene/skeleton.js';
import { h, setText } from './dom.js';

const MOST_JOINTS = 3;

export function createMarks() {
  const worst = h('div', { class: 'mark worst', hidden: true }, h('span', {}));
  const chosen = h('div', { class: 'mark chosen', hidden: true });
  const joints = Array.from({ length: MOST_JOINTS }, () => h('div', { class: 'mark joint', hidden: true }, h('span', {})));
  return { root: h('div', { class: 'marks', 'aria-hidden': 'true' }, worst, chosen, joints), worst, chosen, joints };
}

const point = new THREE.Vector3();
const LINE = 19; // pixels from label to label
const LABEL = 130; // pixels that a label is thought to take

/** Puts a mark at the n-th of `positions`; where the camera does not see that, away. */
function put(app, element, mark, positions, n) {
  const inScene = n >= 0 && point.fromArray(positions, 3 * n).project(app.shared.camera) && point.z < 1;
  const seen = Boolean(inScene) && Math.abs(point.x) < 1 && Math.abs(point.y) < 1;
  mark.hidden = !seen;
  if (!seen) return;
  mark.at = { x: ((point.x + 1) / 2) * element.clientWidth, y: ((1 - point.y) / 2) * element.clientHeight };
  mark.style.transform = `translate(${mark.at.x.toFixed(1)}px, ${mark.at.y.toFixed(1)}px)`;
}

/** Labels go to the side where there is room, and below each other where they would overlap. */
function spread(marks, width) {
  const placed = [];
  for (const mark of marks.filter(({ hidden }) => !hidden).sort((a, b) => a.at.y - b.at.y)) {
    const left = mark.at.x > width - LABEL;
    const x = mark.at.x - (left ? LABEL : 0);
    let { y } = mark.at;
    for (const other of placed) if (Math.abs(other.x - x) < LABEL && y < other.y + LINE) y = Math.max(y, other.y + LINE);
    placed.push({ x, y });
    mark.classList.toggle('left', left);
    mark.firstChild.style.marginTop = `${(y - mark.at.y).toFixed(1)}px`;
  }
}

export function placeMarks(app, { element, marks, rig: index }, rig, figures) {
  const { camera } = app.shared;
  camera.aspect = element.clientWidth / element.clientHeight;
  camera.updateProjectionMatrix();
  const { positions } = rig.moving;
  const { selected, travel } = app.state;
  put(app, element, marks.worst, positions, figures && figures.worst > 0 ? figures.worstVertex : -1);
  if (figures) setText(marks.worst.firstChild, `${length(figures.worst)} %`);
  put(app, element, marks.chosen, positions, rig.motion && selected?.rig === index ? selected.vertex : -1);
  const far = travel && rig.travel && rig.motion ? farthestJoints(rig.travel, MOST_JOINTS) : [];
  marks.joints.forEach((mark, n) => {
    put(app, element, mark, rig.travel?.at, far[n] ? far[n].joint : -1);
    if (far[n]) setText(mark.firstChild, `${rig.pack.joints.name[far[n].joint]} ${length(far[n].size)} %`);
  });
  spread([marks.worst, ...marks.joints], element.clientWidth);
}
