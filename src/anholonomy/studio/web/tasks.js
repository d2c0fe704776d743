// Work that takes its time: a bar that moves, a button that stops it.
import { follow } from "./api.js";
import { el } from "./dom.js";

export function task(path, body, limit) {
  const ending = new AbortController(), bar = el("progress", { max: String(limit), value: "0", "aria-label": "progress" });
  const said = el("span", {}, "waiting …"), stop = el("button", { type: "button", class: "quiet", onclick: () => ending.abort() }, "Cancel");
  const node = el("p", { class: "running" }, bar, said, stop);
  const done = follow(path, body, ending.signal, more => {
    if (more.seconds === undefined) return;
    bar.value = Math.min(limit, more.seconds);
    said.textContent = `${more.seconds.toFixed(0)} s of at most ${limit} s`;
  });
  return { node, done, cancel: () => ending.abort() };
}
