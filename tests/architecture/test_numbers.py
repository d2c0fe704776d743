"""Numbers that decide something have a name, a reason beside it, and one home for each meaning."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import anholonomy
from anholonomy.base import tolerances

ROOT = Path(anholonomy.__file__).parent
_OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow}


class Number(NamedTuple):
    """A constant of a module, and what is said about it."""

    place: str
    name: str
    value: float
    reason: str


def _value(node: ast.expr) -> float | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return None if (value := _value(node.operand)) is None else -value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _value(node.left), _value(node.right)
        return None if left is None or right is None else float(_OPERATIONS[type(node.op)](left, right))
    return None


def _pairs(node: ast.stmt) -> Iterator[tuple[str, float]]:
    """The names in capitals that a statement gives a number each."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    target, value = node.targets[0], node.value
    both = (
        (target.elts, value.elts)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
        else ([target], [value])
    )
    for name, number in zip(*both, strict=False):
        if isinstance(name, ast.Name) and name.id.isupper() and (found := _value(number)) is not None:
            yield name.id, found


def numbers() -> Iterator[Number]:
    for path in sorted(ROOT.rglob("*.py")):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and str(after.value.value)
            for name, value in _pairs(node):
                yield Number(path.relative_to(ROOT).as_posix(), name, value, said or "")


NUMBERS = list(numbers())


def test_every_number_says_why() -> None:
    assert [f"{n.place}: {n.name}" for n in NUMBERS if len(n.reason) < 10] == []


@pytest.mark.parametrize("name", [name for name in tolerances.__all__ if name.isupper()])
def test_a_tolerance_has_one_home(name: str) -> None:
    assert [n.place for n in NUMBERS if n.name == name] == ["base/tolerances.py"]
    assert 0 < getattr(tolerances, name) < 1e-5


def test_what_is_said_twice_is_one_number() -> None:
    """The same sentence about the same number is the same number."""
    told: dict[tuple[str, float], set[str]] = {}
    for n in NUMBERS:
        told.setdefault((n.reason, n.value), set()).add(n.place)
    assert {key: places for key, places in told.items() if len(places) > 1} == {}
