"""The studio's JavaScript by itself: each module in an empty page, with a server that is pretended."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

import anholonomy as ah
from anholonomy.show.animation.page import page_data

pytestmark = pytest.mark.exhaustive

ADDRESS = "http://127.0.0.1:9"
BODY = (
    "<!doctype html><html lang=en><title>modules</title>"
    "<p id=status></p><div id=notice hidden></div><main id=main style='width:600px'></main>"
)
PRETEND = """
window.asked = [];
window.answers = [];
// An answer is a table, a status with a table, or lines that come one after the other.
window.fetch = async (path, given = {}) => {
  asked.push({ path, method: given.method, body: given.body && JSON.parse(given.body), keepalive: given.keepalive === true });
  const next = answers.shift() ?? {};
  if (next.gone) throw new TypeError("gone");
  if (next.lines) {
    const stream = new ReadableStream({
      async start(sink) {
        given.signal?.addEventListener("abort", () => { try { sink.error(new DOMException("stopped", "AbortError")); } catch {} });
        for (const line of next.lines) { sink.enqueue(new TextEncoder().encode(line)); await new Promise(done => setTimeout(done, 5)); }
        if (!next.open) sink.close();
      },
    });
    return new Response(stream);
  }
  if (next.wait) await new Promise(done => setTimeout(done, next.wait));
  return new Response(JSON.stringify(next.found ?? next), { status: next.status ?? 200 });
};
window.until = async ready => { for (let k = 0; k < 1000 && !ready(); k++) await pause(10); };
window.pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
"""


@pytest.fixture
def page(open_page):
    """An empty page that can import the modules, without a server."""

    def answer(route) -> None:
        room, _, name = route.request.url.removeprefix(f"{ADDRESS}/").partition("/")
        if room != "web":
            route.fulfill(body=BODY, content_type="text/html")
            return
        own = not name.startswith("player/")
        place = (
            files("anholonomy.studio" if own else "anholonomy.show.animation") / "web" / name.removeprefix("player/")
        )
        route.fulfill(path=str(place), content_type="text/javascript")

    found = open_page()
    found.route(f"{ADDRESS}/**", answer)
    found.add_init_script(PRETEND)
    found.goto(f"{ADDRESS}/")
    return found


def call(page: Any, module: str, code: str, given: Any = None) -> Any:
    """What ``code`` returns, where ``m`` is the module."""
    return page.evaluate(f"async given => {{ const m = await import('{ADDRESS}/web/{module}.js'); {code} }}", given)


def test_ranges_have_their_value_inside_and_zero_where_it_belongs(page) -> None:
    asked = [
        [2, "parameter"],
        [-2, "parameter"],
        [0, "parameter"],
        [5, "time"],
        [0.1, "time"],
        [1, "angle"],
        [9, "angle"],
        [0, ""],
    ]
    found = call(page, "sliders", "return given.map(([value, kind]) => m.range(value, kind));", asked)
    pi = pytest.approx(3.14159, abs=1e-4)
    minus = pytest.approx(-3.14159, abs=1e-4)
    assert found == [[0, 4], [-4, 0], [-1, 1], [0, 10], [0, 1], [minus, pi], [minus, 9], [-2, 2]]


SLIDER = """
  window.told = [];
  const made = m.slider(given.name ?? "m", given.kind ?? "parameter", given.value, value => told.push(value));
  document.getElementById("main").replaceChildren(made.node);
  const drag = made.node.querySelector("[type=range]"), number = made.node.querySelector("[type=number]");
  const set = (node, value) => { node.value = value; node.dispatchEvent(new Event("input")); };
"""


def test_a_dragged_number_is_round_and_a_mass_is_never_nothing(page) -> None:
    code = (
        SLIDER
        + "set(drag, 333); set(drag, 0); return { told, shown: number.value, read: drag.getAttribute('aria-valuetext') };"
    )
    found = call(page, "sliders", code, {"value": 3})
    assert found["told"] == [1.998, pytest.approx(0.006)]
    assert found["shown"] == found["read"] == "0.006"


def test_a_typed_number_stretches_its_range_and_what_is_none_is_not_told(page) -> None:
    code = (
        SLIDER
        + """
    set(number, "50"); const share = drag.value; set(number, ""); const invalid = number.getAttribute("aria-invalid");
    set(number, "-4"); return { told, share, invalid, after: number.getAttribute("aria-invalid") };"""
    )
    assert call(page, "sliders", code, {"value": 3}) == {
        "told": [50, -4],
        "share": "500",
        "invalid": "true",
        "after": "false",
    }
    late = SLIDER + "set(number, '1e9'); set(number, '0'); set(number, '7'); return told;"
    assert call(page, "sliders", late, {"name": "until", "kind": "time", "value": 10}) == [7]


def test_a_slider_says_where_a_motion_began_instead(page) -> None:
    code = (
        SLIDER
        + """
    const note = made.node.querySelector(".actual"); made.actual(3.0000001); const still = note.hidden; made.actual(2.5);
    return [still, note.hidden, note.textContent];"""
    )
    assert call(page, "sliders", code, {"kind": "start", "value": 3}) == [True, False, "on the constraints: 2.5"]
    free = (
        SLIDER
        + "const off = drag.disabled, said = number.placeholder; set(number, '1'); return [off, said, drag.disabled];"
    )
    assert call(page, "sliders", free, {"value": None}) == [True, "free", False]
    assert call(page, "sliders", free, {"kind": "start", "value": None}) == [True, "not given", False]


def test_marks_are_where_they_belong_and_the_text_stays(page) -> None:
    code = """
    const rows = m.painted(given.text, given.mark);
    return { text: rows.map(row => row.textContent).join(""), marked: rows.flatMap(row => [...row.querySelectorAll(".mark")].map(node => node.textContent)),
             wrong: rows.map(row => row.classList.contains("wrong")), kinds: rows.flatMap(row => [...row.querySelectorAll("span")].map(node => [node.className, node.textContent])) };"""
    text = 'a = "2x" # note\n[start]\nb = -1.5e3'
    found = call(page, "editor", code, {"text": text, "mark": {"line": 1, "column": 7, "length": 1}})
    assert found["text"] == text + "\n"
    assert (found["marked"], found["wrong"]) == (["x"], [True, False, False])
    plain = call(page, "editor", code, {"text": text, "mark": None})["kinds"]
    assert plain == [
        ["key", "a"],
        ["text", '"2x"'],
        ["note", "# note"],
        ["head", "[start]"],
        ["key", "b"],
        ["number", "-1.5e3"],
    ]
    beyond = call(page, "editor", code, {"text": "a = ", "mark": {"line": 1, "column": 5, "length": 1}})
    assert beyond["marked"] == [" "]


def test_a_mistake_is_said_once_led_to_and_forgotten_when_one_types(page) -> None:
    code = """
    window.typed = [];
    const made = m.editor("a = 1\\nb = 2x", text => typed.push(text));
    document.getElementById("main").append(made.node);
    const field = made.node.querySelector("textarea"), trouble = made.node.querySelector("#trouble");
    made.wrong("no product (at line 2, column 6).\\n    2x\\n     ^", { line: 2, column: 6, length: 1 });
    const said = trouble.innerText, invalid = field.getAttribute("aria-invalid");
    trouble.querySelector("button").click();
    const chosen = field.value.slice(field.selectionStart, field.selectionEnd);
    field.value += "!"; field.dispatchEvent(new Event("input"));
    const marks = made.node.querySelectorAll(".mark").length;
    made.right(["a doubt."]);
    return { said, invalid, chosen, marks, typed, doubt: trouble.className, after: field.hasAttribute("aria-invalid") };"""
    found = call(page, "editor", code)
    assert found["said"] == "line 2, column 6 no product."
    assert (found["invalid"], found["chosen"], found["marks"]) == ("true", "x", 0)
    assert (found["typed"], found["doubt"], found["after"]) == (["a = 1\nb = 2x!"], "trouble doubt", False)


SAVING = """
  const words = () => ({ name: window.named ?? "one" });
  window.adopted = [];
  const store = m.saving({ id: "p", version: 3 }, words, now => adopted.push(now));
  const status = () => document.getElementById("status").textContent, notice = document.getElementById("notice");
"""


def test_a_project_is_saved_once_the_fingers_rest(page) -> None:
    code = (
        SAVING
        + """
    answers.push({ version: 4 }, { version: 5 });
    store.changed(); store.changed(); const saving = status(); await until(() => status() === "saved");
    const first = [asked.length, asked[0].method, asked[0].body.version, status()];
    store.changed(); await until(() => asked.length === 2);
    return { saving, first, second: asked[1].body.version };"""
    )
    assert call(page, "saving", code) == {"saving": "saving …", "first": [1, "PUT", 3, "saved"], "second": 4}


def test_who_has_an_older_version_chooses(page) -> None:
    code = (
        SAVING
        + """
    const conflict = { status: 409, found: { refused: "another page has changed it", now: { version: 9, name: "theirs" } } };
    answers.push(conflict); store.changed(); await until(() => !notice.hidden);
    const told = notice.textContent, state = status();
    notice.querySelectorAll("button")[0].click();
    answers.push(conflict, { version: 10 }); store.changed(); await until(() => !notice.hidden);
    [...notice.querySelectorAll("button")].at(-1).click(); await until(() => status() === "saved");
    return { told, state, adopted: adopted.map(each => each.name), versions: asked.map(each => each.body.version), hidden: notice.hidden };"""
    )
    found = call(page, "saving", code)
    page.complaints.clear()
    assert "another page has changed it" in found["told"]
    assert (found["state"], found["adopted"], found["versions"]) == ("not saved", ["theirs"], [3, 9, 9])
    assert found["hidden"] is True


def test_what_was_not_saved_is_tried_again_and_sent_with_the_last_breath(page) -> None:
    code = (
        SAVING
        + """
    answers.push({ gone: true }, { version: 4 });
    store.changed(); await until(() => !notice.hidden);
    const told = notice.textContent, state = status();
    notice.querySelector("button").click(); await until(() => status() === "saved");
    const after = status();
    window.named = "two"; store.changed(); store.end();
    return { told, state, after, last: asked.at(-1) };"""
    )
    found = call(page, "saving", code)
    assert "does not answer" in found["told"]
    assert (found["state"], found["after"]) == ("not saved", "saved")
    assert (found["last"]["keepalive"], found["last"]["body"]) == (True, {"name": "two", "version": 4})


def test_a_task_moves_its_bar_and_can_be_stopped(page) -> None:
    code = """
    answers.push({ lines: ['{"more": {"seconds": 2}}\\n{"mo', 're": {"seconds": 3.2}}\\n', '{"found": 1}\\n'] });
    const work = m.task("/api/x", {}, 60), found = await work.done, bar = work.node.querySelector("progress");
    answers.push({ lines: ['{"more": {"seconds": 1}}\\n'], open: true });
    const other = m.task("/api/x", {}, 60); await pause(50);
    other.node.querySelector("button").click();
    const ended = await other.done.catch(problem => problem.name);
    answers.push({ lines: ['{"refused": "no.\\\\n    2x"}\\n'] });
    const refused = await m.task("/api/x", {}, 60).done.catch(problem => problem.message);
    answers.push({ lines: ['{"more": {"seconds": 1}}\\n'] });
    const broken = await m.task("/api/x", {}, 60).done.catch(problem => problem.message);
    return { found, value: bar.value, said: work.node.textContent, ended, refused, broken };"""
    found = call(page, "tasks", code)
    assert (found["found"], found["value"]) == ({"found": 1}, pytest.approx(3.2))
    assert "3 s of at most 60 s" in found["said"]
    assert (found["ended"], found["refused"]) == ("AbortError", "no.")
    assert "in the middle" in found["broken"]


def test_numbers_are_written_into_the_text_where_they_stand(page) -> None:
    text = '[parameters]\nm = 1.0 # heavy\nmm = 3\n[start]\n"x\'" = 0\ny = "1/2"\n[forces]\nm = 7\n'
    values = {"parameters": {"m": 2, "k": 5}, "start": {"x'": 0.25, "y": -1}}
    found = call(page, "inscribe", "return m.inscribe(given.text, given.values);", {"text": text, "values": values})
    assert found["text"] == '[parameters]\nm = 2.0 # heavy\nmm = 3\n[start]\n"x\'" = 0.25\ny = -1.0\n[forces]\nm = 7\n'
    assert found["left"] == {"parameters": {"k": 5}}
    inline = {"text": 'parameters = { m = 1, "I" = 2 }\n', "values": {"parameters": {"m": 3, "I": 0.5}}}
    assert (
        call(page, "inscribe", "return m.inscribe(given.text, given.values).text;", inline)
        == 'parameters = { m = 3.0, "I" = 0.5 }\n'
    )


def test_ticks_of_plots_are_round(page) -> None:
    found = call(page, "plots", "return [m.ticks(0, 10, 4), m.ticks(-0.03, 0.04, 4), m.ticks(2, 2, 3)];")
    assert found[0] == [0, 5, 10]
    assert found[1] == pytest.approx([-0.02, 0, 0.02, 0.04])
    assert all(abs(tick) < 10 for tick in found[2])


PLOTS = """
  const packed = values => btoa(String.fromCharCode(...new Uint8Array(Float32Array.from(values).buffer)));
  const times = Array.from({ length: 101 }, (_, k) => k / 10), found = scale => ({ times: packed(times), panels: [
    { title: "coordinates", curves: { x: packed(times.map(t => scale * t)), y: packed(times.map(() => 3)) }, beside: {} }] });
  const holder = document.getElementById("main"), sought = [], made = m.plots(holder, time => sought.push(time));
  made.load(found(1));
  const read = () => [...holder.querySelectorAll(".value")].map(node => Number(node.textContent));
"""


def test_plots_follow_the_time_keep_their_range_and_are_read_by_keys(page) -> None:
    code = (
        PLOTS
        + """
    made.at(4); const values = read();
    made.look(0.2, 0.4); const closer = made.seen;
    made.load(found(2)); const kept = made.seen, doubled = (made.at(4), read());
    const canvas = holder.querySelector("canvas"), press = (key, more = {}) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true, ...more }));
    press("ArrowRight"); press("ArrowLeft", { shiftKey: true }); press("+"); const plus = made.seen; press("Escape");
    return { values, closer, kept, doubled, sought, plus, all: made.seen, label: canvas.getAttribute("aria-label") };"""
    )
    found = call(page, "plots", code)
    assert found["values"] == [4, 3]
    assert found["closer"] == found["kept"] == pytest.approx([2, 4])
    assert found["doubled"] == [8, 3]
    assert found["sought"] == pytest.approx([4.2, 2.0])
    assert found["plus"] == pytest.approx([3.5, 4.5])
    assert found["all"] == pytest.approx([0, 10])
    assert "arrow keys" in found["label"]


def test_small_words(page) -> None:
    code = "return [0, 1.23456789, 123456.7, 1e-9, NaN].map(value => m.short(value));"
    assert call(page, "dom", code) == ["0", "1.235", "1.23e+5", "1e-9", "–"]
    late = """
    const said = [], soon = m.later(30, word => said.push(word));
    soon("a"); soon("b"); await pause(80); soon("c"); soon.now("d"); soon("e"); soon.stop(); await pause(80); return said;"""
    assert call(page, "dom", late) == ["b", "d"]
    tables = [["a  1  2", "b  3  4", "c  5  6"], ["  x is constant", "  because of y"]]
    assert call(page, "findings", "return given.map(m.isTable);", tables) == [True, False]


def test_tabs_are_led_by_keys(page) -> None:
    code = """
    const panels = ["one", "two", "three"].map(name => [name, document.createElement("section")]), chosen = [];
    const { bar, choose } = m.tabs(panels, "parts");
    bar.addEventListener("chosen", event => chosen.push(event.detail));
    document.getElementById("main").append(bar, ...panels.map(([, panel]) => panel));
    bar.querySelector("[role=tab]").focus();
    for (const key of ["ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"]) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    choose("two");
    return { chosen, hidden: panels.map(([, panel]) => panel.hidden), stops: [...bar.children].map(node => node.tabIndex),
             named: panels.map(([, panel]) => document.getElementById(panel.getAttribute("aria-labelledby")).textContent) };"""
    found = call(page, "dom", code)
    assert found["chosen"] == ["two", "three", "one", "three", "one", "two"]
    assert (found["hidden"], found["stops"]) == ([True, False, True], [-1, 0, -1])
    assert found["named"] == ["One", "Two", "Three"]


@pytest.fixture(scope="module")
def films() -> list[dict[str, Any]]:
    """Two small films."""
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    runs = [ah.catalogue.skate().simulate({**start, "x'": speed}, until=4) for speed in (1, 2)]
    return [json.loads(json.dumps(page_data(run.animate(frames=21).film))) for run in runs]


MOTION = """
  const found = (draft, more = {}) => ({ films: given.slice(0, 1), unseen: "", doubts: [], complete: true, outcome: "", vakonomic: "", began: {}, draft, ...more });
  window.drafts = []; window.next = []; window.shown = [];
  const ask = draft => { drafts.push(draft); const { wait = 0, fail, more } = next.shift() ?? {};
    return pause(wait).then(() => { if (fail) throw new Error(fail); return found(draft, more); }); };
  const made = m.motion(ask, each => shown.push(each), () => {});
  document.getElementById("main").append(made.node);
  const stage = document.getElementById("stage"), said = made.node.querySelector(".said");
"""


def test_of_motions_asked_for_meanwhile_the_last_one_counts(page, films) -> None:
    code = (
        MOTION
        + """
    next.push({ wait: 40 }); made.move(); made.move(); made.move(); made.move(); await until(() => shown.length === 2); await pause(60);
    return { count: drafts.length, shown: shown.length, took: Number(stage.dataset.took) >= 0, canvases: stage.querySelectorAll("canvas").length };"""
    )
    assert call(page, "motion", code, films) == {"count": 2, "shown": 2, "took": True, "canvases": 1}


def test_what_takes_long_is_drafted_while_it_is_dragged_and_whole_when_it_rests(page, films) -> None:
    code = (
        MOTION
        + """
    next.push({ wait: 120 }); made.move(); await until(() => shown.length === 1);
    made.drag(); await until(() => shown.length === 2); const rough = [stage.dataset.draft, said.textContent];
    await until(() => stage.dataset.draft === "false");
    return { drafts, rough, whole: stage.dataset.draft };"""
    )
    found = call(page, "motion", code, films)
    assert found["drafts"] == [False, True, False]
    assert found["rough"][0] == "true"
    assert "roughly" in found["rough"][1]
    assert found["whole"] == "false"


def test_what_is_older_is_shown_as_such_and_what_has_no_picture_says_why(page, films) -> None:
    code = (
        MOTION
        + """
    next.push({ fail: "no motion" }); made.move(); await until(() => said.textContent); const first = [said.textContent, made.node.classList.contains("older")];
    made.move(); await until(() => shown.length === 1); next.push({ fail: "m is 0" }); made.move(); await until(() => said.classList.contains("bad"));
    const second = [said.textContent, made.node.classList.contains("older")];
    next.push({ more: { films: [], unseen: "nothing says what to draw", doubts: ["a doubt."] } }); made.move(); await until(() => shown.length === 2); await pause(20);
    return { first, second, older: made.node.classList.contains("older"), stage: stage.textContent, said: said.textContent, canvases: stage.querySelectorAll("canvas").length };"""
    )
    found = call(page, "motion", code, films)
    assert found["first"] == ["no motion.", False]
    assert found["second"] == ["m is 0. What is shown is the motion before.", True]
    assert (found["older"], found["canvases"]) == (False, 0)
    assert found["stage"] == "nothing says what to draw. The curves are below."
    assert found["said"].startswith("a doubt.")


def test_several_films_have_one_clock_and_one_camera(page, films) -> None:
    code = """
    const main = document.getElementById("main"), times = [];
    const player = m.play(main, given.map((film, k) => ({ ...film, caption: `film ${k}` })), { height: 300, ontime: time => times.push(time), autoplay: false });
    const pictures = () => [...main.querySelectorAll("canvas")].map(node => node.toDataURL());
    const first = pictures();
    player.seek(2); const later = pictures();
    const second = main.querySelectorAll("canvas")[1];
    second.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true, cancelable: true })); const turned = pictures();
    const labels = [...main.querySelectorAll("canvas")].map(node => node.getAttribute("aria-label").split(":")[0]), sliders = main.querySelectorAll("input[type=range]").length;
    const view = player.view;
    player.load(given[0]);
    const alone = main.querySelectorAll("canvas").length;
    player.seek(-9); const low = player.time; player.seek(99); const high = player.time;
    return { differ: first[0] !== first[1], moved: first.map((each, k) => each !== later[k]), turned: later.map((each, k) => each !== turned[k]), labels, sliders, alone, low, high, time: times.includes(2), same: player.view.azimuth === view.azimuth };"""
    found = call(page, "player/player", code, films)
    assert found["differ"]
    assert (found["moved"], found["turned"]) == ([True, True], [True, True])
    assert found["labels"] == ["skate, film 0", "skate, film 1"]
    assert (found["sliders"], found["alone"], found["low"], found["high"]) == (1, 1, 0, 4)
    assert found["time"]
    assert found["same"]
