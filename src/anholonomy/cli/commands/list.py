"""``anholonomy list``: what the catalogue holds."""

from __future__ import annotations

__all__ = ["list_"]


def list_() -> None:
    """List the systems of the catalogue.

    \b
    Examples:
      anholonomy list
    """
    from anholonomy.catalogue import ENTRIES
    from anholonomy.cli.output import print_table

    rows = []
    for key, entry in ENTRIES.items():
        system = entry.make()
        coordinates = ", ".join(q.name for q in system.coordinates)
        kinds = ", ".join(kind.label for kind in system.model.kinds)
        count = len(system.constraints)
        rows.append((key, system.name, coordinates, f"{count} {kinds}" if count else "none"))
    print_table(("key", "name", "coordinates", "constraints"), rows)
