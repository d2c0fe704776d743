"""Every command does what its help says."""

from __future__ import annotations

from decimal import Decimal

import pytest
from typer.testing import CliRunner

from anholonomy import catalogue, load
from anholonomy._version import __version__
from anholonomy.cli.commands import COMMANDS, headings
from anholonomy.cli.main import app
from anholonomy.equations.principles import PRINCIPLES
from tests.wording import pinned

SLEIGH = "chaplygin-sleigh"
AGREEING = sum(each.agrees and each.covers(catalogue.chaplygin_sleigh()) for each in PRINCIPLES)
THROWN = ("--set", "m=2", "--start", "x=0", "--start", "z=0", "--start", "x'=1", "--start", "z'=3")


def test_version(run):
    assert run("--version").out == f"anholonomy {__version__}\n"


def test_no_command_shows_the_help(run):
    assert run().out == run("--help").out


def test_the_help_lists_the_commands_under_their_headings(run):
    shown = [line for line in run("--help").out.partition("  --help ")[2].splitlines()[1:] if line[:3].strip()]
    told = [line.split()[0] if line.startswith(" ") else line for line in shown]
    assert told == [word for heading, names in headings().items() for word in (f"{heading}:", *names)]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command):
    done = CliRunner().invoke(app, [command, "--help"])
    assert done.exit_code == 0
    assert f"Examples:\n    anholonomy {command}" in done.output


def test_list_names_every_entry_on_a_line(run):
    done = run("list")
    lines = done.out.splitlines()
    assert done.code == 0
    assert [line.split()[0] for line in lines[1:]] == list(catalogue.ENTRIES)
    assert "x, y, theta" in next(line for line in lines if line.startswith(SLEIGH))
    assert all(line == line.rstrip() for line in lines)


def test_show_tells_the_declaration_and_what_is_known(run):
    done = run("show", SLEIGH)
    assert done.code == 0
    for part in ("theta (angle)", "blade (linear): cos(theta)*y'", "a = 0.2", "straight line", "Bloch", "theta' = 0.5"):
        assert part in done.out


def test_show_a_file_takes_its_text_literally(run, ball):
    done = run("show", ball)
    assert done.out.startswith("[bold]ball[/bold] :smile:\n")
    assert "m = free" in done.out
    assert "default start" not in done.out


def test_derive_prints_the_equations_as_they_print_themselves(run):
    system = catalogue.chaplygin_sleigh()
    assert run("derive", SLEIGH).out == f"{system.derive('hamel')}\n"
    assert run("derive", SLEIGH, "--by", "maggi", "--latex").out == system.derive("maggi").latex() + "\n"


def test_derive_by_all_prints_every_principle(run):
    done = run("derive", SLEIGH, "--by", "all")
    assert all(principle.name in done.out for principle in PRINCIPLES)
    # What reads the same is printed once, under all the names.
    assert done.out.count("m*u' = a*m*omega^2") == 1
    assert done.code == 0


def test_derive_by_all_names_what_does_not_cover(run, tmp_path):
    path = tmp_path / "nonlinear.toml"
    path.write_text(
        'schema = "anholonomy-system-1"\nname = "rocket"\nlagrangian = "(x\'^2 + y\'^2)/2"\n'
        'coordinates = ["x", "y"]\nconstraints = ["x\'^2 + y\'^2 = 1"]\n'
    )
    assert "\nnot covering this system: kane, hamel, voronec" in run("derive", path, "--by", "all").out
    assert "\n% not covering" in run("derive", path, "--by", "all", "--latex").out
    pinned(run("derive", path, "--by", "hamel").err)


def test_arguments_of_a_catalogue_entry_follow_a_colon(run):
    assert run("derive", "n-trailer:1").out == f"{catalogue.n_trailer(1).derive()}\n"
    assert run("derive", "n-trailer:n=1, d=2").code == 0
    assert "a = 0.25" in run("show", "chaplygin-sleigh:m=2,a=1/4").out
    assert run("verify", "n-trailer:0", "--states", "1").code == 0


def test_simulate_an_entry_with_other_coordinates_than_usual(run):
    for count in ("0", "1", "3"):
        done = run("simulate", f"n-trailer:{count}", "--until", "1")
        assert done.code == 0, done.err
    assert "final theta3" in done.out


def test_simulate_reports_events_and_stops_at_them(run):
    options = ("--event", "half=x - 1/2", "--event", "turned = theta - 1/4")
    done = run("simulate", SLEIGH, "--until", "2", *options)
    assert done.code == 0
    assert "event half " in done.out
    assert "event turned " in done.out
    stopped = run("simulate", SLEIGH, "--until", "2", *options, "--stop-at", "turned")
    line = next(line for line in stopped.out.splitlines() if line.startswith("event turned"))
    end = next(line for line in stopped.out.splitlines() if line.startswith("time "))
    assert float(line.split("=")[1]) == pytest.approx(float(end.split(",")[0].split()[-1]))


def test_verify_agrees(run):
    done = run("verify", SLEIGH, "--states", "2", "--digits", "40")
    assert done.code == 0
    assert f"{AGREEING} principles agree: proven at 2 random admissible states in 40 digits" in done.out


def test_verify_leaves_with_one_when_principles_disagree(run, monkeypatch):
    from anholonomy.equations.verification import Verification

    monkeypatch.setattr(Verification, "agree", False)
    monkeypatch.setattr(Verification, "proven", Decimal(1))
    done = run("verify", SLEIGH, "--states", "1")
    assert done.code == 1
    assert f"{AGREEING} principles agree: refuted" in done.out


def test_simulate_integrates_in_chosen_speeds(run, tmp_path):
    file = str(tmp_path / "run.nc")
    speeds = ["--speed", "v=x'*cos(theta) + y'*sin(theta)", "--speed", "w=theta'"]
    run("simulate", "chaplygin-sleigh", "--by", "kane", *speeds, "--until", "2", "-o", file)
    motion = load(file)
    assert list(motion.data["speed_name"].values) == ["v", "w"]
    assert abs(motion["w"] - motion["theta'"]).max() < 1e-15


def test_simulate_bounds_its_steps(run):
    done = run("simulate", SLEIGH, "--until", "1", "--max-step", "0.001", "--breaks", "0.25,0.5")
    assert done.code == 0
    steps = next(line for line in done.out.splitlines() if line.startswith("steps"))
    assert int(steps.split()[1]) >= 1000
    for options in (["--max-step", "0"], ["--max-step", "x"], ["--breaks", "a,b"]):
        refused = run("simulate", SLEIGH, "--until", "1", *options)
        assert refused.code == 2
        assert "Traceback" not in refused.err


def test_simulate_prints_a_summary(run):
    done = run("simulate", SLEIGH, "--until", "1")
    assert done.code == 0
    for part in (
        "final theta'",
        "relative energy drift",
        "constraint residual",
        "Taylor series:",
        "integrated to the end",
    ):
        assert part in done.out


def test_simulate_draws_what_was_chosen(run, tmp_path):
    picture, options = tmp_path / "chosen.svg", ("--until", "1", "--plot-of", "energy", "--plot-of", "x'*cos(theta)")
    done = run("simulate", SLEIGH, *options, "--plot", picture)
    assert done.code == 0, done.err
    assert "<!-- x'*cos(theta) -->" in picture.read_text()
    pinned(run("simulate", SLEIGH, *options).err, "plot", "FILE")
    table = tmp_path / "run.csv"
    assert run("simulate", SLEIGH, "--times", "0,1", "-o", table).code == 0
    assert table.read_text().startswith("t,x,y,theta,x',y',theta'")


def test_simulate_writes_the_motion_and_its_picture(run, tmp_path):
    file, picture = tmp_path / "run.nc", tmp_path / "run.SVG"
    options = ("--set", "m=2", "--start", "theta'=pi/4", "--times", "0, 1, 5/2", "-o", file, "--plot", picture)
    done = run("simulate", "Chaplygin_Sleigh", *options)
    assert done.code == 0
    motion = load(file)
    assert motion.system.parameters["m"] == 2.0
    assert motion.time.values.tolist() == [0.0, 1.0, 2.5]
    assert float(motion["theta'"][0]) == pytest.approx(0.7853981633974483, rel=1e-15)
    assert float(motion["x'"][0]) == 1.0
    assert "<svg" in picture.read_text()
    assert all(said in done.out for said in (f"motion written to {file}\n", f"picture written to {picture}\n"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.SVG", "run.nc"]


def test_simulate_a_file_from_a_full_start(run, ball, tmp_path):
    file = tmp_path / "run.nc"
    options = ("--by", "maggi", "--integrator", "scipy", "--tolerance", "1e-9", "--start", "t=1", "--until", "2")
    done = run("simulate", ball, *THROWN, *options, "-o", file)
    assert done.code == 0
    assert "scipy (asked for by name)" in done.out
    motion = load(file)
    assert motion.time.values[0] == 1.0
    assert float(motion["z"][-1]) == pytest.approx(3 - 9.81 / 2, abs=1e-7)


def test_simulate_projects_when_asked(run):
    options = ("--until", "1", "--start", "y'=1")
    assert "add --project" in run("simulate", SLEIGH, *options).err
    assert run("simulate", SLEIGH, *options, "--project").code == 0


def test_a_motion_that_escapes_is_kept_and_leaves_with_one(run, tmp_path):
    path, file = tmp_path / "escape.toml", tmp_path / "run.nc"
    path.write_text(
        'schema = "anholonomy-system-1"\nname = "escape"\nlagrangian = "x\'^2/2 + x^4"\ncoordinates = ["x"]\n'
    )
    done = run("simulate", path, "--start", "x=1", "--start", "x'=1", "--until", "20", "-o", file)
    assert done.code == 1
    assert "the state ceased to be finite" in done.out
    assert not load(file).is_complete


def test_the_motion_is_on_disk_even_when_drawing_fails(tmp_path, monkeypatch):
    from anholonomy.show import figures

    def broken(motion, ax=None):
        raise RuntimeError("no ink")

    monkeypatch.setattr(figures, "plot_motion", broken)
    file = tmp_path / "run.nc"
    from anholonomy.cli.main import main

    with pytest.raises(RuntimeError, match="no ink"):
        main(["simulate", SLEIGH, "--until", "1", "-o", str(file), "--plot", str(tmp_path / "run.png")])
    assert load(file).is_complete


@pytest.mark.exhaustive
def test_study_leaves_everything_twice(run, tmp_path):
    folder = tmp_path / "results" / "sleigh"
    for until in ("1", "2"):
        done = run("study", SLEIGH, "--output", folder, "--until", until, "--set", "a=0.1")
        assert done.code == 0, done.err
    names = ["equations.tex", "motion.png", "report.html", "report.md", "run.nc", "system.toml"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert all(str(folder / name) in done.out for name in names)
    assert f"{AGREEING} principles agree" in done.out
    assert load(folder / "run.nc").time.values[-1] == 2.0
    assert load(folder / "system.toml").parameters["a"] == 0.1
    assert (folder / "motion.png").read_bytes().startswith(b"\x89PNG")
    assert "straight line" in (folder / "report.md").read_text(encoding="utf-8")
    assert r"\ddot{\theta}" in (folder / "equations.tex").read_text(encoding="utf-8")


def test_study_a_file(run, ball, tmp_path):
    done = run("study", ball, "-o", tmp_path / "out", "--until", "1", *THROWN)
    assert done.code == 0, done.err
    assert "[bold]ball" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_simulate_tells_what_is_lost_and_stops_there(run, tmp_path):
    file = tmp_path / "string.toml"
    file.write_text(
        """schema = "anholonomy-system-1"
name = "on a string"
coordinates = ["x", "z"]
lagrangian = "(x'^2 + z'^2)/2 - 9.81*z"
constraints = { string = "1 - x^2 - z^2 = 0" }
one_sided = ["string"]
"""
    )
    swing = ("simulate", str(file), "--until", "1", *(f"--start={s}" for s in ("x=0", "z=-1", "x'=6", "z'=0")))
    assert "to the end; string was lost at t = 0.484466, and" in run(*swing).out
    stopped = run(*swing, "--stop-at", "string lost")
    assert stopped.code == 0
    assert "time                   0 to 0.4844661317" in stopped.out
    assert "stopped by the event string lost (t = 0.484466)" in stopped.out
    pinned(run(*swing, "--stop-at", "rope lost").err, "string lost")


def test_show_says_the_group_and_simulate_what_the_energy_does(run):
    assert "SO(3) by unit quaternions q0, q1, q2, q3" in run("show", "suslov").out
    driven = run("simulate", "ball-on-turntable", "--until", "1").out
    assert "energy changed by" in driven
    assert "drift" not in driven


def test_show_counts_what_is_too_long_to_read(run):
    short, whole = run("show", "whipple-bicycle"), run("show", "whipple-bicycle", "--all")
    assert len(short.out) < 5000 < 60_000 < len(whole.out)
    assert "[2,160 operations]" in short.out
    assert "`anholonomy show whipple-bicycle --all` prints them" in short.out
    assert "left out" not in whole.out
    assert "left out" not in run("show", SLEIGH).out


def test_the_speed_of_a_film_is_called_playback(run, tmp_path):
    film = str(tmp_path / "skate.html")
    assert run("animate", "skate", "-o", film, "--until", "1", "--playback", "0.1").code == 0
    assert run("animate", "skate", "-o", film, "--speed", "2").code == 2


def test_export_writes_a_declaration_that_runs(run, tmp_path):
    file = tmp_path / "sleigh.toml"
    assert run("export", SLEIGH, "--to", "toml", "--output", file).code == 0
    assert "[start]" in run("export", SLEIGH, "--to", "TOML").out
    here, there = (run("simulate", system, "--until", "1", "-o", tmp_path / "run.nc") for system in (SLEIGH, file))
    assert here.code == there.code == 0
    assert here.out == there.out
    pinned(run("export", SLEIGH, "--to", "toml", "--by", "hamel").err)
    pinned(run("export", SLEIGH, "--to", "toml", "--name", "Sleigh").err)


def test_a_saved_motion_goes_on(run, tmp_path):
    """In two parts it is what it is in one, and the events of the first are looked for in the second."""
    first, both, whole = (str(tmp_path / f"{name}.nc") for name in ("first", "both", "whole"))
    begin = ("simulate", SLEIGH, "--event", "north=theta - 0.75", "--event", "east=theta - 0.5")
    assert run(*begin, "--until", "3", "-o", first).code == 0
    assert run("simulate", first, "--until", "6", "-o", both).code == 0
    assert run(*begin, "--until", "6", "-o", whole).code == 0
    one, other = (load(file) for file in (both, whole))
    for name in ("x", "y", "theta", "theta'"):
        assert float(one[name][-1]) == pytest.approx(float(other[name][-1]), abs=1e-12)
    assert list(one.events["event"].values) == list(other.events["event"].values) == ["east", "north"]
    stopped = run("simulate", first, "--until", "6", "--event", "north=theta - 0.75", "--stop-at", "north")
    assert "stopped by the event north" in stopped.out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--until", "9", "--set", "m=2", "--by", "kane"], "goes on as it began; leave out --set, --by"),
        ([], "give --until, to say how far it goes on"),
        (["--until", "0.5"], "is no time beyond the end of the motion"),
    ],
)
def test_a_saved_motion_goes_on_as_it_began(run, tmp_path, options, says):
    file = str(tmp_path / "run.nc")
    run("simulate", SLEIGH, "--until", "1", "-o", file)
    found = run("simulate", file, *options)
    assert found.code == 2
    assert says in found.err


@pytest.mark.parametrize(
    ("words", "said"), [((), "report needs a system"), (("skate", "--all"), "contradict each other")]
)
def test_a_report_is_of_one_system_or_of_all(run, tmp_path, words, said):
    found = run("report", *words, "-o", str(tmp_path / "page.html"))
    assert found.code == 2
    assert said in found.err


@pytest.mark.exhaustive
def test_reports_of_several_systems_are_written_at_once(tmp_path):
    from anholonomy.cli.commands.pages import reports_of_all

    found = {name: size for name, size, _ in reports_of_all(tmp_path / "out", 0.2, ["skate", "heisenberg"])}
    assert {path.name: path.stat().st_size for path in (tmp_path / "out").iterdir()} == {
        f"{k}.html": v for k, v in found.items()
    }
    assert set(found) == {"skate", "heisenberg"}
