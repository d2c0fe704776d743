"""The command for shortest paths."""

from __future__ import annotations

from tests.wording import pinned

WAY = ("--from", "x=0,y=0,z=0", "--to")


def test_a_path_is_printed_saved_and_drawn(run, tmp_path) -> None:
    file, picture = tmp_path / "path.nc", tmp_path / "path.png"
    done = run("geodesic", "heisenberg", *WAY, "x=3,y=4,z=0", "-o", file, "--plot", picture)
    assert done.code == 0
    assert "length" in done.out
    assert " 5" in done.out
    assert file.exists()
    assert picture.exists()


def test_mistakes_are_sentences(run) -> None:
    pinned(run("geodesic", "heisenberg", *WAY, "x=1").err)
    pinned(run("geodesic", "heisenberg", *WAY, "far").err)
    assert (
        "give --duration"
        in run("geodesic", "unicycle", "--from", "x=0,y=0,theta=0,phi=0", "--to", "x=1,y=0,theta=1,phi=0").err
    )
