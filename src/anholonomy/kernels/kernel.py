"""A `Kernel`: the equations of motion of a system as one CUDA text, with a launcher and names, for a million motions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from anholonomy.disk import path_of, write_whole
from anholonomy.displays.shown import Shown
from anholonomy.kernels import launcher as launching
from anholonomy.kernels.launcher import Launched, Launcher, LaunchRefused
from anholonomy.lazy import cached_property
from anholonomy.refusals import BrokenFile, IntegrationProblem

__all__ = ["Kernel"]

_READ_ME = """{title}

kernel.cu    one thread a motion; rates, events and three methods: rk4, dopri5, dop853
names.json   the names of state, parameters and events, in the order of the kernel's arrays
launcher.py  needs NumPy, and CuPy for a GPU or a C++ compiler for the CPU

    from launcher import Launcher
    runs = Launcher.load(".")({{{starts}}}, times=[0, 1])
    runs["{first}"], runs.outcome(0)

State: {state}
{velocities}"""


@final
@dataclass(frozen=True)
class Kernel(Shown):
    """Equations of motion as source that a GPU, or a C++ compiler, takes.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> kernel = chaplygin_sleigh().kernel()
    >>> kernel
    Kernel('Chaplygin sleigh' by 'kane': x, y, theta, u, omega)
    >>> "ENTRY dop853" in kernel.source
    True
    """

    source: str
    names: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"Kernel({self.names['name']!r} by {self.names['principle']!r}: {', '.join(self.names['state'])})"

    @cached_property
    def launcher(self) -> Launcher:
        """What integrates members with it."""
        return Launcher(self.source, self.names)

    def __call__(self, starts: Mapping[str, Any], times: Any, **options: Any) -> Launched:
        """Integrate members from states of its own, coordinates and speeds; options as for `Launcher`."""
        try:
            return self.launcher(starts, times, **options)
        except LaunchRefused as problem:
            raise IntegrationProblem(f"{self.names['name']}: {problem}") from None

    def save(self, folder: str | Path) -> Path:
        """Source, names and launcher in a folder, for machines that have nothing else of this package."""
        place = path_of(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise BrokenFile(f"{folder} cannot be a folder ({problem.strerror}); give another name.") from None
        state = self.names["state"]
        page = _READ_ME.format(
            title=f"{self.names['name']}: a kernel by {self.names['principle']}",
            starts=", ".join(f'"{name}": 0.0' for name in state),
            first=state[0],
            state=", ".join(state),
            velocities="\n".join(f"{name} = {text}" for name, text in self.names["velocities"].items()),
        )
        files = {
            "kernel.cu": self.source,
            "names.json": json.dumps(self.names, indent=1),
            "launcher.py": Path(launching.__file__).read_text("utf-8"),
            "README.txt": page,
        }
        for name, text in files.items():
            write_whole(place / name, text)
        return place
