"""How long does the growth vector of a car with n trailers take, ours and by hand in SymPy?"""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

from benchmarks.table import Table
from benchmarks.timing import cold, once, seconds

__all__ = ["run"]

SIZES = (1, 2, 3, 4, 6, 8, 10, 16)
LIMIT = 15.0


def run() -> list[Table]:
    theirs = _until_too_slow()
    rows = [[str(n), *_ours(n), theirs.get(n, "")] for n in SIZES]
    columns = ["trailers", "growth vector", "evidence", "ours", "plain SymPy"]
    notes = [
        "Ours: from the declared system to the dimensions of the Lie flag at generic points, caches empty. "
        "SymPy: brackets of the same two fields with `diff`, new ones kept while the rank of the matrix at a random rational point "
        f"grows; each in a fresh process whose start is not counted, given up after {LIMIT:g} s."
    ]
    return [Table("Growth vectors: a car with n trailers", columns, rows, notes)]


def _ours(n: int) -> list[str]:
    from anholonomy import catalogue

    system = catalogue.n_trailer(n)
    cold()
    spent, growth = once(lambda: system.geometry.distribution.growth_vector())
    assert growth == tuple(range(2, n + 4))
    return [f"(2, …, {growth[-1]})", growth.evidence, seconds(spent)]


def _until_too_slow() -> dict[int, str]:
    found: dict[int, str] = {}
    for n in SIZES:
        command = [sys.executable, "-m", "benchmarks.flags", str(n)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=True)
        except subprocess.TimeoutExpired:
            found[n] = f"> {LIMIT:g} s"
            break
        found[n] = seconds(float(done.stdout))
    return found


def by_hand(n: int) -> tuple[int, ...]:
    """The Lie flag with SymPy: bracket the newest fields with the two given ones, rank at one point."""
    import random

    import sympy as sp

    x, y, d, *theta = sp.symbols(f"x y d theta0:{n + 1}")
    q = [x, y, *theta]
    drive, speed = [sp.cos(theta[0]), sp.sin(theta[0]), sp.Integer(0)], sp.Integer(1)
    for ahead, own in pairwise(theta):
        drive.append(speed * sp.sin(ahead - own) / d)
        speed *= sp.cos(ahead - own)
    turn = [sp.Integer(int(s == theta[0])) for s in q]
    rng = random.Random(0)
    point = {s: sp.Float(rng.uniform(0.2, 1.2), 40) for s in (*q, d)}
    along = lambda X, f: sum(a * f.diff(s) for a, s in zip(X, q, strict=True) if a != 0)
    bracket = lambda X, Y: [along(X, b) - along(Y, a) for a, b in zip(X, Y, strict=True)]
    values = lambda X: [sp.N(entry.subs(point), 40) for entry in X]
    rank = lambda rows: sp.Matrix(rows).rank(iszerofunc=lambda e: abs(e) < 1e-25)
    new, rows = [drive, turn], [values(drive), values(turn)]
    dimensions = [2]
    while new and dimensions[-1] < len(q):
        made = [bracket(X, Y) for X in (drive, turn) for Y in new]
        new = []
        for X in made:
            if rank([*rows, values(X)]) > len(rows):
                rows.append(values(X))
                new.append(X)
        dimensions.append(len(rows))
    return tuple(dimensions)


if __name__ == "__main__":
    size = int(sys.argv[1])
    spent, dimensions = once(lambda: by_hand(size))
    assert dimensions == tuple(range(2, size + 4)), dimensions
    print(spent)
