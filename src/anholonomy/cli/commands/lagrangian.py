"""``anholonomy lagrangian``: is there a Lagrangian behind force and momentum?"""

from __future__ import annotations

from anholonomy.cli.options import Target

__all__ = ["lagrangian"]


def lagrangian(target: Target) -> None:
    """Print the Lagrangian of which force and momentum are the differential, or the condition that fails.

    For a system that has a Lagrangian and forces, the question is whether one Lagrangian contains both.

    \b
    Examples:
      anholonomy lagrangian my-robot.toml
      anholonomy lagrangian knife-edge
    """
    from anholonomy.cli.target import find

    system = find(target).system
    print(f"{system.name}: {system.find_lagrangian()}")
