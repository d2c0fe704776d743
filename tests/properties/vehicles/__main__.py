"""``python -m tests.properties.vehicles [count] [--seed first] [--states each]``: how so many random vehicles fare."""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np

from tests.properties.vehicles.trial import Verdict, trial

TITLES = {
    "vehicles": "vehicles",
    "states": "admissible states",
    "compared": "compared with multipliers in long double",
    "rightly": "rightly said to be singular: the user's own speeds are none there",
    "close": "left out because the user's own speeds are close to none",
    "frame": "said to be singular because the chosen frame fails there",
    "failures": "failures",
}


def tried(seed: int, states: int) -> list[Verdict]:
    """What a seed's vehicle gives, an exception counted as a failure of its own."""
    try:
        return list(trial(seed).verdicts(seed, states))
    except Exception as failure:  # one failure must not end the table
        return [Verdict(np.inf, f"{type(failure).__name__}: {failure}")]


def main() -> int:
    words = argparse.ArgumentParser(prog="python -m tests.properties.vehicles", description=__doc__)
    words.add_argument("count", nargs="?", type=int, default=1000)
    words.add_argument("--seed", type=int, default=0, help="the first seed")
    words.add_argument("--states", type=int, default=8, help="admissible states of each vehicle")
    asked = words.parse_args()
    counts, worst = Counter[str](vehicles=asked.count), (0.0, asked.seed)
    for seed in range(asked.seed, asked.seed + asked.count):
        for found in tried(seed, asked.states):
            counts["states"] += 1
            counts["rightly"] += found.rightly and found.singular
            counts["close"] += found.rightly and not found.singular
            counts["frame"] += found.singular and not found.rightly
            counts["failures"] += bool(found.fault)
            counts["compared"] += not (found.singular or found.rightly or found.fault)
            worst = worst if found.fault else max(worst, (found.error, seed))
            if found.fault:
                print(f"seed {seed}: {found.fault}", flush=True)
    for name, title in TITLES.items():
        print(f"{counts[name]:7d}  {title}")
    print(f"{worst[0]:7.2g}  the largest error in parts of its bound, at seed {worst[1]}")
    return bool(counts["failures"])


if __name__ == "__main__":
    raise SystemExit(main())
