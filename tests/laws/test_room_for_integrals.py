"""How many integrals there can be, whatever their coefficients: known numbers of Killing tensors, and motions solved by hand."""

from __future__ import annotations

from math import comb

import pytest

from anholonomy import System
from anholonomy.catalogue import ENTRIES
from anholonomy.laws.prolongation.completeness import growth_of, room_for_integrals, weighted_dimension
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.system.model import Model


def _room(system: Model, degree: int) -> int | None:
    motion = reduced_motion(system.model)
    growth = growth_of(motion)
    assert growth is not None
    return room_for_integrals(motion, [degree], growth, 0).most


def _killing_tensors(n: int, d: int) -> int:
    """Of rank d on a space of constant curvature (Thompson 1986)."""
    return comb(n + d, d + 1) * comb(n + d - 1, d) // n


def _flat(n: int) -> System:
    names = [f"x{i}" for i in range(n)]
    return System(name="flat", coordinates=names, lagrangian="+".join(f"{x}'^2/2" for x in names))


@pytest.mark.parametrize(("n", "d"), [(1, 2), (2, 1), (2, 3), (3, 1), (3, 2)])
def test_flat_space_has_the_known_number_of_killing_tensors(n: int, d: int) -> None:
    assert _room(_flat(n), d) == _killing_tensors(n, d)


@pytest.mark.parametrize("curved", ["sin(a)^2", "exp(2*a)", "1/(1 + a)^2"])
def test_constant_curvature_has_as_many_and_another_metric_has_not(curved: str) -> None:
    surface = System(name="surface", coordinates=["a", "b"], lagrangian=f"(a'^2 + ({curved})*b'^2)/2")
    is_round = curved != "1/(1 + a)^2"
    assert [_room(surface, d) for d in (1, 2)] == ([3, 6] if is_round else [1, 2])


@pytest.mark.parametrize(
    ("key", "linear", "quadratic"),
    [
        # x' = u, y' = v with constant u, v and c = x*v - y*u: u, v, c, u*z - x*c/2, v*z - y*c/2, and one relation of their products.
        ("heisenberg", 5, 14),
        # Constant speed v and turning w: v, w, theta-turned coordinates of the centre, and theta times w less time: locally Heisenberg's.
        ("skate", 5, 14),
        # x' and sqrt(1 + x^2)*y' =: b are constant, so that x'*y - b*asinh(x) is one more, besides that of rotations.
        ("free-particle", 4, None),
        # Veselov and Veselova 1986: two momenta.
        ("veselova", 2, None),
        # Appell and Korteweg 1899: two integrals with hypergeometric coefficients of the inclination.
        ("leaning-disc", 2, None),
        # Chaplygin 1903: the components of the moment about the contact, in space.
        ("chaplygin-ball", 3, None),
        ("rattleback", 0, None),
    ],
)
def test_nonholonomic_motions_solved_by_hand(key: str, linear: int, quadratic: int | None) -> None:
    system = ENTRIES[key].make()
    assert _room(system, 1) == linear
    if quadratic is not None:
        assert _room(system, 2) == quadratic


SLEIGH = System(
    name="sleigh",
    coordinates=["x", "y", "theta"],
    lagrangian="(x'^2 + y'^2 + 3*theta'^2)/2 + theta'*(y'*cos(theta) - x'*sin(theta)) + theta'^2/2",
    constraints=["y'*cos(theta) = x'*sin(theta)"],
)
"""m = a = 1 and I = 3: dv/dtheta = w and dw/dtheta = -v/4, so that v and 2*w turn by theta/2."""


def test_the_list_is_complete_where_the_room_is_filled() -> None:
    laws = _flat(2).conserved()
    assert (
        "with any functions of the configuration for coefficients, is a combination of products of these: proven"
        in str(laws)
    )
    assert laws.finding.is_proven
    assert "with any functions of the configuration for coefficients" in laws.latex()


def test_what_is_outside_the_class_is_counted() -> None:
    """The sleigh's linear integrals have coefficients cos(theta/2), which are functions on a cover: without them two are missing."""
    assert _room(SLEIGH, 1) == 2
    laws = SLEIGH.conserved(degree=1)
    assert len(laws) == 0
    assert len(laws.on_cover) == 2
    missed = SLEIGH.conserved(degree=1, functions=["1", "cos(theta)", "sin(theta)"])
    assert "no more than 2 integrals" in str(missed)
    assert "of which 0 are found" in str(missed)
    given = SLEIGH.conserved(degree=1, functions=["cos(theta/2)", "sin(theta/2)"])
    assert len(given) == 2
    for each in (laws, given):
        assert (
            "with any functions of the configuration for coefficients, is a combination of products of these: proven"
            in str(each)
        )


def test_the_missing_integral_of_the_particle_is_the_inverse_sine() -> None:
    particle = ENTRIES["free-particle"].make()
    known = ["1", "x", "y", "z", "sqrt(1 + x^2)", "sqrt(1 + x^2)*asinh(x)"]
    assert len(particle.conserved(degree=1, functions=known)) == 4


def test_a_potential_leaves_fewer() -> None:
    well = System(name="well", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - x^4 - 3*y^2*x")
    laws = well.conserved()
    assert [law.kind for law in laws] == ["energy"]
    assert "leave room for 1, and so many are found" in str(laws)


def test_forces_that_are_no_polynomials_are_no_claim() -> None:
    drag = System(
        name="drag", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", forces={"x": "-x'*sqrt(x'^2 + y'^2)"}
    )
    assert "whatever" not in str(drag.conserved(degree=1))


def test_functions_of_a_leaf_are_without_end() -> None:
    held = System(name="held", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["y' = 2*x*x'"])
    assert "what the constraints keep constant multiply integrals without end" in str(held.conserved(degree=1))


def test_dimensions_of_products_of_fields() -> None:
    """Polynomials of weight at most 2: 1, x, y, x^2, x*y, y^2 and z of weight 2."""
    assert weighted_dimension((2, 3), 2) == 7
    assert weighted_dimension((2, 3, 4), 3) == 1 + 2 + 4 + 7
