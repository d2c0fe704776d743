"""Commands that call one verb and print its answer, made from a table: hamiltonian, lagrangian, verify, compare.

``anholonomy compare``: motions of mechanics beside vakonomic ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anholonomy.cli.options import All, Start, Target

__all__ = ["hamiltonian", "lagrangian", "verify", "compare"]


# ``anholonomy hamiltonian``: momenta, Hamiltonian, and the bracket on the constraint submanifold.


Latex = Annotated[bool, typer.Option("--latex", help="Print LaTeX instead of text.")]


def hamiltonian(target: Target, latex: Latex = False) -> None:
    """Print the Hamiltonian form on the constraint submanifold, and whether its bracket obeys Jacobi's identity.

    \b
    Examples:
      anholonomy hamiltonian chaplygin-sleigh
      anholonomy hamiltonian my-robot.toml --latex
    """
    from anholonomy.cli.target import find

    found = find(target).system.hamiltonian_form()
    print(found.latex() if latex else found)
    print(f"% {found.is_poisson()}" if latex else found.is_poisson())


# ``anholonomy lagrangian``: is there a Lagrangian behind force and momentum?


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


# ``anholonomy verify``: do the principles agree?


States = Annotated[int, typer.Option("--states", min=1, help="How many random admissible states to compare at.")]
Digits = Annotated[int, typer.Option("--digits", min=10, max=1000, help="Decimal digits of the arithmetic.")]


def verify(target: Target, states: States = 5, digits: Digits = 30) -> None:
    """Compare every principle with every other, in certified arithmetic.

    Leaves with 0 when all agree, and with 1 when some do not or only one covers the system.

    \b
    Examples:
      anholonomy verify chaplygin-sleigh
      anholonomy verify my-robot.toml --states 20 --digits 50
    """
    from anholonomy.cli.target import find

    found = find(target).system.verify(states=states, digits=digits)
    print(found)
    raise typer.Exit(0 if found.agree else 1)


# ``anholonomy compare``: motions of mechanics beside vakonomic ones.


Limit = Annotated[float, typer.Option("--limit", min=0.1, help="Seconds that the question may take.")]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the answer as JSON, too.")]


def compare(target: Target, start: Start = None, limit: Limit = 60.0, json: Json = None, whole: All = False) -> None:
    """Print whether every motion is vakonomic, or the one from a state: with the multiplier, or what fails.

    \b
    Examples:
      anholonomy compare carriage
      anholonomy compare skate --start x=0 --start y=0 --start theta=0 --start "x'=1" --start "theta'=0"
      anholonomy compare my-robot.toml --json answer.json
    """
    from json import dumps

    from anholonomy.base.files import place_for, write_whole
    from anholonomy.cli.target import find
    from anholonomy.cli.values import starts

    if json is not None:
        place_for(json)
    answer = find(target).system.compare_vakonomic(starts(start) if start else None, time_limit=limit)
    print(answer.text(whole))
    if json is not None:
        write_whole(json, dumps(answer.to_dict(), indent=2, ensure_ascii=False).encode())
        print(f"the answer is in {json}")
