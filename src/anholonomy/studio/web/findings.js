// Questions and their answers, each with a verdict and its evidence.
import { get } from "./api.js";
import { el, formula, short, words as inWords } from "./dom.js";
import { task } from "./tasks.js";

const SIGNS = { proven: "✓", refuted: "¬", unknown: "?" };

// Lines of prose are broken with an indent; a table keeps its columns, and scrolls.
export const isTable = lines => lines.filter(line => /\S {2,}\S/.test(line)).length >= 3;
const listed = lines => el("pre", { tabindex: "0", class: isTable(lines) ? "table" : "prose" }, isTable(lines) ? lines.join("\n") : lines.map(line => el("span", {}, line.trim() ? `${line}\n` : "\n")));

export function findings(words, questions, project) {
  const running = new Set();
  const limit = el("select", { id: "limit" }, [["10", "10 s"], ["60", "a minute"], ["300", "five minutes"]].map(([value, text]) => el("option", { value }, text)));
  const cards = Object.entries(questions).map(([name, title]) => {
    const place = el("div", { "aria-live": "polite" }), button = el("button", { type: "button", "data-question": name, onclick: () => ask() }, "Ask");
    const badge = el("span", { class: "badge" }), note = el("span", { class: "hint" });
    const node = el("article", { class: "finding" }, el("h3", {}, badge, el("span", {}, inWords(title)), note, button), place);
    async function ask() {
      const work = task("/api/ask", { ...words(), project, question: name, limit: Number(limit.value) }, Number(limit.value));
      running.add(work);
      button.disabled = true;
      place.replaceChildren(work.node);
      try {
        show(await work.done);
      } catch (problem) {
        badge.className = "badge";
        badge.textContent = "";
        place.replaceChildren(el("p", { class: problem.name === "AbortError" ? "hint" : "trouble bad" }, problem.name === "AbortError" ? "Cancelled." : problem.message));
      } finally {
        running.delete(work);
        button.disabled = false;
        button.textContent = "Ask again";
      }
    }
    function show(found) {
      const [first, ...rest] = found.text.split("\n");
      badge.className = `badge ${found.verdict}`;
      badge.replaceChildren(...(SIGNS[found.verdict] ? [`${SIGNS[found.verdict]} ${found.verdict}`] : []));
      node.classList.remove("older");
      note.textContent = `${found.seconds < 10 ? found.seconds.toFixed(1) : Math.round(found.seconds)} s`;
      const held = Object.entries(found.held ?? {}).map(([name, value]) => `${name} = ${short(value)}`).join(", ");
      place.replaceChildren(el("p", {}, first), ...(held ? [el("p", { class: "hint" }, `asked with the input held: ${held}`)] : []), ...(rest.length ? [listed(rest)] : []),
        ...(found.formula ? [el("details", {}, el("summary", {}, "as formulas"), formula(found.formula, title))] : []));
      node.dataset.verdict = found.verdict;
      button.textContent = "Ask again";
    }
    return { name, node, ask, show, button, place };
  });
  // What was answered before the page was left, about the system as it is kept.
  async function recall() {
    const found = await get(`/api/projects/${project}/findings`).then(told => told.findings, () => ({}));
    for (const card of cards) {
      if (card.button.disabled) continue;
      if (found[card.name]) card.show(found[card.name]);
      else if (card.place.childElementCount) card.node.classList.add("older");
    }
  }
  recall();
  const all = el("button", { type: "button", class: "primary", onclick: () => cards.forEach(card => { if (!card.button.disabled) card.ask(); }) }, "Ask everything");
  return {
    node: el("div", { class: "pane" }, el("p", { class: "row" }, all, el("label", { for: "limit" }, " each for at most ", limit)), cards.map(card => card.node)),
    recall,
    older() { for (const card of cards) if (card.place.childElementCount) card.node.classList.add("older"); },
    end() { running.forEach(work => work.cancel()); },
  };
}
