"""The process: a JSON line in is a task, JSON lines out are its answers. It ends with the server, or when a task takes too long."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import queue
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from anholonomy.base.errors import Error
from anholonomy.studio.worker.answers import ASKED, answered, derived
from anholonomy.studio.worker.declarations import Unreadable, compact, described
from anholonomy.studio.worker.exports import exported, kinds
from anholonomy.studio.worker.motions import moved

__all__ = ["TASKS"]


_MEMORY = 6 * 1024**3
"""Bytes of address space; compilers map much more than they use."""
_LINE = 8_000_000
"""Letters of one order."""


def _bounded() -> None:
    """Limit memory, where the system can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        limit = _MEMORY if most == resource.RLIM_INFINITY else min(_MEMORY, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _listen(orders: queue.SimpleQueue[str]) -> None:
    """Orders as they come; when the server is gone, so is the worker, in the middle of whatever it does."""
    for line in sys.stdin:
        orders.put(line)
    os._exit(0)


def _alarm(seconds: float) -> None:
    """Let the system end this process after so many seconds, even inside a call that listens to nothing; 0 calls it off."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    """Do what is asked until nobody asks any more."""
    _bounded()
    # Whatever prints goes to the terminal of the server, and never among the answers.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")

    def say(message: dict[str, Any]) -> None:
        out.write(json.dumps(message, allow_nan=False, separators=(",", ":")) + "\n")
        out.flush()

    orders: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        order = json.loads(orders.get())
        _alarm(order["limit"])
        try:
            say(TASKS[order["task"]](order["words"], lambda more: say({"more": more})))
        except Unreadable as why:
            say({"refused": str(why), "mark": why.mark})
        except Error as why:
            say({"refused": str(why)})
        except MemoryError:
            say({"refused": "there is not enough memory for that; make the system smaller, or its motion shorter."})
        except RecursionError:
            say({"refused": "the declaration nests too deeply for that; write it flatter."})
        except Exception as why:
            traceback.print_exc()
            say({"refused": f"the program is at fault here ({type(why).__name__}: {why!s:.200}); please report it."})
        _alarm(0)


# The tasks.


More = Callable[[Any], None]


def _catalogue(words: Mapping[str, Any], more: More) -> dict[str, Any]:
    """Every entry with its folder in the catalogue, and what can be asked and made."""
    from anholonomy.catalogue import ENTRIES

    found = []
    for key, entry in ENTRIES.items():
        room = entry.make.__module__.split(".")[-2]
        found.append({"key": key, "name": entry.make().name, "room": room, "said": entry.said})
    return {"entries": found, "questions": ASKED, "exports": kinds()}


def _entry(words: Mapping[str, Any], more: More) -> dict[str, Any]:
    """The words of a project that begins as an entry."""
    from anholonomy.catalogue import ENTRIES

    entry = ENTRIES[words["key"]]
    system = entry.make().with_start(entry.start)
    return {"name": system.name, "declaration": compact(system.to_toml()), "until": entry.until}


def _warm(words: Mapping[str, Any], more: More) -> dict[str, Any]:
    """A small motion, for what it loads and compiles on the way."""
    begun = _entry({"key": "skate"}, more)
    moved({**begun, "parameters": {}, "start": {}, "vakonomic": False})
    return {}


def _picture(words: Mapping[str, Any], more: More) -> dict[str, Any]:
    from anholonomy.studio.thumbnails import draw

    return {"picture": base64.b64encode(draw(words["key"])).decode("ascii")}


TASKS: dict[str, Callable[[Mapping[str, Any], More], dict[str, Any]]] = {
    "catalogue": _catalogue,
    "entry": _entry,
    "warm": _warm,
    "picture": _picture,
    "check": lambda words, more: described(words),
    "motion": lambda words, more: moved(words),
    "equations": lambda words, more: derived(words),
    "ask": answered,
    "export": exported,
}


if __name__ == "__main__":
    main()
