// One project: text on one side, motion in the middle, numbers to drag on the other.
import { post } from "./api.js";
import { el, later, short, tabs } from "./dom.js";
import { editor } from "./editor.js";
import { equations } from "./equations.js";
import { exporting } from "./exporting.js";
import { findings } from "./findings.js";
import { inscribe } from "./inscribe.js";
import { motion } from "./motion.js";
import { plots } from "./plots.js";
import { saving } from "./saving.js";
import { group, slider } from "./sliders.js";

export async function work(main, title, known, project) {
  const state = { name: project.name, declaration: project.declaration, parameters: { ...project.parameters }, start: { ...project.start }, until: project.until, view: { tab: "declaration", ...project.view } };
  const words = () => ({ ...state, declaration: text.text });
  const store = saving(project, words, adopt);
  const leaving = new AbortController();
  let described = null, sound = null, named = state.name, checking = 0, ended = false;

  // The name, above everything.
  const name = el("input", { class: "name", "aria-label": "Name of the project", value: state.name, maxlength: "200", oninput: () => { state.name = name.value; retitle(); store.changed(); } });
  const heading = el("h1", { class: "hidden" });
  const retitle = () => { heading.textContent = state.name; document.title = `${state.name || "without a name"} – anholonomy studio`; };
  title.replaceChildren(name);
  retitle();

  // The motion, and the other dynamics beside it.
  const graphs = el("div", { class: "plots" }), curves = plots(graphs, time => stage.seek(time));
  const beside = el("input", { type: "checkbox", id: "vakonomic", onchange: () => { state.view.vakonomic = beside.checked; over.parentElement.hidden = !beside.checked; store.changed(); stage.move(); } });
  const over = el("input", { type: "checkbox", id: "overlay", onchange: () => { state.view.overlay = over.checked; store.changed(); stage.move(); } });
  beside.checked = state.view.vakonomic === true;
  over.checked = state.view.overlay === true;
  const besideSaid = el("p", { class: "hint", role: "status" });
  const ask = draft => (sound === null ? null : post("/api/motion", { ...words(), declaration: sound, vakonomic: beside.checked, overlay: over.checked, draft }, { signal: leaving.signal }));
  const stage = motion(ask, found => { curves.load(found); besideSaid.textContent = found.vakonomic; began(found.began); }, curves.at);

  // The text. What is typed is looked at when the fingers rest; the last motion stays until there is another.
  const look = later(160, async () => {
    const turn = ++checking;
    const given = words();
    try {
      const found = await post("/api/check", given);
      if (ended || turn !== checking) return;
      text.right(found.doubts);
      sound = given.declaration;
      if (state.name === named) { state.name = name.value = found.name; retitle(); if (named !== found.name) store.changed(); }
      named = found.name;
      const fresh = JSON.stringify([found.parameters, found.start, found.kinds]) !== JSON.stringify(described && [described.parameters, described.start, described.kinds]);
      described = found;
      // What was dragged belongs to a name, and goes with it.
      for (const word of ["parameters", "start"]) for (const key of Object.keys(state[word])) if (!(key in found[word])) delete state[word][key];
      if (fresh) numbers();
      sums.know(found.principles);
      stage.move();
    } catch (problem) {
      if (ended || turn !== checking) return;
      text.wrong(problem.message, problem.found?.mark);
      stage.waiting("There is no motion before the declaration is in order.");
    }
  });
  const text = editor(state.declaration, () => { store.changed(); look(); answers.older(); });

  // The numbers.
  const dragged = () => Object.keys(state.parameters).length + Object.keys(state.start).length > 0;
  function write() {
    const found = inscribe(text.text, { parameters: state.parameters, start: state.start });
    state.parameters = found.left.parameters ?? {};
    state.start = found.left.start ?? {};
    text.text = found.text;
    described = null;
    store.changed();
    look();
  }
  const sliders = el("div", { class: "sliders" });
  let starts = {};
  // Where a motion began elsewhere than was asked, because a constraint does not allow that, it is said.
  const began = values => { for (const [key, value] of Object.entries(values)) starts[key]?.actual(value); };
  function numbers() {
    starts = {};
    const part = (word, kindOf) => Object.entries(described[word]).map(([key, declared]) => {
      const made = slider(key, kindOf(key), state[word][key] ?? declared, value => {
        state[word][key] = value;
        sliders.querySelectorAll(`[aria-labelledby=group-${word}] .reset, .inscribe`).forEach(button => { button.hidden = false; });
        store.changed();
        stage.drag();
        if (word === "parameters") answers.older();
      });
      if (word === "start") starts[key] = made;
      return made;
    });
    const time = slider("until", "time", state.until ?? 10, value => { state.until = value; store.changed(); stage.drag(); });
    const reset = word => () => { state[word] = {}; store.changed(); numbers(); stage.move(); if (word === "parameters") answers.older(); };
    sliders.replaceChildren(...[
      group("Parameters", part("parameters", () => "parameter"), Object.keys(state.parameters).length, reset("parameters")),
      group("Start", part("start", key => described.kinds[key] || "start"), Object.keys(state.start).length, reset("start")),
      el("button", { type: "button", class: "inscribe", hidden: !dragged(), onclick: write }, "Write these numbers into the text"),
      group("Time", [time]),
    ].filter(Boolean));
    besideBox.hidden = !described.constraints;
  }
  const besideBox = el("div", { class: "beside", hidden: true }, el("label", { for: "vakonomic" }, beside, " vakonomic motion beside it; dashed in the plots"),
    el("label", { for: "overlay", hidden: !beside.checked }, over, " in one picture, in lighter colours"), besideSaid);

  // What can be asked and taken along.
  const sums = equations(words), answers = findings(words, known.questions, project.id), files = exporting(words, known.exports, project.id);
  const panels = tabs([["declaration", text.node], ["equations", sums.node], ["findings", answers.node], ["export", files.node]], "About this system");
  panels.bar.addEventListener("chosen", event => {
    if (event.detail === "equations") sums.shown();
    if (state.view.tab !== event.detail) { state.view.tab = event.detail; store.changed(); }
  });

  function adopt(now) {
    for (const word of ["name", "until"]) state[word] = now[word];
    for (const word of ["parameters", "start", "view"]) state[word] = { ...now[word] };
    name.value = now.name;
    retitle();
    text.text = now.declaration;
    described = null;
    answers.recall();
    look();
  }

  main.replaceChildren(heading, el("div", { class: "work" },
    el("section", { class: "about", "aria-label": "The system" }, panels.bar, text.node, sums.node, answers.node, files.node),
    el("section", { class: "motion", "aria-label": "The motion" }, stage.node, graphs),
    el("section", { class: "numbers", "aria-label": "Parameters and start" }, sliders, besideBox)));
  panels.choose(state.view.tab || "declaration");
  look();
  addEventListener("dressed", stage.draw);
  return () => {
    ended = true;
    leaving.abort();
    store.end();
    answers.end();
    files.end();
    curves.end();
    stage.end();
    removeEventListener("dressed", stage.draw);
  };
}
