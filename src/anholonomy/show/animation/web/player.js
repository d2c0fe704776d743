// A player of films: `play(element, film, options)` fills an element and returns how to steer it. Nothing is global.
import { fitTo, newCamera, VIEW } from "./camera.js";
import { clamp, unpacked } from "./numbers.js";
import { painterOn } from "./painter.js";

const SPEEDS = { "0.125": "⅛", "0.25": "¼", "0.5": "½", "1": "1", "2": "2", "4": "4" };

// Where a notebook says what its theme is, it knows better than the system.
export function isDark(element) {
  const body = element.ownerDocument.body;
  const word = element.closest("[data-theme]")?.dataset.theme || body.dataset.theme;
  if (word === "dark" || word === "light") return word === "dark";
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false";
  if (body.matches(".vscode-dark, .vscode-high-contrast, .dark, .dark-theme")) return true;
  if (body.matches(".vscode-light, .light, .light-theme")) return false;
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function made(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function built(element, title) {
  const canvas = made("canvas", { tabindex: "0", role: "img", "aria-label": `${title}: drag or use the arrow keys to turn the view, plus and minus to zoom` });
  const toggle = made("button", { type: "button", class: "toggle", "aria-keyshortcuts": "Space" }, "Play");
  const slider = made("input", { type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": "time" });
  const speed = made("select", { "aria-label": "speed" }, ...Object.entries(SPEEDS).map(([value, text]) => made("option", { value }, text)));
  speed.value = "1";
  const trail = made("input", { type: "checkbox", class: "trail" }), follow = made("input", { type: "checkbox", class: "follow" });
  trail.checked = true;
  const home = made("button", { type: "button", class: "home" }, "Reset view"), clock = made("output", { class: "clock", "aria-live": "off" });
  const controls = made("form", { "aria-label": "playback" }, toggle, slider, clock, made("label", {}, "speed ", speed),
    made("label", {}, trail, " trail"), made("label", {}, follow, " follow"), home);
  const root = made("div", { class: "anholonomy-player" }, canvas, controls);
  element.replaceChildren(root);
  return { root, canvas, controls, toggle, slider, speed, trail, follow, home, clock };
}

// Options: `height` in pixels (by default that of the element), `autoplay` (by default unless less motion is wished for), `keys`, an
// element or document whose keys are obeyed (by default the player's own), `ontime`, called with the time whenever it changes.
export function play(element, given, options = {}) {
  let film = unpacked(given), duration, digits, chosen = false;
  const part = built(element, film.title), camera = newCamera(), paint = painterOn(part.canvas, camera);
  const state = { time: film.start, playing: false, last: 0, request: 0, printing: false };
  const ending = new AbortController(), on = (target, kind, act, more = {}) => target.addEventListener(kind, act, { signal: ending.signal, ...more });
  if (options.height) part.root.style.height = `${options.height}px`;

  function draw() {
    const share = duration ? (state.time - film.start) / duration : 0, darkly = !state.printing && isDark(element);
    part.root.dataset.dark = darkly;
    paint(film, share * (film.frames - 1), { trails: part.trail.checked, follow: part.follow.checked, darkly });
    part.slider.value = share;
    const text = `t = ${state.time.toFixed(digits)}`;
    part.slider.setAttribute("aria-valuetext", text);
    part.clock.textContent = `${text} / ${film.end.toFixed(digits)}`;
    options.ontime?.(state.time);
  }

  function tick(now) {
    if (!state.playing) return;
    // The clock of the frames may be a little behind the one that was read when play was pressed.
    state.time += Math.sign(duration) * clamp((now - state.last) / 1000, 0, 0.1) * film.playback * Number(part.speed.value);
    state.last = now;
    if ((state.time - film.end) * Math.sign(duration) > 0) state.time = film.start;
    draw();
    state.request = requestAnimationFrame(tick);
  }

  function run(going) {
    cancelAnimationFrame(state.request);
    state.playing = going && !ending.signal.aborted;
    part.toggle.textContent = state.playing ? "Pause" : "Play";
    if (state.playing) { state.last = performance.now(); state.request = requestAnimationFrame(tick); }
  }

  const within = time => clamp(time, Math.min(film.start, film.end), Math.max(film.start, film.end));
  const seek = time => { run(false); state.time = within(time); draw(); };
  const fit = () => fitTo(camera, part.follow.checked ? [[0, 0, 0, film.room]] : film.keys);
  const zoom = factor => { camera.distance = clamp(camera.distance * factor, 1e-6, 1e9); camera.moved = true; draw(); };
  const look = (azimuth, elevation) => { camera.azimuth = azimuth; camera.elevation = clamp(elevation, 4, 90); if (!camera.moved) fit(); draw(); };
  const orbit = (right, up) => { camera.moved = true; look(camera.azimuth - right, camera.elevation + up); };
  const home = () => { Object.assign(camera, VIEW, { moved: false }); fit(); draw(); };
  const goAlong = going => { part.follow.checked = going; chosen = true; fit(); draw(); };

  function resize() {
    const { canvas } = part, ratio = devicePixelRatio || 1;
    camera.width = canvas.clientWidth || 1; camera.height = canvas.clientHeight || 1;
    canvas.width = Math.round(camera.width * ratio); canvas.height = Math.round(camera.height * ratio);
    canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!camera.moved) fit();
    draw();
  }

  // Another film in the same element: the view stays where it was turned by hand, and so does the time where the film has it.
  function take() {
    duration = film.end - film.start;
    digits = duration ? clamp(2 - Math.floor(Math.log10(Math.abs(duration))), 0, 8) : 2;
    if (!chosen) part.follow.checked = film.follow;
  }
  function load(next) {
    film = unpacked(next);
    take();
    state.time = within(state.time);
    if (!camera.moved) fit();
    draw();
  }
  function destroy() { run(false); ending.abort(); watcher.disconnect(); part.root.remove(); }

  on(part.toggle, "click", () => run(!state.playing));
  on(part.slider, "input", () => seek(film.start + Number(part.slider.value) * duration));
  on(part.trail, "change", draw);
  on(part.follow, "change", () => goAlong(part.follow.checked));
  on(part.home, "click", home);
  on(part.controls, "submit", event => event.preventDefault());
  on(matchMedia("(prefers-color-scheme: dark)"), "change", draw);
  on(window, "beforeprint", () => { state.printing = true; draw(); });
  on(window, "afterprint", () => { state.printing = false; draw(); });
  on(options.keys || part.root, "keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onControl = ["BUTTON", "SELECT", "INPUT"].includes(event.target.tagName), step = duration / (film.frames - 1);
    const always = { "+": () => zoom(1 / 1.15), "=": () => zoom(1 / 1.15), "-": () => zoom(1.15), "0": home };
    const free = {
      " ": () => run(!state.playing), ",": () => seek(state.time - step), ".": () => seek(state.time + step),
      Home: () => seek(film.start), End: () => seek(film.end), ArrowLeft: () => orbit(-5, 0), ArrowRight: () => orbit(5, 0),
      ArrowUp: () => orbit(0, 4), ArrowDown: () => orbit(0, -4),
    };
    const act = always[event.key] || (onControl ? undefined : free[event.key]);
    if (act) { event.preventDefault(); event.stopPropagation(); act(); }
  });

  const pointers = new Map();
  on(part.canvas, "pointerdown", event => { part.canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, event); });
  on(part.canvas, "pointermove", event => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const other = [...pointers.values()].find(each => each.pointerId !== event.pointerId);
    if (!other) orbit((event.clientX - before.clientX) * 0.4, (event.clientY - before.clientY) * 0.3);
    else {
      const span = each => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY) || 1;
      zoom(span(before) / span(event));
    }
    pointers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) on(part.canvas, end, event => pointers.delete(event.pointerId));
  on(part.canvas, "wheel", event => { event.preventDefault(); zoom(Math.exp(clamp(event.deltaY, -100, 100) * 0.0015)); }, { passive: false });

  const watcher = new ResizeObserver(resize);
  take();
  resize();
  watcher.observe(part.canvas);
  if (options.autoplay ?? !matchMedia("(prefers-reduced-motion: reduce)").matches) run(true);
  return {
    seek, load, destroy, look, zoom, home, follow: goAlong, draw, pause: () => run(false), resume: () => run(true),
    get time() { return state.time; }, get playing() { return state.playing; },
    get view() { return { azimuth: camera.azimuth, elevation: camera.elevation, distance: camera.distance, target: [...camera.target] }; },
  };
}
