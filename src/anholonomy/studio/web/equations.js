// The equations by a principle that one chooses.
import { follow } from "./api.js";
import { el, formula } from "./dom.js";

export function equations(words) {
  const choice = el("select", { id: "principle", onchange: () => derive() }), place = el("div", { class: "answer", "aria-live": "polite" });
  const node = el("div", { class: "pane" }, el("p", { class: "row" }, el("label", { for: "principle" }, "by "), choice), place);
  let asked = null, last = "", visible = false;

  async function derive() {
    const wanted = JSON.stringify([words().declaration, choice.value]);
    if (wanted === last || !choice.value) return;
    last = wanted;
    asked?.abort();
    asked = new AbortController();
    place.replaceChildren(el("p", { class: "hint" }, "deriving …"));
    try {
      const found = await follow("/api/equations", { ...words(), by: choice.value }, asked.signal, more => {
        if (more.seconds) place.replaceChildren(el("p", { class: "hint" }, `deriving, ${more.seconds.toFixed(0)} s …`));
      });
      place.replaceChildren(formula(found.formula, "Equations of motion"), el("details", {}, el("summary", {}, "as text"), el("pre", { tabindex: "0" }, found.text)));
    } catch (problem) {
      if (problem.name === "AbortError") return;
      last = "";
      place.replaceChildren(el("p", { class: "trouble bad" }, problem.message));
    }
  }

  return {
    node,
    know(principles) {
      const before = choice.value || "hamel";
      choice.replaceChildren(...principles.map(([name, title]) => el("option", { value: name }, title)));
      choice.value = principles.some(([name]) => name === before) ? before : principles[0]?.[0] ?? "";
      if (!node.hidden) derive(); else last = "";
    },
    shown() { visible = true; if (visible) derive(); },
  };
}
