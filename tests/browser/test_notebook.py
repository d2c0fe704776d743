"""A notebook that a kernel executes: every cell answers with something to look at, and the answers as a page in a browser."""

from __future__ import annotations

import json

import pytest

from tests.browser.widget_page import widget_page

pytest.importorskip("nbclient", reason="nbclient is not installed (the extra `test`)")
pytest.importorskip("ipykernel", reason="ipykernel is not installed (the extra `test`)")
pytest.importorskip("anywidget", reason="anywidget is not installed (the extra `notebook`)")

SETUP = """
import anholonomy as ah
system = ah.catalogue.chaplygin_sleigh()
start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
run = system.simulate(start, until=4)
pendulum = ah.System(name="pendulum", coordinates=["phi"], lagrangian="l^2*phi'^2/2 + 9.81*l*cos(phi)", parameters={"l": 1.0})
"""

SHOWN = {
    "system": "<math",
    "system.derive()": "<math",
    "system.derive('lagrange-dalembert')": "<math",
    "run": "<iframe",
    "run.animate(frames=30)": "<iframe",
    "system.verify()": "udwadia-kalaba",
    "system.analyse(time_limit=2)": "in formulas",
    "system.conserved()": "<math",
    "system.geometry.distribution": "<math",
    "system.geometry.distribution.is_integrable()": "refuted",
    "system.stability.steady_motion()": "steady motion",
    "system.reduced()": "base",
    'system.ensemble({**start, "theta\'": [0.1, 0.5, 1.0]}, until=4)': "3 members",
    "ah.groups.SO3()": "so(3)",
    "ah.connections.levi_civita(ah.geometry.Metric(ah.geometry.Frame(['r', 'phi']), ['1', 'r^2']))": "<math",
}
"""Cells, and what stands in the HTML that answers each."""

WIDGETS = [
    "run.player()",
    "view = system.explore(start, 4, ['a']); view",
    "pendulum.explore({'phi': 1, \"phi'\": 0}, 3)",
]
PICTURES = ["run.plot();", "run.plot('phase');"]
VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def notebook():
    """The notebook after a kernel of this Python has gone through it; an error in a cell is an error here."""
    from nbclient import NotebookClient
    from nbformat import v4

    cells = [SETUP, *SHOWN, *PICTURES, *WIDGETS, "view.values = {'a': 0.6}; print(view.run.is_complete)"]
    made = v4.new_notebook(cells=[v4.new_code_cell(each) for each in cells])
    return NotebookClient(made, timeout=120, kernel_name="python3").execute()


def _answers(notebook) -> dict:
    return {cell.source: cell.outputs for cell in notebook.cells}


@pytest.mark.exhaustive
def test_every_cell_answers_once_with_something_to_look_at(notebook) -> None:
    found = _answers(notebook)
    assert found[SETUP] == []
    for cell, part in SHOWN.items():
        (answer,) = found[cell]  # one answer: no figure that was left open, no warning
        assert part in answer["data"]["text/html"], cell
        assert len(answer["data"]["text/plain"]) < 1200, cell
    for cell in PICTURES:
        (answer,) = found[cell]
        assert len(answer["data"]["image/png"]) > 5_000, cell
    for cell in WIDGETS:
        (answer,) = found[cell]
        assert VIEW in answer["data"], cell
    assert notebook.cells[-1].outputs[0]["text"] == "True\n"


@pytest.mark.exhaustive
def test_the_answers_are_drawn_by_a_browser(notebook, open_page, axe, tmp_path) -> None:
    found = _answers(notebook)
    html = [answer["data"].get("text/html", "") for cell in SHOWN for answer in found[cell]]
    images = [answer["data"]["image/png"] for cell in PICTURES for answer in found[cell]]
    cells = [
        *html,
        *(f'<img alt="a figure" style="max-width:100%" src="data:image/png;base64,{each}">' for each in images),
    ]
    place = tmp_path / "notebook.html"
    body = "".join(f"<section>{each}</section>" for each in cells)
    place.write_text(
        f"<!doctype html><html lang=en><meta charset=utf-8><title>cells</title><main><h1>cells</h1>{body}</main>",
        "utf-8",
    )
    page = open_page(place.as_uri())
    heights = page.evaluate(
        "[...document.querySelectorAll('section')].map(each => each.getBoundingClientRect().height)"
    )
    assert min(heights) >= 12  # a line of text
    assert page.evaluate("[...document.images].every(each => each.naturalWidth > 300)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.frame_locator("iframe").first.locator(".clock").text_content().endswith("/ 4.00")
    axe(page)


@pytest.mark.exhaustive
def test_the_widgets_of_the_kernel_are_drawn_by_a_browser(notebook, open_page, axe, tmp_path) -> None:
    """Their state is what the kernel sent, the module as well; nothing of the package is loaded here."""
    states = notebook.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    found = _answers(notebook)
    for number, cell in enumerate(WIDGETS):
        (answer,) = found[cell]
        state = json.loads(json.dumps(states[answer["data"][VIEW]["model_id"]]["state"]))
        module, style = state.pop("_esm"), state.pop("_css")
        page = open_page(widget_page(tmp_path / f"widget{number}.html", module, state, style))
        page.wait_for_function("window.ready")
        assert page.locator("canvas:visible").count() >= 1
        assert page.locator(".anholonomy-player").count() == (0 if "pendulum" in cell else 1)
        if "explore" in cell:
            before = page.evaluate("document.querySelector('.charts canvas').toDataURL().length")
            assert before > 3_000
        if "view" in cell:
            assert page.evaluate("model.get('values').a") == 0.6  # as the last cell set it
        axe(page)
