"""Weights of a quadratic cost as users give them: a matrix, a dict by name, or a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.language.given import finite
from anholonomy.language.mistakes.nearest import did_you_mean
from anholonomy.refusals import NotCovered, UnknownName

__all__ = ["weights"]


def weights(system: str, word: str, given: Any, names: Sequence[str], positive: bool) -> Array:
    """A symmetric matrix with a row for each name that is positive, or not negative."""
    found = _matrix(system, word, given, names)
    size = len(names)
    if found.shape != (size, size) or not np.isfinite(found).all():
        raise NotCovered(
            f"{system}: `{word}` has the shape {found.shape}; give {size} rows of {size} finite numbers, for {', '.join(names)}, a dict "
            "by these names, or a number."
        )
    largest = float(np.abs(found).max(initial=0.0))
    if np.abs(found - found.T).max(initial=0.0) > 1e-12 * largest:
        raise NotCovered(f"{system}: `{word}` is not symmetric; give the same weight on both sides of its diagonal.")
    least = float(np.linalg.eigvalsh(found).min(initial=np.inf))
    if least < -1e-12 * largest or (positive and not least > 0):
        wanted = "positive" if positive else "not negative"
        raise NotCovered(f"{system}: `{word}` weighs some direction by {least:.3g}; make all its weights {wanted}.")
    return found


def _matrix(system: str, word: str, given: Any, names: Sequence[str]) -> Array:
    if isinstance(given, Mapping):
        for name, value in given.items():
            if name not in names:
                raise UnknownName(
                    f"{system}: `{word}` weighs {str(name)!r:.60}; {did_you_mean(str(name), names)}the names are {', '.join(names)}."
                )
            if finite(value) is None:
                raise NotCovered(f"{system}: `{word}` weighs {name} by {value!r:.60}; give a finite number.")
        return np.diag([float(given.get(name, 0.0)) for name in names])
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise NotCovered(f"{system}: `{word}` is {given!r:.60}; give a matrix, a dict by name, or a number.") from None
    if values.ndim == 0:
        return float(values) * np.eye(len(names))
    return np.diag(values) if values.ndim == 1 and values.size == len(names) else values
