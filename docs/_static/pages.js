// What is wider than its place is scrolled by keys too, and so must be reached by them; captions of the contents are headings of a level.
(() => {
  for (const caption of document.querySelectorAll("[role=heading]:not([aria-level])")) caption.setAttribute("aria-level", "2");
  const wide = [...document.querySelectorAll("pre, div.math, .table-wrapper")];
  function reach() {
    for (const each of wide) {
      if (each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight) each.tabIndex = 0;
      else each.removeAttribute("tabindex");
    }
  }
  addEventListener("resize", reach);
  addEventListener("load", reach);
  reach();
})();
