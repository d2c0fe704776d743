"""Systems from SymPy's mechanics: import a model as a system, or audit it."""

from anholonomy.importing.importer import Audit, ImportedModel, audit, from_sympy

__all__ = ["Audit", "ImportedModel", "audit", "from_sympy"]
