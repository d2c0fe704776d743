"use strict";
(() => {
  // Tabs: click, or arrow keys.
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const choose = (tab) => {
    for (const each of tabs) {
      const on = each === tab;
      each.setAttribute("aria-selected", on);
      each.tabIndex = on ? 0 : -1;
      document.getElementById(each.getAttribute("aria-controls")).hidden = !on;
    }
  };
  tabs.forEach((tab, k) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(k + step + tabs.length) % tabs.length];
      choose(next);
      next.focus();
      event.preventDefault();
    });
  });

  // Plots: one range of time and one cursor for all of them.
  const data = JSON.parse(document.getElementById("numbers").textContent);
  const place = document.getElementById("plots");
  if (!place || !data.times.length) return;
  const colours = ["#1f5fa8", "#c2571a", "#1b7043", "#8a4fbf", "#b3261e", "#0f7f8c", "#7a5200", "#5a6572"];
  const times = data.times, first = times[0], last = times[times.length - 1];
  const view = { from: first, to: last, cursor: null, drag: null };
  const short = (v) => (v === null || v === undefined ? "–" : Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(3) : v.toPrecision(5));
  const nearest = (t) => {
    let low = 0, high = times.length - 1;
    const up = last >= first ? 1 : -1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (up * (times[middle] - t) <= 0) low = middle; else high = middle;
    }
    return Math.abs(times[low] - t) <= Math.abs(times[high] - t) ? low : high;
  };
  const plots = data.panels.map((panel) => {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const title = document.createElement("b");
    title.textContent = panel.title;
    caption.append(title);
    const curves = Object.entries(panel.curves).map(([name, values], k) => {
      const label = document.createElement("span"), mark = document.createElement("i"), number = document.createElement("span");
      mark.style.background = colours[k % colours.length];
      label.append(mark, name + " ", number);
      caption.append(label);
      return { name, values, number, colour: colours[k % colours.length] };
    });
    const canvas = document.createElement("canvas");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${panel.title} over time: ${curves.map((c) => c.name).join(", ")}`);
    figure.append(caption, canvas);
    place.append(figure);
    return { canvas, curves };
  });

  const ticks = (from, to, count) => {
    const span = to - from || 1, raw = span / count, power = 10 ** Math.floor(Math.log10(Math.abs(raw)));
    const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= Math.abs(raw));
    const found = [];
    for (let v = Math.ceil(Math.min(from, to) / step) * step; v <= Math.max(from, to) + 1e-9 * step; v += step) found.push(Math.abs(v) < 1e-12 * step ? 0 : v);
    return found;
  };
  const left = 64, right = 12, top = 8, bottom = 22;
  const draw = () => {
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--soft"), line = style.getPropertyValue("--line");
    const a = nearest(view.from), b = nearest(view.to);
    for (const { canvas, curves } of plots) {
      const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
      canvas.width = width * ratio;
      canvas.height = height * ratio;
      const c = canvas.getContext("2d");
      c.scale(ratio, ratio);
      let low = Infinity, high = -Infinity;
      for (const { values } of curves) for (let k = Math.min(a, b); k <= Math.max(a, b); k++) if (values[k] !== null) { low = Math.min(low, values[k]); high = Math.max(high, values[k]); }
      if (!(high > low)) { const size = Math.abs(low) || 1; low -= 0.5 * size; high += 0.5 * size; }
      const pad = 0.06 * (high - low);
      low -= pad; high += pad;
      const x = (t) => left + ((t - view.from) / (view.to - view.from || 1)) * (width - left - right);
      const y = (v) => top + ((high - v) / (high - low)) * (height - top - bottom);
      c.font = "11px system-ui, sans-serif";
      c.fillStyle = ink;
      c.strokeStyle = line;
      c.lineWidth = 1;
      c.textAlign = "center";
      for (const t of ticks(view.from, view.to, 8)) { c.beginPath(); c.moveTo(x(t), top); c.lineTo(x(t), height - bottom); c.stroke(); c.fillText(+t.toPrecision(6), x(t), height - 6); }
      c.textAlign = "right";
      for (const v of ticks(low, high, 4)) { c.beginPath(); c.moveTo(left, y(v)); c.lineTo(width - right, y(v)); c.stroke(); c.fillText(Math.abs(v) < 1e-3 && v !== 0 ? v.toExponential(1) : +v.toPrecision(4), left - 6, y(v) + 4); }
      c.save();
      c.beginPath();
      c.rect(left, top, width - left - right, height - top - bottom);
      c.clip();
      for (const { values, colour } of curves) {
        c.strokeStyle = colour;
        c.lineWidth = 1.6;
        c.beginPath();
        let open = false;
        for (let k = Math.max(0, Math.min(a, b) - 1); k <= Math.min(times.length - 1, Math.max(a, b) + 1); k++) {
          if (values[k] === null) { open = false; continue; }
          if (open) c.lineTo(x(times[k]), y(values[k])); else c.moveTo(x(times[k]), y(values[k]));
          open = true;
        }
        c.stroke();
      }
      if (view.drag) { c.fillStyle = "rgba(80,130,200,.18)"; c.fillRect(x(view.drag[0]), top, x(view.drag[1]) - x(view.drag[0]), height - top - bottom); }
      if (view.cursor !== null) { c.strokeStyle = ink; c.setLineDash([4, 3]); c.beginPath(); c.moveTo(x(times[view.cursor]), top); c.lineTo(x(times[view.cursor]), height - bottom); c.stroke(); c.setLineDash([]); }
      c.restore();
      for (const curve of curves) curve.number.textContent = view.cursor === null ? "" : short(curve.values[view.cursor]);
    }
  };
  const all = () => { view.from = first; view.to = last; draw(); };
  for (const { canvas } of plots) {
    const time = (event) => {
      const box = canvas.getBoundingClientRect();
      const part = (event.clientX - box.left - left) / (box.width - left - right);
      return view.from + Math.min(1, Math.max(0, part)) * (view.to - view.from);
    };
    canvas.addEventListener("pointermove", (event) => { view.cursor = nearest(time(event)); if (view.drag) view.drag[1] = time(event); draw(); });
    canvas.addEventListener("pointerleave", () => { if (!view.drag) { view.cursor = null; draw(); } });
    canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); view.drag = [time(event), time(event)]; });
    canvas.addEventListener("pointerup", () => {
      const [p, q] = view.drag || [0, 0];
      view.drag = null;
      const span = Math.abs(view.to - view.from);
      if (Math.abs(q - p) > 0.01 * span) { const up = view.to >= view.from; view.from = up ? Math.min(p, q) : Math.max(p, q); view.to = up ? Math.max(p, q) : Math.min(p, q); }
      draw();
    });
    canvas.addEventListener("dblclick", all);
    canvas.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { all(); return; }
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const far = event.shiftKey ? 20 : 1, now = view.cursor === null ? nearest(view.from) : view.cursor;
      view.cursor = Math.min(times.length - 1, Math.max(0, now + far * step));
      draw();
      event.preventDefault();
    });
  }
  window.addEventListener("resize", draw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
})();
