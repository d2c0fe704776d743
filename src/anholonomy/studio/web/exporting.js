// Files to take along, made in the project's folder and then saved by the browser.
import { el } from "./dom.js";
import { task } from "./tasks.js";

const MOST = 900;

export function exporting(words, kinds, id) {
  const running = new Set();
  const rows = Object.entries(kinds).map(([kind, title]) => {
    const place = el("div", { "aria-live": "polite" });
    const button = el("button", { type: "button", "data-export": kind, onclick: make }, el("span", {}, title[0].toUpperCase() + title.slice(1)), el("span", { "aria-hidden": "true" }, "↓"));
    async function make() {
      const work = task(`/api/projects/${id}/export`, { ...words(), kind }, MOST);
      running.add(work);
      button.disabled = true;
      place.replaceChildren(work.node);
      try {
        const found = await work.done, href = `/api/projects/${id}/exports/${encodeURIComponent(found.file)}`;
        const link = el("a", { href, download: found.file }, found.file);
        place.replaceChildren(el("p", { class: "hint" }, "Made ", link, `, ${size(found.bytes)}.`));
        link.click();
      } catch (problem) {
        place.replaceChildren(el("p", { class: problem.name === "AbortError" ? "hint" : "trouble bad" }, problem.name === "AbortError" ? "Cancelled." : problem.message));
      } finally {
        running.delete(work);
        button.disabled = false;
      }
    }
    return el("li", {}, button, place);
  });
  return {
    node: el("div", { class: "pane" }, el("p", { class: "hint" }, "Everything is made with the numbers as they are dragged now."), el("ul", { class: "exports" }, rows)),
    end() { running.forEach(work => work.cancel()); },
  };
}

const size = bytes => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
