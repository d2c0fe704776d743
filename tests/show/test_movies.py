"""Moving pictures: written by the ffmpeg and Pillow that are here, with the frames and the duration that were asked for."""

from __future__ import annotations

import subprocess
import sys

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from anholonomy.show.animation import Animation
from anholonomy.show.animation.movie import find_ffmpeg
from tests.wording import blames


@pytest.fixture(scope="module")
def film() -> Animation:
    entry = ENTRIES["skate"]
    return entry.make().simulate(entry.start, until=2).animate(frames=50)


@pytest.mark.exhaustive
def test_an_mp4_has_its_frames_and_its_duration(film, tmp_path) -> None:
    path = tmp_path / "skate.mp4"
    assert film.save(path, seconds=0.8, rate=15) == 12
    assert imageio_ffmpeg.count_frames_and_secs(str(path)) == (12, pytest.approx(0.8, abs=0.01))
    words = [find_ffmpeg(), "-v", "error", "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(words, capture_output=True, check=True).stdout
    pictures = np.frombuffer(raw, np.uint8).astype(int).reshape(-1, 480, 640, 3)
    assert len(pictures) == 12
    assert (abs(pictures[0] - pictures[-1]) > 60).sum() > 500  # it moves
    assert [each.name for each in tmp_path.iterdir()] == ["skate.mp4"]


def test_a_rate_that_is_not_whole_keeps_the_duration(tmp_path) -> None:
    """Twenty pictures a second for two seconds are more than the film has: seven, each shown longer."""
    entry = ENTRIES["skate"]
    film = entry.make().simulate(entry.start, until=2).animate(frames=7)
    for name in ("skate.mp4", "skate.gif"):
        assert film.save(tmp_path / name, seconds=2, rate=20) == 7
    assert imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "skate.mp4")) == (7, pytest.approx(2, abs=0.01))
    with Image.open(tmp_path / "skate.gif") as picture:
        shown = []
        for k in range(picture.n_frames):
            picture.seek(k)
            shown.append(picture.info["duration"])
    assert (len(shown), sum(shown)) == (7, 2000)


def test_the_installed_ffmpeg_comes_first(tmp_path, monkeypatch) -> None:
    own = tmp_path / "ffmpeg"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_ffmpeg() == str(own)
    own.unlink()
    assert find_ffmpeg() == imageio_ffmpeg.get_ffmpeg_exe()


def test_without_ffmpeg_the_refusal_says_what_to_install(film, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with blames(ah.errors.NotSupportedError, "pip install imageio-ffmpeg"):
        film.save(tmp_path / "run.mp4")
    assert not list(tmp_path.iterdir())


def test_an_ffmpeg_that_fails_leaves_nothing_behind(film, tmp_path, monkeypatch) -> None:
    broken = tmp_path / "bin" / "ffmpeg"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\ncat > /dev/null\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setitem(__import__("matplotlib").rcParams, "animation.ffmpeg_path", str(broken))
    with blames(ah.errors.FileError, "3"):
        film.save(tmp_path / "run.mp4", seconds=0.2)
    assert [each.name for each in tmp_path.iterdir()] == ["bin"]


@pytest.mark.parametrize(
    ("name", "wishes", "names"),
    [
        ("a.gif", {"rate": 0}, ()),
        ("a.gif", {"seconds": -1}, ()),
        ("a.gif", {"seconds": float("nan")}, ()),
        ("a.gif", {"rate": 100}, ("50",)),
        ("a.mp4", {"seconds": 1e9}, ("20000",)),
    ],
)
def test_pictures_that_make_no_sense_are_refused(film, tmp_path, name, wishes, names) -> None:
    with blames(ah.errors.NotSupportedError, *names):
        film.save(tmp_path / name, **wishes)
