// The text of a declaration, coloured and marked: what is painted lies under a text field of the same letters.
import { el } from "./dom.js";

const PARTS = /(#[^\n]*)|("(?:\\.|[^"\\\n])*"?)|(^\s*\[\[?[^\]\n]*\]?\]?)|(^\s*[\w"'-]+(?=\s*=))|(-?\b\d[\d._eE+-]*\b)/gm;
const KINDS = ["note", "text", "head", "key", "number"];

export function painted(text, mark) {
  const lines = text.split("\n").map((line, k) => {
    const row = el("span", { class: "line" });
    const spot = mark && mark.line === k + 1 ? { from: mark.column - 1, to: mark.column - 1 + mark.length } : null;
    if (spot) row.classList.add("wrong");
    let at = 0;
    const put = (piece, kind) => {
      for (const [part, inside] of cut(piece, at, spot)) {
        const node = kind || inside ? el("span", { class: [kind, inside ? "mark" : ""].join(" ").trim() }, part) : part;
        row.append(node);
      }
      at += piece.length;
    };
    for (const found of line.matchAll(PARTS)) {
      put(line.slice(at, found.index));
      put(found[0], KINDS[found.slice(1).findIndex(group => group !== undefined)]);
    }
    put(line.slice(at));
    if (spot && spot.from >= line.length) row.append(el("span", { class: "mark" }, " "));
    row.append("\n");
    return row;
  });
  return lines;
}

function cut(piece, at, spot) {
  if (!piece) return [];
  if (!spot || spot.to <= at || spot.from >= at + piece.length) return [[piece, false]];
  const from = Math.max(0, spot.from - at), to = Math.min(piece.length, spot.to - at);
  return [[piece.slice(0, from), false], [piece.slice(from, to), true], [piece.slice(to), false]].filter(([part]) => part);
}

export function editor(text, onchange) {
  let mark = null;
  const paint = el("pre", { "aria-hidden": "true" });
  const field = el("textarea", { id: "declaration", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "Declaration", "aria-describedby": "trouble" });
  const sentence = el("span"), place = el("button", { type: "button", class: "place", onclick: () => go() });
  const trouble = el("p", { id: "trouble", class: "trouble", "aria-live": "polite" });
  const box = el("div", { class: "editor" }, el("div", { class: "sheet" }, paint, field));
  field.value = text;
  const draw = () => paint.replaceChildren(...painted(field.value, mark));
  function go() {
    const lines = field.value.split("\n"), at = lines.slice(0, mark.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + mark.column - 1;
    field.focus();
    field.setSelectionRange(at, at + mark.length);
  }
  field.addEventListener("input", () => { if (mark) mark = null; draw(); onchange(field.value); });
  draw();
  return {
    node: el("div", { class: "editing" }, box, trouble),
    get text() { return field.value; },
    set text(value) { if (value !== field.value) { field.value = value; mark = null; draw(); } },
    wrong(said, where) {
      mark = where || null;
      // The piece of the text with its caret is what the mark shows already.
      sentence.textContent = said.split("\n")[0].replace(mark ? / \(at line \d+, column \d+\)/ : "", "");
      place.textContent = mark ? `line ${mark.line}, column ${mark.column}` : "";
      trouble.className = "trouble bad";
      trouble.replaceChildren(...(mark ? [place, " ", sentence] : [sentence]));
      field.setAttribute("aria-invalid", "true");
      draw();
    },
    right(doubts) {
      mark = null;
      trouble.className = doubts.length ? "trouble doubt" : "trouble good";
      trouble.textContent = doubts.length ? doubts.join(" ") : "The declaration is in order.";
      field.removeAttribute("aria-invalid");
      draw();
    },
  };
}
