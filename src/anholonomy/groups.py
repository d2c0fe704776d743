"""Lie groups, for a declaration such as ``System(group=SO3())``, and `read` for their names in text."""

from anholonomy.base import registry as _registry
from anholonomy.geometry.groups import *
from anholonomy.geometry.groups import GROUPS, as_group

ALL = GROUPS
"""Every kind of group, in the order of tables."""
read = as_group

_registry.leave_out(globals(), "GROUPS", "as_group")
