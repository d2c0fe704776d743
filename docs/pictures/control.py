"""The pictures of the page on control: those that the examples leave.

python docs/pictures/control.py [folder]
"""

from __future__ import annotations

import sys
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parents[2]


def main(folder: Path = ROOT / "docs" / "_static") -> None:
    for name in ("path_following", "ridden_bicycle", "segway"):
        picture = folder / f"{name}.png"
        run_path(str(ROOT / "examples" / f"{name}.py"))["main"](picture)
        picture.with_suffix(".html").unlink()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
