// Sliders beside a player and plots. One question is under way at a time; what was dragged meanwhile is asked next.
const LONG = 9; // letters of a name that stand beside its slider; a longer one stands above
const written = value => String(Number(value.toPrecision(4)));

function slider(control, value, changed) {
  const input = made("input", { type: "range", min: control.low, max: control.high, step: "any", "aria-label": control.name });
  input.value = value;
  const number = made("output", { "aria-live": "off" }, written(value));
  input.addEventListener("input", () => { number.textContent = written(Number(input.value)); changed(control.name, Number(input.value)); });
  const name = made("span", { class: "name" }, control.name);
  return { row: made("label", { class: control.name.length > LONG ? `${control.kind} long` : control.kind }, name, input, number), set: next => { input.value = next; number.textContent = written(next); } };
}

export default {
  render({ model, el }) {
    const stage = made("div", { class: "stage" }), charts = made("div", { class: "charts" }), note = made("p", { class: "note" });
    const beside = made("div", { class: "beside" }, stage, charts, note), message = made("p", { role: "status" }), panel = made("fieldset", {}, made("legend", {}, model.get("title")));
    const root = made("div", { class: "anholonomy-explorer" }, panel, beside);
    el.replaceChildren(root);
    // A system without a picture has plots only.
    const drawn = () => (model.get("film") || {}).frames > 0;
    let player = null;
    const plots = plotsOn(charts, model.get("curves"), { onpick: t => player?.seek(t) });
    function film() {
      stage.hidden = !drawn();
      if (!drawn()) { player?.destroy(); player = null; }
      else if (player) player.load(model.get("film"));
      else player = play(stage, model.get("film"), { height: model.get("height"), ontime: t => plots.cursor(t) });
    }
    const values = { ...model.get("values") }, rows = {};
    let asked = model.get("answered"), waiting = false;
    function ask() {
      if (asked !== model.get("answered")) { waiting = true; return; }
      waiting = false;
      model.set("question", { number: ++asked, values: { ...values } });
      model.save_changes();
    }
    for (const control of model.get("controls")) {
      rows[control.name] = slider(control, values[control.name], (name, value) => { values[name] = value; ask(); });
      panel.append(rows[control.name].row);
    }
    const first = { ...values }, back = made("button", { type: "button" }, "Back to the first values");
    back.addEventListener("click", () => { Object.assign(values, first); for (const name in rows) rows[name].set(first[name]); ask(); });
    panel.append(back, message);
    const answer = () => { if (waiting && asked === model.get("answered")) ask(); };
    const curves = () => plots.load(model.get("curves"));
    const say = () => { message.textContent = model.get("message"); note.textContent = model.get("note") || ""; };
    const acts = { "change:film": film, "change:curves": curves, "change:note": say, "change:message": say, "change:answered": answer };
    for (const [kind, act] of Object.entries(acts)) model.on(kind, act);
    film();
    say();
    // The element is empty of width until it is shown.
    const seen = new ResizeObserver(() => plots.draw());
    seen.observe(charts);
    return () => { for (const [kind, act] of Object.entries(acts)) model.off(kind, act); seen.disconnect(); plots.destroy(); player?.destroy(); root.remove(); };
  },
};
