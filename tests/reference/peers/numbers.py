"""What a peer's own equations say, in numbers, at random states that satisfy its own constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from scipy.optimize import least_squares
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, dynamicsymbols

from anholonomy.importing.translation import called

t = dynamicsymbols._t


@dataclass(frozen=True)
class Sample:
    """Values by name: coordinates, velocities, speeds and their rates; reactions along coordinates where known."""

    time: float
    parameters: dict[str, float]
    coordinates: dict[str, float]
    velocities: dict[str, float]
    speeds: dict[str, float]
    rates: dict[str, float]
    reactions: dict[str, float] | None = None


def method_of(thing: Any) -> Any:
    """The KanesMethod or LagrangesMethod behind whatever holds it."""
    for holder in ("eom_method", "method"):
        thing = getattr(thing, holder, None) or thing
    return thing


def name(thing: Any) -> str:
    return called(thing, "a name")


def samples(thing: Any, parameters: list[str], count: int, seed: int = 3) -> list[Sample]:
    """Random admissible states with the accelerations that the peer finds there."""
    method = method_of(thing)
    numbers = _Kane(method, parameters) if isinstance(method, KanesMethod) else _Lagrange(method, parameters)
    rng, found = np.random.default_rng(seed), []
    for _ in range(40 * count):
        if (sample := numbers.sample(rng)) is not None:
            found.append(sample)
        if len(found) == count:
            return found
    raise AssertionError("the peer's own constraints hold nowhere near")


class _Numbers:
    """Shared by both methods: symbols, functions of numbers, and the way onto the constraints."""

    def __init__(self, method: Any, parameters: list[str], outputs: tuple[Any, ...], moving: list[Any]) -> None:
        self.method, self.parameters, self.moving = method, parameters, moving
        outputs = tuple(sp.Matrix(each) if len(each) else sp.zeros(0, 1) for each in outputs)
        atoms = set().union(*(each.atoms(sp.Symbol, sp.core.function.AppliedUndef) for each in outputs))
        atoms -= {t, *moving, *method.q}
        own = {name(atom): atom for atom in atoms if not getattr(atom, "is_Derivative", False)}
        self.symbols = [own.get(p, sp.Dummy()) for p in parameters]
        self.strangers = [atom for each, atom in own.items() if each not in parameters]
        self.function = sp.lambdify(
            [t, list(method.q), moving, self.symbols, self.strangers], outputs, "numpy", cse=True
        )

    def at(self, time: float, q: Any, w: Any, p: Any) -> list[np.ndarray]:
        values = self.function(time, q, w, p, [1.0] * len(self.strangers))
        return [np.array(value, dtype=float) for value in values]

    def placed(self, rng: np.random.Generator, time: float, p: Any, place: int) -> np.ndarray | None:
        """Coordinates near random ones at which the output number ``place`` vanishes."""
        q = rng.uniform(-1, 1, len(self.method.q))
        rest = [0.0] * len(self.moving)
        if not self.at(time, q, rest, p)[place].size:
            return q
        found = least_squares(
            lambda q: np.ravel(self.at(time, q, rest, p)[place]), q, xtol=1e-15, ftol=1e-15, gtol=1e-15
        )
        return found.x if abs(found.fun).max() < 1e-13 else None


def onto(w: np.ndarray, A: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The velocities nearest to ``w`` with $A w + a = 0$."""
    return w - np.linalg.lstsq(A, A @ w + np.ravel(a), rcond=None)[0] if A.size else w


class _Kane(_Numbers):
    def __init__(self, kane: KanesMethod, parameters: list[str]) -> None:
        u = list(kane.u)
        rows, offset = (kane._k_nh, kane._f_nh) if kane._k_nh else ([], [])
        outputs = (kane.mass_matrix_full, kane.forcing_full, rows, offset, kane._f_h)
        aux = dict.fromkeys([*kane._uaux, *(each.diff(t) for each in kane._uaux)], 0)
        super().__init__(
            kane, parameters, tuple(sp.Matrix(each).xreplace(aux) if len(each) else [] for each in outputs), u
        )

    def sample(self, rng: np.random.Generator) -> Sample | None:
        time, p = rng.uniform(0, 1), rng.uniform(0.6, 1.4, len(self.parameters))
        q = self.placed(rng, time, p, 4)
        if q is None:
            return None
        u = rng.uniform(-1, 1, len(self.moving))
        _, _, A, a, _ = self.at(time, q, u, p)
        u = onto(u, A, a)
        M, right, *_ = self.at(time, q, u, p)
        rates = np.linalg.lstsq(M, np.ravel(right), rcond=None)[0]
        if not np.isfinite(rates).all() or np.linalg.cond(M) > 1e6:
            return None
        names, n = [name(each) for each in self.method.q], len(q)
        return Sample(
            time,
            dict(zip(self.parameters, p, strict=True)),
            dict(zip(names, q, strict=True)),
            dict(zip(names, rates[:n], strict=True)),
            dict(zip(map(name, self.moving), u, strict=True)),
            dict(zip(map(name, self.moving), rates[n:], strict=True)),
        )


class _Lagrange(_Numbers):
    def __init__(self, method: LagrangesMethod, parameters: list[str]) -> None:
        self.velocities = sp.symbols(f"v0:{len(method.q)}", cls=sp.Dummy)
        plain = dict(zip(method._qdots, self.velocities, strict=True))
        coneqs = sp.Matrix(method.coneqs) if len(method.coneqs) else sp.zeros(0, 1)
        coneqs = coneqs[len(method._hol_coneqs) :, :] if len(method.coneqs) else coneqs
        rates = [each.diff(t) for each in method._hol_coneqs]
        outputs = (method.mass_matrix_full, method.forcing_full, [], [*rates, *coneqs], list(method._hol_coneqs))
        outputs = tuple(sp.Matrix(each).xreplace(plain) if len(each) else [] for each in outputs)
        super().__init__(method, parameters, outputs, list(self.velocities))

    def sample(self, rng: np.random.Generator) -> Sample | None:
        time, p = rng.uniform(0, 1), rng.uniform(0.6, 1.4, len(self.parameters))
        q, n = self.placed(rng, time, p, 4), len(self.method.q)
        if q is None:
            return None
        v = rng.uniform(-1, 1, n)
        if (at_rest := self.at(time, q, [0.0] * n, p)[3]).size:
            A = np.array([self.at(time, q, e, p)[3].ravel() - at_rest.ravel() for e in np.eye(n)]).T
            v = onto(v, A, at_rest)
        M, right, *_ = self.at(time, q, v, p)
        found = np.linalg.solve(M, np.ravel(right))
        names = [name(each) for each in self.method.q]
        reactions = M[n : 2 * n, n : 2 * n] @ found[n : 2 * n] - np.ravel(right)[n : 2 * n]  # what is left of m a = F
        return Sample(
            time,
            dict(zip(self.parameters, p, strict=True)),
            dict(zip(names, q, strict=True)),
            dict(zip(names, v, strict=True)),
            dict(zip([f"{each}'" for each in names], v, strict=True)),
            dict(zip([f"{each}'" for each in names], found[n : 2 * n], strict=True)),
            dict(zip(names, reactions, strict=True)),
        )
