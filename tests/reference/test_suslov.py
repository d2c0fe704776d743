r"""Suslov's problem in closed form, for every inertia matrix.

With $J$ the block of $w_1, w_2$, $b = (I_{13}, I_{23})$ and $S$ the quarter turn, $J\dot w = (b\cdot w)\,Sw$ is solved by
$w = \alpha\tanh\tau \pm \beta\operatorname{sech}\tau$, $\tau = \kappa(t - t_0)$: $\alpha \parallel Sb$ and $\beta \parallel J^{-1}b$ have the energy of $w$ and
are orthogonal in $J$; $\kappa = b\cdot\beta/\sqrt{\det J}$. G. K. Suslov, Theoretical Mechanics, 1946; Neimark and Fufaev.
"""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import System, catalogue

TIMES = np.linspace(0.0, 12.0, 121)
TURN = np.array([[0.0, -1.0], [1.0, 0.0]])
INERTIA = {"I11": 1.3, "I22": 0.9, "I33": 1.6, "I12": 0.25, "I13": -0.4, "I23": 0.3}
AT_FIRST = {"q0": 0.5, "q1": -0.5, "q2": 0.5, "q3": 0.5}


def closed_form(inertia: dict[str, float], w: np.ndarray, times: np.ndarray) -> np.ndarray:
    J = np.array([[inertia["I11"], inertia["I12"]], [inertia["I12"], inertia["I22"]]])
    b, twice_energy = np.array([inertia["I13"], inertia["I23"]]), w @ J @ w
    alpha, beta = (v * np.sqrt(twice_energy / (v @ J @ v)) for v in (TURN @ b, np.linalg.solve(J, b)))
    kappa = b @ beta / np.sqrt(np.linalg.det(J))
    along, across = alpha @ J @ w / twice_energy, beta @ J @ w / twice_energy
    tau = kappa * times + np.arctanh(along)
    return np.outer(np.tanh(tau), alpha) + np.sign(across) * np.outer(1 / np.cosh(tau), beta)


@pytest.mark.parametrize("w", [(1.0, -2.0), (0.3, 0.6), (-1.5, 0.2), (0.1, 1.9)])
def test_closed_form(w: tuple[float, float]) -> None:
    run = catalogue.suslov(**INERTIA).simulate({**AT_FIRST, "w1": w[0], "w2": w[1]}, times=TIMES)
    computed = run.data["velocity"].values
    np.testing.assert_allclose(computed[:, :2], closed_form(INERTIA, np.array(w), TIMES), atol=1e-12)
    assert np.abs(computed[:, 2]).max() == 0.0


def test_steady_rotations_attract_on_one_half_of_their_line_and_repel_on_the_other() -> None:
    r"""About $\pm\alpha$ a deviation along $J^{-1}b$ decays, or grows, at the rate $\kappa$."""
    b = np.array([INERTIA["I13"], INERTIA["I23"]])
    J = np.array([[INERTIA["I11"], INERTIA["I12"]], [INERTIA["I12"], INERTIA["I22"]]])
    axis = TURN @ b
    equations = catalogue.suslov(**INERTIA).derive()
    for sign in (1, -1):
        still = sign * axis
        assert max(map(abs, equations.accelerations({**AT_FIRST, "w1": still[0], "w2": still[1]}).values())) < 1e-15
        # Along alpha nothing changes: there is a steady rotation of every speed.
        free = np.linalg.solve(J, b)
        step = 1e-7
        got = equations.accelerations({**AT_FIRST, "w1": still[0] + step * free[0], "w2": still[1] + step * free[1]})
        beta = free * np.sqrt((axis @ J @ axis) / (free @ J @ free))
        kappa = b @ beta / np.sqrt(np.linalg.det(J))
        np.testing.assert_allclose([got["w1'"], got["w2'"]], -sign * kappa * step * free, rtol=1e-6)


def test_any_axis_of_the_body_is_the_third_after_a_turn() -> None:
    """n . w = 0 for a general n, against the closed form in axes whose third is n."""
    n = np.array([2.0, -1.0, 2.0]) / 3
    axes = np.column_stack([np.array([1.0, 2.0, 0.0]) / np.sqrt(5), np.zeros(3), n])
    axes[:, 1] = np.cross(axes[:, 2], axes[:, 0])
    names = [["I11", "I12", "I13"], ["I12", "I22", "I23"], ["I13", "I23", "I33"]]
    turned = np.array([[INERTIA[name] for name in row] for row in names])
    inertia = axes @ turned @ axes.T
    system = System(
        name="Suslov about n", group="SO3", kinetic=names, constraints=["2*w1 - w2 + 2*w3 = 0"],
        parameters={"I11": inertia[0, 0], "I12": inertia[0, 1], "I13": inertia[0, 2],
                    "I22": inertia[1, 1], "I23": inertia[1, 2], "I33": inertia[2, 2]},
    )  # fmt: skip
    plane = np.array([0.8, -1.1])
    w = axes[:, :2] @ plane
    run = system.simulate({**AT_FIRST, "w1": w[0], "w2": w[1], "w3": w[2]}, times=TIMES)
    np.testing.assert_allclose(
        run.data["velocity"].values @ axes[:, :2], closed_form(INERTIA, plane, TIMES), atol=1e-12
    )
