// A camera that looks at a target from a distance; z is up.
import { cross, dot, minus } from "./numbers.js";

const HALF = Math.tan((34 / 2) * Math.PI / 180);
export const VIEW = { azimuth: -60, elevation: 32 };

export const newCamera = () => ({ ...VIEW, distance: 10, target: [0, 0, 0], width: 1, height: 1, moved: false, axes: axesOf(VIEW) });

export function axesOf({ azimuth, elevation }) {
  const a = azimuth * Math.PI / 180, e = elevation * Math.PI / 180;
  const back = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  const right = [-Math.sin(a), Math.cos(a), 0];
  return { right, up: cross(back, right), back };
}

// Camera coordinates: to the right, up, and into the depth.
export function seenBy(camera, x) {
  const d = minus(x, camera.target), { right, up, back } = camera.axes;
  return [dot(d, right), dot(d, up), camera.distance - dot(d, back)];
}

const focus = camera => Math.min(camera.height, camera.width * 1.25) / (2 * HALF);

// The part of a polygon or line, in camera coordinates, that is in front of the camera, on the screen.
export function clippedBy(camera, points, closed) {
  const limit = camera.distance * 0.02, f = focus(camera), out = [];
  for (let i = closed ? 0 : 1; i < points.length; i++) {
    const a = points[(i + points.length - 1) % points.length], b = points[i];
    const inA = a[2] > limit, inB = b[2] > limit;
    const cut = () => { const s = (limit - a[2]) / (b[2] - a[2]); return a.map((x, k) => x + s * (b[k] - x)); };
    if (!closed && inA && i === 1) out.push(a);
    if (inA !== inB) out.push(cut());
    if (inB) out.push(b);
  }
  return out.map(([x, y, z]) => [camera.width / 2 + f * x / z, camera.height / 2 - f * y / z]);
}

// The least distance from which every key place (x, y, z, radius) is inside the picture, and the target that puts them in its middle.
export function fitTo(camera, keys) {
  camera.axes = axesOf(camera);
  const { right, up, back } = camera.axes, f = focus(camera);
  const halfWidth = 0.46 * camera.width, halfHeight = 0.45 * camera.height;
  const middle = values => {
    let low = Infinity, high = -Infinity;
    for (const value of values) { low = Math.min(low, value); high = Math.max(high, value); }
    return (low + high) / 2;
  };
  camera.target = [0, 1, 2].map(i => middle(keys.flatMap(k => [k[i] - k[3], k[i] + k[3]])));
  for (let round = 0; round < 6; round++) {
    const places = keys.map(k => { const d = minus(k, camera.target); return [dot(d, right), dot(d, up), dot(d, back), k[3]]; });
    camera.distance = 1e-9;
    for (const [x, y, depth, r] of places) {
      const needed = Math.max((Math.abs(x) + r) / halfWidth, (Math.abs(y) + r) / halfHeight);
      camera.distance = Math.max(camera.distance, depth + r + f * needed);
    }
    const shift = [0, 1].map(i => camera.distance * middle(places.flatMap(p => [-p[3], p[3]].map(r => (p[i] + r) / (camera.distance - p[2])))));
    camera.target = camera.target.map((x, i) => x + shift[0] * right[i] + shift[1] * up[i]);
  }
}
