"""``anholonomy hamiltonian``: momenta, Hamiltonian, and the bracket on the constraint submanifold."""

from __future__ import annotations

from anholonomy.cli.options import Latex, Target

__all__ = ["hamiltonian"]


def hamiltonian(target: Target, latex: Latex = False) -> None:
    """Print the Hamiltonian form on the constraint submanifold, and whether its bracket obeys Jacobi's identity.

    \b
    Examples:
      anholonomy hamiltonian chaplygin-sleigh
      anholonomy hamiltonian my-robot.toml --latex
    """
    from anholonomy.cli.target import find

    found = find(target).system.hamiltonian_form()
    print(found.latex() if latex else found.text(whole=True))
    print(f"% {found.is_poisson()}" if latex else found.is_poisson())
