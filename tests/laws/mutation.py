"""Break one sign at a time: every ``+`` and ``-`` of a module, swapped in turn.

A mutant is the module executed again with one operator changed; wherever a loaded module of the package refers to an
original function or class, it refers to the mutant's for as long as the context lasts.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

__all__ = ["mutants", "sites"]


def _signs(tree: ast.AST) -> list[ast.AST]:
    """Sums, differences and negations, in the order of the source; annotations and indices are not arithmetic."""
    found = [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub))
        or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub))
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))  # type: ignore[attr-defined]


def sites(module: ModuleType, functions: tuple[str, ...]) -> list[tuple[int, str]]:
    """The places inside the named functions, each with the text of its line."""
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    tree, lines = ast.parse(source), source.splitlines()
    spans = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in functions
    ]
    return [
        (k, f"{Path(str(module.__file__)).stem}:{lines[node.lineno - 1].strip()}@{node.col_offset}")  # type: ignore[attr-defined]
        for k, node in enumerate(_signs(tree))
        if any(low <= node.lineno <= high for low, high in spans)  # type: ignore[attr-defined]
    ]


@contextmanager
def mutants(module: ModuleType, site: int) -> Iterator[None]:
    """The package with one sign of ``module`` flipped."""
    path = Path(str(module.__file__))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node = _signs(tree)[site]
    if isinstance(node, ast.BinOp):
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    else:
        node.op = ast.UAdd()  # type: ignore[attr-defined]
    mutant = ModuleType(module.__name__)
    mutant.__file__ = module.__file__
    exec(compile(tree, str(path), "exec"), mutant.__dict__)  # noqa: S102 - our own source, one operator changed
    swaps = {
        id(original): getattr(mutant, name)
        for name, original in vars(module).items()
        if getattr(original, "__module__", None) == module.__name__ and hasattr(mutant, name)
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
