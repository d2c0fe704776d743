"""A system file holds the whole declaration: what is read is what was written."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy.base.errors import Error
from anholonomy.system.constraints import Kind
from anholonomy.system.declaration.declare import declare, with_forces
from anholonomy.system.declaration.toml import from_toml, to_toml
from tests.wording import blames

DISK = {"coordinates": ["x", "y", "phi", "theta"], "lagrangian": "m*(x'^2 + y'^2)/2 + I*phi'^2/2 + J*theta'^2/2"}
EXAMPLES = {
    "no constraints": {"coordinates": ["x"], "lagrangian": "x'^2/2 - x^2/2"},
    "free parameters": {"coordinates": ["x"], "lagrangian": "m*x'^2/2 - k*x", "parameters": {"m": 2, "k": None}},
    "all free": {"coordinates": ["x"], "lagrangian": "m*x'^2/2 - k*x", "parameters": ["m", "k"]},
    "kinds": {"coordinates": {"r": "length", "a": "angle", "s": ""}, "lagrangian": "r'^2 + a'^2 + s'^2"},
    "labels": {
        **DISK,
        "constraints": {"rolls in x": "x' = R*phi'*cos(theta)", "β": "y' = R*phi'*sin(theta)"},
        "parameters": {"m": 1.0, "I": 0.5, "J": 0.25, "R": 0.1},
    },
    "span and speeds": {
        "coordinates": ["x", "y", "theta"],
        "lagrangian": "(x'^2 + y'^2 + theta'^2)/2",
        "constraints": ["x'*sin(theta) = y'*cos(theta)"],
        "span": [["cos(theta)", "sin(theta)", 0], [0, 0, "1/2"]],
        "speeds": ["u", "omega"],
    },
    "forces": {
        "coordinates": ["x", "y"],
        "lagrangian": "(x'^2 + y'^2)/2",
        "forces": {"y": "-c*y'*abs(y') + sin(t)", "x": 0.1},
        "parameters": {"c": 0.3},
    },
    "position": {"coordinates": ["x", "y"], "lagrangian": "(x'^2 + y'^2)/2 - y", "constraints": ["x^2 + y^2 = 2"]},
    "nonlinear": {
        "coordinates": ["x", "y"],
        "lagrangian": "(x'^2 + y'^2)/2 - y",
        "constraints": ["sqrt(x'^2 + y'^2) = 1"],
    },
    "affine in time": {
        "coordinates": ["x", "y"],
        "lagrangian": "(x'^2 + y'^2)/2",
        "constraints": ["x' = y'*t + cos(t)"],
    },
    "awkward name": {"name": 'a "quoted"\n\\name = [é]', "coordinates": ["λ"], "lagrangian": "λ'^2"},
}


def declared(example: dict) -> ah.System:
    return ah.System(**{"name": "example", **example})


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_what_was_saved_is_loaded(example, tmp_path):
    system = declared(example)
    system.save(tmp_path / "system.toml")
    again = ah.load(tmp_path / "system.toml")
    assert again == system
    assert hash(again) == hash(system)
    assert list(again.parameters.items()) == list(system.parameters.items()) or None in system.parameters.values()
    assert to_toml(again.model) == to_toml(system.model)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 1e16 + 2, -0.0, 2.0**-1074 * 3, 1e-7])
def test_parameters_keep_every_bit(value, tmp_path):
    declared({"coordinates": ["x"], "lagrangian": "x'^2 - k*x", "parameters": {"k": value}}).save(tmp_path / "k.toml")
    assert ah.load(tmp_path / "k.toml").parameters["k"].hex() == value.hex()


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-300, 1.7976931348623157e308])
def test_floats_in_expressions_keep_every_bit(value, tmp_path):
    import symengine

    x = symengine.Symbol("x'")
    system = declared({"coordinates": ["x"], "lagrangian": x**2 / 2, "forces": {"x": value}})
    system.save(tmp_path / "f.toml")
    force = ah.load(tmp_path / "f.toml").model.forces_a[0]
    assert float(Fraction(int(force.p), int(force.q))).hex() == value.hex()


def test_parameters_keep_their_order_even_if_some_are_free(tmp_path):
    """Numbers first, free symbols after them: a stored trajectory relies on equality, not on order."""
    system = declared(
        {"coordinates": ["x"], "lagrangian": "a*x'^2 + b*x + c", "parameters": {"a": None, "b": 2, "c": None}}
    )
    system.save(tmp_path / "s.toml")
    assert dict(ah.load(tmp_path / "s.toml").parameters) == dict(system.parameters)


def test_a_motion_knows_its_system():
    system = declared(EXAMPLES["span and speeds"])
    run = system.simulate({"x": 0, "y": 0, "theta": 1, "x'": 0, "theta'": 1}, times=[0, 1])
    assert run.system == system


def test_numbers_are_allowed_in_a_span():
    words = from_toml(
        'schema = "anholonomy-system-1"\nname = "s"\ncoordinates = ["x", "y"]\nlagrangian = "x\'^2 + y\'^2"\nspan = [[1, 0], ["0", 0.5]]\n'
    )
    assert ah.System(**words).model.span_ba[0] == (1, 0)


# Random systems: a chain of coordinates, kinetic energy on each, constraints that solve for the last velocities.
LEAVES = st.sampled_from(["q1", "q2", "k", "t", "pi", "2", "0.25", "1/3", "1.5e-3", "1e-400", "7^-700"])
TERMS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} - ({p[1]} + {p[2]}))"),
        st.tuples(inner, inner).map(lambda p: f"(t + 2*({p[0]} + {p[1]}) - ({p[0]} + {p[1]}))"),
        st.tuples(st.sampled_from(["sin", "cos", "exp", "atan", "tanh", "sign", "abs"]), inner).map(
            lambda p: f"{p[0]}({p[1]})"
        ),
        inner.map(lambda e: f"({e})^2"),
        inner.map(lambda e: f"sqrt(1 + ({e})^2)"),
        inner.map(lambda e: f"1/(2 + ({e})^2)"),
    ),
    max_leaves=5,
)
SHAPES = st.sampled_from(
    ["q3' = ({a})*q1' + ({b})*q2'", "q3' = ({a})*q1' + ({b})", "q3'^2 = 1 + (q1' - ({a}))^2", "q3 = {a}"]
)


CHOICES = [
    {},
    {"speeds": {"u": "q1' - (q2' + k*q2)", "v": "cos(q1)*q1' + sin(q1)*q2'"}},
    {"start": {"q1": "pi/3 - (1 + sqrt(2))", "q2'": 0.1}},
    {"redundant": "drop"},
]


@st.composite
def declarations(draw):
    row = draw(SHAPES).format(a=draw(TERMS), b=draw(TERMS))
    declared = {
        "name": draw(st.text(min_size=1, max_size=12).filter(str.strip)),
        "coordinates": draw(st.sampled_from([["q1", "q2", "q3"], {"q1": "length", "q2": "angle", "q3": ""}])),
        "lagrangian": f"(q1'^2 + q2'^2 + q3'^2)/2 + ({draw(TERMS)})*q1' - ({draw(TERMS)})",
        "constraints": draw(st.sampled_from([[], [row], {"row": row}])),
        "forces": draw(st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), TERMS, max_size=2)),
        "parameters": {"k": draw(st.none() | st.floats(0.1, 10) | st.integers(1, 9))},
    }
    more = draw(st.sampled_from(CHOICES))
    linear = declared["constraints"] and "^2 =" not in row and "q3 =" not in row
    return declared if "speeds" in more and not linear else {**declared, **more}


@settings(max_examples=80, deadline=None, derandomize=True)
@given(declaration=declarations(), further=TERMS)
def test_random_declarations_survive_a_file(declaration, further):
    try:
        model = declare(**declaration)
        pushed = with_forces(model, {"q1": further, "q3": f"-({further})"}, (), (), False)
    except Error:
        return
    assert declare(**from_toml(to_toml(model))) == model
    assert declare(**from_toml(to_toml(pushed))) == pushed


@pytest.mark.parametrize(
    "text",
    ["cos(w*t - (x + y))", "erf(w*t - (x + y))", "w + 2*(x + y) - (x + y)", "1e-400*x", "x*7^-700", "x/3e390 + y"],
)
def test_what_can_be_declared_can_be_saved(text, tmp_path):
    system = ah.System(coordinates=["x", "y"], lagrangian=f"x'^2 + y'^2 - ({text})", parameters={"w": 1.0})
    system.save(tmp_path / "system.toml")
    assert ah.load(tmp_path / "system.toml") == system


def test_sums_of_forces_are_written_as_they_are_read():
    system = ah.System(coordinates=["x", "y"], lagrangian="x'^2 + y'^2", forces={"x": "1 + 2*(x + y)"})
    pushed = system.with_forces({"x": "-(x + y)"})
    assert ah.System(**from_toml(to_toml(pushed.model))) == pushed


@settings(max_examples=25, deadline=None)
@given(st.fractions(min_value=-10, max_value=10, max_denominator=10**6))
def test_rational_numbers_stay_exact(value):
    system = declared({"coordinates": ["x"], "lagrangian": "x'^2", "forces": {"x": Fraction(value)}})
    again = ah.System(**from_toml(to_toml(system.model)))
    assert again.model.forces_a == system.model.forces_a


def test_kinds_survive_a_file(tmp_path):
    for name, kind in [
        ("position", Kind.POSITION),
        ("nonlinear", Kind.NONLINEAR),
        ("affine in time", Kind.TIME_DEPENDENT),
    ]:
        system = declared(EXAMPLES[name])
        system.save(tmp_path / "s.toml")
        assert kind in ah.load(tmp_path / "s.toml").model.kinds == system.model.kinds


HEAVY_TOP = """
schema = "anholonomy-system-1"
name = "heavy top"
group = "SO3"
kinetic = [["I1", "0", 0], ["0", "I2", "0"], [0, "0", "I3"]]
potential = "m*g*h*R33"
forces = { w3 = "-k*w3" }
parameters = { I1 = 1.0, I2 = 2, I3 = 3, m = 1, g = 9.81, h = 0.3 }
free = ["k"]
"""


def test_a_file_reads_like_the_declaration(tmp_path):
    path = tmp_path / "top.toml"
    path.write_text(HEAVY_TOP)
    words = {"name": "heavy top", "group": "SO3", "potential": "m*g*h*R33", "forces": {"w3": "-k*w3"}}
    values = {"I1": 1.0, "I2": 2, "I3": 3, "m": 1, "g": 9.81, "h": 0.3, "k": None}
    declared_ = ah.System(**words, kinetic=["I1", "I2", "I3"], parameters=values)
    assert ah.load(path) == declared_
    declared_.save(tmp_path / "saved.toml")
    assert ah.load(tmp_path / "saved.toml") == declared_
    path.write_text(HEAVY_TOP.replace('[["I1", "0", 0], ["0", "I2", "0"], [0, "0", "I3"]]', '["I1", "I2", "I3"]'))
    assert ah.load(path) == declared_
    path.write_text(
        HEAVY_TOP.replace('group = "SO3"', 'coordinates = ["x", "y", "z"]').replace("R33", "z^2").replace("w3", "z")
    )
    assert ah.load(path).lagrangian == ah.System(
        name="a", coordinates=list("xyz"), kinetic=["I1", "I2", "I3"], potential="m*g*h*z^2", parameters=values
    ).lagrangian  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("kinetic = ", 'lagrangian = "w1^2"\nkinetic = ', ("lagrangian", "kinetic")),
        ('potential = "m*g*h*R33"', "potential = true", ("potential",)),
        ('kinetic = [["I1", "0", 0]', 'kinetic = [["I1", "0", true]', ("kinetic", "1")),
        ('kinetic = [["I1", "0", 0]', 'kinetic = [["I1", "1", 0]', ()),
        ('kinetic = [["I1", "0", 0], ', "kinetic = [", ("kinetic", "3")),
        ("kinetic = ", "kinetics = ", ("kinetic",)),
    ],
)
def test_what_a_file_says_of_energies_is_checked(old, new, names, tmp_path):
    path = tmp_path / "top.toml"
    path.write_text(HEAVY_TOP.replace(old, new))
    with blames(ah.Error, *names):
        ah.load(path)


def test_potential_goes_with_kinetic(tmp_path):
    path = tmp_path / "top.toml"
    path.write_text(
        HEAVY_TOP.replace('kinetic = [["I1", "0", 0], ["0", "I2", "0"], [0, "0", "I3"]]', 'lagrangian = "w1^2"')
    )
    with blames(ah.Error, "potential", "kinetic"):
        ah.load(path)


def test_the_order_of_parameters_with_and_without_values_is_kept(tmp_path):
    system = ah.System(coordinates=["x"], lagrangian="a*x'^2/2 - b*x", parameters={"a": None, "b": 2.0})
    system.save(tmp_path / "a.toml")
    assert ah.load(tmp_path / "a.toml") == system
    assert list(ah.load(tmp_path / "a.toml").parameters.items()) == [("a", None), ("b", 2.0)]


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path):
    """Some editors begin a text in UTF-8 with one."""
    skate = ah.catalogue.skate()
    path = tmp_path / "skate.toml"
    path.write_bytes(b"\xef\xbb\xbf" + skate.to_toml().encode())
    assert ah.load(path) == skate
