// Numbers to drag: parameters, the start, and how long.
import { el, short } from "./dom.js";

const LATEST = 1e6;
const LONG = 7; // letters of a name that stand beside its slider; a longer one stands above

export function range(value, kind) {
  if (kind === "time") return [0, Math.max(2 * value, 1)];
  if (kind === "angle") return [Math.min(-Math.PI, value), Math.max(Math.PI, value)];
  if (kind === "parameter" && value) return value > 0 ? [0, 2 * value] : [2 * value, 0];
  const size = 2 * Math.abs(value) || (kind === "parameter" ? 1 : 2);
  return [-size, size];
}

export function slider(name, kind, value, change) {
  const id = `${kind === "parameter" || kind === "time" ? kind : "start"}-${name}`;
  const number = el("input", { type: "number", id, step: "any", class: "number" });
  const drag = el("input", { type: "range", "aria-label": `${name}, by dragging`, min: "0", max: "1000", step: "1" });
  let [low, high] = range(value ?? 1, kind);
  // A share of the whole in a thousand steps; a round number of what that makes is what a person means.
  const shown = at => Number((low + (high - low) * at / 1000).toPrecision(4));
  const put = given => {
    drag.disabled = given === null;
    if (given === null) { number.value = ""; number.placeholder = kind === "parameter" ? "free" : "not given"; return; }
    if (given < low || given > high) [low, high] = range(given, kind);
    number.value = String(+given.toPrecision(6));
    drag.value = Math.round(1000 * (given - low) / (high - low));
    drag.setAttribute("aria-valuetext", number.value);
    drag.style.setProperty("--share", `${100 * (given - low) / (high - low)}%`);
  };
  drag.addEventListener("input", () => {
    let chosen = shown(Number(drag.value));
    if (kind === "time" || (kind === "parameter" && low === 0)) chosen = Math.max(chosen, Number((high / 1000).toPrecision(2)));
    put(chosen);
    change(chosen);
  });
  number.addEventListener("input", () => {
    const given = number.value.trim() === "" ? NaN : Number(number.value), sound = Number.isFinite(given) && (kind !== "time" || (given > 0 && given <= LATEST));
    number.setAttribute("aria-invalid", String(!sound));
    number.setCustomValidity(sound ? "" : kind === "time" ? "a time above 0 and at most a million" : "a number");
    if (!sound) return;
    if (given < low || given > high) [low, high] = range(given, kind);
    drag.disabled = false;
    drag.value = Math.round(1000 * (given - low) / (high - low));
    drag.style.setProperty("--share", `${100 * (given - low) / (high - low)}%`);
    change(given);
  });
  put(value ?? null);
  const note = el("small", { class: "actual", hidden: true });
  const actual = found => {
    const asked = Number(number.value), same = number.value !== "" && Math.abs(found - asked) <= 1e-5 * (1 + Math.abs(asked));
    note.hidden = same;
    note.textContent = same ? "" : `on the constraints: ${short(found)}`;
  };
  return { node: el("div", { class: name.length > LONG ? "slider long" : "slider" }, el("label", { for: id }, name), drag, number, note), put, actual };
}

export function group(heading, list, changed, onreset) {
  if (!list.length) return null;
  const id = `group-${heading.toLowerCase()}`;
  const reset = onreset && el("button", { type: "button", class: "quiet reset", hidden: !changed, "aria-label": `${heading} as declared`, onclick: onreset }, "as declared");
  return el("div", { role: "group", "aria-labelledby": id, class: "group" }, el("div", { class: "legend" }, el("h2", { id }, heading), reset || null), list.map(each => each.node));
}
