"""Headings of discs side by side that roll, by d'Alembert's principle and by the vakonomic one, and their difference."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from anholonomy.fields import examples as catalogue
from anholonomy.show.picture_files import save_picture
from anholonomy.show.style import new_figure, tidy


def main(folder: Path) -> None:
    heading, turn = "sin(2*pi*s)/2", "(1 + cos(2*pi*s)/2)"
    start = {
        "x": 0,
        "y": 0,
        "phi": heading,
        "theta": 0,
        "phi_t": 0,
        "theta_t": turn,
        "x_t": f"cos({heading})*{turn}",
        "y_t": f"sin({heading})*{turn}",
    }
    runs = [
        catalogue.rolling_discs().solve({"s": (0, 1, 48)}, {"s": "periodic"}, start, until=4, by=by, scheme="spectral")
        for by in ("dalembert", "vakonomic")
    ]
    values = [run.phi for run in runs]
    figure = new_figure(9.6, 3.4)
    for k, (title, value) in enumerate(
        zip(("d'Alembert", "vakonomic", "difference"), (*values, values[1] - values[0]), strict=True)
    ):
        ax = figure.add_subplot(1, 3, k + 1)
        tidy(ax)
        size = float(np.abs(value).max())
        drawn = ax.pcolormesh(value.s, value.t, value, cmap="RdBu_r", vmin=-size, vmax=size, shading="auto")
        ax.set_title(title, fontsize=9)
        ax.set_xlabel("s")
        ax.set_ylabel("t" if not k else "")
        figure.colorbar(drawn, ax=ax, label="heading φ" if k == 2 else "")
    save_picture(figure, folder / "field_rolling_discs.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1] / "_static")
