// Plots over time with one range and one cursor for all of them: `plotsOn(element, {times, panels}, options)`. Nothing is global.
const LIGHT_CURVES = ["#1f5fa8", "#c2571a", "#1b7043", "#8a4fbf", "#b3261e", "#0f7f8c", "#7a5200", "#5a6572"];
const DARK_CURVES = ["#7fb4f2", "#f2a26b", "#7fd3a2", "#c9a0f0", "#ff9a92", "#6fd0dc", "#f0c674", "#b3bdc9"];
const EDGE = { left: 64, right: 12, top: 8, bottom: 22 };

export const shortly = v => (v === null || v === undefined ? "–" : Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(3) : v.toPrecision(5));

// The index of the time nearest to t; times go up or down.
export function nearestTo(times, t) {
  const up = times[times.length - 1] >= times[0] ? 1 : -1;
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (up * (times[middle] - t) <= 0) low = middle; else high = middle;
  }
  return Math.abs(times[low] - t) <= Math.abs(times[high] - t) ? low : high;
}

// Round numbers between two values, about so many.
export function ticksBetween(from, to, count) {
  const low = Math.min(from, to), high = Math.max(from, to), raw = (high - low) / count;
  if (!(raw > 1e-15 * Math.max(-low, high)) || !Number.isFinite(raw)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw), found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step ; k++) found.push(k * step);
  return found;
}

const labelled = v => (v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e6) ? v.toExponential(1) : String(+v.toPrecision(4)));

// Options: `onpick`, called with the time of a click; `dark`, a function that says whether it is.
export function plotsOn(place, given, options = {}) {
  const ending = new AbortController(), on = (target, kind, act) => target.addEventListener(kind, act, { signal: ending.signal });
  const dark = options.dark || (() => matchMedia("(prefers-color-scheme: dark)").matches);
  const node = (tag, parent, words = {}) => { const made = Object.assign(document.createElement(tag), words); parent.append(made); return made; };
  let data = given, plots = [];
  const view = { from: 0, to: 1, cursor: null, drag: null, over: false, keyed: false, printing: false, ready: false };

  function built(panel) {
    const figure = node("figure", place), caption = node("figcaption", figure), box = node("div", figure, { className: "plot" });
    const units = panel.units ?? {}, shared = new Set(Object.keys(panel.curves).map(name => units[name] ?? ""));
    node("b", caption, { textContent: shared.size === 1 && [...shared][0] ? `${panel.title} (${[...shared][0]})` : panel.title });
    const curves = Object.entries(panel.curves).map(([name, values]) => {
      const label = node("span", caption), mark = node("i", label);
      label.append(`${name} `);
      const equals = node("span", label, { className: "equals", textContent: "= " });
      const number = node("span", label, { className: "number" }), unit = units[name] ? node("span", label, { className: "unit", textContent: ` ${units[name]}` }) : null;
      return { name, values, mark, number, equals, unit };
    });
    const canvas = node("canvas", box, { tabIndex: 0 }), line = node("div", box, { className: "cursor", hidden: true }), band = node("div", box, { className: "band", hidden: true });
    canvas.setAttribute("role", "slider");
    canvas.setAttribute("aria-label", `${panel.title} over time: ${curves.map(each => each.name).join(", ")}`);
    const plot = { canvas, curves, line, band, least: panel.least };
    listen(plot);
    return plot;
  }

  const place_of = (canvas, t) => EDGE.left + (t - view.from) / (view.to - view.from || 1) * (canvas.clientWidth - EDGE.left - EDGE.right);

  function bounds(curves, a, b, least = 0) {
    let low = Infinity, high = -Infinity;
    for (const { values } of curves) for (let k = a; k <= b; k++) if (values[k] !== null) { low = Math.min(low, values[k]); high = Math.max(high, values[k]); }
    if (!Number.isFinite(low)) return [0, 1];
    if (!(high > low)) { const size = Math.abs(low) || 1; low -= 0.5 * size; high += 0.5 * size; }
    if (high - low < least) { const middle = (low + high) / 2; low = middle - least / 2; high = middle + least / 2; }  // rounding does not fill a plot
    const pad = 0.06 * (high - low);
    return [low - pad, high + pad];
  }

  function grid(c, width, height, x, y, [low, high], ink, line) {
    c.font = "11px system-ui, sans-serif"; c.fillStyle = ink; c.strokeStyle = line; c.lineWidth = 1;
    const stroke = (...ends) => { c.beginPath(); c.moveTo(ends[0], ends[1]); c.lineTo(ends[2], ends[3]); c.stroke(); };
    c.textAlign = "center";
    for (const t of ticksBetween(view.from, view.to, Math.max(2, Math.min(8, width / 80)))) { stroke(x(t), EDGE.top, x(t), height - EDGE.bottom); c.fillText(labelled(t), x(t), height - 6); }
    c.textAlign = "right";
    c.fillText(data.time ?? "t", EDGE.left - 6, height - 6);
    for (const v of ticksBetween(low, high, 4)) { stroke(EDGE.left, y(v), width - EDGE.right, y(v)); c.fillText(labelled(v), EDGE.left - 6, y(v) + 4); }
  }

  function paint({ canvas, curves, least }, colours, ink, line) {
    const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, c = canvas.getContext("2d");
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    const ends = [nearestTo(data.times, view.from), nearestTo(data.times, view.to)].sort((p, q) => p - q);
    const a = Math.max(0, ends[0] - 1), b = Math.min(data.times.length - 1, ends[1] + 1), span = bounds(curves, ends[0], ends[1], least);
    const x = t => place_of(canvas, t), y = v => EDGE.top + (span[1] - v) / (span[1] - span[0]) * (height - EDGE.top - EDGE.bottom);
    grid(c, width, height, x, y, span, ink, line);
    c.save();
    c.beginPath(); c.rect(EDGE.left, EDGE.top, width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom); c.clip();
    curves.forEach(({ values }, number) => {
      let open = false;
      c.strokeStyle = colours[number % colours.length]; c.lineWidth = 1.6;
      c.beginPath();
      for (let k = a; k <= b; k++) {
        if (values[k] === null) { open = false; continue; }
        if (open) c.lineTo(x(data.times[k]), y(values[k])); else c.moveTo(x(data.times[k]), y(values[k]));
        open = true;
      }
      c.stroke();
    });
    c.restore();
  }

  function draw() {
    const style = getComputedStyle(place), colours = dark() && !view.printing ? DARK_CURVES : LIGHT_CURVES;
    const ink = style.getPropertyValue("--soft") || "#566070", line = style.getPropertyValue("--line") || "#d5dce4";
    for (const plot of plots) {
      paint(plot, colours, ink, line);
      plot.curves.forEach((curve, k) => { curve.mark.style.background = colours[k % colours.length]; });
    }
    mark();
  }

  // The cursor and the band are elements over the plots, so that following a motion draws nothing again.
  function mark() {
    const [first, last] = [data.times[0], data.times[data.times.length - 1]];
    for (const { canvas, curves, line, band } of plots) {
      const k = view.cursor, at = k === null ? 0 : place_of(canvas, data.times[k]);
      line.hidden = k === null || at < EDGE.left - 1 || at > canvas.clientWidth - EDGE.right + 1;
      line.style.left = `${at}px`;
      band.hidden = !view.drag;
      if (view.drag) { const ends = view.drag.map(t => place_of(canvas, t)); band.style.left = `${Math.min(...ends)}px`; band.style.width = `${Math.abs(ends[1] - ends[0])}px`; }
      for (const curve of curves) { curve.number.textContent = k === null ? "" : shortly(curve.values[k]); for (const part of [curve.equals, curve.unit]) if (part) part.hidden = k === null; }
      const words = { valuemin: Math.min(first, last), valuemax: Math.max(first, last), valuenow: k === null ? first : data.times[k] };
      words.valuetext = k === null ? "no time chosen" : `t = ${shortly(data.times[k])}: ${curves.map(each => `${each.name} ${shortly(each.values[k])}${each.unit?.textContent ?? ""}`).join(", ")}`;
      for (const [word, value] of Object.entries(words)) canvas.setAttribute(`aria-${word}`, value);
    }
  }

  const all = () => { view.from = data.times[0]; view.to = data.times[data.times.length - 1]; draw(); };
  function zoom(p, q) {
    const up = view.to >= view.from, ends = [data.times[0], data.times[data.times.length - 1]], inside = t => Math.min(Math.max(...ends), Math.max(Math.min(...ends), t));
    [p, q] = [inside(p), inside(q)];
    view.from = up ? Math.min(p, q) : Math.max(p, q); view.to = up ? Math.max(p, q) : Math.min(p, q);
    draw();
  }

  function listen({ canvas }) {
    const time = event => {
      const box = canvas.getBoundingClientRect(), part = (event.clientX - box.left - EDGE.left) / (box.width - EDGE.left - EDGE.right);
      return view.from + Math.min(1, Math.max(0, part)) * (view.to - view.from);
    };
    on(canvas, "pointerenter", () => { view.over = true; });
    on(canvas, "pointermove", event => { view.keyed = false; view.cursor = nearestTo(data.times, time(event)); if (view.drag) view.drag[1] = time(event); mark(); });
    on(canvas, "pointerleave", () => { view.over = false; if (!view.drag && !view.keyed) { view.cursor = null; mark(); } });
    on(canvas, "pointerdown", event => { canvas.setPointerCapture(event.pointerId); view.drag = [time(event), time(event)]; });
    on(canvas, "pointercancel", () => { view.drag = null; mark(); });
    on(canvas, "pointerup", () => {
      const [p, q] = view.drag || [0, 0];
      view.drag = null;
      if (Math.abs(q - p) > 0.01 * Math.abs(view.to - view.from)) zoom(p, q);
      else { mark(); options.onpick?.(p); }
    });
    on(canvas, "dblclick", all);
    on(canvas, "keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const far = event.shiftKey ? 20 : 1, last = data.times.length - 1, now = view.cursor === null ? nearestTo(data.times, view.from) : view.cursor;
      const to = { ArrowRight: now + far, ArrowLeft: now - far, Home: 0, End: last }[event.key], span = (view.to - view.from) / 4, middle = data.times[now];
      if (event.key === "Escape") all();
      else if (event.key === "+") zoom(middle - span, middle + span);
      else if (event.key === "Enter") options.onpick?.(data.times[now]);
      else if (to !== undefined) { view.keyed = true; view.cursor = Math.min(last, Math.max(0, to)); mark(); }
      else return;
      event.preventDefault();
    });
  }

  // Other curves in the same place; the range stays where the times stay.
  function load(next) {
    const same = next.times.length && data.times[0] === next.times[0] && data.times[data.times.length - 1] === next.times[next.times.length - 1];
    data = next;
    view.cursor = null;
    place.replaceChildren();
    plots = data.times.length ? data.panels.map(built) : [];
    if (!plots.length) return;
    if (same && plots.length && view.ready) draw(); else all();
    view.ready = true;
  }
  // Whoever points at a plot reads there; the motion does not take the cursor away.
  const cursor = t => { if (view.over) return; view.cursor = t === null ? null : nearestTo(data.times, t); mark(); };

  on(window, "resize", draw);
  on(window, "beforeprint", () => { view.printing = true; draw(); });
  on(window, "afterprint", () => { view.printing = false; draw(); });
  on(matchMedia("(prefers-color-scheme: dark)"), "change", draw);
  load(given);
  return { load, draw, cursor, zoom, all, destroy: () => { ending.abort(); place.replaceChildren(); }, get range() { return [view.from, view.to]; } };
}
