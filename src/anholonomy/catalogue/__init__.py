"""Classical systems, one a file, declared as a user would. A new one is one new file, and one new line in the list of its room."""

from __future__ import annotations

import inspect
import sys

from anholonomy.catalogue.entry import Entry as Entry
from anholonomy.catalogue.vehicles import *
from anholonomy.catalogue.discs import *
from anholonomy.catalogue.balls import *
from anholonomy.catalogue.tops import *
from anholonomy.catalogue.particles import *

from anholonomy.base import registry as plurals

_ENTRIES = [sys.modules[make.__module__].ENTRY for make in list(globals().values()) if inspect.isfunction(make)]
ENTRIES: dict[str, Entry] = {entry.key: entry for entry in _ENTRIES}
"""Every entry by the name it has at the command line."""

plurals.publish(globals())
