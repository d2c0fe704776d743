"""C texts compiled with every warning an error, and called."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

import numpy as np

COMPILER = shutil.which("cc")
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror")


class Library:
    """C texts, by their prefixes, compiled in one with every warning an error and called through ctypes."""

    def __init__(self, texts: dict[str, str], folder) -> None:
        source, library = folder / "all.c", folder / "all.so"
        source.write_text("\n".join(texts.values()), encoding="utf-8")
        command = [COMPILER, *FLAGS, "-O0", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.loaded = ctypes.CDLL(str(library))

    def __call__(self, name: str, t: float, x, p, size: int) -> np.ndarray:
        function = getattr(self.loaded, name)
        function.restype = None
        numbers = [np.ascontiguousarray(values, dtype=float) for values in (x, p, np.full(size, np.nan))]
        function(ctypes.c_double(t), *(a.ctypes.data_as(ctypes.c_void_p) for a in numbers))
        return numbers[2]
