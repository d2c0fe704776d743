"""Systems from SymPy's mechanics: import a model as a system, or audit it."""

from anholonomy.importing.importer import Audit, Imported, audit, from_sympy

__all__ = ["Audit", "Imported", "audit", "from_sympy"]
