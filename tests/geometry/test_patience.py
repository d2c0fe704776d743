"""Questions end: answered, or given up with what was found, and whoever asks may interrupt them."""

from __future__ import annotations

import signal
from functools import partial
from itertools import count

import pytest

import anholonomy as ah
from anholonomy import catalogue
from anholonomy.base import deadlines as clock
from anholonomy.base.deadlines import check, patience
from anholonomy.geometry.symmetry.basis_functions import MANY, MAX_FUNCTIONS, automatic_basis
from tests.wording import blames

SYSTEMS = {
    "leaning disc": (catalogue.leaning_disc, 5),
    "off-axle trailer": (catalogue.off_axle_trailer, 4),
    "2-trailer": (partial(catalogue.n_trailer, 2), 7),
}


@pytest.mark.exhaustive_for("2-trailer", "off-axle trailer")
@pytest.mark.parametrize(("make", "fields"), SYSTEMS.values(), ids=SYSTEMS.keys())
def test_the_isometries_of_vehicles(make, fields):
    """Of the kinetic energy without constraints.

    The disc: motions of the plane, its spin, and the turn of its axis. A train: its centre of mass moves as a free particle, and
    its shape turns; a heading without coupling adds a flat direction, se(3) + R.
    """
    found = ah.geometry.killing_fields(make().geometry.metric, time_limit=None)
    assert (len(found), bool(found.is_complete), found.gave_up) == (fields, True, "")


@pytest.fixture
def hasty(monkeypatch):
    """A clock by which every question takes long: some seconds pass between two looks at it."""
    ticks = count()
    monkeypatch.setattr(clock, "monotonic", lambda: 5.0 * next(ticks))


def test_given_up_with_what_is_known(hasty):
    metric = ah.geometry.Metric(ah.geometry.Frame(["x", "y"]), ["1", "1 + x^2"])
    found = ah.geometry.killing_fields(metric, time_limit=60)
    assert not found.is_complete
    assert "gave up after 60 s" in str(found)
    D = ah.geometry.Distribution.from_constraints(["z' = y*x' + x*y'*cos(z)^2"], ["x", "y", "z"])
    assert str(D.is_integrable(time_limit=1)).startswith("the distribution is integrable: unknown, gave up after 1 s")
    assert not D.growth_vector(time_limit=1).is_settled
    assert "gave up" in str(D.leaves(time_limit=1))


def test_questions_that_have_no_half_answer_are_given_up(hasty):
    D = ah.geometry.Distribution.from_constraints(["z' = y*x' + x*y'*cos(z)^2"], ["x", "y", "z"])
    assert not D.derived_flag(time_limit=1).is_settled
    metric = ah.geometry.Metric(ah.geometry.Frame(["x", "y"]), ["1 + y^2", "1 + x^2"])
    assert D.is_bracket_generating(time_limit=1).is_unknown
    for ask in (D.singular_points, lambda time_limit: ah.connections.levi_civita(metric, time_limit=time_limit)):
        with blames(ah.errors.TimeLimitError, "time_limit", "1"):
            ask(time_limit=1)
    with blames(ah.errors.NotSupportedError):
        D.degree_of_nonholonomy(time_limit=1)


def test_what_was_given_up_is_not_remembered(monkeypatch):
    D = ah.geometry.Distribution.from_constraints(["z' = y*x'"], ["x", "y", "z"])
    with monkeypatch.context() as patched:
        ticks = count()
        patched.setattr(clock, "monotonic", lambda: 5.0 * next(ticks))
        assert not D.growth_vector(time_limit=1).is_settled
    assert D.growth_vector() == (2, 3)


def test_limits_nest(hasty):
    def wait():
        with patience(7), patience(1000):
            while True:
                check()

    with blames(ah.errors.TimeLimitError, "7"):
        wait()


@pytest.mark.parametrize("limit", [0, -1, float("nan"), "soon", True])
def test_what_is_no_limit(limit):
    with blames(ah.Error):
        ah.geometry.killing_fields(ah.geometry.Metric(ah.geometry.Frame(["x"]), ["1"]), time_limit=limit)


def test_an_alarm_is_heard():
    """No single call is so long that a signal would wait for it."""

    class Alarm(Exception):
        pass

    def ring(*_):
        raise Alarm

    metric = catalogue.n_trailer(3).geometry.metric
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Alarm):
            ah.geometry.killing_fields(metric, time_limit=None)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_no_basis_is_longer_than_can_be_used():
    metric = catalogue.n_trailer(4).geometry.metric
    functions = automatic_basis(metric.matrix_ab, metric.frame.coordinates)
    assert len(functions) <= MANY * MAX_FUNCTIONS
    assert set(metric.frame.coordinates[:2]) <= set(functions)
