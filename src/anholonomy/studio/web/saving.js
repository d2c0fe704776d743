// A project is written whenever it rests for a moment; who has an older version is told, and chooses.
import { call } from "./api.js";
import { el, later } from "./dom.js";
import { say, tell } from "./notes.js";

export function saving(project, words, adopt) {
  let version = project.version, dirty = false, busy = false;

  async function save() {
    if (busy || !dirty) return;
    busy = true;
    dirty = false;
    try {
      version = (await call("PUT", `/api/projects/${project.id}`, { ...words(), version })).version;
      if (!dirty) say("saved");
      tell("");
    } catch (problem) {
      if (problem.status === 409) meet(problem);
      else {
        dirty = true;
        say("not saved");
        tell(problem.message, " ", el("button", { type: "button", onclick: () => save() }, "Try again"));
      }
      busy = false;
      return;
    }
    busy = false;
    if (dirty) soon();
  }

  function meet(problem) {
    say("not saved");
    const { now } = problem.found;
    tell(problem.message, " ",
      el("button", { type: "button", onclick: () => { version = now.version; dirty = false; tell(""); say("saved"); adopt(now); } }, "Take its version"), " ",
      el("button", { type: "button", onclick: () => { version = now.version; dirty = true; tell(""); say("saving …"); save(); } }, "Keep mine"));
  }

  const soon = later(350, save);
  // The last moment before the page goes: what has not been sent is sent, and the browser sees to its arrival.
  const flush = () => { if (dirty && !busy) { dirty = false; call("PUT", `/api/projects/${project.id}`, { ...words(), version }, { keepalive: true }).catch(() => {}); } };
  addEventListener("pagehide", flush);
  return {
    changed() { dirty = true; say("saving …"); soon(); },
    end() { soon.stop(); flush(); removeEventListener("pagehide", flush); },
  };
}
