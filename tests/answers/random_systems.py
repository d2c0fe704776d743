"""Two hundred random systems as data: declarations in words, an admissible state, and the accelerations there.

`write` draws the declarations from a fixed seed and keeps them in ``random_systems.json``; `compare` reads them from there, so that what
is compared are these systems, whatever becomes of the generator.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import anholonomy as ah
from tests.answers.comparing import differences
from tests.answers.numbers import Data, plain
from tests.answers.questions import EXACT, refusal

DATA = Path(__file__).with_name("random_systems.json")
COUNT, SEED = 200, 20261119
SHAPES = ("sin({})", "cos({})", "{}", "{}^2", "sin({})*cos({})", "exp(-{}^2)", "{}/(1 + {}^2)", "sqrt(1 + {}^2)")

Declaration = dict[str, Any]
"""The words of a declaration: names, texts and numbers."""


class Draw(random.Random):
    """Random parts of declarations."""

    def function(self, names: Sequence[str]) -> str:
        """A smooth function of one or two of the names."""
        shape = self.choice(SHAPES)
        return f"{self.randint(1, 9)}/{self.randint(5, 9)}*" + shape.format(*(self.choice(names) for _ in range(shape.count("{}"))))  # fmt: skip

    def share(self, part: float) -> bool:
        return self.random() < part

    def energy(self, velocities: Sequence[str], names: Sequence[str]) -> str:
        """A positive kinetic energy whose matrix depends on the names."""
        squares = []
        for i, velocity in enumerate(velocities):
            inner = [velocity] + [f"({self.function(names)})*{other}" for other in velocities[:i] if self.share(0.5)]
            squares.append(f"(1 + ({self.function(names)})^2)*({' + '.join(inner)})^2/2")
        return " + ".join(squares)

    def lagrangian(self, q: Sequence[str], gyroscopic: bool = True, timed: bool = True) -> str:
        linear = [f"({self.function(q)})*{name}'" for name in q] if gyroscopic else []
        potential = self.function([*q, "t"] if timed else q)
        return " + ".join([self.energy([f"{name}'" for name in q], q), *linear]) + f" - ({potential})"

    def row(self, q: Sequence[str], k: int, kind: str) -> str:
        """The k-th constraint; a leading coefficient keeps the rows independent."""
        names = [*q, "t"] if "time" in kind else q
        terms = [f"(2 + ({self.function(names)})^2)*{q[k]}'"]
        terms += [f"({self.function(names)})*{name}'" for name in q if name != q[k] and self.share(0.6)]
        if "affine" in kind or kind == "nonlinear":
            terms.append(self.function(names))
        if kind == "nonlinear":
            other = q[(k + 1) % len(q)]
            terms.append(f"1/7*{other}'^2 + 1/9*{q[k]}'*{other}'")
        return " + ".join(terms) + " = 0"

    def forces(self, q: Sequence[str]) -> dict[str, str]:
        return {q[0]: f"-k*{q[0]}' + {self.function([*q, 't'])}", q[-1]: f"{self.function(q)}*{q[0]}'"}


def _chart(kind: str) -> Callable[[Draw], Declaration]:
    def declare(draw: Draw) -> Declaration:
        n = draw.randint(2, 5)
        q = [f"q{i}" for i in range(n)]
        rows = [draw.row(q, k, kind) for k in range(draw.randint(1, min(2, n - 1)))]
        return {"coordinates": q, "lagrangian": draw.lagrangian(q), "constraints": rows, "forces": draw.forces(q), "parameters": {"k": 0.3}}  # fmt: skip

    return declare


def _free(draw: Draw) -> Declaration:
    q = [f"q{i}" for i in range(draw.randint(1, 4))]
    return {"coordinates": q, "lagrangian": draw.lagrangian(q), "forces": draw.forces(q), "parameters": {"k": 0.3}}


def _natural(draw: Draw) -> Declaration:
    q = [f"q{i}" for i in range(draw.randint(3, 4))]
    rows = [draw.row(q, k, "linear") for k in range(2)]
    return {"coordinates": q, "lagrangian": draw.lagrangian(q, False, False), "constraints": rows}


def _position(draw: Draw) -> Declaration:
    q = [f"q{i}" for i in range(draw.randint(2, 4))]
    rows = [f"{q[-1]} + {' + '.join(draw.function([name]) for name in q[:-1])} = 1/3"]
    rows += [draw.row(q[:-1], 0, "linear")] if len(q) > 2 and draw.share(0.5) else []
    return {"coordinates": q, "lagrangian": draw.lagrangian(q), "constraints": rows, "forces": draw.forces(q), "parameters": {"k": 0.2}}  # fmt: skip


def _acceleration(draw: Draw) -> Declaration:
    q = [f"q{i}" for i in range(draw.randint(2, 4))]
    others = " + ".join(f"({draw.function(q)})*{name}''" for name in q[1:])
    row = f"(2 + ({draw.function(q)})^2)*{q[0]}'' + {others} + {draw.function([*q, 't'])}*{q[0]}' = 0"
    return {"coordinates": q, "lagrangian": draw.lagrangian(q), "constraints": [row]}


def _redundant(draw: Draw) -> Declaration:
    q = [f"q{i}" for i in range(draw.randint(3, 4))]
    rows = [draw.row(q, k, "affine time-dependent").removesuffix(" = 0") for k in range(2)]
    mixed = f"({draw.function(q)})*({rows[0]}) + 3*({rows[1]})"
    rows = [f"{row} = 0" for row in (*rows, mixed)]
    return {"coordinates": q, "lagrangian": draw.lagrangian(q), "constraints": rows, "redundant": draw.choice(("keep", "drop"))}  # fmt: skip


def _momenta(draw: Draw) -> Declaration:
    q = [f"q{i}" for i in range(draw.randint(2, 4))]
    momenta = {}
    for name in q:
        mixed = [f"1/9*({draw.function([*q, 't'])})*{other}'" for other in q if other != name]
        momenta[name] = " + ".join([f"(3 + {draw.function(q)})*{name}'", *mixed])
    forces = {name: f"{draw.function([*q, 't'])}*{q[1]}'" for name in q}
    rows = [draw.row(q, 0, "affine time-dependent")] if draw.share(0.8) else []
    return {"coordinates": q, "momenta": momenta, "forces": forces, "constraints": rows}


def _fibred(draw: Draw) -> Declaration:
    base = [f"q{i}" for i in range(draw.randint(2, 4))]
    slopes = " + ".join(f"({draw.function(base)})*{name}'" for name in base)
    energy = draw.energy([f"{name}'" for name in (*base, "z")], base)
    return {"coordinates": [*base, "z"], "lagrangian": f"{energy} - ({draw.function(base)})", "constraints": [f"z' = {slopes}"]}  # fmt: skip


ENTRIES_OF_ROTATIONS = ("1 - 2*(q2^2 + q3^2)", "2*(q1*q2 - q0*q3)", "2*(q1*q3 + q0*q2)", "2*(q2*q3 - q0*q1)", "2*(q0*q3 + q1*q2)")  # fmt: skip


def _turning(group: str) -> Callable[[Draw], Declaration]:
    """A body that turns, perhaps beside a chart, with constraints whose coefficients turn with it."""

    def declare(draw: Draw) -> Declaration:
        chart = [] if draw.share(0.4) else ["x", "y"]
        speeds = ["w1", "w2", "w3", *(f"{name}'" for name in chart)]
        turned = list(ENTRIES_OF_ROTATIONS)
        inertia = [f"I{i}*w{i}^2/2" for i in (1, 2, 3)] + [f"m*{name}'^2/2" for name in chart]
        mixed = f"{draw.randint(1, 4)}/9*w1*w{draw.randint(2, 3)}"
        potential = f"g*({draw.choice(turned)})" + (f" + {draw.function(chart)}" if chart else "")
        rows = []
        for k in range(draw.randint(1, 2) if chart else 1):
            lead = f"{chart[k]}'" if chart else "2*w3"
            rows.append(f"{lead} = " + " + ".join(f"({draw.choice(turned)})*w{i}/2" for i in (1, 2)) + (f" + {draw.randint(1, 5)}/7" if draw.share(0.3) else ""))  # fmt: skip
        values = {f"I{i}": 1.0 + round(draw.random(), 2) for i in (1, 2, 3)} | {"g": round(draw.uniform(0.5, 3), 2)}
        values |= {"m": round(draw.uniform(0.5, 2), 2)} if chart else {}
        forces = {speeds[0]: f"-{draw.randint(1, 4)}/5*{speeds[1]}"} if draw.share(0.5) else {}
        return {"group": group, "coordinates": chart, "lagrangian": " + ".join([*inertia, mixed]) + f" - ({potential})", "constraints": rows, "forces": forces, "parameters": values}  # fmt: skip

    return declare


def _planar_group(draw: Draw) -> Declaration:
    r = ["r"] if draw.share(0.5) else []
    energy = draw.energy(["v1", "v2", "w", *(f"{name}'" for name in r)], r or ["x"])
    row = f"v2 = {draw.function(['theta', *r])}*w" + (f" + {draw.randint(1, 5)}/6*v1" if draw.share(0.5) else "")
    forces = {"v1": f"-v1/{draw.randint(2, 5)}"} if draw.share(0.5) else {}
    return {"group": "SE2", "coordinates": r, "lagrangian": f"{energy} - {draw.function(['x', 'theta'])}", "constraints": [row], "forces": forces}  # fmt: skip


def _quaternion(draw: Draw) -> Declaration:
    """A unit quaternion by hand, its norm a constraint on positions."""
    q = [f"e{i}" for i in range(4)]
    inertia = " + ".join(f"{draw.randint(2, 9)}/4*({term})^2" for term in (
        "e0*e1' - e1*e0' + e3*e2' - e2*e3'", "e0*e2' - e2*e0' + e1*e3' - e3*e1'", "e0*e3' - e3*e0' + e2*e1' - e1*e2'"))  # fmt: skip
    rows = {"norm": "e0^2 + e1^2 + e2^2 + e3^2 = 1"}
    if draw.share(0.5):
        rows["edge"] = "e0*e3' - e3*e0' + e2*e1' - e1*e2' = 0"
    norm = "(e0*e0' + e1*e1' + e2*e2' + e3*e3')^2"
    return {"coordinates": q, "lagrangian": f"{inertia} + {norm} - {draw.randint(1, 5)}/3*e1*e2", "constraints": rows}


def _vehicle(draw: Draw) -> Declaration:
    """A cart with trailers hitched behind, perhaps with a hitch off the axle, and a mass off its middle."""
    count = draw.randint(1, 3)
    angles = [f"h{i}" for i in range(count)]
    values: dict[str, float] = {"m": round(draw.uniform(0.5, 3), 2), "J": round(draw.uniform(0.1, 1), 2), "c": round(draw.uniform(-0.4, 0.4), 2)}  # fmt: skip
    px, py = "x'", "y'"
    rows, energy = [], []
    for i, h in enumerate(angles):
        if i:
            values |= {f"d{i}": round(draw.uniform(0.5, 1.5), 2), f"e{i}": draw.choice((0.0, round(draw.uniform(0.1, 0.4), 2)))}  # fmt: skip
            before = angles[i - 1]
            px += f" + e{i}*sin({before})*{before}' + d{i}*sin({h})*{h}'"
            py += f" - e{i}*cos({before})*{before}' - d{i}*cos({h})*{h}'"
        rows.append(f"({px})*sin({h}) - ({py})*cos({h}) = 0")
        energy.append(f"m/2*(({px} - c*sin({h})*{h}')^2 + ({py} + c*cos({h})*{h}')^2) + J/2*{h}'^2")
    kinds = {"x": "length", "y": "length"} | dict.fromkeys(angles, "angle")
    forces = {"x": "F*cos(h0)", "y": "F*sin(h0)", angles[-1]: f"-{angles[-1]}'/7"} if draw.share(0.5) else {}
    values |= {"F": 0.8} if forces else {}
    return {"coordinates": kinds, "lagrangian": " + ".join(energy), "constraints": rows, "forces": forces, "parameters": values}  # fmt: skip


def _disguised(draw: Draw) -> Declaration:
    """A sleigh, a rolling disc or Heisenberg's particle in coordinates that hide it."""
    a, b = draw.randint(2, 5), draw.randint(6, 9)
    known: list[Declaration] = [
        {"coordinates": ["x", "y", "s"], "lagrangian": "m*(x'^2 + y'^2)/2 + I*(3*s^2 + 1)^2*s'^2/2", "constraints": ["x'*sin(s^3 + s) = y'*cos(s^3 + s)"], "parameters": {"m": float(a), "I": 0.3}},
        {"coordinates": ["u", "v", "theta"], "lagrangian": f"m*((u' + v'/{a})^2 + (v' - u'/{b})^2)/2 + I*theta'^2/2 + m*c*theta'*((v' - u'/{b})*cos(theta) - (u' + v'/{a})*sin(theta))", "constraints": [f"(u' + v'/{a})*sin(theta) - (v' - u'/{b})*cos(theta) = 0"], "parameters": {"m": 1.0, "I": 0.5, "c": 0.2}},
        {"coordinates": ["x", "y", "w"], "lagrangian": f"(x'^2 + y'^2 + (w' + {a}*x*y' + {a}*y*x')^2)/2", "constraints": [f"w' + {a}*x*y' + {a}*y*x' = (x*y' - y*x')/{b}"]},
        {"coordinates": ["x", "y", "theta", "phi"], "lagrangian": f"(x'^2 + y'^2)/2 + J*theta'^2/2 + I*(phi' + theta'/{a})^2/2", "constraints": {"along": f"x'*cos(theta) + y'*sin(theta) = R*(phi' + theta'/{a})", "across": "x'*sin(theta)^3 + x'*sin(theta)*cos(theta)^2 = y'*cos(theta)"}, "parameters": {"J": 0.25, "I": 0.5, "R": 0.5 + 0.1 * b}},
        {"coordinates": ["r", "a", "z"], "lagrangian": f"(r'^2 + r^2*a'^2 + z'^2)/2 - {b}/10*z", "constraints": [f"z' = r^2*a'/{a}"]},
    ]  # fmt: skip
    return draw.choice(known)


KINDS: dict[str, tuple[int, Callable[[Draw], Declaration]]] = {
    "free": (10, _free),
    "natural": (12, _natural),
    "linear": (18, _chart("linear")),
    "affine": (16, _chart("affine")),
    "time-dependent": (14, _chart("time-dependent")),
    "affine time-dependent": (12, _chart("affine time-dependent")),
    "nonlinear": (14, _chart("nonlinear")),
    "position": (14, _position),
    "acceleration": (8, _acceleration),
    "redundant": (8, _redundant),
    "momenta": (10, _momenta),
    "fibred": (12, _fibred),
    "SO3": (12, _turning("SO3")),
    "SU2": (8, _turning("SU2")),
    "SE2": (10, _planar_group),
    "quaternion by hand": (4, _quaternion),
    "vehicle": (12, _vehicle),
    "disguised": (6, _disguised),
}
"""How many of each kind, together two hundred, and how one is drawn."""


def declared(words: Declaration) -> Any:
    """The system of a declaration."""
    return ah.System(name="random", **words)


def _state(system: Any, draw: Draw) -> dict[str, float]:
    """An admissible state near a random one, as numbers that are written with seventeen digits."""
    symbols = [s.name for s in (*system.coordinates, *system.velocities)]
    start = {name: round(draw.uniform(0.2, 0.9) * draw.choice((-1, 1)), 3) for name in symbols}
    t = round(draw.uniform(0, 1), 3)
    run = system.simulate(start | {"t": t}, times=[t, t + 1e-4], project=True)
    return {name: float(run[name].values[0]) for name in symbols} | {"t": t}


def answers(system: Any, state: dict[str, float]) -> dict[str, Data]:
    """The accelerations, and the reactions, at a state by the default principle and by multipliers."""
    found: dict[str, Data] = {}
    for name, by in {"default": None, "multipliers": "lagrange-dalembert"}.items():
        try:
            equations = system.derive(by)
            found[name] = {"accelerations": plain(list(equations.accelerations(state).values())), "reactions": plain(list(equations.reactions(state).values()))}  # fmt: skip
        except ah.Error as refused:
            found[name] = refusal(refused)
    return found


def drawn(kind: str, number: int) -> dict[str, Data]:
    """One system of a kind with its state and accelerations; declarations that are refused are drawn again."""
    declare = KINDS[kind][1]
    for attempt in range(50):
        draw = Draw(f"{SEED} {kind} {number} {attempt}")
        words = {word: each for word, each in declare(draw).items() if each}
        try:
            system = declared(words)
            state = _state(system, draw)
        except ah.Error:
            continue
        return {"declaration": words, "state": state, **answers(system, state)}
    raise RuntimeError(f"no system of the kind {kind} was admissible")


def write(path: Path = DATA) -> None:
    """Draw all systems and keep them, a line each."""
    assert sum(count for count, _ in KINDS.values()) == COUNT
    rows = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind, (count, _) in KINDS.items():
            rows |= {f"{kind} {k:02d}": drawn(kind, k) for k in range(count)}
            print(f"random systems: {len(rows)} of {COUNT}", file=sys.stderr, flush=True)
    lines = [f" {json.dumps(name)}: {json.dumps(row, allow_nan=False)}" for name, row in sorted(rows.items())]  # fmt: skip
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def compare(names: Sequence[str] = ()) -> Iterator[str]:
    """What differs from the data, of all systems or of some, a sentence each."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names or data:
            row = data[name]
            kept = {each: row[each] for each in ("default", "multipliers")}
            found = answers(declared(row["declaration"]), row["state"])
            yield from (f"random: {name}: {each}" for each in differences(kept, found, EXACT))
