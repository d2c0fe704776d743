"""Sweeps: what is varied, what is made of it, stores that go on where they were left, charts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, skate
from anholonomy.motion.sweeps import store as stores
from tests.wording import blames

START = {"x": 0, "y": 0, "theta": 0, "x'": 1}
OVER = {"a": np.linspace(0.1, 0.3, 12), "theta'": np.linspace(-2, 2, 15)}
REDUCE = {"final speed": "u", "peak": "max of theta", "turn": ("time", "theta - 1/2")}


@pytest.fixture(scope="module")
def plain():
    return chaplygin_sleigh().sweep(OVER, START, until=20, keep=["theta", "energy"], summaries=REDUCE)


def equal(one, other):
    names = [*one.data.data_vars, *one.data.coords]
    assert set(map(str, names)) <= set(map(str, [*other.data.data_vars, *other.data.coords]))
    return all(
        np.array_equal(one.data[name].values, other.data[name].values, equal_nan=one.data[name].dtype.kind == "f")
        for name in names
    )


@pytest.mark.parametrize("until", [1000, -1000])
def test_reductions_follow_motions_that_turn_often(until):
    """A thousand radians and ten thousand: none of the turns is seen by as many samples."""
    spring = ah.System(coordinates=["x"], lagrangian="x'^2/2 - k*x^2/2", parameters={"k": 1})
    w = np.array([1.0, 10.0])
    reduce = {
        "peak": "max of x",
        "low": "min of x",
        "kink": "min of abs(x)",
        "square": "mean of x^2",
        "first": "time of x - 0.05",
        "turn": "period of x + 0.01",
    }
    runs = spring.sweep({"k": w**2}, {"x": 0, "x'": 1}, until=until, summaries=reduce)
    first = np.arcsin(0.05 * w)
    expected = {
        "peak": 1 / w,
        "low": -1 / w,
        "kink": 0 * w,
        "square": (0.5 - np.sin(2 * w * until) / (4 * w * until)) / w**2,
        "first": first / w if until > 0 else -(first + np.pi) / w,
        "turn": 2 * np.pi / w,
    }
    for name, values in expected.items():
        assert runs[name].values == pytest.approx(values, abs=3e-8), name


def test_reductions_of_stopped_members_are_those_up_to_their_end():
    fall = ah.System(coordinates=["z"], lagrangian="z'^2/2 - g*z", parameters={"g": 1})
    reduce = {"top": "max of z", "mean": "mean of z", "hit": "time of z", "end": "z'"}
    v = np.array([0.5, 1.0, 2.0, 30.0])
    runs = fall.sweep({"z'": v}, {"z": 0}, until=10, events={"ground": "z"}, stop="ground", summaries=reduce)
    assert runs["top"].values == pytest.approx([*v[:3] ** 2 / 2, 250])
    assert runs["mean"].values == pytest.approx([*v[:3] ** 2 / 3, 150 - 100 / 6])
    assert runs["hit"].values == pytest.approx([*(2 * v[:3]), np.nan], nan_ok=True)
    assert runs["end"].values == pytest.approx([*-v[:3], 20])
    well = ah.System(coordinates=["x"], lagrangian="x'^2/2 + x^4/4")
    lost = well.sweep(
        {"x'": [0.5]}, {"x": 1}, until=4, summaries={"a": "max of x", "b": "mean of x", "c": "time of x - 2"}
    )
    assert np.isnan([lost["a"].item(), lost["b"].item()]).all()
    assert lost["c"].item() == pytest.approx(0.79683536, abs=1e-8)


def test_reductions_have_their_closed_forms(plain):
    r"""$u = c\tanh(act/J + \operatorname{artanh}(u_0/c))$ and $\theta = \sqrt J/a\,(\operatorname{gd}(s) - \operatorname{gd}(s_0))$ with $s = act/J + s_0$."""
    a, w = (part.ravel() for part in np.meshgrid(*OVER.values(), indexing="ij"))
    J = 0.3 + a**2
    c = np.sqrt(1 + J * w**2)
    s0 = np.arctanh(1 / c, where=c > 1, out=np.full(c.size, np.inf))
    u = c * np.tanh(a * c / J * 20 + s0)
    assert abs(plain["final speed"].values - u)[c > 1].max() < 1e-7
    gd = lambda s: 2 * np.arctan(np.tanh(s / 2))
    theta = np.sqrt(J) / a * np.sign(w) * (gd(a * c / J * 20 + s0) - gd(s0))
    assert abs(plain["theta"].values[:, -1] - np.where(c > 1, theta, 0)).max() < 1e-7
    assert abs(plain["peak"].values - np.where((c > 1) & (w > 0), theta, 0)).max() < 1e-7
    met = np.isfinite(plain["turn"].values)
    assert np.array_equal(met, (w > 0) & (theta > 0.5))
    rest = a * c / J * plain["turn"].values + s0
    assert abs(np.sqrt(J) / a * (gd(rest) - gd(s0)) - 0.5)[met].max() < 1e-7


def test_members_are_those_of_an_ensemble(plain):
    a, w = (part.ravel() for part in np.meshgrid(*OVER.values(), indexing="ij"))
    runs = chaplygin_sleigh().ensemble(START | {"theta'": w}, until=20, parameters={"a": a}, tolerance=1e-9)
    assert abs(runs["theta"].values - plain["theta"].values).max() < 1e-8


def test_a_store_is_the_same_bit_for_bit_and_goes_on(plain, tmp_path):
    place = tmp_path / "runs.zarr"
    ask = lambda **more: chaplygin_sleigh().sweep(
        OVER, START, until=20, keep=["theta", "energy"], summaries=REDUCE, store=place, **more
    )
    assert equal(plain, ask())
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    # A block whose note is gone, one whose bytes are others, one that is cut short: all are made again.
    notes = sorted((place / ".blocks").iterdir())
    notes[0].unlink()
    chunk = place / "theta" / "c" / "1" / "0"
    chunk.write_bytes(chunk.read_bytes()[:-1] + b"\0")
    (place / "energy" / "c" / "2" / "0").unlink()
    assert equal(plain, ask())
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before
    opened = ah.load(place, chaplygin_sleigh())
    assert equal(plain, opened)
    assert opened.parameters(17)["a"] == plain.parameters(17)["a"]
    assert opened.chart("final speed").data.identical(plain.chart("final speed").data)


@pytest.mark.parametrize(
    ("system", "change", "names"),
    [
        (chaplygin_sleigh, {"until": 21}, ("0", "20", "21")),
        (chaplygin_sleigh, {"tolerance": 1e-8}, ("tolerance", "1e-09", "1e-08")),
        (chaplygin_sleigh, {"over": {"a": np.linspace(0.1, 0.4, 12), "theta'": OVER["theta'"]}}, ()),
        (chaplygin_sleigh, {"resume": False}, ("resume",)),
        (skate, {"over": {"theta'": [1, 2]}, "summaries": None}, ()),
        (chaplygin_sleigh, {"store": "nowhere/runs.zarr"}, ()),
    ],
)  # fmt: skip
def test_other_questions_are_refused_with_what_changed(system, change, names, tmp_path):
    words = {"over": OVER, "start": START, "until": 20, "summaries": REDUCE, "store": tmp_path / "runs.zarr"}
    chaplygin_sleigh().sweep(**words | {"over": OVER})
    with blames(ah.Error, *names):
        system().sweep(**words | change)


def test_a_changed_parameter_is_named_with_both_values(tmp_path):
    words = {"over": {"theta'": [1.0, 2]}, "start": START, "until": 1, "store": tmp_path / "runs.zarr"}
    skate().sweep(**words)
    with blames(ah.errors.FileError, "m", "1", "2"):
        skate().sweep(**words, parameters={"m": 2.0})
    with blames(ah.errors.FileError, "m", "1", "2"):
        skate().with_parameters({"m": 2.0}).sweep(**words)
    skate().sweep(**words, parameters={"m": 1.0})  # which is the same said twice


def test_a_broken_note_is_written_again_and_a_missing_array_is_told(tmp_path):
    place = tmp_path / "runs.zarr"
    words = {"over": {"theta'": [1.0, 2]}, "start": START, "until": 1, "store": place}
    before = skate().sweep(**words)
    note = place / ".blocks" / "0000000.json"
    for broken in ("[1]", "3", "{", '{"digests": 3}'):
        note.write_text(broken)
        assert len(ah.load(place)) == 2
        assert equal(before, skate().sweep(**words))
    shutil.rmtree(place / "theta")
    with blames(ah.errors.FileError):
        skate().sweep(**words)


def test_a_folder_that_is_no_store_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    with blames(ah.errors.FileError, "store"):
        skate().sweep({"theta'": [1, 2]}, START, until=1, store=tmp_path / "mine")


def test_a_disk_that_is_full_and_a_store_that_goes_away(tmp_path, monkeypatch):
    place, words = (
        tmp_path / "runs.zarr",
        {"over": OVER, "start": START, "until": 20, "summaries": {"final speed": "u"}},
    )
    real, count = stores.write_whole, []

    def full(path, content):
        count.append(path)
        if len(count) > 12:
            raise ah.errors.FileError(
                f"cannot write {path} (No space left on device); make room or choose another place."
            )
        real(path, content)

    monkeypatch.setattr(stores, "write_whole", full)
    with blames(ah.errors.FileError):
        chaplygin_sleigh().sweep(**words, store=place)
    monkeypatch.setattr(stores, "write_whole", real)
    resumed = chaplygin_sleigh().sweep(**words, store=place)
    assert equal(chaplygin_sleigh().sweep(**words), resumed)
    shutil.rmtree(place)
    with blames(ah.errors.FileError):
        stores.Store(place, 1, 1, {}).write(0, None)


def test_samples_fill_the_box_and_are_the_same_for_a_seed():
    words = {
        "over": {"a": (0.1, 0.3), "theta'": (-2, 2)},
        "start": START,
        "until": 5,
        "summaries": {"speed": "u"},
        "samples": 64,
    }
    for sampling in ("sobol", "latin", "random"):
        one, other = (chaplygin_sleigh().sweep(**words, sampling=sampling, seed=3) for _ in range(2))
        assert equal(one, other)
        a = one.data["a"].values
        assert a.min() >= 0.1
        assert a.max() <= 0.3
        if sampling != "random":  # each of as many parts holds one
            assert np.array_equal(np.sort((64 * (a - 0.1) / 0.2).astype(int)), np.arange(64))
    assert not equal(one, chaplygin_sleigh().sweep(**words, sampling="random", seed=4))
    assert one.chart("speed").plot().get_xlabel() == "$a$"


def test_a_list_of_members():
    runs = skate().sweep([{"theta'": 1, "m": 2}, {"theta'": 2, "m": 3}], START, until=3)
    assert abs(runs["theta"].values[:, -1] - [3, 6]).max() < 1e-12
    assert runs.data["m"].values.tolist() == [2, 3]
    chart = runs.chart("theta")  # over what they began with, though its path was kept
    assert chart.data["theta'"].values.tolist() == [1, 2]
    alone = skate().sweep([{"theta'": 1, "m": 2}], START, until=3).chart("theta")
    assert (alone.data["theta'"].values.tolist(), alone.data["m"].values.tolist()) == ([1], [2])


def test_a_chart_that_is_nearly_there(plain, tmp_path):
    with blames(ah.errors.UnknownNameError, "peak"):
        plain.chart("peek")
    with blames(ah.errors.UnknownNameError, "final speed"):
        plain.chart("final sped")
    skate().ensemble({**START, "theta'": [1, 2]}, until=1, store=tmp_path / "runs.zarr")
    with blames(ah.errors.UnknownNameError):
        ah.load(tmp_path / "runs.zarr").chart("theta")
    with blames(ah.errors.FileError):
        ah.load(tmp_path / "runs.zarr", chaplygin_sleigh())


def test_a_block_that_is_noted_is_not_made_again(tmp_path, monkeypatch):
    """A worker may die between its note and its answer; who takes the block over finds it done."""
    from anholonomy.motion.sweeps import run as sweeping

    ask = lambda: skate().sweep({"theta'": [1, 2]}, START, until=1, store=tmp_path / "runs.zarr")
    ask()
    seen = sweeping.Store.note
    answers = iter([False, True])  # missing when it is planned, there when it is made
    monkeypatch.setattr(sweeping.Store, "note", lambda self, k: seen(self, k) if next(answers) else None)
    monkeypatch.setattr(sweeping.Store, "write", lambda *_: pytest.fail("made again"))
    ask()


def test_exponents_side_by_side():
    """A linear oscillator with damping has -0.15, one that is pushed +0.15; a chaotic one what `lyapunov` finds in the same time."""
    damped = ah.System(
        name="damped", coordinates=["x"], lagrangian="x'^2/2 - 2*x^2", forces={"x": "-k*x'"}, parameters={"k": 0.3}
    )
    runs = damped.sweep({"k": [0.3, -0.3]}, {"x": 1, "x'": 0}, until=400, summaries="lyapunov")
    assert abs(runs["lyapunov"].values - [-0.15, 0.15]).max() < 0.003
    heiles = ah.System(name="h", coordinates=["a", "b"], lagrangian="(a'^2 + b'^2)/2 - (a^2 + b^2)/2 - a^2*b + b^3/3")
    chaos = {"b": -0.1, "a'": 0.5, "b'": 0.1}
    runs = heiles.sweep({"a": [0.0, 0.01]}, chaos, until=1500, summaries="lyapunov")
    alone = heiles.stability.lyapunov_exponents({"a": 0.0, **chaos}, 1500, count=1)
    assert 0.04 < runs["lyapunov"].values[0] < 0.1
    assert abs(runs["lyapunov"].values[0] - alone.values[0]) < 0.02


def test_exponents_see_pulses_and_end_where_an_event_stops():
    """A kick turns velocities by -A*q at once, beside which its width is nothing: the linear flow is a product of three matrices."""
    kicked = ah.System(
        name="kicked",
        coordinates=["q"],
        parameters={"A": 1.0},
        lagrangian="q'^2/2 + A*exp(-((t - 5)/0.001)^2)/(0.001*sqrt(pi))*q^2/2",
    )
    drift, sizes = np.array([[1.0, 5], [0, 1]]), [0.0, 10, 100]
    v = np.random.default_rng(2).normal(size=2)
    expected = [np.log(np.linalg.norm(drift @ [[1, 0], [a, 1]] @ drift @ v) / np.linalg.norm(v)) / 10 for a in sizes]
    asked = {"start": {"q": 1.0, "q'": 0}, "until": 10, "summaries": "lyapunov"}
    found = kicked.sweep({"A": sizes}, **asked)["lyapunov"].values
    assert found == pytest.approx(expected, abs=5e-3)
    alone = kicked.stability.lyapunov_exponents({"q": 1, "q'": 0, "A": 100}, 10, count=1).values[0]
    assert alone == pytest.approx(expected[-1], abs=0.2)
    runaway = ah.System(name="runaway", coordinates=["q"], lagrangian="q'^2/2 + k*q^2/2", parameters={"k": 1})
    asked |= {"until": 8.0, "events": {"far": "q - 50"}, "stop": "far"}
    both = runaway.sweep({"k": [1.0, 4.0]}, **asked)
    for k, stop, size in zip((1.0, 4.0), both.data["stop_time"].values, both["lyapunov"].values, strict=True):
        asked = {"start": {"q": 1.0, "q'": 0}, "until": float(stop), "summaries": "lyapunov"}
        assert stop == pytest.approx(np.arccosh(50) / np.sqrt(k))
        assert size == pytest.approx(runaway.sweep({"k": [k]}, **asked)["lyapunov"].values[0], abs=1e-9)


def test_charts_have_labelled_axes(plain, tmp_path):
    from matplotlib.collections import QuadMesh

    ax = plain.chart("final speed").plot(tmp_path / "chart.svg")
    assert "<svg" in (tmp_path / "chart.svg").read_text(encoding="utf-8")
    with blames(ah.errors.NotSupportedError, "3"):
        plain.chart("final speed").plot(3)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("$a$", r"$\dot{\theta}$")
    mesh = next(each for each in ax.collections if isinstance(each, QuadMesh))
    assert mesh.get_array().size == 180
    assert plain.chart("final speed", a=0.2).plot().get_xlabel() == r"$\dot{\theta}$"
    assert plain.chart("outcome").labels == ("the motion was integrated to the end",)
    with blames(ah.errors.UnknownNameError):
        plain.chart("peak", b=1)
    assert sum(patch.get_height() for patch in plain.chart("peak").histogram().patches) == 180
    assert plain.chart("peak", a=0.2).system == f"Chaplygin sleigh, a = {plain.axes['a'][5]:.6g}"
    for beyond in (99.0, "much", np.nan):
        with blames(ah.errors.UnknownNameError, "0.1", "0.3"):
            plain.chart("peak", a=beyond)
    listed = skate().sweep([{"theta'": 1}, {"theta'": 2}], START, until=1)
    with blames(ah.errors.UnknownNameError, "m"):
        listed.chart("theta", m=1)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"over": {}}, ("over",)),
        ({"over": {"a": "b"}}, ()),
        ({"summaries": {"theta'": "u"}}, ()),
        ({"summaries": {"s": ("median", "u")}}, ("median",)),
        ({"summaries": {"s": "speed"}}, ("speed",)),
        ({"summaries": {"s": "maximum of theta"}}, ("max",)),
        ({"summaries": {"s": "max theta"}}, ("max of theta",)),
        ({"summaries": {"s": "max of "}}, ("s",)),
        ({"summaries": "lyapunow"}, ("lyapunov",)),
        ({"summaries": {"I": "u"}}, ()),
        ({"over": "a"}, ("over", "a")),
        ({"over": None}, ("over",)),
        ({"samples": 4, "seed": "x", "over": {"a": (0, 1)}}, ("x", "seed")),
        ({"store": 3}, ("3",)),
        ({"samples": 10, "sampling": "halton", "over": {"a": (0, 1)}}, ("halton", "sampling")),
        ({"samples": 10}, ()),
        ({"start": START | {"theta'": 1}}, ("theta'",)),
        ({"client": 3}, ("client", "3")),
    ],
)  # fmt: skip
def test_mistakes_get_a_sentence(change, names):
    words = {"over": OVER, "start": START, "until": 1, "summaries": {"speed": "u"}} | change
    with blames(ah.Error, *names):
        chaplygin_sleigh().sweep(**words)


def test_the_manifest_says_what_was_asked(tmp_path):
    skate().sweep({"theta'": [1, 2]}, START, until=1, store=tmp_path / "runs.zarr")
    told = json.loads((tmp_path / "runs.zarr" / ".anholonomy.json").read_text())["question"]
    assert told["values of theta'"] == "1, 2"
    assert told["keep"] == ["x", "y", "theta", "x'", "y'", "theta'"]


@pytest.mark.exhaustive
def test_sweeps_that_are_killed_come_back_to_the_same_bytes():
    """In a process of their own: they fork, which what other tests have loaded does not bear."""
    script = (
        "from tests.motion.many.kills import tried\n"
        "print(*tried(4, ('driver', 'disk full', 'store removed', 'driver'), seed=5), sep='\\n')"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "OTHER" not in done.stdout, done.stdout
    assert done.stdout.strip()


@pytest.mark.exhaustive
def test_dask_makes_the_same(plain, tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=":0", local_directory=str(tmp_path)
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        words = {
            "over": OVER,
            "start": START,
            "until": 20,
            "keep": ["theta", "energy"],
            "summaries": REDUCE,
            "client": client,
        }
        assert equal(plain, chaplygin_sleigh().sweep(**words, store=tmp_path / "runs.zarr"))
        assert equal(plain, chaplygin_sleigh().sweep(**words))
        off = {**START, "y'": np.r_[np.zeros(39), 0.1], "theta'": 1}
        with blames(ah.errors.StateError, "39"):  # said once, not by ten workers in turn
            chaplygin_sleigh().ensemble(off, until=1, client=client)
    with blames(ah.errors.IntegrationError):
        chaplygin_sleigh().ensemble({**START, "theta'": [1, 2]}, until=1, client=client)
