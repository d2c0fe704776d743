"""The members of a package that has one class or function a file, and public names that are imported when they are first asked for."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["leave_out", "listed", "open_lazily", "publish"]

T = TypeVar("T")


def listed(names: Mapping[str, Any], kind: Callable[..., T]) -> tuple[type[T], ...]:
    """The classes of a kind among a package's names, in the order of its lines; abstract ones are no members.

    >>> listed({"a": bool, "b": int, "c": 3, "d": bool}, int)
    (<class 'bool'>, <class 'int'>)
    """
    base: Any = kind  # mypy admits an abstract class only as something that makes its instances
    classes: list[Any] = [value for value in names.values() if inspect.isclass(value) and issubclass(value, base)]
    return tuple(dict.fromkeys(value for value in classes if not inspect.isabstract(value)))


def publish(names: dict[str, Any], *more: str) -> None:
    """Set a package's ``__all__``, and what `dir` shows of it: what it or one of its files defines, not what they only use; and the names given.

    Type checkers read a computed ``__all__`` as an empty one, and see the same names where there is none.

    >>> names = {"__name__": "rooms", "own": 1, "_hidden": 2, "Mapping": Mapping, "inspect": inspect}
    >>> publish(names)
    >>> names["__all__"]
    ['own']
    """
    home = names["__name__"]
    own = [
        name
        for name, value in names.items()
        if not (name.startswith("_") or inspect.ismodule(value))
        and str(getattr(value, "__module__", None) or home).startswith(home)
    ]
    names["__all__"] = [*own, *more]
    names["__dir__"] = lambda: sorted(names["__all__"])


def leave_out(names: dict[str, Any], *others: str) -> None:
    """Remove names from a door that has them under other ones, or that are not for users.

    >>> names = {"GROUPS": 1, "ALL": 1}
    >>> leave_out(names, "GROUPS")
    >>> names
    {'ALL': 1}
    """
    for name in others:
        del names[name]


def open_lazily(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The ``__getattr__``, ``__dir__`` and ``__all__`` of a package whose public names are listed in the stub beside its file.

    The stub has lines such as ``from anholonomy.public.system import System as System``; the module is imported when the name is used.
    A name that moved is refused with the place where it is now.
    """
    names = vars(sys.modules[package])
    homes = _names_of_stub(Path(names["__file__"]).with_suffix(".pyi"))

    def find(name: str) -> Any:
        if name in homes:
            module, original = homes[name]
            found = (
                import_module(f"{package}.{name}") if module == package else getattr(import_module(module), original)
            )
            names[name] = found
            return found
        if not name.startswith("_"):
            from anholonomy.base import former_names

            former_names.refuse_name(package, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find, lambda: sorted(homes), list(homes)


def _names_of_stub(path: Path) -> dict[str, tuple[str, str]]:
    """By public name, the module that has it and its name there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name: (str(node.module), alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
