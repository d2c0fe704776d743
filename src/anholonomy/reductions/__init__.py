"""What is left of a system over a fibre or modulo a group, and the way back up."""

from anholonomy.reductions.by_group import ReducedByGroup as ReducedByGroup
from anholonomy.reductions.over_fibre import Reduced as Reduced
