"""Files of motions: all of it in netCDF, the numbers in a table, and damage found before it does any."""

from __future__ import annotations

import csv
import json

import h5py
import numpy as np
import pytest
import xarray as xr

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh
from anholonomy.motion.dataset import files as netcdf
from tests.wording import blames

START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}


@pytest.fixture(scope="module")
def run():
    return chaplygin_sleigh().simulate(START, until=2)


def test_a_table_has_every_name_and_every_digit(run, tmp_path):
    run.save(tmp_path / "run.CSV")
    with (tmp_path / "run.CSV").open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head[0] == "t"
    assert {"x", "theta'", "y''", "reaction_x", "lambda1", "energy", "u"} <= set(head)
    table = np.array(rows, dtype=float)
    for name, column in zip(head, table.T, strict=True):
        np.testing.assert_array_equal(column, run[name].values, err_msg=name)


def test_a_vakonomic_motion_has_its_costates_in_the_table(tmp_path):
    run = chaplygin_sleigh().simulate({**START, "mu1": 0.25}, times=[0, 0.5], by="vakonomic")
    run.save(tmp_path / "run.csv")
    head, first, _ = (tmp_path / "run.csv").read_text().splitlines()
    assert dict(zip(head.split(","), first.split(","), strict=True))["mu1"] == "0.25"


def test_other_software_reads_the_file(run, tmp_path):
    run.save(tmp_path / "run.nc")
    xr.testing.assert_identical(xr.load_dataset(tmp_path / "run.nc", engine="h5netcdf"), run.data)
    with h5py.File(tmp_path / "run.nc", "r") as file:
        np.testing.assert_array_equal(file["q"][:], run.data["q"].values)


@pytest.mark.exhaustive
def test_a_file_that_other_software_wrote_or_changed_is_read(run, tmp_path):
    run.data.to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    xr.testing.assert_identical(ah.load(tmp_path / "other.nc").data, run.data)
    run.save(tmp_path / "noted.nc")
    with h5py.File(tmp_path / "noted.nc", "r+") as file:
        file.attrs["remark"] = "a good one"
    assert ah.load(tmp_path / "noted.nc").data.attrs["remark"] == "a good one"


def test_damage_anywhere_is_noticed(run, tmp_path):
    """200 zeroed bytes could make the HDF5 library search forever."""
    run.save(tmp_path / "run.nc")
    good = (tmp_path / "run.nc").read_bytes()
    broken = tmp_path / "broken.nc"
    places = range(8, len(good) - 300, len(good) // 60)
    for place in places:
        damaged = good[:place] + bytes(200) + good[place + 200 :]
        broken.write_bytes(damaged)
        if damaged == good:
            continue
        with blames(ah.errors.FileError):
            ah.load(broken)


def test_a_file_without_seal_that_would_hang_or_crash_is_given_up(run, tmp_path, monkeypatch):
    """The reader is another process; here one that never ends, and one that dies."""
    path = tmp_path / "other.nc"
    run.data.to_netcdf(path, engine="h5netcdf")
    monkeypatch.setattr(netcdf, "PATIENCE", 0.2)
    for trial in ("while True: pass", "import os; os.abort()"):
        monkeypatch.setattr(netcdf, "_TRIAL", trial)
        with blames(ah.errors.FileError, path):
            ah.load(path)
        monkeypatch.setattr(netcdf, "PATIENCE", 30.0)


@pytest.mark.exhaustive
def test_a_file_that_was_cut_short_is_refused(run, tmp_path):
    run.save(tmp_path / "run.nc")
    (tmp_path / "short.nc").write_bytes((tmp_path / "run.nc").read_bytes()[:-5000])
    with blames(ah.errors.FileError):
        ah.load(tmp_path / "short.nc")


def _tampered(data: xr.Dataset, change: dict[str, object]) -> xr.Dataset:
    return data.assign_attrs(change)


@pytest.mark.parametrize(
    "change",
    [
        {"schema": np.array([1, 2])},
        {"declaration": 3},
        {"declaration": "no = toml = at all"},
        {"declaration": 'schema = "anholonomy-system-1"\nname = "sleigh"'},
        {"parameters": "{"},
        {"parameters": "[1]"},
        {"parameters": json.dumps({"m": 1.0})},
        {"parameters": json.dumps({"m": "1", "I": 1, "a": 1})},
        {"parameters": "[" * 100_000},
        {"complete": "yes"},
        {"tolerance": "small"},
        {"outcome": 1.0},
        {"system": np.arange(3)},
        {"principle": 7},
        {"one_sided": "3"},
        {"one_sided": '["no such label"]'},
    ],
    ids=str,
)
def test_attributes_that_were_tampered_with_are_refused(run, tmp_path, change, monkeypatch):
    monkeypatch.setattr(netcdf, "_try_elsewhere", lambda *_: None)  # the HDF5 is sound, and a process is slow to start
    _tampered(run.data, change).to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    with blames(ah.errors.FileError, "nc"):
        ah.load(tmp_path / "other.nc")


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.assign(q=data["q"].T),
        lambda data: data.assign(q=(("time", "coordinate"), data["q"].values.astype(int))),
        lambda data: data.assign_coords(coordinate=["x", "x", "theta"]),
        lambda data: data.isel(time=slice(0, 0)),
        lambda data: data.drop_vars("principle", errors="ignore").assign_attrs(schema="other"),
    ],
)
def test_numbers_of_another_shape_are_refused(run, tmp_path, change, monkeypatch):
    monkeypatch.setattr(netcdf, "_try_elsewhere", lambda *_: None)
    change(run.data).to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    with blames(ah.errors.FileError, "nc"):
        ah.load(tmp_path / "other.nc")


def test_labels_of_another_system_are_refused_when_asked(run):
    with blames(ah.errors.FileError, "x", "y", "phi"):
        ah.load(run.data.assign_coords(coordinate=["x", "y", "phi"]))


def test_a_feedback_with_plain_numbers_is_read_back_though_units_are_declared(tmp_path):
    """Nobody declared that the terms of the closed loop have units that fit."""
    sled = ah.System(
        name="sled", coordinates={"x": "length"}, lagrangian="m*x'^2/2", parameters={"m": "2 kg"}, forces={"x": "F"}, inputs=["F"]
    )  # fmt: skip
    given = {"until": 1, "inputs": {"F": "-x/2"}}
    runs = sled.ensemble({"x": [1, 2], "x'": 0}, **given)
    runs.save(tmp_path / "runs.nc")
    assert ah.load(tmp_path / "runs.nc") == runs
    sled.sweep({"x": [1, 2]}, start={"x'": 0}, store=tmp_path / "runs.zarr", **given)
    assert float(ah.load(tmp_path / "runs.zarr").member(1)["x"][-1]) == pytest.approx(float(runs["x"][1, -1]), rel=1e-9)
    for system, words in ((sled, given), (sled.with_inputs(F="-x/2"), {"until": 1})):
        run = system.simulate({"x": 2, "x'": 0}, **words)
        run.save(tmp_path / "run.nc")
        again = ah.load(tmp_path / "run.nc")
        assert again.system == system
        assert again.continue_to(2).is_complete
