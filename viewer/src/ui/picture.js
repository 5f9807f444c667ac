// A contact sheet: the worst frame of each rig that is shown, over all clips, with its name and figures, as PNG.
import { clips, figuresByFrame, reported, shownRigs, worstMoment } from '../app.js';
import { fixed, length, seconds, shortClip } from '../format.js';
import { frame } from '../scene/camera.js';
import { drawPicture } from '../scene/stage.js';
import { scaleOf, viewNow } from '../moment.js';
import { cssColor, RAMPS } from '../surface/colors.js';
import { themeColor } from './theme.js';

const CELL = { width: 640, height: 480, text: 64, margin: 16 };
const FOOT = 56;

/** @returns {Promise<Blob>} a PNG */
export async function makePicture(app) {
  const rigs = shownRigs(app);
  const columns = Math.min(rigs.length, Math.ceil(Math.sqrt(rigs.length)));
  const rows = Math.ceil(rigs.length / columns);
  const canvas = new OffscreenCanvas(columns * CELL.width, rows * (CELL.height + CELL.text) + FOOT);
  const pen = canvas.getContext('2d');
  pen.fillStyle = themeColor('--back');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const before = { ...app.state };
  const camera = { position: app.shared.camera.position.clone(), target: app.shared.target.clone(), floor: app.shared.floor };
  rigs.forEach((rig, n) => drawCell(app, pen, rig, (n % columns) * CELL.width, Math.floor(n / columns) * (CELL.height + CELL.text)));
  drawScale(app, pen, canvas.height - FOOT, canvas.width);
  putBack(app, before, camera);
  return canvas.convertToBlob({ type: 'image/png' });
}

function putBack(app, { clip, time }, { position, target, floor }) {
  Object.assign(app.state, { clip, time });
  app.shared.camera.position.copy(position);
  app.shared.target.copy(target);
  app.shared.camera.lookAt(target);
  app.shared.floor = floor;
  app.store.touch('view');
}

/** The rig where it is worst, seen from the side that the page shows. */
function drawCell(app, pen, rig, x, y) {
  const worst = worstMoment(app, clips(app).map((_, clip) => clip), [rig]);
  if (worst) Object.assign(app.state, { clip: worst.clip, time: figuresByFrame(app, rig, worst.clip).time_s[worst.frame] });
  const view = viewNow(app, rig);
  const direction = app.shared.camera.position.clone().sub(app.shared.target);
  frame(app.shared, app.model.artist.moving.positions, direction.toArray(), CELL.width / CELL.height);
  const { camera } = app.shared;
  camera.updateMatrixWorld();
  const image = drawPicture(app.stage, camera, view, { width: CELL.width, height: CELL.height, background: themeColor('--back') });
  pen.putImageData(image, x, y + CELL.text);
  write(app, pen, rig, worst, x + CELL.margin, y);
}

function write(app, pen, rig, worst, x, y) {
  const clip = reported(app, rig);
  const now = app.frameFigures.get(rig);
  pen.fillStyle = themeColor('--text');
  pen.font = '600 22px system-ui, sans-serif';
  pen.fillText(`${app.page.rigs[rig].name}${clip ? `  quality ${fixed(clip.quality, 2)}` : ''}`, x, y + 28);
  pen.font = '17px system-ui, sans-serif';
  const place = worst ? `${shortClip(clips(app)[worst.clip].name)}, frame ${worst.frame}, ${seconds(app.state.time)}: ` : '';
  const figures = now ? `mean ${length(now.mean)} %, worst ${length(now.worst)} % at vertex ${now.worstVertex}` : 'has no such clip';
  pen.fillText(place + figures, x, y + 52);
}

function drawScale(app, pen, y, width) {
  const wide = Math.min(320, width / 2);
  for (let i = 0; i < wide; ++i) {
    pen.fillStyle = cssColor(RAMPS[app.state.ramp].color(i / (wide - 1)));
    pen.fillRect(CELL.margin + i, y + 14, 1, 14);
  }
  pen.fillStyle = themeColor('--text');
  pen.font = '15px system-ui, sans-serif';
  pen.fillText('0', CELL.margin, y + 46);
  pen.fillText(`${scaleOf(app.state)} % of the diagonal and more`, CELL.margin + wide - 12, y + 46);
}

/** Hands the picture to the user as a file. */
export async function savePicture(app) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await makePicture(app));
  link.download = 'pelt-worst-frames.png';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
