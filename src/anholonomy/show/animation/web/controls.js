// Time, keys and pointers.
const $ = id => document.getElementById(id);
const duration = film.end - film.start;
const state = { time: film.start, playing: false, last: 0 };
const digits = clamp(2 - Math.floor(Math.log10(duration)), 0, 8);

function draw() {
  const place = (state.time - film.start) / duration * (film.frames - 1);
  paint(place, $("trail").checked, $("follow").checked);
  $("time").value = (state.time - film.start) / duration;
  $("time").setAttribute("aria-valuetext", `t = ${state.time.toFixed(digits)}`);
  $("clock").textContent = `t = ${state.time.toFixed(digits)} / ${film.end.toFixed(digits)}`;
}

function tick(now) {
  if (!state.playing) return;
  // The clock of the frames may be a little behind the one that was read when play was pressed.
  state.time += clamp((now - state.last) / 1000, 0, 0.1) * film.playback * Number($("speed").value);
  state.last = now;
  if (state.time > film.end) state.time = film.start;
  draw();
  requestAnimationFrame(tick);
}

function play(on) {
  state.playing = on;
  $("play").textContent = on ? "Pause" : "Play";
  if (on) { state.last = performance.now(); requestAnimationFrame(tick); }
}

function go(time) { play(false); state.time = clamp(time, film.start, film.end); draw(); }
function zoom(factor) { camera.distance = clamp(camera.distance * factor, 1e-6, 1e9); camera.moved = true; draw(); }
function orbit(right, up) {
  camera.azimuth -= right; camera.elevation = clamp(camera.elevation + up, 4, 90); camera.moved = true; draw();
}
function home() { camera.azimuth = -60; camera.elevation = 32; camera.moved = false; fit(); draw(); }

function resize() {
  const ratio = devicePixelRatio || 1;
  camera.width = canvas.clientWidth || 1; camera.height = canvas.clientHeight || 1;
  canvas.width = Math.round(camera.width * ratio); canvas.height = Math.round(camera.height * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (!camera.moved) fit();
  draw();
}

$("play").addEventListener("click", () => play(!state.playing));
$("time").addEventListener("input", event => go(film.start + Number(event.target.value) * duration));
$("trail").addEventListener("change", draw);
$("follow").addEventListener("change", () => { fit(); draw(); });
$("home").addEventListener("click", home);
$("controls").addEventListener("submit", event => event.preventDefault());

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const onControl = ["BUTTON", "SELECT", "INPUT"].includes(event.target.tagName), step = duration / (film.frames - 1);
  const always = { "+": () => zoom(1 / 1.15), "=": () => zoom(1 / 1.15), "-": () => zoom(1.15), "0": home };
  const free = {
    " ": () => play(!state.playing), ",": () => go(state.time - step), ".": () => go(state.time + step),
    Home: () => go(film.start), End: () => go(film.end), ArrowLeft: () => orbit(-5, 0), ArrowRight: () => orbit(5, 0),
    ArrowUp: () => orbit(0, 4), ArrowDown: () => orbit(0, -4),
  };
  const act = always[event.key] || (onControl ? undefined : free[event.key]);
  if (act) { event.preventDefault(); act(); }
});

const pointers = new Map();
canvas.addEventListener("pointerdown", event => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, event); });
canvas.addEventListener("pointermove", event => {
  const before = pointers.get(event.pointerId);
  if (!before) return;
  if (pointers.size === 1) orbit((event.clientX - before.clientX) * 0.4, (event.clientY - before.clientY) * 0.3);
  else {
    const other = [...pointers.values()].find(each => each.pointerId !== event.pointerId);
    const span = each => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY) || 1;
    zoom(span(before) / span(event));
  }
  pointers.set(event.pointerId, event);
});
for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, event => pointers.delete(event.pointerId));
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(clamp(event.deltaY, -100, 100) * 0.0015)); }, { passive: false });
darkly.addEventListener("change", draw);
new ResizeObserver(resize).observe(canvas);

// A fragment such as #t=3.5&follow=0&azimuth=20 opens the page paused at that time; a new fragment goes there.
function obey() {
  const wishes = new URLSearchParams(location.hash.slice(1)), wish = name => Number(wishes.get(name));
  const given = name => wishes.has(name) && Number.isFinite(wish(name));
  if (given("follow")) $("follow").checked = wish("follow") > 0;
  if (given("azimuth")) camera.azimuth = wish("azimuth");
  if (given("elevation")) camera.elevation = clamp(wish("elevation"), 4, 90);
  resize();
  if (given("t")) go(wish("t"));
  return given("t");
}
$("follow").checked = film.follow;
addEventListener("hashchange", obey);
if (!obey() && !matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
