"""The members of a package that has one class or function a file, each brought in by a line ``from … import *``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

__all__ = ["listed", "publish"]

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
    """Set a package's ``__all__``: what it or one of its files defines, not what they only use; and the names given.

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
