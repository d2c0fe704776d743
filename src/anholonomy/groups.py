"""Lie groups, for a declaration such as ``System(group=SO3())``, and `read` for their names in text."""

from anholonomy.geometry.groups import *
from anholonomy.geometry.groups import GROUPS, as_group

ALL = GROUPS
"""Every kind of group, in the order of tables."""
read = as_group
