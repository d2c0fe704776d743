"""Principal connections: the formula of the curvature against brackets in coordinates of the group."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy.algebra.zero_test import is_zero
from anholonomy.geometry.connections.principal import PrincipalConnection
from tests.geometry.connections.principal_bundles import COEFFICIENTS, SE2, SO3
from tests.wording import blames

LEFT = [["cos(theta)", "sin(theta)", "0"], ["-sin(theta)", "cos(theta)", "0"], ["0", "0", "1"]]


def test_the_bracket_in_coordinates_of_the_group() -> None:
    connection = PrincipalConnection(["r", "s"], SE2, COEFFICIENTS)
    lifts = []
    for column, unit in enumerate((["1", "0"], ["0", "1"])):
        group = [
            " + ".join(f"-({COEFFICIENTS[A][column]})*({LEFT[A][i]})" for A in range(3)).replace("+ -", "- ")
            for i in range(3)
        ]
        lifts.append([*unit, *group])
    frame = ah.geometry.Frame(["r", "s", "x", "y", "theta"], [*lifts, *(["0", "0", *row] for row in LEFT)])
    for a in range(5):
        for b in range(5):
            for d in range(5):
                assert is_zero(frame.anholonomy[a, b, d] - connection.frame.anholonomy[a, b, d])
    for D in range(3):
        assert is_zero(connection.B(D, 0, 1) - frame.anholonomy[0, 1, 2 + D])


@pytest.mark.parametrize("algebra", [SO3, SE2], ids=["so3", "se2"])
def test_formula_and_frame_agree(algebra: list) -> None:
    pieces = st.sampled_from(["r", "s", "r*s", "sin(r)", "cos(s)", "s^2", "1", "0", "exp(r)"])

    @settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.lists(pieces, min_size=6, max_size=6))
    def check(entries: list[str]) -> None:
        A = PrincipalConnection(["r", "s"], algebra, [entries[0:2], entries[2:4], entries[4:6]])
        for D in range(3):
            assert is_zero(A.curvature[2 + D, 0, 1] - A.B(D, 0, 1))

    check()


def test_an_abelian_group_is_an_ehresmann_connection() -> None:
    abelian = [[[0, 0]] * 2] * 2
    A = PrincipalConnection(["theta", "phi"], abelian, [["-R*cos(phi)", "0"], ["-R*sin(phi)", "0"]])
    disk = ah.connections.EhresmannConnection.from_constraints(
        ["x' = R*cos(phi)*theta'", "y' = R*sin(phi)*theta'"],
        base=["theta", "phi"],
        coordinates=["theta", "phi", "x", "y"],
    )
    for D in range(2):
        assert is_zero(A.B(D, 0, 1) - disk.B(("x", "y")[D], "theta", "phi"))
    assert not A.is_flat()


def test_a_pure_gauge_is_flat() -> None:
    """A = g^{-1} dg for g(r, s) = rotation by r*s about one axis."""
    assert PrincipalConnection(["r", "s"], SO3, [["0", "0"], ["0", "0"], ["s", "r"]]).is_flat()


@pytest.mark.parametrize(
    ("algebra", "coefficients", "names"),
    [
        ([[[0, 1], [0, 1]], [[0, 0], [0, 0]]], [["r"], ["r"]], ()),
        (SO3, [["r"], ["r"]], ("3",)),
        ([[[0, 0]], [[0, 0]]], [["r"], ["r"]], ("2",)),
    ],
)
def test_what_is_no_principal_connection(algebra: list, coefficients: list, names: tuple[str, ...]) -> None:
    with blames(ah.errors.DeclarationError, *names):
        PrincipalConnection(["r"], algebra, coefficients)


def test_jacobi_is_checked() -> None:
    wrong = [[[0] * 3 for _ in range(3)] for _ in range(3)]
    wrong[0][1][0], wrong[1][0][0] = 1, -1
    wrong[1][2][1], wrong[2][1][1] = 1, -1
    wrong[0][2][2], wrong[2][0][2] = 1, -1
    with blames(ah.errors.DeclarationError):
        PrincipalConnection(["r"], wrong, [["r"], ["r"], ["r"]])
