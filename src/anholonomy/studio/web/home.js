// The first page: projects that are there, systems to begin with, and a sheet of one's own.
import { call } from "./api.js";
import { el, words } from "./dom.js";

const SHEET = `schema = "anholonomy-system-1"
name = "my system"
coordinates = ["x", "y", "theta"]
lagrangian = "m*(x'^2 + y'^2)/2 + I*theta'^2/2"
constraints = ["x'*sin(theta) = y'*cos(theta)"]

[parameters]
m = 1.0
I = 0.5

[start]
x = 0
y = 0
theta = 0
"x'" = 1
"theta'" = 0.5
`;

const pictured = (key, known) => (known.entries.some(entry => entry.key === key) ? `thumbs/${key}.webp` : null);
const ROOMS = { vehicles: "Vehicles", discs: "Discs", balls: "Balls", tops: "Tops", particles: "Particles" };

export function home(main, known, projects, begin) {
  const cards = known.entries.map(entry => card(entry, known, begin));
  const none = el("p", { hidden: true, role: "status" }, "Nothing in the catalogue is called that.");
  const search = el("input", {
    type: "search", id: "search", placeholder: "sleigh, rolling, ball …", autocomplete: "off",
    oninput: () => {
      const wanted = search.value.trim().toLowerCase().split(/\s+/);
      let left = 0;
      cards.forEach((node, k) => {
        const { name, room, said, key } = known.entries[k], text = `${name} ${key} ${room} ${said}`.toLowerCase();
        node.hidden = !wanted.every(word => text.includes(word));
        left += !node.hidden;
      });
      for (const section of main.querySelectorAll("section.room")) section.hidden = !section.querySelector("li:not([hidden])");
      none.hidden = left > 0;
    },
  });
  const rooms = Object.entries(ROOMS).map(([room, heading]) => el("section", { class: "room", "aria-labelledby": `room-${room}` },
    el("h3", { id: `room-${room}` }, heading), el("ul", { class: "cards" }, cards.filter((_, k) => known.entries[k].room === room))));
  main.replaceChildren(
    el("div", { class: "front" },
      el("div", { class: "hero" },
        el("div", {}, el("h1", {}, "Systems with constraints on their velocities"),
          el("p", {}, "Pick one or type your own; drag its parameters and watch it move; ask what is conserved, and take the equations with you.")),
        el("button", { type: "button", class: "primary", onclick: () => begin({ name: "my system", declaration: SHEET, until: 12 }) }, "Type a system of your own")),
      projects.length ? own(projects, known) : null,
      el("div", { class: "heading" }, el("h2", {}, "Begin with a classical one"), el("label", { class: "search", for: "search" }, el("span", { class: "hidden" }, "Search the catalogue"), search)),
      none, rooms));
}

function card(entry, known, begin) {
  const picture = pictured(entry.key, known);
  return el("li", {}, el("button", { type: "button", class: "card", "data-key": entry.key, onclick: () => begin({ key: entry.key }) },
    picture ? el("img", { src: `/web/${picture}`, alt: "", loading: "lazy", width: "320", height: "200" }) : el("span", { class: "blank", "aria-hidden": "true" }, entry.name[0]),
    el("strong", {}, words(entry.name)), el("small", {}, entry.said)));
}

function own(projects, known) {
  const list = el("ul", { class: "projects" }), picture = key => pictured(key, known);
  for (const project of projects) {
    const item = el("li", {},
      el("a", { href: `#/p/${project.id}` }, picture(project.key) ? el("img", { src: `/web/${picture(project.key)}`, alt: "", width: "64", height: "40" }) : el("span", { class: "blank", "aria-hidden": "true" }, (project.name || "?")[0]), el("strong", {}, project.name || "without a name"), el("small", {}, when(project.changed))),
      el("button", { type: "button", class: "quiet", "aria-label": `Remove ${project.name}`, onclick: () => remove(project, item) }, "×"));
    list.append(item);
  }
  return el("section", { "aria-labelledby": "own" }, el("h2", { id: "own" }, "Your projects"), list);
}

async function remove(project, item) {
  if (!confirm(`Remove “${project.name}”? It is put aside in the folder “removed”.`)) return;
  await call("DELETE", `/api/projects/${project.id}`);
  item.remove();
}

const when = text => new Date(text).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
