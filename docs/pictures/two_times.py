"""Pictures of three motions in both times: Fernandez and Bloch, sections 5.2 and 5.3, and Jovanović, section 6.3.

python docs/pictures/two_times.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path

import anholonomy as ah

SYSTEMS = {
    "free_particle": (ah.catalogue.free_particle(), {"x": -2, "y": 0, "z": 0, "x'": 0.8, "y'": 0.6}, 5.0),
    "knife_edge": (ah.catalogue.knife_edge(), {"x": 0, "y": 0, "phi": -1.5, "x'": 0.1, "phi'": 0.9}, 3.3),
    "disc_on_circle": (
        ah.catalogue.disc_on_circle("R0 + A*sin(w*t)", {"R0": 2.0, "A": 1.9, "w": 0.8}),
        {"phi": -1, "psi": 0, "phi'": 0.3},
        16.0,
    ),
}


def main(folder: Path = Path(__file__).parent.parent / "_static") -> None:
    for name, (system, start, until) in SYSTEMS.items():
        h = system.hamiltonize()
        run = system.simulate(start, until=until)
        assert h.check(run)
        h.plot(run, folder / f"two_times_{name}.png")
        print(f"{name}: f = {h.multiplier}, tau from 0 to {float(h.time(run)[-1]):.4g} in t from 0 to {until:g}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
