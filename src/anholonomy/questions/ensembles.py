"""What one may ask of a system about many motions at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anholonomy.system.model import Model

if TYPE_CHECKING:
    from anholonomy.ensembles.ensemble import Ensemble
    from anholonomy.ensembles.sweep.sweep import Sweep

__all__ = ["EnsembleQuestions"]


class EnsembleQuestions(Model):
    """A model that can be asked for many motions."""

    def ensemble(
        self,
        starts: Any = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: Any = None,
        parameters: Mapping[str, Any] | None = None,
        tolerance: float = 1e-12,
        keep: Sequence[str] | str | None = None,
        integrator: str | None = None,
        project: bool = False,
        events: Mapping[str, Any] | None = None,
        stop: str | Sequence[str] = (),
        max_step: float | None = None,
        breaks: Sequence[float] = (),
        inputs: Any = None,
        device: str = "cpu",
        precision: str = "double",
        store: str | Path | None = None,
        client: Any = None,
        progress: Callable[[float], None] | None = None,
    ) -> Ensemble:
        """The motions from many ``starts`` at once, on every core: a dict of arrays by name, a table of pandas or xarray, or a list of dicts.

        A number serves all members; velocities that the constraints determine may be left out. ``parameters`` may differ from
        member to member too. Reported are the start and the end, or ``times``; kept are coordinates and velocities, or what
        ``keep`` names. ``inputs`` are numbers, one for each member, texts of feedback or data over time. The other options are those of `simulate`. A member that ends early has its own sentence in `Ensemble.outcome`.
        With a ``store`` (Zarr) members are written block by block and memory stays flat; ``client`` is one of Dask.

        >>> import numpy as np
        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> starts = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": np.linspace(-2, 2, 101)}
        >>> runs = chaplygin_sleigh().ensemble(starts, until=20, parameters={"a": np.linspace(0.1, 0.3, 101)}, tolerance=1e-8)
        >>> runs
        Ensemble('Chaplygin sleigh': 101 members at 2 times, t = 0 … 20; 101 reached the end)
        """
        from anholonomy.ensembles.asking import ensemble

        asked = {word: value for word, value in locals().items() if word not in ("self", "ensemble")}
        return ensemble(self, **asked)

    def sweep(
        self,
        over: Any,
        start: Mapping[str, Any] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: Any = None,
        parameters: Mapping[str, float] | None = None,
        tolerance: float = 1e-9,
        keep: Sequence[str] | str | None = None,
        reduce: Any = None,
        samples: int | None = None,
        sampling: str = "sobol",
        seed: int = 0,
        store: str | Path | None = None,
        resume: bool = True,
        client: Any = None,
        project: bool = False,
        events: Mapping[str, Any] | None = None,
        stop: str | Sequence[str] = (),
        max_step: float | None = None,
        breaks: Sequence[float] = (),
        inputs: Any = None,
        progress: Callable[[float], None] | None = None,
    ) -> Sweep:
        """The motions over a grid of parameters and starts, ``over={"a": values, "theta'": values}``; or over ``samples`` of ranges, or a list.

        ``reduce`` makes one number of each in the worker: ``{"final speed": "u", "peak": "max of theta", "turn": "time of theta - pi"}``, with
        max, min, mean, time and period; or ``"lyapunov"``. ``keep`` names what is kept over time. With a ``store`` (Zarr) blocks of members
        are written as they are done, and the same call goes on where it was killed; a ``client`` of Dask spreads them over other processes.

        >>> import numpy as np
        >>> from anholonomy.catalogue import skate
        >>> runs = skate().sweep({"theta'": np.linspace(1, 2, 5)}, start={"x": 0, "y": 0, "theta": 0, "x'": 1}, until=10,
        ...                      reduce={"reach": "max of x"})
        >>> abs(runs["reach"] * np.linspace(1, 2, 5) - 1).max().item() < 1e-7       # a circle of radius 1/theta'
        True
        """
        from anholonomy.ensembles.sweep.asking import sweep

        asked = {word: value for word, value in locals().items() if word not in ("self", "sweep")}
        return sweep(self, **asked)
