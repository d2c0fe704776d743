// The page of one film. A fragment such as #t=3.5&follow=0&azimuth=20 opens it paused at that time; a new fragment goes there.
const film = JSON.parse(document.getElementById("film").textContent);
const wishes = () => new URLSearchParams(location.hash.slice(1));
const wish = name => (wishes().has(name) && Number.isFinite(Number(wishes().get(name))) ? Number(wishes().get(name)) : undefined);
const player = play(document.getElementById("player"), film, { keys: document, autoplay: wish("t") === undefined ? undefined : false });

function obey() {
  if (wish("follow") !== undefined) player.follow(wish("follow") > 0);
  if (wish("azimuth") !== undefined || wish("elevation") !== undefined) player.look(wish("azimuth") ?? player.view.azimuth, wish("elevation") ?? player.view.elevation);
  if (wish("t") !== undefined) player.seek(wish("t"));
}
addEventListener("hashchange", obey);
obey();
