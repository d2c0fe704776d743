"""The list of discrete methods, of fixed steps that keep something. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.motion.discrete.dla_midpoint import *
from anholonomy.motion.discrete.dla_trapezoidal import *
from anholonomy.motion.discrete.reversible import *
from anholonomy.motion.discrete.gni import *
from anholonomy.motion.discrete.energy import *

from anholonomy.base.registry import listed, publish
from anholonomy.motion.discrete.base import AbstractMethod

METHODS: dict[str, type[AbstractMethod]] = {kind.name: kind for kind in listed(globals(), AbstractMethod)}
"""Every discrete method by the name that a user gives."""

publish(globals())
