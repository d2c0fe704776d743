"""Laws of the commands that are made of verbs."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from importlib import import_module
from typing import Any

import pytest
from typer.main import get_command

from anholonomy.cli.commands import COMMANDS, OTHER_NAMES, WRITTEN, summary_of
from anholonomy.cli.main import app
from anholonomy.cli.verb_table import FORMER_OPTIONS, PARTICULARS, WITHOUT
from anholonomy.cli.verbs import OWNERS, verbs

GROUP: Any = get_command(app)
EXAMPLES = {
    name: re.findall(r"^  anholonomy (.*)$", GROUP.get_command(None, name).help or "", re.MULTILINE)
    for name in COMMANDS
}
QUICK = [
    "units chaplygin-sleigh",
    'accelerations chaplygin-sleigh --start "theta\'=1"',
    'reactions chaplygin-sleigh --start "theta\'=1" --by maggi',
    "adapted-frame chaplygin-sleigh",
    "frame suslov",
    "metric chaplygin-sleigh",
    "distribution rolling-disk",
    "ehresmann chaplygin-sleigh --base y,theta",
    "momentum-map suslov",
    "is-holonomic skate",
    "closed-form free-particle",
    "momentum-equation skate --field theta=1",
    "abnormal martinet",
    "controllability unicycle",
    "reduced chaplygin-sleigh",
]
"""Examples that take less than a second."""


def class_of(owner: str) -> type:
    return getattr(import_module(f"anholonomy.public.{owner}"), owner.capitalize())


@pytest.mark.parametrize("owner", OWNERS)
def test_every_verb_has_a_command_or_a_reason(owner):
    """A property of a system, of equations or of a motion is data or an accessor; ``show`` and ``derive`` print data."""
    for name, value in vars(class_of(owner)).items():
        is_data = not inspect.isfunction(value) and owner in ("system", "equations", "motion")
        if name.startswith("_") or is_data or isinstance(value, str):
            continue
        assert (name.replace("_", "-") in COMMANDS) != (name in WITHOUT[owner]), f"{owner}.{name}"


def test_reasons_and_exceptions_are_about_what_there_is():
    for owner, reasons in WITHOUT.items():
        for name, reason in reasons.items():
            assert hasattr(class_of(owner), name), f"{owner}.{name}"
            assert reason
    assert verbs().keys() >= set(PARTICULARS)
    for name, special in PARTICULARS.items():
        known = {each.name for each in verbs()[name].parameters()}
        assert {*special.kinds, *special.optional, *special.required} <= known, name


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_is_made_of_plain_sentences(name):
    command = GROUP.get_command(None, name)
    assert EXAMPLES[name]
    assert all(example.split()[0] == name for example in EXAMPLES[name])
    assert summary_of(name).endswith((".", "?"))
    texts = [summary_of(name), *(option.help or "" for option in command.params)]
    assert not [text for text in texts if re.search(r"``|\$|\{|\\", text)]
    assert not [option.name for option in command.params if not option.help]


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_fit_their_command(name):
    """They are parsed as when they are typed; `test_quick_examples_run` runs some."""
    for example in EXAMPLES[name]:
        GROUP.get_command(None, name).make_context(name, shlex.split(example)[1:])


@pytest.mark.parametrize("example", QUICK)
def test_quick_examples_run(run, example):
    assert example in EXAMPLES[example.split()[0]]
    done = run(*shlex.split(example))
    assert done.code == 0, done.err
    assert done.out.strip()


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in WRITTEN])
def test_examples_of_the_catalogue_run(run, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for example in EXAMPLES[name]:
        if ".toml --" not in example and not example.endswith(".toml") and "data.csv" not in example:
            done = run(*shlex.split(example))
            assert done.code == 0, f"{example}: {done.err}"


@pytest.mark.parametrize(("other", "name"), OTHER_NAMES.items())
def test_other_names_are_the_same_command(other, name):
    assert other not in COMMANDS
    assert GROUP.get_command(None, other).help == GROUP.get_command(None, name).help
    assert other in GROUP.get_command(None, name).help


def test_former_options_name_what_to_type_now(run):
    pinned = {"fit": ("skate", "data.csv", "--unknown", "m"), "linearize": ("skate", "--given", "x'=1")}
    for name, words in pinned.items():
        done = run(name, *words)
        assert done.code == 2
        now = FORMER_OPTIONS[words[-2]].get(name, FORMER_OPTIONS[words[-2]][""])
        assert f"{name} has no option {words[-2]}; write {now}." in done.err
    assert "No such option: --limit" in run("derive", "skate", "--limit", "3").err


def test_an_answer_is_printed_as_text_latex_and_data(run, tmp_path):
    from anholonomy import catalogue

    answer, file = catalogue.skate().momentum_equation({"theta": "1"}), tmp_path / "answer.json"
    words = ("momentum-equation", "skate", "--field", "theta=1")
    assert run(*words).out == f"{answer}\n"
    assert run(*words, "--latex").out == f"{answer.latex()}\n"
    assert f"the answer is in {file}" in run(*words, "--json", file).out
    assert json.loads(file.read_text()) == answer.to_dict()


def test_starts_stand_in_one_option_or_in_many(run):
    one = run("compare", "skate", "--start", "x=0,y=0,theta=0,x'=1,theta'=0")
    many = run(
        "compare", "skate", *(w for text in ("x=0", "y=0", "theta=0", "x'=1", "theta'=0") for w in ("--start", text))
    )
    assert one == many
    assert one.code == 0


def test_the_start_of_a_motion_is_completed_and_that_of_a_path_is_not(run):
    assert run("accelerations", "chaplygin-sleigh").code == 0
    assert "lacks y" in run("geodesic", "skate", "--start", "x=0,theta=0", "--end", "x=1,y=0,theta=0").err


def test_analyse_tells_what_literature_claims(run):
    done = run("analyse", "skate", "--only", "conserved")
    assert done.code == 0, done.err
    assert "claims of the literature" in done.out
