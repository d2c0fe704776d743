"""Break one term at a time: every ``+`` and ``-`` of a module flipped, every summand dropped, in turn.

A mutant is the module executed again with one operator changed; wherever a loaded module of the package refers to an
original function or class, it refers to the mutant's for as long as the context lasts.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

__all__ = ["Mutant", "broken", "mutants", "table"]


def _flipped(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.BinOp):
        return ast.BinOp(node.left, ast.Sub() if isinstance(node.op, ast.Add) else ast.Add(), node.right)
    assert isinstance(node, ast.UnaryOp)
    return node.operand


def _without_left(node: ast.expr) -> ast.expr:
    assert isinstance(node, ast.BinOp)
    return ast.UnaryOp(ast.USub(), node.right) if isinstance(node.op, ast.Sub) else node.right


def _without_right(node: ast.expr) -> ast.expr:
    assert isinstance(node, ast.BinOp)
    return node.left


CHANGES: dict[str, Callable[[ast.expr], ast.expr]] = {
    "flip": _flipped,
    "drop left": _without_left,
    "drop right": _without_right,
}


@dataclass(frozen=True)
class Mutant:
    """One change at one place of one module."""

    module: ModuleType
    site: int
    change: str
    text: str

    def __str__(self) -> str:
        return f"{self.module.__name__.rpartition('.')[2]}:{self.text}:{self.change}"


def _sums(tree: ast.AST) -> list[ast.expr]:
    """Sums, differences and negations, in the order of the source."""
    found = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub))
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub))
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset, node.end_col_offset or 0))


def mutants(module: ModuleType, functions: tuple[str, ...]) -> list[Mutant]:
    """Every change inside the named functions, each with the text of its line."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    tree, lines = ast.parse(source), source.splitlines()
    spans = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in functions
    ]
    return [
        Mutant(module, k, change, f"{lines[node.lineno - 1].strip()}@{node.col_offset}-{node.end_col_offset}")
        for k, node in enumerate(_sums(tree))
        if any(low <= node.lineno <= high for low, high in spans)
        for change in (CHANGES if isinstance(node, ast.BinOp) else ("flip",))
    ]


class _Replacing(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, ast.copy_location(new, old)

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


@contextmanager
def broken(mutant: Mutant) -> Iterator[None]:
    """The package with one term changed."""
    module, path = mutant.module, Path(str(mutant.module.__file__))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node = _sums(tree)[mutant.site]
    tree = ast.fix_missing_locations(_Replacing(node, CHANGES[mutant.change](node)).visit(tree))
    changed_module = ModuleType(module.__name__)
    changed_module.__file__ = module.__file__
    exec(compile(tree, str(path), "exec"), changed_module.__dict__)  # noqa: S102 - our own source, one term changed
    swaps = {
        id(original): getattr(changed_module, name)
        for name, original in vars(module).items()
        if getattr(original, "__module__", None) == module.__name__ and hasattr(changed_module, name)
    }
    changed: list[tuple[ModuleType, str, object]] = []
    for each in [m for name, m in list(sys.modules.items()) if name.startswith("anholonomy")]:
        for name, value in list(vars(each).items()):
            if id(value) in swaps:
                changed.append((each, name, value))
                setattr(each, name, swaps[id(value)])
    try:
        yield
    finally:
        for each, name, value in changed:
            setattr(each, name, value)


def table() -> str:
    """How many terms are changed in which functions, in Markdown; `make laws` sees that each change is noticed."""
    from tests.properties.trials import TRIALS

    lines = ["| module | functions | terms changed |", "| --- | --- | --- |"]
    for trial in TRIALS:
        functions = ", ".join(f"`{name}`" for name in trial.functions)
        name = trial.module.__name__.removeprefix("anholonomy.")
        lines.append(f"| `{name}` | {functions} | {len(mutants(trial.module, trial.functions))} |")
    return "\n".join(lines)
