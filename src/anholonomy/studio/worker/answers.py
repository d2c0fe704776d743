"""Equations by a principle, and questions with their evidence, as texts and formulas for the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

from anholonomy.base.errors import Error, UnknownNameError, quoted
from anholonomy.base.notebook import formula_of, mathml, verdict_of
from anholonomy.public.system import System
from anholonomy.reports.analysis import QUESTIONS
from anholonomy.show.text.geometry import geometry_lines
from anholonomy.studio.worker.declarations import held, inputs_in, system_of, valued, with_values

__all__ = ["ASKED", "answered", "derived"]

_FEW: dict[str, tuple[str, Callable[[System, float], Any]]] = {
    "verify": ("whether all principles agree", lambda system, limit: system.verify()),
    "geometry": ("what the constraints are", lambda system, limit: "\n".join(geometry_lines(system.model))),
    "controllability": ("what can be reached", lambda system, limit: system.controllability(time_limit=limit)),
    "solve": ("whether the motion has a closed form", lambda system, limit: system.closed_form(time_limit=limit)),
}
_STEERED = ("controllability", "verify", "geometry")
"""Questions about a system whose inputs are open; the others are asked with the inputs held."""
ASKED: dict[str, str] = {**QUESTIONS, **{name: title for name, (title, _) in _FEW.items()}}
"""What the page may ask, in its order."""


def derived(words: Mapping[str, Any]) -> dict[str, Any]:
    """The equations by a principle, as MathML and as text; parameters stay letters."""
    equations = system_of(words["declaration"]).derive(words["by"] or None)
    text = str(equations)
    return {"text": text, "formula": mathml(equations.latex(), text), "principle": equations.principle}


def answered(words: Mapping[str, Any], more: Callable[[Any], None]) -> dict[str, Any]:
    """One question: its sentence, its verdict, its formula."""
    name, limit = words["question"], float(words["limit"])
    if name not in ASKED:
        raise UnknownNameError(f"there is no question {quoted(name)}; ask {', '.join(ASKED)}.")
    system, parameters, _ = with_values(words)
    inputs = {} if name in _STEERED else inputs_in(system, parameters)
    system = (held if inputs else valued)(system, parameters)
    more({"said": f"{ASKED[name]}?"})
    began = perf_counter()
    try:
        answer = getattr(system, name)(time_limit=limit) if name in QUESTIONS else _FEW[name][1](system, limit)
    except Error as why:
        return {"text": str(why), "verdict": "", "formula": "", "seconds": perf_counter() - began, "held": inputs}
    seconds = perf_counter() - began
    said = {"text": str(answer), "verdict": verdict_of(answer), "formula": _formula(answer)}
    return {**said, "seconds": seconds, "held": inputs}


def _formula(answer: Any) -> str:
    """The answer as MathML, where it has formulas and they are of a size to be read."""
    made = mathml(formula_of(answer))
    return made if made.startswith("<math") else ""
