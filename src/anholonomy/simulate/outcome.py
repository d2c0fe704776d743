"""How an integration ended: an enumeration of sentences."""

from __future__ import annotations

from enum import Enum

__all__ = ["Outcome"]


class Outcome(Enum):
    """Why the motion ends where it ends; the value is the sentence a user reads.

    >>> str(Outcome.REACHED_END)
    'the motion was integrated to the end'
    """

    REACHED_END = "the motion was integrated to the end"
    STOPPED = "the integration was stopped where it was asked to stop"
    INTERRUPTED = "the integration was interrupted; the motion up to that time is kept"
    NOT_FINITE = "the state ceased to be finite: the motion escapes or its equations become singular there"
    STEP_TOO_SMALL = "the steps became too small to advance the time: the motion nears a singularity"
    HOPELESS = (
        "at this pace the end would not be reached: it is too far, the motion nears a singularity, "
        "or a force that jumps (abs, sign) holds it"
    )
    HELD_SHORT = (
        "at this pace the end would not be reached: the steps are as long as they may be, by max_step or by what the "
        "declaration's functions of time demand; allow longer ones (max_step=) or ask for a shorter motion"
    )
    TOO_MANY_STEPS = "the number of steps allowed was used up before the end"

    def __str__(self) -> str:
        return self.value

    @property
    def is_complete(self) -> bool:
        """True when the motion covers all the times that were asked for."""
        return self is Outcome.REACHED_END
