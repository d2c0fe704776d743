"""Functions that stay unspecified: derived with as if they were written out, verified, saved, and refused where numbers are wanted."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest
import symengine
import sympy

import anholonomy as ah
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.errors import Error
from anholonomy.equations.principles import PRINCIPLES, formulation
from anholonomy.equations.verification import verify
from anholonomy.language import parse_expression
from tests.wording import blames

WORDS = {
    "name": "drawn sled",
    "coordinates": ["x", "y", "theta"],
    "lagrangian": "m*(x'^2 + y'^2)/2 + I(theta)*theta'^2/2 - V(x, y, t)",
    "constraints": ["cos(theta)*y' = sin(theta)*x'"],
    "forces": {"theta": "-c(theta, m)*theta'"},
    "parameters": {"m": 1.5},
    "functions": ["V(x, y, t)", "I(theta)", "c(theta, m)"],
}
WRITTEN = {"V": "x^3*y + sin(t)*y^2", "I": "2 + cos(theta)", "c": "m*theta^2"}
STATE = {"x": 0.3, "y": -0.4, "theta": 0.5, "x'": 1, "theta'": 0.7, "t": 0.2}


def sled(**words):
    return ah.System(**WORDS | words)


@pytest.mark.parametrize("by", [each.name for each in PRINCIPLES])
def test_writing_out_and_deriving_commute(by):
    if not formulation(by).covers(sled()):
        pytest.skip("does not cover it")
    later, sooner = sled().derive(by).sympy(), sled().with_functions(**WRITTEN).derive(by).sympy()
    values = {head: parse_expression(text)._sympy_() for head, text in WRITTEN.items()}
    for given, wanted in zip(later[:2], sooner[:2], strict=True):
        assert given.shape == wanted.shape
        for entry, other in zip(given, wanted, strict=True):
            calls = {call: values[call.func.__name__] for call in entry.atoms(sympy.core.function.AppliedUndef)}
            assert is_zero(symengine.sympify(entry.subs(calls).doit() - other))


def test_what_is_printed():
    free = ah.System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - V(x, y)", functions=["V(x, y)"])
    assert str(free.derive()).splitlines()[1:] == ["  x'' = -D(V(x, y), x)", "  y'' = -D(V(x, y), y)"]
    assert r"\frac{\partial}{\partial x} V" in free.derive().latex()
    assert "h = (p1^2 + p2^2)/2 + V(x, y)" in str(free.hamiltonian_form())


def test_principles_agree_whatever_the_function_is():
    found = sled().verify(states=3)
    assert found
    assert len(found.principles) >= 9
    assert sled().verify(states=[STATE])


def test_verification_sees_a_wrong_derivative():
    x, y, t = symengine.symbols("x y t")
    slope = symengine.Function("V")(x, y, t).diff(x)

    class Wrong:
        """Kane's equations with twice one of the slopes of V."""

        name, agrees = "wrong", True

        def covers(self, model):
            return True

        def derive(self, model, frame=None):
            equations = formulation("kane").derive(model, frame)
            return replace(equations, rhs=tuple(r.xreplace({slope: 2 * slope}) for r in equations.rhs))

    assert verify(sled(), states=2, principles=[formulation("hamel"), Wrong()]).verdict.is_refuted


def test_files_copies_and_equality(tmp_path):
    system = sled()
    system.save(tmp_path / "sled.toml")
    assert ah.load(tmp_path / "sled.toml") == system == pickle.loads(pickle.dumps(system))
    assert system != sled(functions=[*WORDS["functions"], "W(x)"])
    assert not system.with_functions(**WRITTEN).model.functions


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s.simulate(STATE, until=1),
        lambda s: s.derive().function(),
        lambda s: s.derive().c_source(),
        lambda s: s.derive().modelica(),
        lambda s: s.derive().kernel(),
        lambda s: s.derive().accelerations(STATE),
        lambda s: sled(lagrangian="x'^2 + y'^2 + theta'^2 - V(x, y, t)", constraints=[], forces={}).reduced(),
        lambda s: s.seen_from(s.geometry.moving_observer({"x": "x + t", "y": "y", "theta": "theta"})),
    ],
)
def test_numbers_need_the_function_written_out(ask):
    with blames(Error, "V", "x", "y", "t"):
        ask(sled())


def test_what_is_conserved_whatever_the_function_is():
    skate = sled(lagrangian="m*(x'^2 + y'^2 + theta'^2)/2 - V(x, y, t)", forces={}, functions=["V(x, y, t)"])
    (law,) = skate.conserved(degree=1)
    assert str(law).startswith("m*theta' is constant")


def test_written_out_it_moves():
    run = sled().with_functions(**WRITTEN).simulate(STATE, until=0.1)
    assert run["x"].sizes["time"] > 1


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"functions": ["V"]}, ()),
        ({"functions": "V(x, y)"}, ()),
        ({"functions": ["V(x, x)"]}, ()),
        ({"functions": ["V(x, z)"]}, ()),
        ({"functions": ["x(y)"]}, ("x",)),
        ({"functions": ["sin(x)"]}, ()),
        ({"functions": [3]}, ()),
        ({"lagrangian": "x'^2/2 - V(2*x, y, t)"}, ("V", "x", "y", "t")),
        ({"constraints": ["y' = V(x, y, t)*x'"]}, ("1", "V")),
    ],
)
def test_declarations_that_are_refused(words, names):
    with blames(Error, *names):
        sled(**words)


@pytest.mark.parametrize(("given", "names"), [({"W": "x"}, ("W",)), ({"V": "z"}, ("z", "V"))])
def test_functions_that_are_refused(given, names):
    with blames(Error, *names):
        sled().with_functions(**given)
