"""``python -m tests.reference.peers``: every model of the peers by name, and how its import fares."""

from __future__ import annotations

import importlib.util
import time

from tests.reference.peers.models import PEERS
from tests.reference.peers.verdict import verdict

if __name__ == "__main__":
    right = run = 0
    for peer in PEERS:
        if importlib.util.find_spec(peer.needs) is None:
            print(f"{peer.name:75s} {peer.needs} is not installed")
            continue
        begun = time.perf_counter()
        found = verdict(peer)
        right, run = right + found.right, run + 1
        print(
            f"{peer.name:75s} {'ok' if found.right else 'WRONG':6s} {time.perf_counter() - begun:6.1f} s  {found.said}",
            flush=True,
        )
    print(f"{right} of {run} in agreement, or rightly refused or warned of")
