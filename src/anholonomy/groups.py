"""Lie groups, for a declaration such as ``System(group=SO3())``, and `read` for their names in text."""

from anholonomy.geometry.groups import *
