"""Brackets of expressions, one for each Lyndon word: a basis of what brackets of so many fields can give."""

from __future__ import annotations

from collections.abc import Iterator

import symengine

from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.expressions import Matrix, Vector

__all__ = ["bracket_layers", "lyndon_words"]

MAX_OPERATIONS = 60_000
"""Operations in one layer of brackets beyond which nothing longer is formed."""


def lyndon_words(letters: int, length: int) -> Iterator[tuple[int, ...]]:
    """Words that come first among their rotations, shortest first: one for each bracket of a basis of the free Lie algebra.

    >>> list(lyndon_words(2, 3))
    [(0,), (1,), (0, 1), (0, 0, 1), (0, 1, 1)]
    """
    found, word = [], [-1]
    while word:
        word[-1] += 1
        found.append(tuple(word))
        size = len(word)
        while len(word) < length:
            word.append(word[-size])
        while word and word[-1] == letters - 1:
            word.pop()
    return iter(sorted(found, key=lambda w: (len(w), w)))


def bracket_layers(frame: Frame, vectors: Matrix, length: int) -> Iterator[list[Vector]]:
    """Brackets of 1, 2, …, ``length`` fields, those that vanish left out."""
    known: dict[tuple[int, ...], Vector] = {}
    layer: list[Vector] = []
    size = 1
    for word in lyndon_words(len(vectors), length):
        if len(word) > size:
            yield layer
            if layer and symengine.count_ops(*(entry for value in layer for entry in value)) > MAX_OPERATIONS:
                return
            layer, size = [], len(word)
        if len(word) == 1:
            value: Vector = vectors[word[0]]
        else:
            # The longest proper suffix that is a Lyndon word; what precedes it is one as well.
            cut = next(k for k in range(1, len(word)) if word[k:] in known or _is_lyndon(word[k:]))
            left, right = known.get(word[:cut]), known.get(word[cut:])
            if left is None or right is None:
                continue
            value = bracket(frame, left, right)
        if any(entry != 0 for entry in value):
            known[word] = value
            layer.append(value)
    yield layer


def _is_lyndon(word: tuple[int, ...]) -> bool:
    return all(word < word[k:] for k in range(1, len(word)))
