"""What messages say is pinned in one file a room, `tests/<room>/wording.txt`; tests ask for the class and for what is blamed.

A test says `with blames(DeclarationError, "x"): …`. It fails if the class is another, if the message is no sentence, or if it does not name
`x`. A change of English does not fail it: the run reports one failure for the room, with the lines that differ, and
`pytest -n 0 --write-wording tests/<room>` writes them anew.
"""

from tests.wording.blame import blames, pinned

__all__ = ["blames", "pinned"]
