"""A motion as a table: comma-separated values, a row for every time, a column for everything that has a name.

The names are those by which a motion is asked. What a table cannot hold is the system, how it was integrated, and the events.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import numpy as np

from anholonomy.symbolic.expressions import Symbol

__all__ = ["to_csv"]


def to_csv(found: Mapping[Symbol, np.ndarray]) -> bytes:
    """The bytes of the table of named columns; numbers have as many digits as it takes to read them back as they are."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(name.name for name in found)
    rows.writerows(zip(*(values.tolist() for values in found.values()), strict=True))
    return text.getvalue().encode()
