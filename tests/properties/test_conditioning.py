"""The law: a program is as well conditioned as the declaration it comes from, by every principle and backend.

Accelerations in doubles, of systems declared by distances from offsets of a thousand, against fifty digits by somebody else.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

import anholonomy as ah
from anholonomy.equations.principles import PRINCIPLES
from tests.programs.c_library import COMPILER, Library
from tests.properties.offset_systems import KINDS, Offset, offset_system, truth

# An offset of some hundreds under a sine looks like degrees.
pytestmark = pytest.mark.filterwarnings("ignore::anholonomy.errors.DegreesWarning")

_WITHIN = 1e-10
"""Doubles at an offset of a thousand know a distance to 1e-13; cubes of it, derivatives and a division leave this."""


@cache
def known(seed: int, kind: str) -> tuple[Offset, np.ndarray]:
    given = offset_system(seed, kind)
    return given, np.array([float(value) for value in truth(given)])


def covering(given: Offset) -> list[str]:
    # Without constraints vakonomic motions are those of everybody else.
    return [f.name for f in PRINCIPLES if f.covers(given.system) and (f.agrees or not given.constraints)]


def close(found: np.ndarray, wanted: np.ndarray, label: str) -> None:
    assert_allclose(found, wanted, rtol=0, atol=_WITHIN * np.abs(wanted).max(), err_msg=label)


def check(seed: int, kind: str) -> set[str]:
    given, wanted = known(seed, kind)
    names = covering(given)
    system = given.system
    state = dict(
        zip(
            (s.name for s in (*system.coordinates, *system.velocities)),
            (*given.positions, *given.velocities),
            strict=True,
        )
    )
    for name in names:
        # In a frame that is regular there: one of a generic point may divide by what nearly vanishes at this one.
        function = system.derive(name, at=state | {"t": given.time}).function(of="accelerations")
        found = function(given.time, [*given.positions, *given.velocities], [*given.parameters.values()])
        close(found, wanted, f"{given.system.name} by {name}")
    return set(names)


@pytest.mark.parametrize(("seed", "kind"), [(0, "free"), (1, "natural"), (1, "affine"), (0, "fibred")])
def test_every_principle_keeps_the_digits(seed: int, kind: str) -> None:
    assert len(check(seed, kind)) >= 10


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", KINDS)
def test_every_principle_keeps_the_digits_of_many(kind: str) -> None:
    for seed in range(8):
        check(seed, kind)


def test_every_principle_is_asked() -> None:
    asked = {name for kind in ("free", "natural", "fibred") for name in covering(known(0, kind)[0])}
    assert asked == {f.name for f in PRINCIPLES}


@pytest.mark.exhaustive_for("jax")
@pytest.mark.parametrize("backend", ["numpy", "llvm", "casadi", "jax", "c"])
def test_every_backend_keeps_the_digits(backend: str, tmp_path) -> None:
    given, wanted = known(1, "natural")
    t, x, p = given.time, [*given.positions, *given.velocities], [*given.parameters.values()]
    for name in ("hamel", "hamiltonian", "connection"):
        equations = given.system.derive(name)
        if backend == "c":
            if COMPILER is None:
                pytest.skip("there is no C compiler")
            library = Library({"s": equations.c_source("s")}, tmp_path)
            found = library("s_accelerations", t, x, p, len(wanted))
        elif backend == "jax":
            jax = pytest.importorskip("jax")
            with jax.enable_x64(True):
                found = np.array(equations.jax("accelerations")(t, np.array(x), np.array(p)))
        else:
            pytest.importorskip(backend) if backend == "casadi" else None
            found = equations.function(backend, of="accelerations")(t, x, p)
        close(found, wanted, f"{backend} by {name}")


def test_an_inertia_multiplied_out_loses_what_its_factors_have() -> None:
    """Four digits of y'' were left by the principles that invert the inertia."""
    system = ah.System(
        name="far",
        coordinates=["x", "y"],
        lagrangian="(1+(x-1000)^2)*(x'^2+y'^2)/2 + (x-1000)*x'*y'/3 - (y-1000)^2/2",
    )
    x, y, v, w = 0.3, 0.2, 0.5, -0.4
    M = np.array([[1 + x * x, x / 3], [x / 3, 1 + x * x]])
    bias = np.array([x * (v * v - w * w), 2 * x * v * w + v * v / 3 + y])
    wanted = np.linalg.solve(M, -bias)
    for name in covering_names(system):
        found = system.derive(name).function(of="accelerations")(0, [1000.3, 1000.2, v, w])
        assert_allclose(found, wanted, rtol=1e-11, err_msg=name)


def covering_names(system: ah.System) -> list[str]:
    return [f.name for f in PRINCIPLES if f.covers(system)]


def test_what_is_integrated_keeps_the_digits_too() -> None:
    r"""$\ddot x = -(x - 1000)^5$ written as a quotient of sums; the energy $\dot x^2/2 + (x - 1000)^6/6$ stays."""
    system = ah.System(
        name="far well",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + (1 + (x - 1000)^2)^2*y'^2)/2 - (x - 1000)^6/6",
    )
    for by in ("hamiltonian", "connection", "hamel"):
        run = system.simulate({"x": 1000.5, "y": 0, "x'": 0, "y'": 0.5}, until=3, by=by)
        assert float(abs(run.energy / run.energy[0] - 1).max()) < 1e-12
