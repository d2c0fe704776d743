"""Quantities at the door, and dimensions that a declaration's terms must share."""

from __future__ import annotations

import re
import sys
from fractions import Fraction

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.system.units.dimension import Dimension
from anholonomy.system.units.quantities import is_quantity, quantity
from tests.wording import blames

pint = pytest.importorskip("pint")

FALL = {"name": "ball", "coordinates": {"x": "length"}, "lagrangian": "m*x'^2/2 - m*g*x"}
SCALES = {"m": Fraction(7, 2), "kg": Fraction(1, 3), "s": Fraction(11, 5)}
"""New units, in old ones."""


def fall(**words):
    return ah.System(**FALL | {"parameters": {"m": "12 kg", "g": 9.81}} | words)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("5 km/h", 25 / 18, "m/s"),
        ("12kg", 12.0, "kg"),
        ("-2.5e-3 mm", -2.5e-6, "m"),
        ("90 deg", np.pi / 2, "1"),
        ("10 rpm", np.pi / 3, "1/s"),
        ("20 degC", 293.15, "K"),
        ("3 N*m", 3.0, "kg*m^2/s^2"),
        ("2 kg m²", 2.0, "kg*m^2"),
        ("1 lbf", 4.4482216152605, "kg*m/s^2"),
        ("4 m^(1/2)", 4.0, "m^(1/2)"),
    ],
)
def test_a_text_is_read_to_si(text, number, unit) -> None:
    read = quantity(text, "it")
    assert read.number == pytest.approx(number, rel=1e-15)
    assert str(read.dimension) == unit
    assert Dimension.read(unit) == read.dimension


@pytest.mark.parametrize(
    "text",
    [
        "5 apples",
        "3 dB",
        "5 m**9**9**9",
        "5 (m^9)^9",
        "5 m^999",
        "1e9999 m",
        "3 kg)",
        "7 bit",
        "3 m.real",
        "1 " + "m " * 50,
    ],
)
def test_what_is_no_quantity_is_refused_in_a_sentence(text) -> None:
    with blames(ah.errors.DeclarationError, "mass"):
        quantity(text, "the mass")


@pytest.mark.parametrize("text", ["1/sqrt(2)", "2*pi", "1e-6", "-4*x", "5", "pi/2", "x", "2*x'", ""])
def test_expressions_are_none(text) -> None:
    assert not is_quantity(text)


def test_values_starts_and_times_have_units() -> None:
    ureg = pint.UnitRegistry()
    run = fall().simulate({"x": "2 ft", "x'": 5 * ureg.km / ureg.hour}, until="2 min", parameters={"g": "160 cm/s^2"})
    assert run.time.values[-1] == 120
    assert float(run["x"][0]) == pytest.approx(0.6096, rel=1e-15)
    assert run.system.parameters == {"m": 12.0, "g": 1.6}
    again = fall(parameters={"m": 12 * ureg.kg, "g": 1.6}).simulate(
        {"x": 0.6096, "x'": 25 / 18}, times=np.linspace(0, 2, 5) * ureg.minute
    )
    assert again.time.values.tolist() == [0, 30, 60, 90, 120]
    assert np.allclose(again["x"], run.at(again.time.values)["x"], rtol=1e-13)


def test_degrees_are_exact() -> None:
    skate = ah.catalogue.skate().with_start(
        {"x": "1 m", "y": 0, "theta": "90 deg", "y'": "3.6 km/h", "theta'": "0 rpm"}
    )
    assert skate.start["theta"] == "pi/2"
    assert float(skate.simulate(until=1)["x"][-1]) == 1.0


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (
            {"lagrangian": "m*x'^2/2 - m*x"},
            ("m", "x'", "2"),
        ),
        ({"lagrangian": "m*x'^2/2 - m*g*sin(x)"}, ("x", "sin", "m")),
        ({"lagrangian": "m*x'^2/2 - m*9*x"}, ("9", "m", "x")),
        ({"lagrangian": "m*x'^2/2 - m*g*x*cos(2*t)"}, ("2", "t", "cos")),
        ({"forces": {"x": "m*x'"}}, ("m", "x'")),
        ({"lagrangian": "m*x'^2/2 - m*g*x + max(m*x, m*g*x)"}, ()),
        ({"parameters": {"m": "12 kg", "g": "9.81 m/s"}}, ("g", "m")),
        ({"units": {"m": "g"}}, ("SI", "units")),
        ({"units": {"m": "N"}}, ("N",)),
        ({"units": {"q": "kg"}}, ("units", "q")),
        ({"units": {"x": "m"}}, ()),
        ({"start": {"x": "3 kg", "x'": 0}}, ("x", "3", "kg")),
    ],
)
def test_the_term_that_does_not_fit_is_named(words, names) -> None:
    with blames(ah.errors.DeclarationError, *names):
        fall(**words)


def test_a_constraint_must_fit_too() -> None:
    words = {
        "coordinates": {"x": "length", "phi": "angle"},
        "lagrangian": "m*x'^2/2 + I*phi'^2/2",
        "parameters": {"m": "2 kg", "I": None},
    }
    with blames(ah.errors.DeclarationError, "x'", "c1"):
        ah.System(**words, constraints=["x' = phi'"])
    words["parameters"] |= {"r": "30 cm"}
    found = ah.System(**words, constraints=["x' = r*phi'"]).units
    assert str(found["I"]) == "kg*m^2"
    assert str(found["lambda1"]) == "kg*m/s^2"


@pytest.mark.parametrize("verb", ["simulate", "with_parameters", "until"])
def test_other_dimensions_are_refused_at_every_door(verb) -> None:
    start = {"x": 0, "x'": 1}
    asked = {
        "simulate": lambda: fall().simulate(start, until=1, parameters={"g": "3 km"}),
        "with_parameters": lambda: fall().with_parameters(m="3 s"),
        "until": lambda: fall().simulate(start, until="3 kg"),
    }
    with blames(ah.errors.DeclarationError):
        asked[verb]()


def test_without_units_nothing_is_checked() -> None:
    normalised = ah.System(coordinates={"x": "length"}, lagrangian="m*x'^2/2 - x", parameters={"m": 1.0})
    assert normalised.model.units == ()
    assert normalised.units.misfit == ""
    assert str(normalised.units["m"]) == "s^2/m"


def test_files_keep_units(tmp_path) -> None:
    fall().save(tmp_path / "ball.toml")
    text = (tmp_path / "ball.toml").read_text()
    assert ah.load(tmp_path / "ball.toml") == fall()
    (tmp_path / "lb.toml").write_text(text.replace("m = 12.0", 'm = "12 lb"'))
    assert ah.load(tmp_path / "lb.toml").parameters["m"] == 5.44310844


def test_without_pint_a_sentence_names_the_extra(monkeypatch) -> None:
    from anholonomy.system.units import quantities

    quantities._made.cache_clear()
    monkeypatch.setitem(sys.modules, "pint", None)
    with blames(ah.errors.NotSupportedError):
        fall()
    assert fall(parameters={"m": 12.0, "g": 9.81}, units={"m": "kg"}).units["g"] == Dimension.of({"m": 1, "s": -2})


def test_bodies_take_units_through_parameters() -> None:
    ball = ah.bodies.RigidBody("ball", mass="m", inertia=["J", "J", "J"])
    words = {
        "bodies": [ball],
        "contacts": [ah.bodies.Rolling(ball, surface=ah.bodies.Sphere("r"), on=ah.bodies.Plane())],
        "gravity": "g",
    }
    system = ah.System(**words, parameters={"m": "2 kg", "J": None, "r": "10 cm", "g": "9.81 m/s^2"})
    found = system.units
    assert str(found["J"]) == "kg*m^2"
    assert ah.System(**words, parameters={"m": 2.0, "J": None, "r": 0.1, "g": 9.81}).parameters == system.parameters


def _factor(dimension: Dimension | None) -> float:
    assert dimension is not None
    return float(np.prod([float(SCALES[unit]) ** -float(power) for unit, power in dimension.exponents]))


@pytest.mark.parametrize(
    "key",
    [
        *("chaplygin-sleigh", "rolling-disk"),
        *(
            pytest.param(key, marks=pytest.mark.exhaustive)
            for key in ("chaplygin-ball", "veselova", "snakeboard", "roller-racer")
        ),
    ],
)
def test_other_units_give_the_same_motion(key) -> None:
    """Numbers of every inferred dimension change with the units of length, mass and time, and the motion is the same."""
    entry = ah.catalogue.ENTRIES[key]
    first = next(p for p in entry.make().parameters if p.startswith(("m", "I")))
    lengths = {
        q.name: "m"
        for q, kind in zip(entry.make().coordinates, entry.make().model.coordinate_kinds, strict=True)
        if not kind and q.name in "xyz"
    }
    system = entry.make().model.replaced(units=((first, "kg*m^2" if first.startswith("I") else "kg"), *lengths.items()))
    system = ah.System._of(system)
    found = system.units
    assert not found.misfit
    end = 2.0
    run = system.simulate(entry.start, until=end)
    values = {p: v * _factor(found[p] or Dimension()) for p, v in system.parameters.items()}
    start = {q: v * _factor(found[q]) for q, v in entry.start.items()}
    clock = _factor(Dimension.of({"s": 1}))
    other = entry.make().with_parameters(**values).simulate(start, times=run.time.values * clock)
    for q in (s.name for s in system.coordinates):
        expected = run[q].values * _factor(found[q])
        assert np.allclose(other[q].values, expected, rtol=1e-8, atol=1e-9 * (1e-3 + abs(expected).max())), q


ENERGY = Dimension.of({"kg": 1, "m": 2, "s": -2})


def _random_system(rng) -> tuple[dict, dict[str, Dimension]]:
    """A Lagrangian of random monomials in a length, an angle and a coordinate of any dimension, and what its parameters must be."""
    strange = Dimension.of(
        {unit: Fraction(int(rng.integers(-2, 3)), int(rng.integers(1, 3))) for unit in ("m", "kg", "s")}
    )
    dims = {"x": Dimension.of({"m": 1}), "theta": Dimension(), "s": strange}
    wanted = {
        "m": Dimension.of({"kg": 1}),
        "I": Dimension.of({"kg": 1, "m": 2}),
        "n": ENERGY / (strange / Dimension.of({"s": 1})) ** 2,
    }
    terms = ["m*x'^2/2", "I*theta'^2/2", "n*s'^2/2"]
    for k in range(int(rng.integers(1, 5))):
        powers = {q: int(rng.integers(0, 4)) for q in ("x", "s")}
        turn = str(rng.choice(["cos(theta)", "theta", "sqrt(1 + theta^2)"]))
        dimension = ENERGY
        for q, power in powers.items():
            dimension /= dims[q] ** power
        wanted[f"c{k}"] = dimension
        terms.append(f"c{k}*x^{powers['x']}*s^{powers['s']}*{turn}")
    words = {
        "coordinates": {"x": "length", "theta": "angle", "s": ""},
        "lagrangian": " + ".join(terms),
        "parameters": dict.fromkeys(wanted),
        "units": {"m": "kg", "s": str(strange)},
    }
    return words, wanted


@pytest.mark.parametrize("seed", range(12))
def test_dimensions_of_random_systems_are_inferred_and_a_wrong_one_is_named(seed) -> None:
    rng = np.random.default_rng(seed)
    words, wanted = _random_system(rng)
    found = ah.System(**words).units
    assert {p: found[p] for p in wanted} == wanted
    wrong = str(rng.choice([p for p in wanted if p != "m"]))
    other = wanted[wrong] * Dimension.of({str(rng.choice(["m", "kg", "s", "K"])): int(rng.choice([-1, 1, 2]))})
    with pytest.raises(ah.errors.DeclarationError) as refused:
        ah.System(**words | {"units": words["units"] | {wrong: str(other)}})
    assert re.search(rf"the terms? [^;]*\b{wrong}\*", str(refused.value))


def rolling(**words):
    ball = ah.bodies.RigidBody("ball", **{"mass": 2, "inertia": [0.5, 0.5, 0.5]} | words.pop("ball", {}))
    contact = ah.bodies.Rolling(
        ball, surface=ah.bodies.Sphere(words.pop("radius", 0.25)), on=ah.bodies.Plane(slope=words.pop("slope", "pi/6"))
    )
    return ah.System(name="ball", bodies=[ball], contacts=[contact], **{"gravity": 9.81} | words)


def test_bodies_contacts_and_gravity_take_quantities(tmp_path) -> None:
    unit = pint.UnitRegistry()
    moments = [0.5, 5000, 0.5] * np.array([1, 1e-4, 1]) * unit.kg * unit.m**2
    spoken = rolling(
        ball={"mass": "2000 g", "inertia": ["0.5 kg*m^2", moments[1], 0.5]},
        radius=25 * unit.cm,
        slope="30 deg",
        gravity="9.81 m/s^2",
    )
    plain = rolling()
    assert repr(spoken.lagrangian) == repr(plain.lagrangian)
    assert list(map(str, spoken.constraints)) == list(map(str, plain.constraints))
    spoken.save(tmp_path / "ball.toml")
    again = ah.load(tmp_path / "ball.toml")
    assert repr(again.lagrangian) == repr(plain.lagrangian)
    assert (
        ah.bodies.RigidBody("a", mass=1, inertia=moments).inertia
        == ah.bodies.RigidBody("a", mass=1, inertia=[0.5] * 3).inertia
    )


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"ball": {"mass": "2 m"}}, ("mass", "ball", "2 m", "kg")),
        ({"ball": {"inertia": ["1 kg", 1, 1]}}, ("inertia", "ball", "1 kg")),
        ({"radius": "3 s"}, ("sphere's radius", "3 s", "m")),
        ({"slope": "3 m"}, ("plane's slope", "3 m")),
        ({"gravity": "9.81 m/s"}, ("gravity", "9.81 m/s", "m/s^2")),
        ({"gravity": [0, 0, "9.81 N"]}, ("gravity", "9.81 N", "m/s^2")),
        ({"gravity": "9.81 qq"}, ("qq",)),
    ],
)
def test_a_wrong_dimension_of_a_body_is_named(words, names) -> None:
    with blames(ah.Error, *names):
        rolling(**words)


def test_efforts_at_joints_are_forces_or_moments() -> None:
    assert (
        str(ah.bodies.Motor("j", "3 N*m").effort)
        == str(ah.bodies.Motor("j", "3 N").effort)
        == str(ah.bodies.Motor("j", 3.0).effort)
    )
    with blames(ah.Error):
        ah.bodies.Motor("j", "3 kg")


def swing(**words):
    known = {"m": "1 kg", "l": "50 cm", "g": "9.81 m/s^2"}
    return ah.System(
        name="swing",
        coordinates={"q": "angle"},
        lagrangian="m*l^2*q'^2/2 + m*g*l*cos(q)",
        parameters=known,
        **words,
    )


def test_lists_of_quantities_are_swept_over_and_drawn() -> None:
    turned = swing().sweep({"q": ["-30 deg", "0 deg", "90 deg"]}, start={"q'": 0}, until="1 s")
    assert np.allclose(turned.axes["q"], [-np.pi / 6, 0, np.pi / 2], rtol=0, atol=1e-15)
    axes = swing().stability.phase_portrait({"q": ["-90 deg", "90 deg"], "q'": ["10 rpm"]}, "1 s")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("$q$ (rad)", r"$\dot{q}$ (rad/s)")
    with blames(ah.Error, "over", "foo", "q"):
        swing().stability.phase_portrait({"q": ["foo"], "q'": [1]}, 1)


def test_limits_of_questions_are_times() -> None:
    assert str(swing().conserved(time_limit="20000 ms")) == str(swing().conserved(time_limit=20))
    with blames(ah.Error, "2", "kg", "s"):
        swing().analyse(time_limit="2 kg")


def test_figures_of_many_motions_have_units() -> None:
    def labels(ax):
        return ax.get_xlabel(), ax.get_ylabel()

    many = swing().ensemble([{"q": a, "q'": 0} for a in (0.1, 0.2)], times=[0, 1, 2, 3])
    assert labels(many.plot("q")[0]) == ("$t$ (s)", "$q$ (rad)")
    assert labels(many.histogram("q'")) == (r"$\dot{q}$ (rad/s)", "members")
    swept = swing().sweep({"l": [0.1, 0.2], "m": [1, 2]}, start={"q": 1, "q'": 0}, until=1)
    assert labels(swept.chart("q").plot()) == ("$l$ (m)", "$m$ (kg)")
    run = swing().simulate({"q": 1, "q'": 0}, until=10)
    assert labels(run.section("q").plot("time", "q'")) == ("$t$ (s)", r"$\dot{q}$ (rad/s)")
    plain = ah.catalogue.skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=20)
    assert labels(plain.section("sin(theta)").plot("x", "y")) == ("$x$", "$y$")


def test_events_compare_with_quantities() -> None:
    ball, start = fall(), {"x": 2, "x'": 0}

    def end(event: str) -> float:
        return float(ball.simulate(start, until=3, events={"low": event}, stop="low").time[-1])

    assert end("x = 50 cm") == pytest.approx(end("x - 1/2"), abs=1e-14)
    assert end("x' = -18 km/h") == pytest.approx(5 / 9.81, abs=1e-13)
    assert end("m*g*x = 0.1 kJ") == pytest.approx(end("m*g*x - 100"), abs=1e-14)
    with blames(ah.Error, "x", "3", "kg", "m"):
        end("x = 3 kg")
    with blames(ah.Error, "banana"):
        end("x = 5 banana")
    with blames(ah.Error, "x - 1"):
        end("x = 1")


def test_units_stand_beside_rates_times_and_colours() -> None:
    disc = ah.catalogue.leaning_disc().with_parameters(m="1 kg")
    rates = disc.stability.steady_motion(fixed={"phi'": 3.0}).follow("phi'", 1, 4, points=8).plot().axes
    assert [ax.get_ylabel() for ax in rates] == ["growth (1/s)", "frequency (rad/s)"]
    assert rates[-1].get_xlabel().endswith("(rad/s)")
    plain = (
        ah.catalogue.leaning_disc()
        .stability.steady_motion(fixed={"phi'": 3.0})
        .follow("phi'", 1, 4, points=8)
        .plot()
        .axes
    )
    assert [ax.get_ylabel() for ax in plain] == ["growth (real part)", "frequency (imaginary part)"]
    sleigh = ah.catalogue.chaplygin_sleigh().with_parameters(m="1 kg")
    assert (str(sleigh.units["u"]), str(sleigh.units["omega"])) == ("m/s", "1/s")
    reduce = {"final speed": "u", "turn": "time of theta - 1", "push": "max of u*omega*m", "angle": "min of theta"}
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1}
    runs = sleigh.sweep({"a": [0.1, 0.2], "theta'": [1, 2]}, start, until=2, summaries=reduce | {"chaos": "lyapunov"})
    bars = [runs.chart(name).plot().figure.axes[-1].get_ylabel() for name in (*reduce, "chaos", "stop_time")]
    units = ["m/s", "s", "N", "rad", "1/s", "s"]
    assert [bar.rsplit(" (")[-1].rstrip(")") for bar in bars] == units
    assert runs.chart("turn").plot().get_ylabel().endswith("(rad/s)")
    assert runs.chart("turn").histogram().get_xlabel() == runs.histogram("turn").get_xlabel() == "turn (s)"
    line = runs.chart("final speed", a=0.1).plot()
    assert (line.get_xlabel(), line.get_ylabel()) == (r"$\dot{\theta}$ (rad/s)", "final speed (m/s)")
    plain = ah.catalogue.chaplygin_sleigh().sweep({"a": [0.1]}, start | {"theta'": 1}, until=1, summaries={"v": "u"})
    assert plain.chart("v").plot().get_ylabel() == "v"


def test_units_stand_beside_the_time_of_two_motions_and_of_exponents() -> None:
    from anholonomy.motion.lyapunov import Exponents

    edge = ah.catalogue.knife_edge().with_parameters(m="1 kg")
    start = ah.catalogue.ENTRIES["knife-edge"].start
    assert edge.paths.side_by_side(start, until=0.5).plot()[1].get_xlabel() == "$t$ (s)"
    made = Exponents("s", np.array([1.0, 2.0]), np.array([[0.1], [0.2]]), has_units=True).plot()
    assert (made.get_xlabel(), made.get_ylabel()) == ("$t$ (s)", "average growth (1/s)")
