"""Sweeps at the command line."""

from __future__ import annotations

import pytest
import xarray as xr

from tests.wording import pinned

WORDS = ("sweep", "chaplygin-sleigh", "--over", "a=0.1:0.3:4", "--over", "theta'=-2,0,2", "--until", "5")


@pytest.mark.exhaustive
def test_a_sweep_is_stored_resumed_reduced_and_drawn(run, tmp_path):
    store, picture = tmp_path / "runs.zarr", tmp_path / "chart.png"
    done = run(*WORDS, "--summary", "final speed=u", "--store", store, "--plot", picture, "-o", tmp_path / "runs.nc")
    assert done.code == 0
    assert "12" in done.out
    assert picture.stat().st_size > 5000
    assert xr.open_zarr(store, chunks=None)["final speed"].shape == (12,)
    again = run(*WORDS, "--summary", "final speed=u", "--store", store)
    assert again.code == 2
    assert "--resume" in again.err
    assert run(*WORDS, "--summary", "final speed=u", "--store", store, "--resume").code == 0


def test_mistakes_get_a_sentence(run):
    for words, said in (
        ((*WORDS[:3], "a=0:1"), "write a=0:1:500"),
        ((*WORDS[:3], "q=0:1:5"), "the starts have q"),
        ((*WORDS, "--summary", "speed"), "write a name and an expression"),
        ((*WORDS, "--summary", "s=u", "--summary", "s=x"), "--summary gives s twice"),
        ((*WORDS, "--resume"), "--resume goes on with a store"),
        ((*WORDS, "--over", "m=1,2", "--plot", "c.png"), "as in --hold m=1."),
        ((*WORDS, "--hold", "I=1", "--plot", "c.png"), "--hold I: this is not varied"),
    ):
        done = run(*words)
        assert done.code == 2
        assert said in done.err


def test_what_no_memory_holds_is_refused_with_its_size(run, monkeypatch):
    from anholonomy.motion import memory

    monkeypatch.setattr(memory, "free_memory", lambda: 16e9)
    many = ("sweep", "chaplygin-sleigh", "--until", "5", "--over", "theta'=-1:1:100000", "--over", "a=.1:1:100000")
    for words, said in (
        (many, "10,000,000,000 members"),
        ((*many[:5], "a=0:1:1000000000000"), "4e+04 GB"),
        ((*many[:5], "a=0:1", "--samples", "1000000000000"), "1,000,000,000,000 members"),
    ):
        done = run(*words)
        assert done.code == 2
        assert said in done.err


def test_an_axis_is_held_and_starts_are_put_on_the_constraints(run, tmp_path):
    picture = tmp_path / "chart.svg"
    words = (*WORDS, "--over", "m=1,2", "--hold", "m=2", "--summary", "speed=u", "--plot", picture)
    assert run(*words).code == 0
    assert "m = 2" in picture.read_text(encoding="utf-8")
    astray = (*WORDS[:-2], "--until", "1", "--start", "y'=1")
    assert "--project" in run(*astray).err
    assert run(*astray, "--project").code == 0


def test_ranges_have_units(run):
    words = ("sweep", "chaplygin-sleigh", "--until", "1 s", "--over")
    assert "0.1 … 0.2" in run(*words, "a=10 cm:0.2 m:3", "--summary", "length=a").out
    pinned(run(*words, "a=1 kg,2 kg").err)


def test_an_interrupted_sweep_says_how_it_goes_on(run, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("anholonomy.motion.sweeps.run._made", interrupted)
        done = run(*WORDS, "--store", tmp_path / "runs.zarr")
    assert done.code == 1
    assert "12 members are missing" in done.out
    assert run(*WORDS, "--store", tmp_path / "runs.zarr", "--resume").code == 0
