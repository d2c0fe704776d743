"""A figure shows the dataset, says what it shows, and draws where it is told."""

from __future__ import annotations

import io
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_array_equal

import anholonomy as ah
from anholonomy import System, catalogue
from anholonomy.base.errors import FileError, NotSupportedError, UnknownNameError
from anholonomy.show.figures import (
    plot_checks,
    plot_energy,
    plot_motion,
    plot_path,
    plot_residual,
    plot_series,
    plot_velocities,
)
from anholonomy.show.figures.over_time import FLOOR
from anholonomy.show.labels import coordinate_kinds
from anholonomy.show.text.summary import summary
from tests.wording import blames

from .motions import TIMES, changed, disk, pendulum, sleigh

SINGLE = (plot_path, plot_series, plot_velocities, plot_energy, plot_residual, plot_checks)
MOTIONS = (sleigh, disk, pendulum)


def render(figure):
    """Everything Matplotlib checks late, it checks here."""
    figure.savefig(io.BytesIO(), format="png", dpi=40)


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("plot", SINGLE)
def test_every_figure_draws_every_motion_on_new_axes(plot, motion):
    ax = plot(motion())
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert ax.get_title().replace(r"\$", "$") == motion().data.attrs["system"]
    render(ax.figure)


@pytest.mark.parametrize("plot", [*SINGLE, plot_motion])
def test_every_figure_draws_into_the_axes_given(plot):
    ax = Figure().add_subplot()
    assert plot(sleigh(), ax=ax) is ax
    assert ax.lines
    assert not ax.get_title()


@pytest.mark.parametrize("plot", [*SINGLE, plot_motion])
def test_every_figure_refuses_what_is_no_motion(plot):
    with blames(FileError, "anholonomy.load(data)"):
        plot(sleigh().data)


def test_a_motion_is_not_made_of_other_data():
    for data in (sleigh().data.assign_attrs(schema="other"),):
        with blames(FileError):
            ah.load(data)


@pytest.mark.parametrize("plot", SINGLE)
def test_one_sample_is_enough(plot):
    render(plot(ah.load(disk().data.isel(time=[0]))).figure)


def test_series_and_velocities_show_each_curve_under_its_name():
    for plot, variable in ((plot_series, "q"), (plot_velocities, "velocity")):
        ax = plot(sleigh())
        for line, values in zip(ax.lines, sleigh().data[variable].values.T, strict=True):
            assert_array_equal(line.get_xdata(), sleigh().data["time"].values)
            assert_array_equal(line.get_ydata(), values)
        names = [text.get_text() for text in ax.get_legend().get_texts()]
        assert names[2] == (r"$\theta$" if variable == "q" else r"$\dot{\theta}$")


def test_the_path_takes_the_first_two_lengths_and_keeps_their_scale():
    ax = plot_path(disk())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("$x$", "$y$")
    assert_array_equal(ax.lines[0].get_xdata(), disk().data["q"].sel(coordinate="x").values)
    assert_array_equal(ax.lines[0].get_ydata(), disk().data["q"].sel(coordinate="y").values)
    assert ax.get_aspect() == 1.0
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["start", "end"]


def test_the_path_marks_where_the_motion_starts_and_ends():
    _, start, end = plot_path(disk()).lines
    x = disk().data["q"].sel(coordinate="x").values
    assert_array_equal(start.get_xdata(), x[:1])
    assert_array_equal(end.get_xdata(), x[-1:])


def test_the_path_of_coordinates_that_are_asked_for():
    ax = plot_path(disk(), coordinates=("x", "phi"))
    assert_array_equal(ax.lines[0].get_ydata(), disk().data["q"].sel(coordinate="phi").values)
    assert ax.get_aspect() == "auto"
    with blames(UnknownNameError, "z", "x"):
        plot_path(disk(), coordinates=("x", "z"))


def test_a_single_coordinate_is_drawn_against_its_velocity():
    ax = plot_path(pendulum())
    assert_array_equal(ax.lines[0].get_ydata(), pendulum().data["velocity"].values[:, 0])
    assert ax.get_ylabel() == r"$\dot{\alpha}_{1}$"


def test_energy_drift_is_relative_to_the_start_unless_that_is_zero():
    energy = sleigh().data["energy"].values
    ax = plot_energy(sleigh())
    assert_array_equal(ax.lines[0].get_ydata(), (energy - energy[0]) / energy[0])
    assert ax.get_ylabel() == "relative energy drift"
    from_rest = plot_energy(changed(sleigh(), energy=("time", [0.0, 1.0, 2.0, 3.0, 4.0])))
    assert_array_equal(from_rest.lines[0].get_ydata(), [0, 1, 2, 3, 4])
    assert from_rest.get_ylabel() == "energy drift"


def test_the_residual_is_positive_and_zero_lies_on_the_floor():
    values = np.array([[0.0, -1e-9], [0.0, 1e-8], [0.0, 0.0], [2e-16, 0.0], [0.0, np.nan]])
    ax = plot_residual(changed(disk(), residual=(("time", "constraint"), values)))
    assert ax.get_yscale() == "log"
    assert_array_equal(ax.lines[0].get_ydata(), [FLOOR, FLOOR, FLOOR, 2e-16, FLOOR])
    assert_array_equal(ax.lines[1].get_ydata(), [1e-9, 1e-8, FLOOR, FLOOR, np.nan])
    assert [text.get_text().strip() for text in ax.get_legend().get_texts()] == ["_along", "across"]
    ticks = dict(zip((label.get_text() for label in ax.get_yticklabels()), ax.get_yticks(), strict=True))
    assert ticks.pop("0") == FLOOR
    assert all(float(label.strip("$").replace("10^{", "1e").rstrip("}")) == tick for label, tick in ticks.items())
    assert not ax.texts  # no word among the points
    render(ax.figure)


def test_residuals_below_the_floor_lower_it():
    values = np.full((5, 2), 1e-20)
    ax = plot_residual(changed(disk(), residual=(("time", "constraint"), values)))
    assert_array_equal(ax.lines[0].get_ydata(), values[:, 0])
    assert ax.get_ylim()[0] < 1e-20
    assert not ax.texts


def test_a_free_system_has_no_residual_to_show():
    assert [text.get_text() for text in plot_residual(pendulum()).texts] == ["no constraints"]


@pytest.mark.parametrize("motion", MOTIONS)
def test_the_overview_shows_the_motion_first_and_the_errors_last(motion):
    axes = plot_motion(motion())
    path, *panels, errors = axes
    assert path.get_xlabel() == plot_path(motion()).get_xlabel()
    shown = [line.get_label() for ax in panels for line in ax.lines]
    assert sorted(shown) == sorted(line.get_label() for line in plot_series(motion()).lines)
    assert errors.get_ylabel() == "errors"
    render(path.figure)
    path_box, errors_box = (ax.get_position() for ax in (path, errors))
    assert path_box.height > 2 * errors_box.height


def test_curves_share_a_panel_only_with_their_kind_and_size():
    """A wheel that turns by hundreds would flatten the lean of the frame that it carries."""
    times = np.linspace(0, 1, 5)
    q = np.stack([100 * times, 0.1 * times, 3 * times, 2 * times], axis=1)
    axes = plot_motion(changed(disk(), q=(("time", "coordinate"), q)))
    assert [ax.get_ylabel() for ax in axes[1:-1]] == ["angles (rad)", "angles (rad)", "lengths"]
    assert [[line.get_label() for line in ax.lines] for ax in axes[1:-1]] == [
        [r"$\phi$"],
        [r"$\theta$"],
        ["$x$", "$y$"],
    ]


def test_never_more_than_four_panels():
    system = catalogue.n_trailer(4)
    values = 10.0 ** np.arange(0, -14, -2)[None, :] * np.linspace(0, 1, 3)[:, None]
    run = system.simulate({name.name: 0 for name in system.coordinates} | {"x'": 1, "theta0'": 0}, times=[0, 1, 2])
    axes = plot_motion(changed(run, q=(("time", "coordinate"), values)))
    assert len(axes) == 6
    assert sum(len(ax.lines) for ax in axes[1:-1]) == 7


def test_kinds_that_were_not_declared_are_read_from_names_and_sines():
    system = System(coordinates=["x", "theta", "s"], lagrangian="x'^2 + theta'^2 + s'^2 + cos(theta) + cos(x)")
    run = system.simulate({"x": 0, "theta": 1, "s": 0, "x'": 1, "theta'": 0, "s'": 1}, times=TIMES)
    assert coordinate_kinds(run.model) == {"x": "length", "theta": "angle", "s": ""}
    assert plot_path(run).get_aspect() == "auto"


def test_an_energy_that_changes_is_part_of_the_motion_and_no_error():
    system = System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", forces={"x": "-x'"})
    axes = plot_motion(system.simulate({"x": 0, "y": 0, "x'": 1, "y'": 0}, times=TIMES))
    assert [ax.get_ylabel() for ax in axes[1:]] == ["lengths", "relative energy change", "errors"]
    assert [text.get_text() for text in axes[-1].texts] == ["nothing to check"]


def test_the_errors_are_energy_drift_and_the_largest_residual():
    residual = np.array([[0.0, 1e-9], [3e-8, 1e-8], [0.0, 0.0], [2e-16, 0.0], [0.0, -1e-3]])
    values = {"residual": (("time", "constraint"), residual), "energy": (("time",), [-2.0, -2.5, -1.5, -2.0, 0.0])}
    energy, largest = plot_checks(changed(disk(), **values)).lines[:2]
    assert_array_equal(largest.get_ydata(), [1e-9, 3e-8, FLOOR, 2e-16, 1e-3])
    assert_array_equal(energy.get_ydata(), [FLOOR, 0.25, 0.25, FLOOR, 1.0])


def test_the_overview_draws_into_the_axes_given():
    axes = Figure().subplots(4)
    assert plot_motion(sleigh(), ax=axes) is axes
    assert all(ax.lines for ax in axes)


def test_a_motion_draws_itself():
    assert sleigh().plot().shape == (4,)


@pytest.mark.exhaustive_for("SVG")
@pytest.mark.parametrize("kind", ["png", "pdf", "SVG"])
def test_a_motion_is_drawn_to_a_file(tmp_path, kind):
    path = tmp_path / f"top.{kind}"
    for name in (str(path), path):
        assert sleigh().plot(name).shape == (4,)
        assert path.stat().st_size > 5_000
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("top.xyz", ("top", "xyz")),
        ("nowhere/top.png", ("top", "png", "nowhere")),
    ],
)
def test_a_file_that_cannot_be_written_is_refused(tmp_path, where, names):
    with blames(FileError, *names):
        plot_motion(sleigh(), str(tmp_path / where))


@pytest.mark.parametrize(
    "what", [3, object(), ["a", "b", "c", "d"], Figure().subplots(3)], ids=["number", "object", "texts", "three axes"]
)
def test_what_is_no_place_to_draw_is_refused(what):
    with blames(NotSupportedError, "motion.png", "4"):
        plot_motion(sleigh(), what)


def test_an_energy_that_need_not_be_constant_changes_and_does_not_drift():
    from anholonomy.catalogue import ENTRIES

    entry = ENTRIES["affine-particle"]
    run = entry.make().simulate(entry.start, until=1)
    assert plot_energy(run).get_ylabel() == "relative energy change"


@pytest.mark.exhaustive
def test_pyplot_knows_a_new_figure_only_where_pyplot_is_used(tmp_path):
    path = tmp_path / "run.nc"
    sleigh().data.to_netcdf(path, engine="h5netcdf")
    script = """
import sys
import anholonomy
assert "matplotlib" not in sys.modules
motion = anholonomy.load(sys.argv[1])
motion.plot()[0].figure.savefig(sys.argv[1] + ".png")
assert "matplotlib.pyplot" not in sys.modules
from matplotlib import pyplot
assert pyplot.get_fignums() == []
assert motion.plot()[0].figure is pyplot.gcf()
for count, of in enumerate([["x", "theta"], "phase", "velocities", "energy", "path"], start=2):
    motion.plot(of)
    assert len(pyplot.get_fignums()) == count, of  # a figure each, and no empty one beside it
"""
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run.nc.png").stat().st_size > 10_000


def test_nothing_is_declared_or_parsed_to_draw_a_motion(monkeypatch):
    entry = catalogue.ENTRIES["whipple-bicycle"]
    run = entry.make().simulate(entry.start, times=TIMES)
    for name in ("declare", "from_toml"):
        monkeypatch.setattr(f"anholonomy.motion.dataset.one_motion.{name}", None)
    scene = [{"shape": "point", "position": ["x", "y", "0"]}]
    assert run.plot().size
    assert len(run.animate(frames=5).film.actors) > 1
    assert [actor.kind for actor in run.animate(scene=scene, frames=5).film.actors] == ["point"]
    assert "final x" in dict(summary(run))


def test_a_dataset_is_read_once_however_often_it_is_drawn(monkeypatch):
    read = []
    monkeypatch.setattr("anholonomy.motion.trajectory.flaw", lambda data: read.append(data) or "")
    run = ah.load(sleigh().data)
    run.plot()
    run.animate(frames=5)
    assert len(read) == 1
