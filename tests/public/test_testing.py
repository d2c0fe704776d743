"""The checks for authors pass for what the package has, and fail for parts that break one law each."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.equations.principles.kane import Kane
from anholonomy.geometry.connections import CONNECTIONS, LeviCivitaConnection
from anholonomy.geometry.connections.base import Promise
from anholonomy.geometry.connections.coefficients import Coefficients
from anholonomy.geometry.groups import GROUPS, SE2
from anholonomy.geometry.tensor import Tensor
from anholonomy.programs.backends import BACKENDS
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.testing import CheckFailed, check_backend, check_connection, check_group, check_principle, check_system


@pytest.mark.parametrize(
    "principle", [each for each in PRINCIPLES if each.name in ("hamel", "gauss")], ids=lambda p: p.name
)
def test_a_principle_of_the_package_passes(principle) -> None:
    check_principle(principle)


@pytest.mark.exhaustive
@pytest.mark.parametrize("principle", PRINCIPLES, ids=lambda p: p.name)
def test_every_principle_of_the_package_passes(principle) -> None:
    check_principle(principle)


@pytest.mark.parametrize("kind", CONNECTIONS, ids=lambda kind: kind.__name__)
def test_every_connection_passes(kind) -> None:
    check_connection(kind)


@pytest.mark.parametrize("text", [text for kind in GROUPS for text in kind.examples])
def test_every_group_passes(text) -> None:
    check_group(text)


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
def test_every_backend_passes(backend) -> None:
    check_backend(backend, programs=2)


def test_a_system_passes() -> None:
    check_system(ah.catalogue.chaplygin_sleigh())


class Forgetful(Kane):  # type: ignore[misc]
    """Kane's equations with the sign of the right side changed."""

    name = "forgetful"

    def _derive(self, model, frame):
        from dataclasses import replace

        found = Kane()._derive(model, frame)
        return replace(found, rhs=tuple(-value for value in found.rhs))


class Boastful(Kane):  # type: ignore[misc]
    """Kane's equations that claim to cover nonlinear constraints."""

    name = "boastful"
    handles = Kane.handles | PRINCIPLES[0].handles


def test_a_wrong_sign_is_noticed() -> None:
    with pytest.raises(CheckFailed, match="forgetful on"):
        check_principle(Forgetful(), [ah.catalogue.chaplygin_sleigh()])


def test_a_principle_that_covers_less_than_it_says_is_noticed() -> None:
    with pytest.raises(CheckFailed, match="boastful on "):
        check_principle(Boastful())


def test_a_wrong_product_is_noticed(monkeypatch) -> None:
    right = SE2.multiply
    monkeypatch.setattr(SE2, "multiply", lambda self, g, h: right(self, g, h) + np.array([0.0, 0.0, 1e-6]))
    with pytest.raises(CheckFailed, match="SE2: "):
        check_group("SE2")


def test_a_promise_too_many_is_noticed() -> None:
    class Flat(LeviCivitaConnection):  # type: ignore[misc]
        promises = LeviCivitaConnection.promises | {Promise.FLAT}

    with pytest.raises(CheckFailed, match="Flat promises"):
        check_connection(Flat)


@pytest.mark.parametrize(("row", "law"), [("x", "its torsion"), ("z", "its coefficients in another frame")])
def test_a_changed_coefficient_is_noticed(row, law) -> None:
    """The frames of the check have one entry each that is neither 0 nor 1: x in the first, z in the other."""

    class Wrong(LeviCivitaConnection):  # type: ignore[misc]
        def _coefficients(self):
            table = LeviCivitaConnection(self.metric).coefficients.table
            is_changed = any(str(entry) == row for vector in self.frame.anchor_ai for entry in vector)
            return Coefficients(table + Tensor.of(self.frame, "udd", {(0, 1, 2): 1}) if is_changed else table)

        def _in_frame(self, frame):
            return Wrong(self.metric.in_frame(frame))

    with pytest.raises(CheckFailed, match=f"Wrong: {law} differ"):
        check_connection(Wrong)


def test_a_backend_that_swaps_its_states_is_noticed() -> None:
    class Swapped(NumpyBackend):  # type: ignore[misc]
        name = "swapped"

        def _compile(self, program):
            f = NumpyBackend()._compile(program)
            return lambda t, x, p: f(t, x[::-1], p)

    with pytest.raises(CheckFailed, match="swapped: "):
        check_backend(Swapped())
