"""The page about a system: whole, harmless and by itself."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.base.notebook import mathml
from anholonomy.catalogue import ENTRIES
from anholonomy.reports.contents import chosen_motion
from tests.wording import blames

_VOID = {"meta", "br", "link", "img", "input", "hr"}


class Reader(HTMLParser):
    """Every tag is closed where it belongs, every id is there once, every reference leads somewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.pointed: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        for word in ("aria-controls", "aria-labelledby"):
            self.pointed += [given[word]] if word in given else []
        self.pointed += [given["href"][1:]] if given.get("href", "").startswith("#") else []
        self.sources += [given[word] for word in ("src", "href") if given.get(word, "#")[:1] != "#"]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag


def read(path: Path) -> tuple[str, Reader]:
    text = path.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert len(set(reader.ids)) == len(reader.ids)
    assert set(reader.pointed) <= set(reader.ids)
    assert reader.sources == []
    assert not re.findall(r"(?:https?:)?//[\w.]+\.\w+/", re.sub(r"http://www\.w3\.org/\S+", "", text))
    return text, reader


@pytest.fixture(scope="module")
def sleigh(tmp_path_factory) -> Path:
    entry = ENTRIES["chaplygin-sleigh"]
    place = tmp_path_factory.mktemp("report") / "sleigh.html"
    return entry.make().report(
        place,
        entry.start,
        entry.until,
        time_limit=1,
        facts=(*entry.facts, *entry.claims.lines()),
        references=entry.references,
    )


def test_a_report_has_every_section_and_needs_nothing_else(sleigh: Path) -> None:
    text, reader = read(sleigh)
    sections = [
        "motion",
        "declaration",
        "equations",
        "verification",
        "geometry",
        "findings",
        "literature",
        "computation",
    ]
    assert [each for each in reader.ids if each in sections] == sections
    assert text.count('role="tab"') == text.count('role="tabpanel"') >= 12
    assert text.count("<math") >= 12
    assert json.loads(re.search(r'id="numbers">(.*?)</script>', text, re.DOTALL)[1])["film"]["frames"] > 100
    assert sleigh.stat().st_size < 5e6


def test_its_numbers_are_those_of_the_motion(sleigh: Path) -> None:
    text = sleigh.read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="numbers">(.*?)</script>', text, re.DOTALL)[1])
    entry = ENTRIES["chaplygin-sleigh"]
    run = entry.make().simulate(entry.start, until=entry.until)
    curves = {name: values for panel in data["panels"] for name, values in panel["curves"].items()}
    for name in ("x", "theta'", "reaction_y"):
        assert np.allclose(np.interp(data["times"], run.time, run[name]), curves[name], rtol=0, atol=1e-9)
    kept = next(panel for panel in data["panels"] if panel["title"].startswith("what is conserved"))
    assert max(abs(v) for values in kept["curves"].values() for v in values) < 1e-12


def test_names_are_text_and_nothing_more(tmp_path) -> None:
    bad = "</script><script>alert(1)</script><b>"
    system = ah.System(name=bad, coordinates=["x"], lagrangian="x'^2/2 - x^2/2")
    text, _ = read(system.report(tmp_path / "bad.html", {"x": 1, "x'": 0}, 1, time_limit=1))
    assert "<script>alert" not in text
    assert "&lt;/script&gt;" in text


@pytest.mark.parametrize("key", ["chaplygin-sleigh", "suslov", "ball-in-cylinder"])
def test_without_a_start_one_is_chosen(key: str) -> None:
    system = ENTRIES[key].make()
    run = chosen_motion(system, 2.0)
    assert float(run.time[-1]) == 2
    assert max(float(abs(run[v.name]).max()) for v in system.velocities) > 0.1
    assert float(abs(run["residual"]).max()) < 1e-12


def test_the_page_says_that_a_start_was_chosen_or_why_none_was(tmp_path) -> None:
    rail = ah.System(name="rail", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x + y = 1"])
    text, reader = read(rail.report(tmp_path / "rail.html", time_limit=1))
    assert "this one was chosen; give another" in text
    assert "plots" in reader.ids
    heavy = ah.System(name="heavy", coordinates=["x"], lagrangian="m*x'^2/2", parameters=["m"])
    text, reader = read(heavy.report(tmp_path / "heavy.html", time_limit=1))
    assert "has no value" in text
    assert "plots" not in reader.ids


def test_a_start_that_is_declared_and_refused_says_why_where_the_motion_would_be(tmp_path) -> None:
    system = ah.System(
        coordinates=["x", "y"], lagrangian="x'^2 + y'^2", constraints={"c_1 & 2": "x' = y*y'"}, start={"x": 0, "x'": 1}
    )
    text, _ = read(system.report(tmp_path / "page.html", time_limit=0.1))
    assert "give " in re.search(r'id="h-motion">Motion</h2><p>(.*?)</p>', text)[1]
    assert "<mtext>(c_1 &amp; 2)</mtext>" in text


def test_inputs_are_held_at_zero_which_is_said(tmp_path) -> None:
    start = {"x": 0, "x'": 2}
    pushed = ah.System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"])
    text, _ = read(pushed.report(tmp_path / "page.html", start, until=1, time_limit=5))
    data = json.loads(re.search(r'id="numbers">(.*?)</script>', text, re.DOTALL)[1])
    assert data["panels"][0]["curves"]["x"][-1] == pytest.approx(2)
    assert text.count("with the input held: <code>F = 0</code>") == 2
    assert "conserved quantit" in text


@pytest.mark.parametrize("name", ["page.txt", "nowhere/page.html"])
def test_a_page_has_a_place_and_an_ending(name: str, tmp_path) -> None:
    with blames(ah.errors.FileError):
        ENTRIES["skate"].make().report(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["whipple-bicycle", "chaplygin-ball", "ball-on-turntable", "appell-hamel"])
def test_reports_of_other_kinds_of_systems(name: str, tmp_path) -> None:
    entry = ENTRIES[name]
    place = entry.make().report(tmp_path / "page.html", entry.start, min(entry.until, 5), time_limit=1)
    read(place)
    assert place.stat().st_size < 5e6


def test_names_that_look_like_numbers_stay_names_and_gaps_are_gaps(tmp_path) -> None:
    from anholonomy.reports.contents import Contents, Panel
    from anholonomy.reports.html import page

    panel = Panel("NaN", {"NaN": [1.0, float("nan"), float("inf")]})
    text = page(Contents("one", {}, times=[0, 1, 2], panels=[panel]))
    numbers = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)[1])
    assert numbers["panels"] == [{"title": "NaN", "curves": {"NaN": [1.0, None, None]}}]


def test_a_law_too_long_to_be_shown_is_called_by_its_kind() -> None:
    from anholonomy.reports.contents import _kept

    class Law:
        def __str__(self) -> str:
            return "[1,981 operations] is constant (energy)"

        def along(self, run):
            return run

    class Run:
        def __init__(self) -> None:
            self.values, self.data = np.array([2.0, 2.0]), {}

    assert _kept(Run(), 1, [Law()]) == {"energy": [0.0, 0.0]}


def test_a_system_whose_parameters_have_no_values_has_a_page(tmp_path) -> None:
    system = ah.System(
        name='a "skate" <script>alert(1)</script> @body@ $\\frac{',
        coordinates=["x", "y", "a"],
        parameters=["m", "J"],
        lagrangian="m*(x'^2 + y'^2)/2 + J*a'^2/2",
        constraints=["x'*sin(a) = y'*cos(a)"],
    )
    text = system.report(tmp_path / "skate.html", time_limit=1).read_text("utf-8")
    assert "<script>alert" not in text
    assert "principles agree" in text


def test_a_start_that_is_none_is_refused_before_anything_is_asked(tmp_path) -> None:
    system = ENTRIES["skate"].make()
    with blames(ah.Error):
        system.report(tmp_path / "page.html", {"x": 0}, 1)
    assert list(tmp_path.iterdir()) == []


def test_curves_have_units_where_the_system_has(tmp_path) -> None:
    pytest.importorskip("pint")
    boat = ah.System(
        coordinates={"x": "length", "y": "length", "phi": "angle"},
        lagrangian="m*(x'^2 + y'^2)/2 + J*phi'^2/2",
        constraints=["x'*sin(phi) = y'*cos(phi)"],
        parameters={"m": "12 kg", "J": "3 kg*m^2"},
    )
    start = {"x": 0, "y": 0, "phi": 0, "x'": 1, "phi'": 1}
    page = boat.report(tmp_path / "boat.html", start, until=1, time_limit=0.01).read_text(encoding="utf-8")
    panels = json.loads(re.search(r'id="numbers">(.*?)</script>', page, re.DOTALL)[1])["panels"]
    units = {name: unit for panel in panels for name, unit in panel.get("units", {}).items()}
    wanted = {"x": "m", "phi": "rad", "y'": "m/s", "reaction_x": "N", "reaction_phi": "N m"}
    assert wanted.items() <= units.items()
    from anholonomy.studio.worker.motions import moved

    words = {"name": "boat", "declaration": boat.to_toml(), "until": 1.0, "parameters": {}, "start": start}
    shown = [list(panel["curves"]) for panel in moved({**words, "vakonomic": False})["panels"]]
    assert shown[:4] == [["x (m)", "y (m)"], ["phi (rad)"], ["x' (m/s)", "y' (m/s)"], ["phi' (rad/s)"]]


def test_programs_that_are_joined_have_no_name_twice() -> None:
    from importlib.resources import files

    from anholonomy.reports.html import plots_module
    from anholonomy.reports.widgets import front_end
    from anholonomy.show.animation.page import player_module

    own = (files("anholonomy.reports") / "web" / "report.js").read_text(encoding="utf-8")
    film = (files("anholonomy.show.animation") / "web" / "page.js").read_text(encoding="utf-8")
    joined = ["\n".join([player_module(), plots_module(), own]), "\n".join([player_module(), film])]
    for text in (*joined, front_end("widget"), front_end("explorer")):
        names = re.findall(r"^(?:export )?(?:async )?(?:const|let|function|class) (\w+)", text, re.MULTILINE)
        assert len(names) > 10
        assert sorted(names) == sorted(set(names))


def test_formulas_name_fonts_of_mathematics_and_keep_their_width() -> None:
    block, line = mathml(r"a\sin x = 1"), mathml("x", block=False)
    assert all("'Latin Modern Math'" in each and each.startswith("<math style=") for each in (block, line))
    assert "white-space:nowrap" in block
    assert "white-space" not in line
    assert '<mo lspace="0.17em" rspace="0em">sin</mo>' in block


def test_only_what_is_conserved_is_called_so(tmp_path) -> None:
    slowed = ah.System(
        coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x' = y*y'"], forces={"y": "-y'"}
    )
    text = slowed.report(tmp_path / "page.html", {"x": 0, "y": 0, "y'": 1}, 2, time_limit=0.2).read_text("utf-8")
    panels = json.loads(re.search(r'id="numbers">(.*?)</script>', text, re.DOTALL)[1])["panels"]
    titles = {panel["title"]: list(panel["curves"]) for panel in panels}
    assert titles["energy, which need not be conserved here"] == ["energy"]
    assert titles["how far the motion leaves its constraints"] == ["largest residual"]
    assert "energy" not in titles.get("what is conserved, less its value at the start", [])


def test_findings_are_headed_by_their_questions_with_the_verdict_as_a_word(sleigh: Path) -> None:
    text, _ = read(sleigh)
    assert 'Whether a change of time makes it Hamiltonian <span class="badge refuted">¬ refuted</span></h3>' in text
    assert "hamiltonize</h3>" not in text
    assert "the energy itself is constant, so that no moving energy is needed" in text


def test_units_stand_where_there_are_units_and_kinds_have_plots_of_their_own(tmp_path) -> None:
    cart = ah.System(
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="m*(x'^2 + y'^2)/2 + I*theta'^2/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        parameters={"m": "12 kg", "I": "3 kg*m^2"},
    )
    start = {"x": 0, "y": 0, "theta": 0, "x'": "2 m/s", "theta'": 0}
    text = cart.report(tmp_path / "page.html", start, 2, time_limit=0.2).read_text("utf-8")
    assert "<code>m = 12 kg</code>" in text
    assert "<code>theta = 0 rad</code>" in text
    assert "<code>x&#x27; = 2 m/s</code>" in text
    assert re.search(r"final x</th><td>4(\.0+)? m</td>", text)
    data = json.loads(re.search(r'id="numbers">(.*?)</script>', text, re.DOTALL)[1])
    assert data["time"] == "t (s)"
    panels = {panel["title"]: panel for panel in data["panels"]}
    assert (panels["lengths"]["units"], panels["angles"]["units"]) == ({"x": "m", "y": "m"}, {"theta": "rad"})
    # Nothing pushes the cart sideways: rounding is drawn as the zero that it is.
    assert {
        v
        for panel in panels.values()
        if panel["title"].startswith("reactions")
        for c in panel["curves"].values()
        for v in c
    } == {0}


def test_a_page_says_what_the_thing_is_and_tells_facts_as_sentences(tmp_path) -> None:
    rail = ah.System(name="bead", coordinates=["x"], lagrangian="x'^2/2")
    facts = ["energy is constant", "x' = 1"]
    text, _ = read(rail.report(tmp_path / "page.html", time_limit=0.1, facts=facts, description="A bead & a rail."))
    assert '<h1>bead</h1><p class="about">A bead &amp; a rail.</p>' in text
    assert "<li>Energy is constant.</li><li>x&#x27; = 1.</li>" in text
