// A player of films: `play(element, film, options)` fills an element and returns how to steer it. Nothing is global.
// Several films, in a list, are shown side by side, with one clock, one camera and one set of controls; each may have a `caption`.
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

const labelOf = ({ title, caption }) => `${[title, caption].filter(Boolean).join(", ")}: drag or use the arrow keys to turn the view, plus and minus to zoom`;

// A picture of one film.
function pictured({ caption }, camera) {
  const canvas = made("canvas", { tabindex: "0", role: "img" });
  const node = made("div", { class: "view" }, canvas, ...(caption ? [made("div", { class: "caption" }, caption)] : []));
  return { node, canvas, caption, paint: painterOn(canvas, camera) };
}

function built(element) {
  const views = made("div", { class: "views" });
  const toggle = made("button", { type: "button", class: "toggle", "aria-keyshortcuts": "Space" }, "Play");
  const slider = made("input", { type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": "time" });
  const speed = made("select", { "aria-label": "speed" }, ...Object.entries(SPEEDS).map(([value, text]) => made("option", { value }, text)));
  speed.value = "1";
  const trail = made("input", { type: "checkbox", class: "trail" }), follow = made("input", { type: "checkbox", class: "follow" });
  trail.checked = true;
  const home = made("button", { type: "button", class: "home" }, "Reset view"), clock = made("output", { class: "clock", "aria-live": "off" });
  const controls = made("form", { "aria-label": "playback" }, toggle, slider, clock, made("label", {}, "speed ", speed),
    made("label", {}, trail, " trail"), made("label", {}, follow, " follow"), home);
  const root = made("div", { class: "anholonomy-player" }, views, controls);
  element.replaceChildren(root);
  return { root, views, controls, toggle, slider, speed, trail, follow, home, clock };
}

// Options: `height` in pixels (by default that of the element), `autoplay` (by default unless less motion is wished for), `keys`, an
// element or document whose keys are obeyed (by default the player's own), `ontime`, called with the time whenever it changes.
export function play(element, given, options = {}) {
  const read = found => [found].flat().map(unpacked);
  let films = read(given), film = films[0], pictures = [], duration, digits, chosen = false;
  const part = built(element), camera = newCamera();
  const state = { time: film.start, playing: false, last: 0, request: 0, printing: false };
  const ending = new AbortController(), on = (target, kind, act, more = {}) => target.addEventListener(kind, act, { signal: ending.signal, ...more });
  if (options.height) part.root.style.height = `${options.height}px`;

  const shareNow = () => (duration ? (state.time - film.start) / duration : 0);

  // What the controls say of the time.
  function tell() {
    const text = `t = ${state.time.toFixed(digits)}`;
    part.slider.value = shareNow();
    part.slider.setAttribute("aria-valuetext", text);
    part.clock.textContent = `${text} / ${film.end.toFixed(digits)}`;
  }

  function draw() {
    const darkly = !state.printing && isDark(element), look = { trails: part.trail.checked, follow: part.follow.checked, darkly };
    part.root.dataset.dark = darkly;
    pictures.forEach(({ paint }, k) => paint(films[k], shareNow() * (films[k].frames - 1), look));
    tell();
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
  const fit = () => fitTo(camera, part.follow.checked ? [[0, 0, 0, Math.max(...films.map(each => each.room))]] : films.flatMap(each => each.keys));
  const zoom = factor => { camera.distance = clamp(camera.distance * factor, 1e-6, 1e9); camera.moved = true; draw(); };
  const look = (azimuth, elevation) => { camera.azimuth = azimuth; camera.elevation = clamp(elevation, 4, 90); if (!camera.moved) fit(); draw(); };
  const orbit = (right, up) => { camera.moved = true; look(camera.azimuth - right, camera.elevation + up); };
  const home = () => { Object.assign(camera, VIEW, { moved: false }); fit(); draw(); };
  const goAlong = going => { part.follow.checked = going; chosen = true; fit(); draw(); };

  function resize() {
    const ratio = devicePixelRatio || 1, first = pictures[0].canvas;
    camera.width = first.clientWidth || 1; camera.height = first.clientHeight || 1;
    for (const { canvas } of pictures) {
      canvas.width = Math.round(camera.width * ratio); canvas.height = Math.round(camera.height * ratio);
      canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    if (!camera.moved) fit();
    draw();
  }

  // Another film in the same element: the view stays where it was turned by hand, and so does the time where the film has it.
  function take() {
    duration = film.end - film.start;
    digits = duration ? clamp(2 - Math.floor(Math.log10(Math.abs(duration))), 0, 8) : 2;
    if (!chosen) part.follow.checked = films.some(each => each.follow);
    const others = films.length !== pictures.length || films.some(({ caption }, k) => caption !== pictures[k].caption);
    if (others) pictures = films.map(each => pictured(each, camera));
    pictures.forEach(({ canvas }, k) => canvas.setAttribute("aria-label", labelOf(films[k])));
    if (!others) return;
    watcher.disconnect();
    part.views.replaceChildren(...pictures.map(each => each.node));
    for (const { canvas } of pictures) { listen(canvas); watcher.observe(canvas); }
    tell(); // Its text may wrap the controls, which takes room from the pictures: it has to stand there before they are measured.
    resize();
  }
  function load(next) {
    films = read(next);
    film = films[0];
    state.time = within(state.time);
    take();
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
  function listen(canvas) {
    on(canvas, "pointerdown", event => { canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, event); });
    on(canvas, "pointermove", event => {
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
    for (const end of ["pointerup", "pointercancel"]) on(canvas, end, event => pointers.delete(event.pointerId));
    on(canvas, "wheel", event => { event.preventDefault(); zoom(Math.exp(clamp(event.deltaY, -100, 100) * 0.0015)); }, { passive: false });
  }

  const watcher = new ResizeObserver(resize);
  take();
  if (options.autoplay ?? !matchMedia("(prefers-reduced-motion: reduce)").matches) run(true);
  return {
    seek, load, destroy, look, zoom, home, follow: goAlong, draw, pause: () => run(false), resume: () => run(true),
    get time() { return state.time; }, get playing() { return state.playing; },
    get view() { return { azimuth: camera.azimuth, elevation: camera.elevation, distance: camera.distance, target: [...camera.target] }; },
  };
}
