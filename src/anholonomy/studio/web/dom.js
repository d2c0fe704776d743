// Small helpers: elements, numbers as people read them, and work that waits until the fingers rest.
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter(child => child !== null && child !== undefined));
  return node;
}

export const words = text => text.replaceAll("_", " ").replace(/^./, letter => letter.toUpperCase());

export const short = (value, digits = 4) =>
  !Number.isFinite(value) ? "–" : value !== 0 && (Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3) ? value.toExponential(digits - 2).replace(/\.?0*e/, "e") : String(+value.toPrecision(digits));

export function later(milliseconds, act) {
  let timer = 0;
  const wait = (...given) => { clearTimeout(timer); timer = setTimeout(() => { timer = 0; act(...given); }, milliseconds); };
  wait.now = (...given) => { if (timer) { clearTimeout(timer); timer = 0; act(...given); } };
  wait.stop = () => { clearTimeout(timer); timer = 0; };
  return wait;
}

// MathML made by the server. Styles of its columns are set one by one, as the page allows none inside markup.
export function formula(text, label) {
  const holder = el("div", { class: "formula", tabindex: "0", role: "group", "aria-label": label });
  const read = new DOMParser().parseFromString(text.replaceAll(' style="', ' data-look="'), "text/html").body;
  holder.append(...read.childNodes);
  for (const node of holder.querySelectorAll("[data-look]")) node.style.cssText = node.dataset.look;
  return holder;
}

// Series travel as 32-bit floats in base 64.
export const series = text => new Float32Array(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer);

export function tabs(list, label) {
  const buttons = list.map(([name, panel], k) => {
    panel.id = `panel-${name}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    return el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": panel.id, onclick: () => choose(k) }, words(name));
  });
  const bar = el("div", { role: "tablist", "aria-label": label }, buttons);
  function choose(k, focus = false) {
    list.forEach(([, panel], i) => {
      panel.hidden = i !== k;
      buttons[i].setAttribute("aria-selected", i === k);
      buttons[i].tabIndex = i === k ? 0 : -1;
    });
    if (focus) buttons[k].focus();
    bar.dispatchEvent(new CustomEvent("chosen", { detail: list[k][0] }));
  }
  bar.addEventListener("keydown", event => {
    const now = buttons.indexOf(document.activeElement);
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined || now < 0) return;
    event.preventDefault();
    choose((next + buttons.length) % buttons.length, true);
  });
  choose(0);
  return { bar, choose: name => choose(Math.max(0, list.findIndex(([each]) => each === name))) };
}
