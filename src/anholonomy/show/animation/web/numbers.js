// Series of numbers, and vectors and rotations made of them.
const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

// A film as it travels, with its series as numbers; the one given is left as it is.
export function unpacked(film) {
  const floats = text => new Float32Array(bytes(text));
  const actors = film.actors.map(actor => ({
    ...actor, position: floats(actor.position), scale: floats(actor.scale), points: floats(actor.points),
    turn: Float32Array.from(new Int16Array(bytes(actor.turn)), n => n / 32767),
  }));
  return { ...film, actors };
}

// A row of a series at a place between frames; a series of one row is constant.
export function row(series, width, place) {
  const last = series.length / width - 1;
  const k = clamp(Math.floor(place), 0, Math.max(0, last - 1)), s = last > 0 ? clamp(place - k, 0, 1) : 0;
  const out = new Array(width);
  for (let i = 0; i < width; i++) {
    const a = series[k * width + i];
    out[i] = s ? a + s * (series[(k + 1) * width + i] - a) : a;
  }
  return out;
}

// Spherical interpolation: sin((1-s)A)/sin(A) a + sin(sA)/sin(A) b, where cos(A) = a·b.
export function turnAt(series, place) {
  const last = series.length / 4 - 1;
  const k = clamp(Math.floor(place), 0, Math.max(0, last - 1)), s = last > 0 ? clamp(place - k, 0, 1) : 0;
  const a = series.slice(4 * k, 4 * k + 4);
  if (!s) return a;
  const b = series.slice(4 * k + 4, 4 * k + 8);
  const cosine = clamp(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], -1, 1), angle = Math.acos(cosine);
  const sine = Math.sin(angle);
  const u = sine < 1e-4 ? 1 - s : Math.sin((1 - s) * angle) / sine, v = sine < 1e-4 ? s : Math.sin(s * angle) / sine;
  return a.map((x, i) => u * x + v * b[i]);
}

export function matrix([a, b, c, d]) {
  return [
    [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)],
  ];
}

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = a => { const n = Math.hypot(...a) || 1; return a.map(x => x / n); };
export const placed = (pose, x) => pose.R.map((r, i) => pose.p[i] + dot(r, x));

export function poseAt(actor, place) {
  return { p: row(actor.position, 3, place), R: matrix(turnAt(actor.turn, place)), s: row(actor.scale, 3, place) };
}
