"""Brackets by name, as many as span: one for each Lyndon word of the fields."""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.analysis.controllability.spans import SpanPlace
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.distributions.flags.bracket_words import lyndon_words
from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.expressions import Matrix, Vector
from anholonomy.symbolic.patience import check

__all__ = ["named_brackets", "spanning_brackets"]


def spanning_brackets(D: Distribution, place: SpanPlace, names: Sequence[str], length: int = 6) -> tuple[str, ...]:
    """The names of brackets of a distribution's fields that are independent at a place."""
    found = named_brackets(D.frame, D.vectors_ai, names, place, D.frame.size, length)
    return tuple(name for name, _ in found)


def named_brackets(
    frame: Frame, fields: Matrix, names: Sequence[str], place: SpanPlace, dimension: int, length: int
) -> list[tuple[str, Vector]]:
    """Independent brackets with their names, the short ones first, until they have a dimension."""
    known: dict[tuple[int, ...], tuple[str, Vector]] = {}
    kept: list[tuple[str, Vector]] = []
    for word in lyndon_words(len(fields), length):
        check()
        if len(word) == 1:
            known[word] = names[word[0]], fields[word[0]]
        else:
            cut = next(k for k in range(1, len(word)) if all(word[k:] < word[j:] for j in range(k + 1, len(word))))
            parts = known.get(word[:cut]), known.get(word[cut:])
            if parts[0] is None or parts[1] is None:
                continue
            value = bracket(frame, parts[0][1], parts[1][1])
            if all(entry == 0 for entry in value):
                continue
            known[word] = f"[{parts[0][0]}, {parts[1][0]}]", value
        if len(place.independent([*(v for _, v in kept), known[word][1]])) > len(kept):
            kept.append(known[word])
        if len(kept) == dimension:
            break
    return kept
