r"""The span of fields around a place, known by their jets: how many values are independent, and which fields are new.

Fields may be combined with functions as factors. One that has a value at the place outside the span of the values before, $Z^j \ne 0$ there, clears
its component from all others, $Y \to Z^j Y - Y^j Z$; of those that vanish at the place as many are kept as have independent jets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, final

from anholonomy.geometry.distributions.flags.jet_brackets import Jet
from anholonomy.symbolic.normal_forms.quotients import Polynomial, Ring
from anholonomy.symbolic.normal_forms.taylor import Parts, shortened_product
from anholonomy.symbolic.numbers.balls import Ground
from anholonomy.symbolic.patience import check
from anholonomy.symbolic.zero import zero_test
from anholonomy.verdict import Verdict

__all__ = ["JetSpan", "UndecidedSpan"]


class UndecidedSpan(Exception):
    """A coefficient that has another normal form than 0 and is not proven different from 0."""


class _Lead(NamedTuple):
    """The first term of a field: of the lowest degree, in the first component, with the largest powers of early steps."""

    degree: int
    component: int
    powers: tuple[int, ...]


@final
class JetSpan:
    """Fields met so far, each reduced by those before; ``on`` says where generic coordinates take their values."""

    def __init__(self, ring: Ring, steps: Iterable[int], on: Ground | None = None) -> None:
        self._ring, self._steps, self._on = ring, sorted(steps), on
        self._regular: list[tuple[int, Jet]] = []
        self._vanishing: dict[_Lead, Jet] = {}

    @property
    def dimension(self) -> int:
        """How many values at the place are independent."""
        return len(self._regular)

    def admit(self, jets: Iterable[Jet]) -> list[Jet]:
        """Take in fields; those that are new, as they remain after reduction. Raises `Undecided`."""
        waiting, new = [self._cleared(jet, self._regular) for jet in jets], []
        while waiting := [jet for jet in waiting if any(map(any, jet))]:
            leads = list(map(self._lead, waiting))
            # The lowest first: what has a value at the place clears a component of the others.
            k = min(range(len(waiting)), key=leads.__getitem__)
            jet, lead = waiting.pop(k), leads[k]
            if lead.degree and lead in self._vanishing:
                waiting.append(self._without(jet, lead))
                continue
            self._certify(jet, lead)
            new.append(jet := self._primitive(jet, lead))
            if lead.degree:
                self._vanishing[lead] = jet
            else:
                self._regular.append((lead.component, jet))
                waiting = [self._cleared(each, self._regular[-1:]) for each in waiting]
        return new

    def _cleared(self, jet: Jet, regular: Sequence[tuple[int, Jet]]) -> Jet:
        """Without the components in which others have a value."""
        for j, other in regular:
            check()
            if any(jet[j]):
                unit, factor = other[j], jet[j]
                pairs = zip(jet, other, strict=True)
                jet = tuple(_difference(self._times(unit, own), self._times(factor, Z)) for own, Z in pairs)
        return jet

    def _times(self, left: Parts, right: Parts) -> Parts:
        return shortened_product(self._ring, left, right, min(len(left), len(right)) - 1)

    def _without(self, jet: Jet, lead: _Lead) -> Jet:
        """Without the first term, which a known field shares."""
        check()
        other = self._vanishing[lead]
        a, b = self._coefficient(other, lead), self._coefficient(jet, lead)
        common = a.gcd(b)
        a, b, reduce = a / common, b / common, self._ring.reduce
        return tuple(
            tuple(reduce(a * p - b * q) for p, q in zip(own, known, strict=False))
            for own, known in zip(jet, other, strict=True)
        )

    def _primitive(self, jet: Jet, lead: _Lead) -> Jet:
        """Without the factor that all coefficients share, which is not zero because the first coefficient is not."""
        common = self._coefficient(jet, lead)
        for part in (part for parts in jet for part in parts):
            if common.is_constant():
                break
            for value in self._coefficients(part).values():
                common = common.gcd(value)
        # Numbers that stood before first terms would multiply up in what they clear.
        common *= self._coefficient(jet, lead).leading_coefficient() / common.leading_coefficient()
        return tuple(tuple(part / common for part in parts) for parts in jet)

    def _lead(self, jet: Jet) -> _Lead:
        degree = next(k for k in range(len(jet[0])) if any(parts[k] for parts in jet))
        component = next(j for j, parts in enumerate(jet) if parts[degree])
        return _Lead(degree, component, max(map(self._powers, jet[component][degree].monoms())))

    def _powers(self, monomial: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(monomial[step]) for step in self._steps)

    def _coefficients(self, part: Polynomial) -> dict[tuple[int, ...], Polynomial]:
        """A homogeneous part's coefficients, free of steps, by the powers of the steps."""
        found: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
        for monomial, number in part.to_dict().items():
            rest = list(monomial)
            for step in self._steps:
                rest[step] = 0
            found.setdefault(self._powers(monomial), {})[tuple(rest)] = number
        return {powers: self._ring.context.from_dict(terms) for powers, terms in found.items()}

    def _coefficient(self, jet: Jet, lead: _Lead) -> Polynomial:
        return self._coefficients(jet[lead.component][lead.degree])[lead.powers]

    def _certify(self, jet: Jet, lead: _Lead) -> None:
        """A field reduces others only where its first coefficient is different from zero."""
        value = self._coefficient(jet, lead)
        if not value.is_constant() and zero_test(self._ring.expanded(value), self._on) is not Verdict.REFUTED:
            raise UndecidedSpan


def _difference(left: Parts, right: Parts) -> Parts:
    return tuple(a - b for a, b in zip(left, right, strict=True))
