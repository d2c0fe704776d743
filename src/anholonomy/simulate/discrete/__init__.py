"""Discrete mechanics: methods of fixed steps that keep something. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.simulate.discrete.dla_midpoint import *
from anholonomy.simulate.discrete.dla_trapezoidal import *
from anholonomy.simulate.discrete.reversible import *
from anholonomy.simulate.discrete.gni import *
from anholonomy.simulate.discrete.energy import *

from anholonomy.plurals import listed, publish
from anholonomy.simulate.discrete.base import AbstractMethod

METHODS: dict[str, type[AbstractMethod]] = {kind.name: kind for kind in listed(globals(), AbstractMethod)}
"""Every discrete method by the name that a user gives."""

publish(globals())
