r"""The same system written down in other ways, and what its questions answer about each of them.

.. math:: L + \frac{\mathrm{d}F(q)}{\mathrm{d}t}, \qquad f(q)\,\bigl(\varphi - c\bigr) = 0, \qquad \varphi_1 + f(q)\,\varphi_2 = 0, \qquad q^k = g(u)

Everything is done to texts here, by regular expressions; nothing is left to the package that is tried.
"""

from __future__ import annotations

import random
import re
import tomllib
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import anholonomy as ah
from anholonomy.base.verdict import Verdict

TOTAL_DERIVATIVES = (
    ("exp({0})", "exp({0})*{0}'"),
    ("sin({0})", "cos({0})*{0}'"),
    ("({0} - 1)*exp({0})", "{0}*exp({0})*{0}'"),
    ("sin({0}) - {0}*cos({0})", "{0}*sin({0})*{0}'"),
    ("({0}^2 + 1)*(log({0}^2 + 1) - 1)/2", "{0}*log({0}^2 + 1)*{0}'"),
    ("sin({0})*exp({1})", "cos({0})*exp({1})*{0}' + sin({0})*exp({1})*{1}'"),
    ("cosh({0}*{1})", "sinh({0}*{1})*({1}*{0}' + {0}*{1}')"),
    ("{0}*log({1}^2 + 2)", "log({1}^2 + 2)*{0}' + 2*{0}*{1}*{1}'/({1}^2 + 2)"),
)
"""Functions of coordinates, and what is added to the Lagrangian."""
FACTORS = (
    "exp({0})",
    "(2 + sin({0}))",
    "(1 + {0}^2)",
    "exp(sin({0}))",
    "exp({0}*{1})",
    "(2 + cos({0} + {1}))",
    "cosh({0})",
    "exp(-{0}^2)",
    "1/(1 + {0}^2)",
    "sqrt(1 + {0}^2)",
    "(3 + log(1 + {0}^2))",
)
"""Functions that vanish nowhere."""
ANYTHING = ("sin({0})", "{0}", "exp({0})", "{0}*{1}", "3", "log(1 + {0}^2)")
IMAGES = (
    ("{0} + 1/3", "{0}'"),
    ("log({0}^2 + 1)", "(2*{0}*{0}'/({0}^2 + 1))"),
    ("2*log({0})", "(2*{0}'/{0})"),
    ("-{0}", "-{0}'"),
    ("1000*{0}", "1000*{0}'"),
    ("{0}/500", "{0}'/500"),
    ("log({0})", "({0}'/{0})"),
    ("sinh({0})", "cosh({0})*{0}'"),
    ("({0} + {0}^3)", "(1 + 3*{0}^2)*{0}'"),
    ("exp({0})", "exp({0})*{0}'"),
)
"""What a coordinate is of a new one, and its rate."""
_WORD = re.compile(r"[A-Za-z_]\w*'*")
_NUMBER = re.compile(r"(?<![\w.^'/])\d+\.\d+(?![\w.])")


@dataclass(frozen=True)
class Dress:
    """A declaration by texts, and the words for what was done to it."""

    coordinates: tuple[str, ...]
    lagrangian: str
    constraints: tuple[str, ...]
    parameters: Mapping[str, Any]
    done: tuple[str, ...] = ()

    def system(self) -> ah.System:
        """Declared without frame and scene, which belong to the old coordinates."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ah.System(
                name=" and ".join(self.done) or "plain",
                coordinates=list(self.coordinates),
                lagrangian=self.lagrangian,
                constraints=list(self.constraints),
                parameters=dict(self.parameters),
            )


def plain(system: ah.System) -> Dress:
    """The declaration of a system with a Lagrangian and no group."""
    read = tomllib.loads(system.to_toml())
    constraints = read.get("constraints", {})
    return Dress(
        tuple(read["coordinates"]),
        read["lagrangian"],
        tuple(constraints.values() if isinstance(constraints, dict) else constraints),
        read.get("parameters", {}),
    )


def total_derivative(dress: Dress, rng: random.Random) -> Dress:
    _, rate = rng.choice(TOTAL_DERIVATIVES)
    added = rate.format(*_two(dress, rng))
    return replace(dress, lagrangian=f"{dress.lagrangian} + {added}", done=(*dress.done, f"+ {added}"))


def multiplied(dress: Dress, rng: random.Random) -> Dress:
    rows, k = list(dress.constraints), rng.randrange(len(dress.constraints))
    factor = rng.choice(FACTORS).format(*_two(dress, rng))
    left, right = rows[k].split("=")
    rows[k] = f"{factor}*({left}) = {factor}*({right})"
    return replace(dress, constraints=tuple(rows), done=(*dress.done, f"times {factor}"))


def recombined(dress: Dress, rng: random.Random) -> Dress:
    if len(dress.constraints) < 2:
        return multiplied(dress, rng)
    rows = list(dress.constraints)
    j, k = rng.sample(range(len(rows)), 2)
    factor = rng.choice(ANYTHING).format(*_two(dress, rng))
    (left, right), (other, there) = rows[j].split("="), rows[k].split("=")
    rows[j] = f"{left} + {factor}*({other}) = {right} + {factor}*({there})"
    return replace(dress, constraints=tuple(rows), done=(*dress.done, f"row {j} + {factor}*(row {k})"))


def coordinate_changed(dress: Dress, rng: random.Random) -> Dress:
    q, new = rng.choice(dress.coordinates), rng.choice(("u", "v", "w", "r", "s"))
    if new in {*dress.coordinates, *dress.parameters}:
        new = f"{q}_new"
    image, rate = (text.format(new) for text in rng.choice(IMAGES))
    words = {q: f"({image})", f"{q}'": f"({rate})"}

    def put(text: str) -> str:
        return _WORD.sub(lambda word: words.get(word[0], word[0]), text)

    return replace(
        dress,
        coordinates=tuple(new if name == q else name for name in dress.coordinates),
        lagrangian=put(dress.lagrangian),
        constraints=tuple(map(put, dress.constraints)),
        done=(*dress.done, f"{q} = {image}"),
    )


def renamed(dress: Dress, rng: random.Random) -> Dress:
    words = dict(
        zip(dress.coordinates, rng.sample([f"q{k}" for k in range(1, 10)], len(dress.coordinates)), strict=True)
    )
    words |= {f"{q}'": f"{new}'" for q, new in words.items()}

    def put(text: str) -> str:
        return _WORD.sub(lambda word: words.get(word[0], word[0]), text)

    order = [words[q] for q in dress.coordinates]
    rng.shuffle(order)
    return replace(
        dress,
        coordinates=tuple(order),
        lagrangian=put(dress.lagrangian),
        constraints=tuple(map(put, dress.constraints)),
        done=(*dress.done, "renamed"),
    )


def parameters_as_numbers(dress: Dress, rng: random.Random) -> Dress:
    words = {name: f"({value!r})" for name, value in dress.parameters.items() if isinstance(value, float | int)}

    def put(text: str) -> str:
        return _WORD.sub(lambda word: words.get(word[0], word[0]), text)

    return replace(
        dress,
        lagrangian=put(dress.lagrangian),
        constraints=tuple(map(put, dress.constraints)),
        parameters={name: value for name, value in dress.parameters.items() if name not in words},
        done=(*dress.done, "numbers for letters"),
    )


def factor_as_parameter(dress: Dress, rng: random.Random) -> Dress:
    """A Lagrangian times a letter: the equations are the same."""
    return replace(
        dress,
        lagrangian=f"kappa*({dress.lagrangian})",
        parameters={**dress.parameters, "kappa": rng.choice((2.5, 7.0, 0.125))},
        done=(*dress.done, "times kappa"),
    )


DISGUISES: tuple[Callable[[Dress, random.Random], Dress], ...] = (
    total_derivative,
    multiplied,
    recombined,
    coordinate_changed,
    renamed,
    parameters_as_numbers,
    factor_as_parameter,
)


def disguised(dress: Dress, rng: random.Random) -> Dress:
    """Some disguises, one over the other."""
    for make in rng.sample(DISGUISES, rng.choice((1, 2, 2, 3))):
        if dress.constraints or make not in (multiplied, recombined):
            dress = make(dress, rng)
    return dress


def _two(dress: Dress, rng: random.Random) -> list[str]:
    return rng.sample(dress.coordinates, 2)


# What is asked.

INVARIANT = ("measure", "vakonomic", "accessible", "holonomic")
"""Questions whose answer does not depend on the dress; what is conserved is looked for in classes that do."""
OF_WHAT_IS_SEEN = ("multiplier",)
"""Questions whose answer is about the symmetries that are seen in the coordinates and constraints as they are written."""


def asked(system: ah.System, seconds: float, questions: tuple[str, ...] = ()) -> dict[str, Verdict | str]:
    """The verdict on each question, or the name of the package's own error; every other exception goes through."""
    found: dict[str, Verdict | str] = {}
    for name, question in _QUESTIONS.items():
        if questions and name not in questions:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found[name] = question(system, seconds)
        except ah.Error as error:
            found[name] = type(error).__name__
    return found


def contradictions(dress: Dress, plainly: Mapping[str, Any], otherwise: Mapping[str, Any]) -> list[str]:
    """The questions that one dress has proven and the other refuted."""
    opposite = {Verdict.PROVEN, Verdict.REFUTED}
    same = not any(word in done for done in dress.done for word in (" = ", "times", "row"))
    questions = INVARIANT + OF_WHAT_IS_SEEN * same
    return [name for name in questions if {plainly.get(name), otherwise.get(name)} == opposite]


def _conserved(system: ah.System, seconds: float) -> Verdict:
    laws = system.conserved(time_limit=seconds)
    str(laws), laws.latex()
    return laws.finding.verdict


def _simulated(system: ah.System, seconds: float) -> Verdict:
    model = system.model
    start = {q.name: 1 + k / 7 for k, q in enumerate(model.coordinates)}
    start |= {f"{q.name}'": 0.1 + k / 9 for k, q in enumerate(model.coordinates)}
    system.simulate(start, until=0.1, project=True)
    return Verdict.PROVEN


def _linearized(system: ah.System, seconds: float) -> Verdict:
    rest = {q.name: 1.0 for q in system.model.coordinates} | {f"{q.name}'": 0.0 for q in system.model.coordinates}
    part = system.linearize(rest)
    str(part), part.eigenvalues
    return Verdict.PROVEN


def _energy(system: ah.System, seconds: float) -> Verdict:
    found = system.moving_energy(time_limit=seconds)
    str(found)
    return found.verdict


def _measure(system: ah.System, seconds: float) -> Verdict:
    found = system.invariant_measure(time_limit=seconds)
    str(found)
    return found.verdict


def _multiplier(system: ah.System, seconds: float) -> Verdict:
    found = system.hamiltonize(time_limit=seconds)
    str(found)
    return found.finding.verdict


def _vakonomic(system: ah.System, seconds: float) -> Verdict:
    found = system.compare_vakonomic(time_limit=seconds)
    str(found)
    return found.verdict


def _derived(system: ah.System, seconds: float) -> Verdict:
    for principle in ("hamel", "lagrange-dalembert"):
        str(system.derive(principle))
    return Verdict.PROVEN


_QUESTIONS: dict[str, Callable[[ah.System, float], Verdict]] = {
    "derived": _derived,
    "simulated": _simulated,
    "linearized": _linearized,
    "conserved": _conserved,
    "energy": _energy,
    "measure": _measure,
    "multiplier": _multiplier,
    "vakonomic": _vakonomic,
    "accessible": lambda system, seconds: system.controllability().accessible.verdict,
    "holonomic": lambda system, seconds: system.is_holonomic().verdict,
}
