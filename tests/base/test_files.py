"""A file is written as a whole or not at all, to where its name leads, and to files only."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import anholonomy as ah
from anholonomy.base.files import place_for, write_whole, writing
from tests.wording import blames

posix = pytest.mark.skipif(os.name == "nt", reason="about file systems of Unix")


def sole(folder):
    """The names in a folder, hidden ones too."""
    return sorted(os.listdir(folder))  # noqa: PTH208 - iterdir would do the same


def test_a_new_file_has_the_rights_of_any_new_file(tmp_path):
    write_whole(tmp_path / "a.txt", "été")
    (tmp_path / "b.txt").touch()
    assert (tmp_path / "a.txt").read_bytes() == "été".encode()
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "b.txt").stat().st_mode


@posix
def test_an_old_file_keeps_its_rights(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o640)
    write_whole(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_text() == "new"


def fail_half_way(path, trouble):
    with writing(path) as partial:
        partial.write_text("half")
        raise trouble


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    for trouble in (OSError(28, "No space left on device"), KeyboardInterrupt(), ah.errors.NotSupportedError("no.")):
        with pytest.raises((ah.Error, KeyboardInterrupt)):
            fail_half_way(path, trouble)
        assert path.read_text() == "old"
        assert sole(tmp_path) == ["a.txt"]


@posix
def test_links_are_written_through(tmp_path):
    (tmp_path / "real").mkdir()
    for name in ("there", "not yet there"):
        target, link = tmp_path / "real" / name, tmp_path / f"{name} link"
        link.symlink_to(target)
        if name == "there":
            target.write_text("old")
        write_whole(link, "new")
        assert link.is_symlink()
        assert not target.is_symlink()
        assert target.read_text() == "new"
    assert sole(tmp_path / "real") == ["not yet there", "there"]


@posix
def test_what_is_no_file_is_refused_and_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
    Path("device").symlink_to("/dev/null")
    Path("round").symlink_to("round")
    for name in ("pipe", "socket", "device", "round", "/dev/full"):
        before = os.lstat(name)
        with blames(ah.errors.FileError, name):
            write_whole(name, "new")
        assert os.lstat(name).st_ino == before.st_ino
    assert sole(".") == ["device", "pipe", "round", "socket"]


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write anywhere")
def test_what_may_not_be_written_is_refused_before_the_work(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o444)
    with blames(ah.errors.FileError):
        place_for(path)


@posix
def test_a_name_of_the_greatest_length_is_written(tmp_path):
    for name in ("a" * 255, "a." + "b" * 253):
        write_whole(tmp_path / name, "new")
        assert (tmp_path / name).read_text() == "new"


def test_two_threads_may_write_one_file(tmp_path):
    texts = [str(k) * 200_000 for k in range(8)]
    threads = [threading.Thread(target=write_whole, args=(tmp_path / "a", text)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "a").read_text() in texts
    assert sole(tmp_path) == ["a"]


@pytest.mark.exhaustive
@posix
def test_a_full_disk_ends_in_a_sentence_and_leaves_no_crumbs(tmp_path):
    """The limit on a file's size stands for the disk: the HDF5 library crashed at either."""
    (tmp_path / "run.nc").write_bytes(b"precious")
    program = (
        "import resource, signal, sys\n"
        "from anholonomy.cli.main import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "sys.argv = ['anholonomy', 'simulate', 'skate', '--until', '1', '-o', 'run.nc']\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    assert "cannot write run" in done.stderr
    assert "Traceback" not in done.stderr
    assert sole(tmp_path) == ["run.nc"]
    assert (tmp_path / "run.nc").read_bytes() == b"precious"
