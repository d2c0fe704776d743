"""W8, connection part: the curvature of a principal connection (Fernandez & Bloch, section 3.2)."""

from __future__ import annotations

from anholonomy.geometry.connections.principal import PrincipalConnection
from tests.geometry.connections.test_principal import COEFFICIENTS, SE2, SO3


def printed(connection: PrincipalConnection, D: int, sign: int) -> object:
    """(3.2.2): the bracket of two lifts, with the quadratic term's sign as a parameter."""
    A, (r, s), C = connection.coefficients_da, connection.base, connection.algebra_abd
    quadratic = sum(C[a][b][D] * A[a][0] * A[b][1] for a in range(3) for b in range(3))
    return A[D][0].diff(s) - A[D][1].diff(r) + sign * quadratic


def test_W8_the_printed_sign_of_the_structure_constants() -> None:
    """[h_1, h_2] = (∂A_1/∂s - ∂A_2/∂r + C A_1 A_2) ξ; the print has minus C."""
    for algebra in (SE2, SO3):
        connection = PrincipalConnection(["r", "s"], algebra, COEFFICIENTS)
        bracket = [connection.frame.structure_abd[0][1][2 + D] for D in range(3)]
        differences = [(bracket[D] - printed(connection, D, +1)).expand() for D in range(3)]
        assert differences == [0, 0, 0]
        assert any((bracket[D] - printed(connection, D, -1)).expand() != 0 for D in range(3))
