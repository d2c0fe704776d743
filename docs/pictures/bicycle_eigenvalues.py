"""The eigenvalues of the benchmark bicycle against its speed.

python docs/pictures/bicycle_eigenvalues.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path

import anholonomy as ah


def main(folder: Path = Path(__file__).parent.parent / "_static") -> None:
    branch = ah.catalogue.whipple_bicycle().stability.steady_motion(fixed={"x'": 5.0}).follow("x'", 0, 10)
    branch.plot().savefig(folder / "bicycle_eigenvalues.png", dpi=130)
    print(branch)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
