"""A system's geometry in words: distribution, growth, integrability, anholonomy, torsion."""

from __future__ import annotations

from collections.abc import Iterator

from anholonomy.algebra.expressions import Matrix, identity
from anholonomy.algebra.linear_algebra.symbolic import determinant, independent_rows
from anholonomy.algebra.short_forms_on_groups import shortened_vector
from anholonomy.geometry.connections import weitzenbock
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.writing import brief, brief_vector
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import Solved, solved_positions

__all__ = ["geometry_lines"]

_READABLE = 5
"""Directions up to which structure functions are printed; beyond, there are too many to read."""


def geometry_lines(model: Model, whole: bool = False) -> Iterator[str]:
    """The report of ``anholonomy geometry``, line by line; long expressions are counted unless ``whole``."""
    if (solved := solved_positions(model)) is not None:
        model = solved.model
    if not model.constraints:
        yield f"{model.name}: geometry"
        yield (
            "  no constraints: every direction is admissible"
            if solved is None
            else f"  every direction is admissible {_where(solved)}"
        )
        return
    D = Distribution.of(model)
    yield f"{model.name}: geometry{'' if solved is None else ' ' + _where(solved)}"
    where = "on" if D.frame.is_chart else "in the directions"
    yield f"  distribution of rank {D.rank} {where} ({', '.join(D.frame.labels)})"
    for k, vector in enumerate(D.vectors_ai, 1):
        yield f"    X_{k} = {brief_vector(shortened_vector(vector, D.frame.orbit), whole)}"
    yield f"  {D.growth_vector().finding.text(whole)}"
    integrability = D.is_integrable()
    yield f"  {integrability.text(whole)}"
    if integrability:
        yield f"  {D.leaves().text(whole)}"
    if D.frame.size > _READABLE:
        yield f"  anholonomy: {D.frame.size} directions, too many to print"
        return
    rows = _adapted_rows(D)
    frame = D.frame.change(rows)
    yield f"  adapted frame: {', '.join(f'X_{k + 1}' for k in range(D.rank))}, completed by " + ", ".join(
        f"{'∂' if D.frame.is_chart else 'E_'}{D.frame.labels[row.index(1)]}" for row in rows[D.rank :]
    )
    yield "  anholonomy (and minus that with the lower indices exchanged)"
    yield from (f"    {line}" for line in _half(frame.anholonomy, (0, 1)).lines(whole))
    yield "  torsion of its Weitzenböck connection (likewise)"
    yield from (f"    {line}" for line in _half(weitzenbock(frame).torsion, (1, 2)).lines(whole))


def _where(solved: Solved) -> str:
    """Which level of constraints on positions is looked at."""
    return "where " + ", ".join(f"{q.name} = {brief(value)}" for q, value in solved.values.items())


def _adapted_rows(D: Distribution) -> Matrix:
    """The spanning vectors, completed by directions of the frame they are written in."""
    candidates = []
    for units in (identity(D.frame.size), identity(D.frame.size)[::-1]):
        rows = (*D.vectors_ai, *units)
        candidates.append(tuple(rows[k] for k in independent_rows(rows)))
    # A determinant that is a constant makes a frame without singular points.
    return min(candidates, key=lambda rows: len(determinant(rows).free_symbols & set(D.frame.coordinates)))


def _half(tensor: Tensor, pair: tuple[int, int]) -> Tensor:
    """The components of an antisymmetric pair of indices that say it all."""
    first, second = pair
    kept = {index: value for index, value in tensor.items if index[first] < index[second]}
    return Tensor.of(tensor.frame, tensor.slots, kept, tensor.letter)
