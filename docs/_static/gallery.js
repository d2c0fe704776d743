// One button stops and starts the moving pictures of a page. It stands before the first of them.
(() => {
  const films = [...document.querySelectorAll("picture[data-moving]")];
  if (!films.length) return;
  let moving = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const remembered = value => { try { return value === undefined ? sessionStorage.getItem("films") : sessionStorage.setItem("films", value); } catch { return null; } };
  const button = Object.assign(document.createElement("button"), { type: "button", className: "gallery-stop" });
  function show() {
    for (const film of films) {
      film.querySelector("source")?.remove();
      film.querySelector("img").src = moving ? film.dataset.moving : film.dataset.still;
    }
    button.textContent = moving ? (films.length > 1 ? "Stop the pictures" : "Stop the picture") : films.length > 1 ? "Let the pictures move" : "Let the picture move";
  }
  button.addEventListener("click", () => { moving = !moving; remembered(moving ? "move" : "still"); show(); });
  if (remembered() !== null) moving = remembered() === "move";
  show();
  const first = films[0].closest(".gallery")?.closest("section") || films[0];
  first.before(button);
})();
