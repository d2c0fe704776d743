"""Models of other people, taken while their own tests and docstrings form the equations."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from sympy.physics.mechanics import JointsMethod, KanesMethod, LagrangesMethod, System

FORMING = (
    (KanesMethod, "kanes_equations"),
    (LagrangesMethod, "form_lagranges_equations"),
    (System, "form_eoms"),
    (JointsMethod, "form_eoms"),
)


class Enough(BaseException):
    """All the models wanted have been formed; what a test does with them afterwards may take minutes."""


@contextlib.contextmanager
def capturing(found: list[Any], wanted: int) -> Iterator[None]:
    """Collect every object whose equations are formed by the code inside, not those that others form within."""
    inside = [0]

    def watched(form: Callable[..., Any]) -> Callable[..., Any]:
        def forming(self: Any, *args: Any, **words: Any) -> Any:
            inside[0] += 1
            try:
                result = form(self, *args, **words)
            finally:
                inside[0] -= 1
            if not inside[0] and not any(self is each for each in found):
                found.append(self)
                if len(found) == wanted:
                    raise Enough
            return result

        return forming

    before = [(cls, name, getattr(cls, name)) for cls, name in FORMING]
    for cls, name, form in before:
        setattr(cls, name, watched(form))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except Enough:
        pass
    finally:
        for cls, name, form in before:
            setattr(cls, name, form)


@cache
def of_a_test(path: str, wanted: int) -> list[Any]:
    """The models that a test function of SymPy's forms: ``mechanics.tests.test_kane.test_pend``."""
    module, *names = path.split(":")
    thing: Any = importlib.import_module(f"sympy.physics.{module}")
    for name in names:
        thing = getattr(thing, name)
    found: list[Any] = []
    with capturing(found, wanted):
        thing(None) if len(names) > 1 else thing()
    return found


@cache
def of_a_docstring(path: str, wanted: int) -> list[Any]:
    """The models that the examples in a docstring of SymPy's form: ``mechanics.kane:KanesMethod``."""
    module_name, name = path.split(":")
    module = importlib.import_module(f"sympy.physics.{module_name}")
    (example,) = (e for e in doctest.DocTestFinder(recurse=False).find(getattr(module, name), name, module=module))
    found: list[Any] = []
    with capturing(found, wanted), contextlib.redirect_stdout(io.StringIO()):
        globs: dict[str, Any] = {}
        for each in example.examples:
            exec(compile(each.source, path, "single"), globs)  # noqa: S102 (SymPy's own documentation)
    return found
