// Shaders. Colours are those of the screen: nothing is converted, neither here nor on the way to a picture.
import * as THREE from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { NO_VALUE, rampTexels } from '../surface/colors.js';

const rampTextures = new Map();

function rampTexture(ramp) {
  if (!rampTextures.has(ramp)) {
    const texture = new THREE.DataTexture(rampTexels(ramp), 256, 1);
    texture.magFilter = texture.minFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    rampTextures.set(ramp, texture);
  }
  return rampTextures.get(ramp);
}

const SURFACE_VERTEX = /* glsl */ `
  attribute float value;
  varying float v_value, v_known;
  varying vec3 v_normal;
  void main() {
    v_value = max(value, 0.0);
    v_known = step(0.0, value);
    v_normal = normalMatrix * normal;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

// What is beyond the scale is striped, so that it is told without its colour too.
const SURFACE_FRAGMENT = /* glsl */ `
  uniform sampler2D ramp;
  uniform float scale;
  uniform vec3 no_value;
  varying float v_value, v_known;
  varying vec3 v_normal;
  void main() {
    float at = v_value / scale;
    vec3 color = v_known < 0.999 ? no_value : texture2D(ramp, vec2(clamp(at, 0.002, 0.998), 0.5)).rgb;
    float stripe = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 7.0));
    if (v_known > 0.999 && at > 1.0) color *= mix(0.62, 1.0, stripe);
    vec3 n = v_normal / max(length(v_normal), 1e-12) * (gl_FrontFacing ? 1.0 : -1.0);
    float light = 0.52 + 0.36 * max(dot(n, vec3(0.29, 0.55, 0.78)), 0.0) + 0.16 * max(n.z, 0.0);
    gl_FragColor = vec4(color * min(light, 1.08), 1.0);
  }`;

/** The rig's surface, coloured by `value` (below 0: none). */
export const surfaceMaterial = () => new THREE.ShaderMaterial({
  uniforms: {
    ramp: { value: rampTexture('heat') },
    scale: { value: 3 },
    no_value: { value: new THREE.Vector3(...NO_VALUE).divideScalar(255) },
  },
  vertexShader: SURFACE_VERTEX,
  fragmentShader: SURFACE_FRAGMENT,
  side: THREE.DoubleSide,
  polygonOffset: true, // the wires lie on it
  polygonOffsetFactor: 1,
  polygonOffsetUnits: 1,
});

export function setRamp(material, ramp, scale) {
  material.uniforms.ramp.value = rampTexture(ramp);
  material.uniforms.scale.value = scale;
}

const PLAIN_FRAGMENT = /* glsl */ `
  uniform vec3 color;
  uniform float opacity;
  void main() { gl_FragColor = vec4(color, opacity); }`;

// Pushed out along its normal by the same number of pixels at any distance.
const HULL_VERTEX = /* glsl */ `
  uniform vec2 pixel;
  uniform float width;
  void main() {
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    vec2 along = (projectionMatrix * vec4(normalMatrix * normal, 0.0)).xy / pixel;
    gl_Position.xy += width * pixel * along / max(length(along), 1e-12) * gl_Position.w;
  }`;

/** The inside of the pushed-out hull: what shows beside the surface itself is its outline. */
export const hullMaterial = () => new THREE.ShaderMaterial({
  uniforms: {
    color: { value: new THREE.Color(0, 0, 0) },
    opacity: { value: 1 },
    pixel: { value: new THREE.Vector2(1, 1) },
    width: { value: 1.6 },
  },
  vertexShader: HULL_VERTEX,
  fragmentShader: PLAIN_FRAGMENT,
  side: THREE.BackSide,
  transparent: true, // drawn after what is opaque
});

/** The artist's surface in the depth buffer alone. */
export const depthMaterial = () => new THREE.MeshBasicMaterial({
  colorWrite: false,
  side: THREE.DoubleSide,
  transparent: true,
  polygonOffset: true,
  polygonOffsetFactor: 1,
  polygonOffsetUnits: 1,
});

const GHOST_VERTEX = /* glsl */ `
  varying vec3 v_normal;
  void main() {
    v_normal = normalMatrix * normal;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`;

const GHOST_FRAGMENT = /* glsl */ `
  uniform vec3 color;
  varying vec3 v_normal;
  void main() {
    float facing = abs(v_normal.z) / max(length(v_normal), 1e-12);
    gl_FragColor = vec4(color, mix(0.62, 0.16, facing));
  }`;

/** The artist's surface, seen through. */
export const ghostMaterial = () => new THREE.ShaderMaterial({
  uniforms: { color: { value: new THREE.Color(0, 0, 0) } },
  vertexShader: GHOST_VERTEX,
  fragmentShader: GHOST_FRAGMENT,
  side: THREE.DoubleSide,
  transparent: true,
  depthWrite: false,
});

export const wireMaterial = () => new THREE.MeshBasicMaterial({ wireframe: true, opacity: 0.3, transparent: true });

/** Of skeletons, seen through everything; `width` in pixels. */
export const lineMaterial = (color, width) => new LineMaterial({ color, linewidth: width, depthTest: false, transparent: true });

export const dotMaterial = (color, size) =>
  new THREE.PointsMaterial({ color, size, sizeAttenuation: false, depthTest: false, transparent: true });
