// Curves over time beside the player: values under the cursor, a click goes to that time, a drag looks closer in all of them.
import { el, series, short } from "./dom.js";

const COLOURS = ["#2f78c4", "#d1661f", "#2a8f57", "#9a63cf", "#cf4a41", "#15919f", "#a07716", "#7b8794"];
const CLOSEST = 1e-4; // Of the whole time.
const LEFT = 56, RIGHT = 10, TOP = 8, BOTTOM = 20, HEIGHT = 150;

export function ticks(from, to, count) {
  const raw = (to - from || 1) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw), found = [];
  for (let k = Math.ceil(from / step); k * step <= to + 1e-9 * step; k++) found.push(k * step);
  return found;
}

export function plots(holder, onseek) {
  let times = new Float32Array(), panels = [], now = 0, over = null;
  let seen = [0, 1], drag = null; // Shares of the whole time, as `over` is.
  const share_of = t => (t - times[0]) / (times.at(-1) - times[0] || 1), time_at = share => times[0] + share * (times.at(-1) - times[0]);
  function look(p, q) {
    const [low, high] = [Math.max(0, Math.min(p, q)), Math.min(1, Math.max(p, q))];
    if (high - low > CLOSEST) seen = [low, high];
    draw();
  }

  function load(found) {
    const ends = [times[0], times.at(-1)];
    times = series(found.times);
    if (ends[0] !== times[0] || ends[1] !== times.at(-1)) seen = [0, 1]; // The range stays where the times stay.
    const names = found.panels.map(p => [p.title, ...Object.keys(p.curves)].join("\u0000")).join("\u0001");
    if (names !== load.names) build(found.panels);
    load.names = names;
    found.panels.forEach((given, k) => {
      const unpack = curves => Object.values(curves).map(series);
      panels[k].curves = unpack(given.curves);
      panels[k].beside = unpack(given.beside);
    });
    draw();
  }

  function build(list) {
    panels = list.map(given => {
      const values = [], legend = Object.keys(given.curves).map((name, k) => {
        const value = el("span", { class: "value" }), mark = el("i");
        mark.style.background = COLOURS[k % COLOURS.length];
        values.push(value);
        return el("span", {}, mark, name, " ", value);
      });
      const canvas = el("canvas", { tabindex: "0", role: "img", "aria-label": `${given.title} over time: ${Object.keys(given.curves).join(", ")}; arrow keys move through time, plus looks closer, Escape shows all of it` });
      const line = el("div", { class: "cursor" }), band = el("div", { class: "band", hidden: true });
      const panel = { canvas, line, band, values, curves: [], beside: [] };
      const at = event => {
        const box = canvas.getBoundingClientRect(), share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
        return seen[0] + Math.min(1, Math.max(0, share)) * (seen[1] - seen[0]);
      };
      canvas.addEventListener("pointermove", event => { over = at(event); if (drag) drag[1] = over; values_at(); });
      canvas.addEventListener("pointerleave", () => { over = null; values_at(); });
      canvas.addEventListener("pointerdown", event => { canvas.setPointerCapture(event.pointerId); drag = [at(event), at(event)]; });
      canvas.addEventListener("pointercancel", () => { drag = null; values_at(); });
      canvas.addEventListener("pointerup", () => {
        const [p, q] = drag ?? [0, 0], whole = drag !== null;
        drag = null;
        if (Math.abs(q - p) > 0.01 * (seen[1] - seen[0])) return look(p, q);
        values_at();
        if (whole) onseek(time_at(p));
      });
      canvas.addEventListener("dblclick", () => look(0, 1));
      canvas.addEventListener("keydown", event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Escape") return look(0, 1);
        const middle = share_of(now), quarter = (seen[1] - seen[0]) / 4;
        if (event.key === "+") return look(middle - quarter, middle + quarter);
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        onseek(now + step * (event.shiftKey ? 20 : 2) * (times.at(-1) - times[0]) / (times.length - 1 || 1));
      });
      panel.node = el("figure", {}, el("figcaption", {}, el("b", {}, given.title), legend), el("div", { class: "plot" }, canvas, line, band));
      return panel;
    });
    holder.replaceChildren(...panels.map(panel => panel.node));
  }

  function draw() {
    if (!times.length) return;
    const style = getComputedStyle(holder), ink = style.color, rule = style.borderTopColor;
    for (const panel of panels) {
      const { canvas } = panel, width = canvas.clientWidth, ratio = devicePixelRatio || 1;
      if (!width) continue;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(HEIGHT * ratio);
      const pen = canvas.getContext("2d");
      pen.scale(ratio, ratio);
      let low = Infinity, high = -Infinity;
      const last_one = times.length - 1, inside = [Math.floor(seen[0] * last_one), Math.ceil(seen[1] * last_one) + 1];
      for (const curve of [...panel.curves, ...panel.beside]) for (const v of curve.subarray(...inside)) if (Number.isFinite(v)) { if (v < low) low = v; if (v > high) high = v; }
      if (!(high > low)) { const size = Math.abs(low) || 1; low = (Number.isFinite(low) ? low : 0) - size / 2; high = low + size; }
      const pad = 0.06 * (high - low);
      low -= pad; high += pad;
      const first = time_at(seen[0]), last = time_at(seen[1]);
      const x = t => LEFT + (t - first) / (last - first || 1) * (width - LEFT - RIGHT), y = v => TOP + (high - v) / (high - low) * (HEIGHT - TOP - BOTTOM);
      pen.font = "11px system-ui, sans-serif";
      pen.fillStyle = ink;
      pen.strokeStyle = rule;
      pen.textAlign = "center";
      for (const t of ticks(first, last, Math.max(3, width / 90))) { pen.beginPath(); pen.moveTo(x(t), TOP); pen.lineTo(x(t), HEIGHT - BOTTOM); pen.stroke(); pen.fillText(short(t), x(t), HEIGHT - 5); }
      pen.textAlign = "right";
      for (const v of ticks(low, high, 4)) { pen.beginPath(); pen.moveTo(LEFT, y(v)); pen.lineTo(width - RIGHT, y(v)); pen.stroke(); pen.fillText(short(Math.abs(v) < 1e-9 * (high - low) ? 0 : v, 3), LEFT - 5, y(v) + 4); }
      const trace = (curve, colour, dashes) => {
        pen.strokeStyle = colour;
        pen.lineWidth = 1.7;
        pen.setLineDash(dashes);
        pen.beginPath();
        let open = false;
        curve.forEach((v, k) => {
          if (!Number.isFinite(v) || k >= times.length) { open = false; return; }
          if (open) pen.lineTo(x(times[k]), y(v)); else pen.moveTo(x(times[k]), y(v));
          open = true;
        });
        pen.stroke();
      };
      pen.save();
      pen.beginPath();
      pen.rect(LEFT, 0, width - LEFT - RIGHT, HEIGHT - BOTTOM);
      pen.clip();
      panel.beside.forEach((curve, k) => trace(curve, COLOURS[k % COLOURS.length], [5, 4]));
      panel.curves.forEach((curve, k) => trace(curve, COLOURS[k % COLOURS.length], []));
      pen.restore();
    }
    values_at();
  }

  function values_at() {
    if (!times.length) return;
    const share = over ?? share_of(now), place = p => (p - seen[0]) / (seen[1] - seen[0]);
    const k = Math.min(times.length - 1, Math.max(0, Math.round(share * (times.length - 1))));
    for (const panel of panels) {
      const width = panel.canvas.clientWidth;
      const [at, from, to] = [share, ...(drag ?? [0, 0])].map(p => LEFT + place(p) * (width - LEFT - RIGHT));
      panel.line.hidden = share < seen[0] - 1e-9 || share > seen[1] + 1e-9;
      panel.line.style.transform = `translateX(${at}px)`;
      panel.band.hidden = drag === null;
      panel.band.style.left = `${Math.min(from, to)}px`;
      panel.band.style.width = `${Math.abs(to - from)}px`;
      panel.curves.forEach((curve, j) => { panel.values[j].textContent = short(curve[k]); });
    }
  }

  const watcher = new ResizeObserver(draw);
  watcher.observe(holder);
  addEventListener("dressed", draw);
  return {
    load, draw, look,
    get seen() { return seen.map(time_at); },
    at(time) { now = time; if (over === null) values_at(); },
    end() { watcher.disconnect(); removeEventListener("dressed", draw); },
  };
}
