r"""D5 with several parameters: the first variation of a fundamental one-form on jets of maps (Delphenich, section 3.1).

.. math:: \int (F_i\,\delta u^i + \Pi_i^a\,D_a\delta u^i)\,dV = \int (F_i - D_a\Pi_i^a)\,\delta u^i\,dV + \oint \Pi_i^a\,\delta u^i\,n_a\,dA
"""

from __future__ import annotations

import random

import mpmath
import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from tests.fields.random_fields import random_lagrangian

t, s = sp.symbols("t s")
FIELDS = ("u", "v")
MAPS = {"u": "sin(t)*s + t^2/3", "v": "cos(2*s) - t*s/5"}
VARIATION = {"u": "exp(t)*cos(s)", "v": "1 + t*s^2"}


def one_form(seed: int) -> ah.Field:
    """Forces and momenta of nobody's Lagrangian."""
    draw = random.Random(seed)
    names = [*FIELDS, "u_t", "u_s", "v_t", "v_s", "t", "s"]
    term = lambda: f"{draw.randint(1, 4)}*{draw.choice(names)}*{draw.choice(names)} + {draw.choice(names)}"
    momenta = {a: {u: term() for u in FIELDS} for a in ("t", "s")}
    return ah.Field(parameters=["t", "s"], fields=list(FIELDS), momenta=momenta, forces={u: term() for u in FIELDS})


def number(f: sp.Expr) -> mpmath.mpf:
    g = sp.lambdify((t, s), f, "mpmath")
    return mpmath.quad(lambda a: mpmath.quad(lambda b: g(a, b), [0, 1]), [0, 1])


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(2))
def test_D5_fields_the_first_variation_is_bulk_and_boundary(seed: int) -> None:
    """Both sides integrated over the unit square, with SymPy's derivatives."""
    field = one_form(seed)
    problem = field.first_variation()
    assert problem.identity(VARIATION)
    maps = {u: sp.sympify(text.replace("^", "**")) for u, text in MAPS.items()}
    delta = {u: sp.sympify(text.replace("^", "**")) for u, text in VARIATION.items()}
    values = {sp.Symbol(u): f for u, f in maps.items()}
    for u, f in maps.items():
        for way in ((t,), (s,), (t, t), (t, s), (s, s)):
            values[sp.Symbol(f"{u}_{''.join(map(str, way))}")] = f.diff(*way)
    on = lambda f: to_sympy(f).subs(values, simultaneous=True)
    left = number(to_sympy(problem.density(MAPS, VARIATION)))
    bulk = number(sum(on(E) * delta[u] for E, u in zip(field.extremal_i, FIELDS, strict=True)))
    edge = mpmath.mpf(0)
    for a, (across, along) in enumerate(((t, s), (s, t))):
        flux = sum(on(row[a]) * delta[u] for row, u in zip(field.momentum_ia, FIELDS, strict=True))
        for side, sign in ((1, 1), (0, -1)):
            edge += sign * mpmath.quad(sp.lambdify(along, flux.subs(across, side), "mpmath"), [0, 1])
    assert abs(left - bulk - edge) < 1e-12 * (1 + abs(left))


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(k, marks=pytest.mark.exhaustive) for k in range(3, 20))])
def test_D5_fields_exact_forms_give_their_lagrangian(seed: int) -> None:
    given = ah.Field(parameters=["t", "s"], fields=list(FIELDS), lagrangian=random_lagrangian(seed, FIELDS))
    jets = given.jets
    bare = ah.Field(
        parameters=["t", "s"],
        fields=list(FIELDS),
        momenta={
            p.name: {u: given.momentum_ia[i][a] for i, u in enumerate(FIELDS)} for a, p in enumerate(jets.parameters)
        },
        forces=dict(zip(FIELDS, given.force_i, strict=True)),
    )
    found = bare.find_lagrangian()
    assert found
    gap = found.lagrangian - given.lagrangian
    places = [*jets.fields, *jets.first(0), *jets.first(1)]
    assert all(is_zero(partial(gap, s)) for s in places)  # up to a function of the parameters
    # Another force breaks it, and the obstruction is the derivative that does.
    broken = {**dict(zip(FIELDS, given.force_i, strict=True)), "u": given.force_i[0] + jets.of(0, (0,))}
    bad = ah.Field(
        parameters=["t", "s"],
        fields=list(FIELDS),
        momenta={
            p.name: {u: given.momentum_ia[i][a] for i, u in enumerate(FIELDS)} for a, p in enumerate(jets.parameters)
        },
        forces=broken,
    ).find_lagrangian()
    assert bad.finding.is_refuted
    assert "d(force on u)/d(u_t) - d(momentum of u along t)/d(u) = 1" in str(bad)


def test_D5_fields_transversal_ends_are_where_the_action_stands_still() -> None:
    """A free end has no momentum through it; an end on a circle none along the circle; a moving end none of the swept action."""
    field = ah.Field(parameters=["t", "s"], fields=list(FIELDS), lagrangian="(u_t^2 + v_t^2 - u_s^2 - v_s^2)/2 - u*v")
    free = field.first_variation({"s": "free"}).ends[1].conditions
    assert [str(each) for each in free] == ["-u_s", "-v_s"]
    guided = field.first_variation({"s": {"on": "u^2 + v^2 = 1"}}).ends[1].conditions
    u, v, us, vs = sp.symbols("u v u_s v_s")
    along = to_sympy(guided[1])
    assert sp.expand(along - (v * us - u * vs)) == 0 or sp.expand(along + (v * us - u * vs)) == 0  # either way round
    moving = field.first_variation({"s": "moving"}).ends[1].conditions
    swept = (
        field.lagrangian
        - field.momentum_ia[0][1] * field.jets.of(0, (1,))
        - field.momentum_ia[1][1] * field.jets.of(1, (1,))
    )
    assert is_zero(moving[-1] - swept)


def test_D5_fields_a_free_end_is_the_minimum_over_its_values() -> None:
    """The stretched sheet u_xx + u_yy = 0 with a free side, against the discrete minimum of its energy."""
    sheet = ah.Field(parameters=["x", "y"], fields=["u"], lagrangian="(u_x^2 + u_y^2)/2")
    run = sheet.stationary(
        {"x": (0, 1, 12), "y": (0, 1, 12)}, {"x=0": "u = sin(pi*y)", "x=1": "free", "y": "u = 0"}, scheme="spectral"
    )
    x, y = run.x.values[:, None], run.y.values[None, :]
    exact = np.cosh(np.pi * (1 - x)) / np.cosh(np.pi) * np.sin(np.pi * y)
    assert np.abs(run.u.values - exact).max() < 1e-7
