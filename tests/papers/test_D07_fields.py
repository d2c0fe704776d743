r"""D7 with two parameters: constrained extremals of fields in an adapted frame (Delphenich, section 3.2).

.. math:: \bar F_k - \nabla_a\bar\Pi_k^a = 0 \quad\Longleftrightarrow\quad e_k^i\,(F_i - D_a\Pi_i^a) = 0
"""

from __future__ import annotations

import random

import pytest

import anholonomy as ah
from anholonomy.algebra.zero_test import is_zero
from anholonomy.fields import examples as catalogue

FIELDS = ("u", "v", "w")


def constrained(seed: int, form: str) -> ah.Field:
    draw = random.Random(seed)
    names = [*FIELDS, *(f"{u}_{a}" for u in FIELDS for a in "ts"), "t"]
    term = lambda: f"{draw.randint(1, 3)}*{draw.choice(names)}*{draw.choice(names)} + {draw.choice(names)}"
    return ah.Field(
        parameters=["t", "s"],
        fields=list(FIELDS),
        momenta={a: {u: term() for u in FIELDS} for a in "ts"},
        forces={u: term() for u in FIELDS},
        constraints=[form],
    )


@pytest.mark.parametrize("form", ["dw = v*du", "dw = u*v*du + dv", "cos(w)*du = sin(w)*dv"])
@pytest.mark.parametrize("seed", range(2))
def test_D7_fields_covariant_derivatives_give_d_alemberts_equations(seed: int, form: str) -> None:
    equations = constrained(seed, form).equations()
    assert len(equations.inside) == 2
    for ours, theirs in zip(equations.inside, equations.connection_form, strict=True):
        assert is_zero(ours - theirs)


def test_D7_fields_the_connection_matters() -> None:
    """Without the term of the connection the equations are others: the frame moves along the map."""
    field = constrained(0, "dw = v*du")
    (first, *_), jets = field.equations().inside, field.jets
    frame = (1, 0, jets.fields[1])
    plain = sum(e * F for e, F in zip(frame, field.force_i, strict=True))
    for a in range(2):
        plain -= jets.total(sum(e * row[a] for e, row in zip(frame, field.momentum_ia, strict=True)), a)
    assert not is_zero(first - plain)


def test_D7_fields_the_worked_case_rolls() -> None:
    """Discs side by side: what the multipliers do is no work, and turning and rolling obey wave equations of their own."""
    discs = catalogue.rolling_discs()
    heading, turning = discs.equations().inside
    m, I, J, R, k, h = discs.constant_symbols
    jets, c = discs.jets, discs.constraints
    x, y, phi, theta = range(4)
    at = lambda i, *way: jets.of(i, way)
    assert is_zero(heading - (h * at(phi, 1, 1) - J * at(phi, 0, 0))) or is_zero(
        heading + (h * at(phi, 1, 1) - J * at(phi, 0, 0))
    )
    # The rates of the constraints, put in for the accelerations of the plane.
    solved = {}
    for i, each in ((x, c[0]), (y, c[1])):
        said = each.equations(jets)[0]
        solved[at(i, 0, 0)] = at(i, 0, 0) - jets.total(said, 0)
    wanted = k * at(theta, 1, 1) - (I + m * R**2) * at(theta, 0, 0)
    left = turning.xreplace(solved)
    assert is_zero(left - wanted) or is_zero(left + wanted)


def test_D7_fields_vakonomic_equations_are_those_of_the_enlarged_form() -> None:
    discs = catalogue.rolling_discs()
    enlarged = ah.Field(
        parameters=["t", "s"],
        fields=["x", "y", "phi", "theta", "mu1", "mu2"],
        lagrangian=(
            "m*(x_t^2 + y_t^2)/2 + I*theta_t^2/2 + J*phi_t^2/2 - k*theta_s^2/2 - h*phi_s^2/2"
            " + mu1*(x_t - R*cos(phi)*theta_t) + mu2*(y_t - R*sin(phi)*theta_t)"
        ),
    )
    for ours, theirs in zip(discs.equations("vakonomic").all, enlarged.equations().inside, strict=True):
        assert is_zero(ours - theirs)
