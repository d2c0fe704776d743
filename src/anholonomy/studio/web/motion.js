// The motion: asked for, shown, and asked for again. While a finger drags what takes long a draft is shown, and the whole when it rests.
import { el, later } from "./dom.js";
import { play } from "./player/player.js";

const SLOW = 70; // Milliseconds from which on a motion takes long.
const REST = 250; // Milliseconds after which a finger rests.

const sentence = text => (/[.?!]$/.test(text) ? text : `${text}.`);

// `ask(draft)` gives a motion, or null where there is none to ask for; `shown` is told of every one, `ontime` of the time of the picture.
export function motion(ask, shown, ontime) {
  const stage = el("div", { class: "stage", id: "stage" }, el("p", { class: "waiting" }, "The motion is being computed …"));
  const said = el("p", { class: "said", role: "status" });
  const holder = el("div", { class: "moving" }, stage, said), waiting = text => stage.querySelector(".waiting")?.replaceChildren(text);
  let player = null, moving = false, again = false, ended = false, dragging = false, slow = false;

  // One motion is computed at a time; of all that were asked for meanwhile the last one counts.
  async function move() {
    if (moving) { again = true; return; }
    const draft = dragging && slow, asked = ask(draft);
    if (asked === null) return;
    moving = true;
    again = false;
    stage.dataset.busy = "true";
    const began = performance.now();
    try {
      const found = await asked;
      if (ended) return;
      show(found);
      const took = Math.round(performance.now() - began);
      if (!found.draft) slow = took > SLOW;
      stage.dataset.took = took;
      stage.dataset.draft = found.draft;
      stage.dataset.count = Number(stage.dataset.count || 0) + 1;
      holder.classList.remove("older");
      said.className = found.complete && !found.doubts.length ? "said" : "said doubt";
      said.textContent = [found.complete ? "" : sentence(found.outcome), ...found.doubts, `Computed and sent in ${took} ms${found.draft ? ", roughly while it is dragged" : ""}.`].filter(Boolean).join(" ");
    } catch (problem) {
      if (ended) return;
      const before = Number(stage.dataset.count || 0) > 0;
      said.className = "said bad";
      said.textContent = [sentence(problem.message), before ? "What is shown is the motion before." : ""].filter(Boolean).join(" ");
      holder.classList.toggle("older", before);
      if (!before) waiting("No motion yet.");
    } finally {
      moving = false;
      delete stage.dataset.busy;
    }
    if (again || (!dragging && stage.dataset.draft === "true" && !said.classList.contains("bad"))) move();
  }

  function show(found) {
    if (!found.films.length) {
      player?.destroy();
      player = null;
      stage.replaceChildren(el("p", { class: "waiting" }, `${sentence(found.unseen)} The curves are below.`));
    } else if (player) player.load(found.films);
    else player = play(stage, found.films, { ontime });
    stage.classList.toggle("empty", !player);
    shown(found);
  }

  const rest = later(REST, () => { dragging = false; if (stage.dataset.draft === "true") move(); });
  return {
    node: holder, move, waiting,
    drag() { dragging = true; rest(); move(); },
    seek: time => player?.seek(time),
    draw: () => player?.draw(),
    end() { ended = true; rest.stop(); player?.destroy(); },
  };
}
