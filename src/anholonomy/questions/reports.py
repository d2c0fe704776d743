"""What one may ask of a system for people: the page that tells everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anholonomy.symbolic.patience import LIMIT
from anholonomy.system.model import Model

__all__ = ["ReportQuestions"]


class ReportQuestions(Model):
    """A model that can be reported on."""

    def explore(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        ranges: Mapping[str, object] | Sequence[str] | None = None,
        *,
        height: int = 420,
        **options: Any,
    ) -> Any:
        """Sliders in a notebook that compute the motion again while they are dragged, beside a player and plots that go along with it.

        There is one for each parameter with a value and each value of ``start`` (by default the declared one), or for the names in
        ``ranges``, which may give a range to each: ``{"a": (0, 1), "theta'": None}``. The motion goes on to ``until``, by default 10; it is
        ``widget.run``. A system without a picture has plots only. Options are those of `simulate`. It needs anywidget, which the extra ``notebook`` brings.
        """
        from anholonomy.widgets.explorer import explorer_widget

        return explorer_widget(self, start, until, ranges, height, **options)

    def report(
        self,
        path: str | Path,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        *,
        limit: float | None = LIMIT,
        facts: Sequence[str] = (),
        references: Sequence[str] = (),
        description: str = "",
    ) -> Path:
        """Everything about the system as one HTML page that opens from the disk, without a network.

        Declaration, equations by every principle, their verification, geometry, what follows from the equations with certificates, and, from
        ``start`` (by default the declared one) to ``until`` (by default 10), the motion with a player and linked plots. Each question
        is asked for ``limit`` seconds. ``facts`` and ``references`` are told as they are, ``description`` under the title.
        """
        from anholonomy.reports.writing import write_report

        return write_report(self, path, start, until, limit, facts, references, description)
