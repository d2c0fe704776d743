// The page: which view is shown, the theme, and what is said at the top.
import { get, post } from "./api.js";
import { home } from "./home.js";
import { say, tell } from "./notes.js";
import { work } from "./work.js";

history.replaceState(null, "", location.pathname + location.hash);
const main = document.getElementById("main"), title = document.querySelector(".bar .title");

const themes = ["", "light", "dark"], root = document.documentElement;
function dress(theme) {
  if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
  const name = theme || "as the system";
  document.getElementById("theme").title = `Colours: ${name}`;
  dispatchEvent(new Event("dressed"));
}
dress(localStorage.getItem("theme") || "");
document.getElementById("theme").addEventListener("click", () => {
  const next = themes[(themes.indexOf(root.dataset.theme || "") + 1) % themes.length];
  localStorage.setItem("theme", next);
  dress(next);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("dressed")));

let known = null, leave = () => {};
async function show() {
  leave();
  leave = () => {};
  tell("");
  say("");
  title.replaceChildren();
  main.setAttribute("aria-busy", "true");
  try {
    known ??= await get("/api/catalogue");
    const project = location.hash.match(/^#\/p\/([0-9a-f]{16})$/);
    document.body.dataset.view = project ? "work" : "home";
    if (project) leave = await work(main, title, known, await get(`/api/projects/${project[1]}`));
    else {
      document.title = "anholonomy studio";
      home(main, known, (await get("/api/projects")).projects, begin);
    }
  } catch (problem) {
    tell(problem.message);
    main.replaceChildren();
    if (location.hash.startsWith("#/p/") && problem.status === 404) location.hash = "#/";
  } finally {
    main.removeAttribute("aria-busy");
  }
}

async function begin(words) {
  try {
    location.hash = `#/p/${(await post("/api/projects", words)).id}`;
  } catch (problem) {
    tell(problem.message);
  }
}

addEventListener("hashchange", () => { show(); main.focus({ preventScroll: true }); scrollTo(0, 0); });
show();
