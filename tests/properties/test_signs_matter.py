"""The law has teeth: with any single term of a principle flipped or dropped, the principles disagree."""

from __future__ import annotations

import pytest

from anholonomy.equations.principles import PRINCIPLES
from tests.properties.mutation import Mutant, mutants
from tests.properties.trials import TRIALS, Trial, is_noticed

BREAKS = [(mutant, trial) for trial in TRIALS for mutant in mutants(trial.module, trial.functions)]


@pytest.mark.exhaustive_for("anholonomy.equations.almost_poisson-_bracket")
@pytest.mark.parametrize("trial", TRIALS, ids=lambda t: f"{t.module.__name__}-{t.functions[0]}")
def test_unbroken_modules_pass_their_trial(trial: Trial) -> None:
    assert trial.is_sound(trial.module, trial.models)


def test_every_principle_is_broken() -> None:
    assert {type(f).__module__ for f in PRINCIPLES} <= {trial.module.__name__ for trial in TRIALS}


@pytest.mark.exhaustive
@pytest.mark.parametrize(("mutant", "trial"), BREAKS, ids=lambda x: str(x) if isinstance(x, Mutant) else "")
def test_a_changed_term_is_noticed(mutant: Mutant, trial: Trial) -> None:
    assert is_noticed(mutant, trial)
