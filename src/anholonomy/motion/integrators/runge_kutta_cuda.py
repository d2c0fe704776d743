r"""The steps of explicit Runge–Kutta methods as CUDA text, written out stage by stage.

.. math:: k_i = f\Bigl(t + c_i h,\; x + h \sum_{j<i} a_{ij} k_j\Bigr), \qquad x(t+h) = x + h \sum_i b_i k_i

These are adaptive methods with a dense output of their own: Dormand and Prince's 5(4) and 8(5,3). Coefficients that vanish leave no trace
in the text.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.motion.integrators.runge_kutta import hairer

__all__ = ["ADAPTIVE", "AbstractAdaptive", "DormandPrince5", "DormandPrince8"]


def combination(coefficients: Sequence[float] | NDArray[Any], of: str = "k{}[i]") -> str:
    """A sum of stages with numbers before them.

    >>> combination([0.5, 0.0, -1.0])
    'R(0.5) * k0[i] + R(-1.0) * k2[i]'
    """
    return " + ".join(f"R({float(c)!r}) * {of.format(j)}" for j, c in enumerate(coefficients) if c)


class AbstractAdaptive(abc.ABC):
    """An explicit method with an error estimate: its name, its order, and the text of a step."""

    name: str
    order: int
    stages: int
    more: int
    """Stages that only interpolation needs."""

    @property
    @abc.abstractmethod
    def tables(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """A and C, with rows for the stages that only interpolation needs."""

    @property
    @abc.abstractmethod
    def weights(self) -> NDArray[Any]:
        """B."""

    @abc.abstractmethod
    def error(self) -> list[str]:
        """Lines that define ``error``, in units of what is tolerated, from ``x``, ``y``, ``h`` and the stages."""

    @abc.abstractmethod
    def interpolated(self) -> list[str]:
        """Lines that set ``out[i]`` to the state at ``t + theta * h``."""

    @final
    def stage(self, k: int) -> list[str]:
        """The lines of one stage; the first is at hand."""
        A, C = self.tables
        return [
            f"EACH z[i] = x[i] + h * ({combination(A[k, :k])});",
            f"rates((real)(t + {float(C[k])!r} * h), z, p, k{k});",
        ]

    @final
    def step(self) -> list[str]:
        """All stages, the new state ``y``, its rates in the stage after the last, and the error."""
        lines = [line for k in range(1, self.stages) for line in self.stage(k)]
        total = combination(self.weights)
        return [
            *lines,
            f"EACH y[i] = x[i] + h * ({total});",
            f"rates((real)(t + h), y, p, k{self.stages});",
            *self.error(),
        ]

    @final
    def before_interpolation(self) -> list[str]:
        first = self.stages + 1
        return [line for k in range(first, first + self.more) for line in self.stage(k)]


@final
class DormandPrince5(AbstractAdaptive):
    """Dormand and Prince's pair of orders 5 and 4."""

    name, order, stages, more = "dopri5", 5, 6, 0

    @property
    def tables(self) -> tuple[NDArray[Any], NDArray[Any]]:
        return _dormand_prince().A, _dormand_prince().C

    @property
    def weights(self) -> NDArray[Any]:
        return np.asarray(_dormand_prince().B)

    def error(self) -> list[str]:
        return [
            "real error = R(0.0);",
            f"EACH {{ const real e = h * ({combination(_dormand_prince().E)}) / SCALE; error += e * e; }}",
            "error = sqrt(error / N);",
        ]

    def interpolated(self) -> list[str]:
        P = _dormand_prince().P
        columns = [combination(P[:, m]) for m in range(P.shape[1])]
        value = columns[-1]
        for column in reversed(columns[:-1]):
            value = f"{column} + theta * ({value})"
        return [f"EACH out[i] = x[i] + h * theta * ({value});"]


@final
class DormandPrince8(AbstractAdaptive):
    """Dormand and Prince's method of order 8 with Hairer's error estimates of orders 5 and 3."""

    name, order, stages, more = "dop853", 8, 12, 3

    @property
    def tables(self) -> tuple[NDArray[Any], NDArray[Any]]:
        return hairer().A, hairer().C

    @property
    def weights(self) -> NDArray[Any]:
        return np.asarray(hairer().B)

    def error(self) -> list[str]:
        fifth, third = combination(hairer().E5), combination(hairer().E3)
        return [
            "real fifth = R(0.0), third = R(0.0);",
            f"EACH {{ const real s = SCALE, a = ({fifth}) / s, b = ({third}) / s; fifth += a * a; third += b * b; }}",
            "const real blend = (fifth + R(0.01) * third) * N;",
            "const real error = blend == R(0.0) ? R(0.0) : fabs(h) * fifth / sqrt(blend);",
        ]

    def interpolated(self) -> list[str]:
        D = hairer().D
        lines = ["const real left = R(1.0) - theta;", "EACH {", "    const real change = y[i] - x[i];"]
        value = "R(0.0)"
        for row in range(3, -1, -1):
            value = f"({value} + h * ({combination(D[row])})) * {'theta' if row % 2 else 'left'}"
        lines.append(f"    real f = {value};")
        lines.append("    f = (f + R(2.0) * change - h * (k12[i] + k0[i])) * theta;")
        lines.append("    f = (f + h * k0[i] - change) * left;")
        return [*lines, "    out[i] = x[i] + (f + change) * theta;", "}"]


ADAPTIVE: tuple[AbstractAdaptive, ...] = (DormandPrince5(), DormandPrince8())


@lru_cache(maxsize=1)
def _dormand_prince() -> Any:
    from scipy.integrate import RK45

    return RK45
