// Curves over time beside the player: values under the cursor, a click goes to that time.
import { el, series, short } from "./dom.js";

const COLOURS = ["#2f78c4", "#d1661f", "#2a8f57", "#9a63cf", "#cf4a41", "#15919f", "#a07716", "#7b8794"];
const LEFT = 56, RIGHT = 10, TOP = 8, BOTTOM = 20, HEIGHT = 150;

function ticks(from, to, count) {
  const raw = (to - from || 1) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw), found = [];
  for (let k = Math.ceil(from / step); k * step <= to + 1e-9 * step; k++) found.push(k * step);
  return found;
}

export function plots(holder, onseek) {
  let times = new Float32Array(), panels = [], now = 0, over = null;

  function load(found) {
    times = series(found.times);
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
      const canvas = el("canvas", { tabindex: "0", role: "img", "aria-label": `${given.title} over time: ${Object.keys(given.curves).join(", ")}; arrow keys move through time` });
      const line = el("div", { class: "cursor" });
      const panel = { canvas, line, values, curves: [], beside: [] };
      const at = event => {
        const box = canvas.getBoundingClientRect(), share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
        return Math.min(1, Math.max(0, share));
      };
      canvas.addEventListener("pointermove", event => { over = at(event); values_at(); });
      canvas.addEventListener("pointerleave", () => { over = null; values_at(); });
      canvas.addEventListener("click", event => onseek(times[0] + at(event) * (times.at(-1) - times[0])));
      canvas.addEventListener("keydown", event => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        onseek(now + step * (event.shiftKey ? 20 : 2) * (times.at(-1) - times[0]) / (times.length - 1 || 1));
      });
      panel.node = el("figure", {}, el("figcaption", {}, el("b", {}, given.title), legend), el("div", { class: "plot" }, canvas, line));
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
      for (const curve of [...panel.curves, ...panel.beside]) for (const v of curve) if (Number.isFinite(v)) { if (v < low) low = v; if (v > high) high = v; }
      if (!(high > low)) { const size = Math.abs(low) || 1; low = (Number.isFinite(low) ? low : 0) - size / 2; high = low + size; }
      const pad = 0.06 * (high - low);
      low -= pad; high += pad;
      const first = times[0], last = times.at(-1);
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
      panel.beside.forEach((curve, k) => trace(curve, COLOURS[k % COLOURS.length], [5, 4]));
      panel.curves.forEach((curve, k) => trace(curve, COLOURS[k % COLOURS.length], []));
    }
    values_at();
  }

  function values_at() {
    if (!times.length) return;
    const first = times[0], last = times.at(-1), share = over ?? (now - first) / (last - first || 1);
    const k = Math.min(times.length - 1, Math.max(0, Math.round(share * (times.length - 1))));
    for (const panel of panels) {
      const width = panel.canvas.clientWidth;
      panel.line.style.transform = `translateX(${LEFT + Math.min(1, Math.max(0, share)) * (width - LEFT - RIGHT)}px)`;
      panel.curves.forEach((curve, j) => { panel.values[j].textContent = short(curve[k]); });
    }
  }

  const watcher = new ResizeObserver(draw);
  watcher.observe(holder);
  addEventListener("dressed", draw);
  return {
    load, draw,
    at(time) { now = time; if (over === null) values_at(); },
    end() { watcher.disconnect(); removeEventListener("dressed", draw); },
  };
}
