"""A page with one widget, whose model is a stub in the place of a kernel's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["widget_page"]

# As anywidget does it: the module is imported from a blob, `render` gets a model and an element.
STUB = """
window.modelOf = values => {
  const heard = {};
  return {
    values, saved: 0, get: name => values[name], save_changes() { this.saved++; },
    set(name, value) { values[name] = value; for (const act of heard[`change:${name}`] || []) act(); },
    on: (kind, act) => (heard[kind] ||= []).push(act), off: (kind, act) => { heard[kind] = heard[kind].filter(each => each !== act); },
    hearers: () => Object.values(heard).flat().length,
  };
};
const text = JSON.parse(document.getElementById("esm").textContent);
const found = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
window.model = modelOf(JSON.parse(document.getElementById("values").textContent));
window.stop = found.default.render({ model, el: document.getElementById("cell") });
window.ready = true;
"""


def widget_page(place: Path, module: str, values: dict[str, Any], style: str) -> str:
    """Write the page and return its address; ``window.model`` is the stub, ``window.stop`` takes the widget away."""

    def data(key: str, value: Any) -> str:
        return f'<script type="application/json" id={key}>{json.dumps(value).replace("<", chr(92) + "u003c")}</script>'

    body = f"<main><h1>cell</h1><div id=cell></div></main>{data('esm', module)}{data('values', values)}"
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>cell</title><style>{style}</style>"
    place.write_text(f"{head}{body}<script type=module>{STUB}</script>", "utf-8")
    return place.as_uri()
