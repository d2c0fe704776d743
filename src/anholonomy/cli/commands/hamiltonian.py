"""``anholonomy hamiltonian``: momenta, Hamiltonian, and the bracket on the constraint submanifold."""

from __future__ import annotations

from typing import Annotated

import typer

from anholonomy.cli.options import Target

__all__ = ["hamiltonian"]

Latex = Annotated[bool, typer.Option("--latex", help="Print LaTeX instead of text.")]


def hamiltonian(target: Target, latex: Latex = False) -> None:
    """Print the Hamiltonian form on the constraint submanifold, and whether its bracket obeys Jacobi's identity.

    \b
    Examples:
      anholonomy hamiltonian chaplygin-sleigh
      anholonomy hamiltonian my-robot.toml --latex
    """
    from anholonomy.cli.target import find
    from anholonomy.verdict import Verdict

    found = find(target).system.hamiltonian()
    print(found.latex() if latex else found)
    said = {
        Verdict.PROVEN: "Jacobi's identity holds: at each instant the bracket is Poisson.",
        Verdict.REFUTED: "Jacobi's identity fails: the bracket is almost Poisson, the constraints are nonholonomic.",
        Verdict.UNKNOWN: "Whether Jacobi's identity holds could not be decided.",
    }[found.is_poisson()]
    print(f"% {said}" if latex else said)
