"""One vehicle: its declaration in words, and its motion in long double."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import anholonomy as ah
from tests.properties.vehicles.arrows import Component, Real
from tests.properties.vehicles.multipliers import accelerations, projected


@dataclass(frozen=True)
class State:
    """Values of parameters, coordinates and admissible velocities, and how far the constraints are from dependent."""

    p: dict[str, float]
    q: dict[str, float]
    w: dict[str, float]
    rank: float

    @property
    def point(self) -> dict[str, float]:
        return self.p | self.q | {f"{name}'": value for name, value in self.w.items()}

    @property
    def numbers(self) -> tuple[dict[str, Real], ...]:
        return tuple({name: Real(value) for name, value in each.items()} for each in (self.q, self.w, self.p))


@dataclass(frozen=True)
class Vehicle:
    """Parts of a vehicle: ``inertias`` are half a parameter times the square of a component each, ``springs`` pull angles
    to zero, ``weights`` turn them as gravity does, and ``drags`` oppose velocities; ``hasty`` texts are not contracted.
    ``speeds`` are the user's, by name.
    """

    name: str
    coordinates: tuple[str, ...]
    parameters: tuple[str, ...]
    constraints: tuple[Component, ...]
    inertias: tuple[tuple[str, Component], ...]
    springs: tuple[tuple[str, str], ...] = ()
    weights: tuple[tuple[str, str], ...] = ()
    drags: tuple[tuple[str, str], ...] = ()
    speeds: tuple[tuple[str, Component], ...] = ()
    hasty: bool = False

    @property
    def size(self) -> int:
        return len(self.coordinates)

    def declared(self, values: Mapping[str, float], **words: Any) -> ah.System:
        """The declaration in coordinates and texts."""
        kinetic = [f"{m}*({part.text})^2/2" for m, part in self.inertias]
        potential = [f"- {k}*{q}^2/2" for k, q in self.springs] + [f"- {k}*cos({q})" for k, q in self.weights]
        rows = [part.product_text if self.hasty and part.heading else part.text for part in self.constraints]
        return ah.System(
            name=self.name,
            coordinates=self.coordinates,
            parameters=dict(values),
            lagrangian=" + ".join(kinetic) + " " + " ".join(potential),
            constraints=[f"{row} = 0" for row in rows],
            forces={q: f"-{c}*{q}'" for c, q in self.drags},
            **words,
        )

    @property
    def speed_texts(self) -> dict[str, str] | list[str]:
        """The user's speeds: a list where each is a velocity, definitions by name otherwise."""
        texts = {name: part.text for name, part in self.speeds}
        return list(texts) if all(name == text for name, text in texts.items()) else texts

    def draw_state(self, draw: np.random.Generator, often: float = 0.5) -> State:
        """A random admissible state, ``often`` at right angles and with velocities that vanish."""
        p = {name: round(draw.uniform(0.2, 2.0), 3) for name in self.parameters}
        right = draw.choice([0, 0, 0.5, -0.5, 1], size=self.size) * np.pi
        q = np.where(draw.random(self.size) < often, right, draw.uniform(-np.pi, np.pi, self.size))
        z = np.where(draw.random(self.size) < 0.3, 0.0, draw.normal(size=self.size))
        at = State(p, self._named(q), self._named(z), 0.0)
        A, _ = self.rows(self.constraints, at)
        unit = A / np.linalg.norm(A.astype(float), axis=1, keepdims=True)
        rank = float(np.linalg.svd(unit.astype(float), compute_uv=False).min(initial=1.0))
        w = projected(z.astype(Real), unit) if len(A) and rank > 1e-6 else z
        return State(p, at.q, self._named(w), rank)

    def rows(self, parts: tuple[Component, ...], at: State) -> tuple[np.ndarray, np.ndarray]:
        """The coefficients of the velocities in components, and the rates of these, in long double."""
        found = [part.row(*at.numbers) for part in parts]
        return tuple(np.array([each[k] for each in found], dtype=Real).reshape(-1, self.size) for k in (0, 1))

    def accelerations(self, at: State) -> np.ndarray:
        """What the multipliers give, in long double."""
        q, w, p = at.numbers
        J, J_rate = self.rows(tuple(part for _, part in self.inertias), at)
        A, A_rate = self.rows(self.constraints, at)
        m, speed = np.array([p[name] for name, _ in self.inertias]), np.array(list(w.values()))
        force = -J.T @ (m * (J_rate @ speed))
        place = self.coordinates.index
        for k, name in self.springs:
            force[place(name)] -= p[k] * q[name]
        for k, name in self.weights:
            force[place(name)] += p[k] * np.sin(q[name])
        for c, name in self.drags:
            force[place(name)] -= p[c] * w[name]
        return accelerations(J.T @ (m[:, None] * J), A, force, A_rate @ speed)

    def _named(self, values: np.ndarray) -> dict[str, float]:
        return dict(zip(self.coordinates, map(float, values), strict=True))
