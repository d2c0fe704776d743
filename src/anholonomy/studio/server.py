"""The server: one process on this machine's own address, one folder, one token, printed once."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, final

from anholonomy.base.errors import FileError, NotSupportedError

__all__ = ["serve"]

_LOCK = ".lock"
_SILENCE = 10.0
"""Seconds after which a connection that has said nothing whole is closed."""


def serve(folder: Path, port: int = 0, browser: bool = True) -> None:
    """Serve the studio until Ctrl-C; ``port`` 0 is any that is free."""
    try:
        import uvicorn

        from anholonomy.studio.routes import studio
    except ImportError:
        raise NotSupportedError(
            "the studio needs Starlette and uvicorn; `pip install anholonomy[studio]` brings them."
        ) from None
    from anholonomy.studio.projects import Projects

    # Ctrl-C is how one leaves.
    with contextlib.suppress(KeyboardInterrupt), _kept(folder) as own, _listening(port) as listener:
        number = listener.getsockname()[1]
        token = secrets.token_urlsafe(32)
        address = f"http://127.0.0.1:{number}/?token={token}"
        config = uvicorn.Config(
            studio(Projects(own), token, number),
            http=_patient(),
            ws="none",
            log_level="warning",
            access_log=False,
            server_header=False,
            limit_concurrency=128,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=2,
        )
        print(f"The studio is at {address}\nProjects are kept in {own}; Ctrl-C ends it.", flush=True)
        if browser:
            webbrowser.open(address)
        asyncio.run(uvicorn.Server(config).serve([listener]))


@contextlib.contextmanager
def _kept(folder: Path) -> Iterator[Path]:
    """The folder, made where needed and held by this server alone; a killed server holds nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / _LOCK).open("a")
    except OSError as problem:
        raise FileError(f"cannot keep projects in {folder} ({problem.strerror}); choose another --folder.") from None
    with lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # a system without such locks
            pass
        except OSError:
            raise FileError(f"another studio has {folder} open; use that one, or give another --folder.") from None
        yield folder.resolve()


@contextlib.contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    """A socket on this machine's own address, which no other machine reaches."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except (OSError, OverflowError) as problem:
            said = getattr(problem, "strerror", "") or "no port has that number"
            raise FileError(f"cannot listen on port {port} ({said}); choose another --port, or none.") from None
        yield listener


def _patient() -> type[Any]:
    """uvicorn's protocol, which would wait for ever for the end of a request's head."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    @final
    class Patient(H11Protocol):
        late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            if self.late is not None:
                self.late.cancel()
            super().connection_lost(exc)

        def _watch(self) -> None:
            """A clock runs while the head of a request is incomplete."""
            waiting = self.cycle is None or self.cycle.response_complete
            if not waiting and self.late is not None:
                self.late.cancel()
                self.late = None
            elif waiting and self.late is None:
                self.late = self.loop.call_later(_SILENCE, self._give_up)

        def _give_up(self) -> None:
            self.late = None
            if self.cycle is None or self.cycle.response_complete:
                self.transport.close()

    return Patient
