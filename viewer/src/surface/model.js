// An artist and the rigs that are shown against him, at a clip, a mode and a time.
import { measureErrors } from './error.js';
import { keysAt } from './frames.js';
import { createMoving, place } from './moving.js';
import { placeTargets } from './target.js';
import { createTravel, placeJoints } from './travel.js';
import { named, nthOfName } from '../data/report.js';

export function createArtist(pack, { diag }) {
  return { clips: pack.clips, rest: pack.rest, diag, moving: createMoving(pack), moment: '' };
}

export function createRig(pack, diag) {
  const moving = createMoving(pack);
  return {
    pack,
    diag,
    moving,
    targets: new Float32Array(3 * pack.vertices),
    errors: new Float32Array(pack.vertices),
    travel: pack.joints?.name.length ? createTravel(pack.joints) : null,
    motion: null, // null: the rig does not have the clip
    moment: '', // of which all of this is
  };
}

/** Moves the artist unless he is there. @returns whether he moved */
export function placeArtist(artist, clip, time) {
  const moment = `${clip} ${time}`;
  if (artist.moment === moment) return false;
  artist.moment = moment;
  const { times, motion } = artist.clips[clip];
  place(artist.moving, motion, keysAt(times, time));
  return true;
}

/** The mode of that name; where the rig was not solved so, its first. */
export const modeOf = (pack, mode) => pack.modes.find((m) => m.joints === mode) ?? pack.modes[0];

/** A rig's clip that answers the artist's, or null. */
export function clipOf(pack, mode, artistClips, clip) {
  const { clips } = modeOf(pack, mode);
  return clips[named(clips, artistClips[clip].name, nthOfName(artistClips, clip))] ?? null;
}

/** Moves a rig and measures it. \pre The artist is at that clip and time. */
export function placeRig(rig, artist, { mode, clip, time }) {
  const own = clipOf(rig.pack, mode, artist.clips, clip);
  rig.motion = own?.motion ?? null;
  if (!own) return;
  place(rig.moving, own.motion, keysAt(own.times, time));
  placeTargets(rig.pack.match, artist.moving.positions, rig.targets);
  measureErrors(rig.moving.positions, rig.targets, rig.diag, rig.errors);
  if (rig.travel && own.motion.matrices) placeJoints(rig.pack.joints, rig.moving.matrices, rig.diag, rig.travel);
}
