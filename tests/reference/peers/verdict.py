"""What became of a peer's model: agreement, or the right reason why not."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass

import anholonomy as ah
from tests.reference.peers.compare import difference
from tests.reference.peers.models import Peer

AGREEMENT = 1e-8


@dataclass(frozen=True)
class Verdict:
    right: bool
    said: str


def verdict(peer: Peer) -> Verdict:
    """Import the model and compare it with the peer's own equations, unless it is to be refused or warned of."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        thing = peer.make()
        seen.clear()
        try:
            gap = difference(thing)
        except ah.Error as problem:
            return Verdict(bool(peer.refused and re.search(peer.refused, str(problem))), f"refused: {problem}")
    said = [str(w.message) for w in seen if w.category.__module__.startswith("anholonomy.")]
    if peer.warned:
        named = any(re.search(peer.warned, sentence) for sentence in said)
        # A peer that contradicts itself moves otherwise; agreement would mean that the warning is false.
        return Verdict(named and gap > AGREEMENT, f"warned: {said[0] if said else 'nothing'}")
    return Verdict(not peer.refused and not said and gap < AGREEMENT, f"difference {gap:.1e} {' '.join(said)}")
