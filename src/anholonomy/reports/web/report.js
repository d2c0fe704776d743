// A report: tabs, and a player and plots that go along with each other.
const tabs = [...document.querySelectorAll("[role=tab]")];
function choose(tab) {
  for (const each of tabs) {
    const on = each === tab;
    each.setAttribute("aria-selected", on);
    each.tabIndex = on ? 0 : -1;
    document.getElementById(each.getAttribute("aria-controls")).hidden = !on;
  }
}
tabs.forEach((tab, k) => {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", event => {
    const to = { ArrowRight: k + 1, ArrowLeft: k - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    const next = tabs[(to + tabs.length) % tabs.length];
    choose(next);
    next.focus();
    event.preventDefault();
  });
});

const data = JSON.parse(document.getElementById("numbers").textContent);
const stage = document.getElementById("player"), place = document.getElementById("plots");
let plots = null, player = null;
if (place) plots = plotsOn(place, data, { onpick: t => player?.seek(t) });
if (stage) player = play(stage, data.film, { height: 480, ontime: t => plots?.cursor(t) });

// What is folded is printed unless it says otherwise, and then folded again.
let opened = [];
addEventListener("beforeprint", () => { opened = [...document.querySelectorAll("details:not([open]):not(.long)")]; for (const each of opened) each.open = true; });
addEventListener("afterprint", () => { for (const each of opened) each.open = false; });
