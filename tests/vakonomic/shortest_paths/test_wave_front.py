"""Wave fronts and spheres: the Heisenberg group's against closed form, Martinet's around its abnormal line."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import heisenberg, martinet, rolling_disk
from tests.wording import blames

ORIGIN = {"x": 0, "y": 0, "z": 0}


@pytest.mark.exhaustive
def test_the_sphere_of_the_heisenberg_group(tmp_path) -> None:
    """z' = y x' - x y' winds with 2 p_z: arcs of radius 1/(2 p), and neighbours meet when a circle is closed."""
    front = heisenberg().paths.wave_front(ORIGIN, radius=1.5)
    data = front.data
    q, p = data["q"].values.reshape(-1, 3), data["covector"].values.reshape(-1, 3)
    rate = 2 * p[:, 2]
    turn = rate * 1.5
    safe = np.where(np.abs(rate) > 1e-9, rate, 1.0)
    along = np.where(np.abs(rate) > 1e-9, np.sin(turn) / safe, 1.5)
    aside = np.where(np.abs(rate) > 1e-9, (np.cos(turn) - 1) / safe, 0.0)
    height = np.where(np.abs(rate) > 1e-9, (turn - np.sin(turn)) / safe**2, 0.0)
    assert np.abs(p[:, 0] ** 2 + p[:, 1] ** 2 - 1).max() < 1e-12
    assert np.abs(q[:, 0] - (p[:, 0] * along - p[:, 1] * aside)).max() < 1e-9
    assert np.abs(q[:, 1] - (p[:, 1] * along + p[:, 0] * aside)).max() < 1e-9
    assert np.abs(q[:, 2] - height).max() < 1e-9
    assert np.array_equal(data["first"].values.ravel() > 0, np.abs(turn) < 2 * np.pi)
    assert np.abs(data["multiplier"].values).max() == pytest.approx(np.pi / 1.5, rel=0.01)
    assert data["first"].values.mean() > 0.9
    front.plot(tmp_path / "sphere.png")
    assert (tmp_path / "sphere.png").stat().st_size > 20_000
    assert front.plot(whole=True).get_xlabel() == "$x$"
    with blames(ah.errors.NotSupportedError, "3d"):
        front.plot(3)
    assert "ends at the length 1.5" in str(front)


@pytest.mark.exhaustive
def test_martinets_sphere_reaches_the_end_of_its_abnormal_line() -> None:
    front = martinet().paths.wave_front(ORIGIN, radius=1)
    ends = front.data["q"].values.reshape(-1, 3)
    assert np.abs(ends - [1, 0, 0]).max(axis=1).min() < 1e-9
    multiplier = np.abs(front.data["multiplier"].values).max(axis=1)
    assert multiplier.max() > 10 * np.median(multiplier)  # the abnormal direction has no largest one
    speeds = front.data["q"].values[..., :2]
    assert np.linalg.norm(speeds, axis=-1).max() <= 1 + 1e-9


@pytest.mark.parametrize(
    ("ask", "names"),
    [
        (lambda: heisenberg().paths.wave_front(ORIGIN, radius=-1), ("radius", "-1")),
        (lambda: heisenberg().paths.wave_front(ORIGIN, radius=1, most=0), ("most", "0")),
        (lambda: heisenberg().paths.wave_front({"x": 0}, radius=1), ()),
        (lambda: rolling_disk().paths.wave_front(ORIGIN, radius=1), ("4", "2")),
    ],
)
def test_mistakes(ask, names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        ask()
