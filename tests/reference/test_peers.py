"""Models of SymPy's tests and docstrings, PyDy and SymBRiM come in and move as their own equations say.

``python -m tests.reference.peers`` prints the table.
"""

from __future__ import annotations

import pytest

from tests.reference.peers.models import PEERS, Peer
from tests.reference.peers.verdict import verdict

QUICK = {
    "sympy test_kane:test_aux [1]",
    "sympy test_kane2:test_sub_qdot2 [0]",
    "sympy test_kane2:test_aux_dep",
    "sympy test_lagrange:test_nonminimal_pendulum",
    "sympy test_jointsmethod:test_chaos_pendulum",
    "sympy test_system_class:TestSystemExamples:test_cart_pendulum_kanes",
    "pydy n_link_pendulum_on_cart(n=2, joint_torques=True)",
}
"""One of each kind, for every day."""


def check(peer: Peer) -> None:
    pytest.importorskip(peer.needs)
    found = verdict(peer)
    assert found.right, found.said


@pytest.mark.exhaustive_for("sympy test_system_class:TestSystemExamples:test_cart_pendulum_kanes")
@pytest.mark.parametrize("peer", [peer for peer in PEERS if peer.name in QUICK], ids=lambda peer: peer.name)
def test_a_model_of_each_kind(peer: Peer) -> None:
    check(peer)


@pytest.mark.exhaustive
@pytest.mark.parametrize("peer", [peer for peer in PEERS if peer.name not in QUICK], ids=lambda peer: peer.name)
def test_every_model(peer: Peer) -> None:
    check(peer)


def test_there_are_enough_of_them() -> None:
    names = [peer.name for peer in PEERS]
    assert len(names) == len(set(names)) >= 60
    assert set(names) >= QUICK
