"""The addresses of the studio. What a client sends is text and numbers; files are those of the package, or of projects by their own names."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from anholonomy.base.errors import Error, FileError, UnknownNameError, quoted
from anholonomy.studio.projects import Projects, read_words
from anholonomy.studio.request_checks import Guard, cookie_name
from anholonomy.studio.worker_pool import BEAT, Pool

__all__ = ["resources", "studio"]


# The files of the page, read once and served by their names; there are no others.


_KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
}


@cache
def resources() -> Mapping[str, tuple[bytes, str]]:
    """Content and type by name; the player is the one that reports and notebooks have."""
    found = {}
    web = files("anholonomy.studio") / "web"
    folders = {"": web, "thumbs/": web / "thumbs", "player/": files("anholonomy.show.animation") / "web"}
    for prefix, folder in folders.items():
        for each in folder.iterdir() if folder.is_dir() else ():
            ending = each.name[each.name.rfind(".") :]
            if ending in _KINDS:
                found[prefix + each.name] = (each.read_bytes(), _KINDS[ending])
    return found


# The addresses.


LIVE, CHECKING, DERIVING, MAKING = 30.0, 20.0, 120.0, 900.0
"""Seconds that a motion, a look at a declaration, a derivation and a file may take."""
_LIMITS = (1.0, 600.0)
"""The least and the most seconds that a question may be given."""
_SLACK = 30.0
"""Seconds beyond its own limit after which a question is killed."""


@final
@dataclass(eq=False)
class _Studio:
    """What the addresses share."""

    projects: Projects
    token: str
    port: int
    quick: Pool = field(default_factory=lambda: Pool(2))
    slow: Pool = field(default_factory=lambda: Pool(2))
    known: dict[str, Any] = field(default_factory=dict)
    drawn: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    knowing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def index(self, request: Request) -> Response:
        """The page; the token in its address becomes a cookie that no script reads."""
        content, kind = resources()["index.html"]
        response = Response(content, media_type=kind)
        if "token" in request.query_params:
            response.set_cookie(cookie_name(self.port), self.token, httponly=True, samesite="strict", path="/")
        return response

    async def resource(self, request: Request) -> Response:
        name = request.path_params["name"]
        found = resources().get(name) or self.drawn.get(name) or await self._picture(name)
        if found is None:
            raise UnknownNameError("there is no such page; open the first one.")
        return Response(found[0], media_type=found[1])

    async def _picture(self, name: str) -> tuple[bytes, str] | None:
        """The small picture of an entry that came after the others were drawn."""
        found = re.fullmatch(r"thumbs/([a-z0-9-]+)\.webp", name)
        if found is None:
            return None
        await self.know()
        key = found[1]
        if key not in [entry["key"] for entry in self.known["entries"]]:
            return None
        made = json.loads(await self.slow.answer("picture", {"key": key}, DERIVING))
        if "refused" in made:
            return None
        self.drawn[name] = (base64.b64decode(made["picture"]), "image/webp")
        return self.drawn[name]

    async def catalogue(self, request: Request) -> Response:
        """Entries, questions and kinds of files; asked of a worker once."""
        await self.know()
        return JSONResponse(self.known)

    async def know(self) -> None:
        """Ask a worker what there is, once."""
        async with self.knowing:
            if not self.known:
                found = json.loads(await self.quick.answer("catalogue", {}, 60.0))
                if "refused" in found:
                    raise FileError(found["refused"])
                self.known = found

    async def begin_warm(self) -> None:
        """What the first page needs, and then a motion, so that the first one somebody asks for finds its programs loaded."""
        with contextlib.suppress(Error):
            await self.know()
            await self.quick.answer("warm", {}, 120.0)

    async def projects_there(self, request: Request) -> Response:
        return JSONResponse({"projects": self.projects.listed()})

    async def begin(self, request: Request) -> Response:
        """A new project: from an entry of the catalogue by its key, or from what the page sends."""
        given = await _json(request)
        key = given.get("key")
        if key is None:
            words = read_words(given)
        else:
            await self.know()
            if key not in [entry["key"] for entry in self.known.get("entries", ())]:
                raise UnknownNameError(f"there is no system {quoted(key)} in the catalogue; choose one of its page.")
            if untouched := self.projects.untouched(key):
                return JSONResponse(untouched)
            words = read_words(json.loads(await self.quick.answer("entry", {"key": key}, LIVE)))
        return JSONResponse(self.projects.create(words, key or ""))

    async def project(self, request: Request) -> Response:
        return JSONResponse(self.projects.read(request.path_params["id"]))

    async def change(self, request: Request) -> Response:
        """Keep what a page has; a page with an older version is told what the other one wrote."""
        given = await _json(request)
        words, version = read_words(given), given.get("version")
        if not isinstance(version, int) or isinstance(version, bool):
            raise FileError("`version` is no whole number; send the one that was read.")
        # Nothing is awaited between reading the version and writing, so that no other page comes between.
        written, now = self.projects.change(request.path_params["id"], words, version)
        if written:
            return JSONResponse({"version": now["version"], "changed": now["changed"]})
        said = "another page has changed this project meanwhile; take its version, or keep yours."
        return JSONResponse({"refused": said, "now": now}, 409)

    async def remove(self, request: Request) -> Response:
        self.projects.remove(request.path_params["id"])
        return JSONResponse({})

    async def check(self, request: Request) -> Response:
        words = read_words(await _json(request))
        return await _answered(request, self.quick.answer("check", words, CHECKING, _key(words)))

    async def motion(self, request: Request) -> Response:
        given = await _json(request)
        words = {**read_words(given), **{word: given.get(word) is True for word in ("vakonomic", "overlay", "draft")}}
        return await _answered(request, self.quick.answer("motion", words, LIVE, _key(words)))

    async def equations(self, request: Request) -> Response:
        given = await _json(request)
        words = {**read_words(given), "by": _text(given, "by")}
        return _streamed(self.slow.ask("equations", words, DERIVING, _key(words)))

    async def ask(self, request: Request) -> Response:
        given = await _json(request)
        limit = given.get("limit", 60.0)
        if isinstance(limit, bool) or not isinstance(limit, int | float) or not _LIMITS[0] <= limit <= _LIMITS[1]:
            raise FileError(f"`limit` is no time between {_LIMITS[0]:g} and {_LIMITS[1]:g} s; send one.")
        words = {**read_words(given), "question": _text(given, "question"), "limit": float(limit)}
        lines = self.slow.ask("ask", words, limit + _SLACK, _key(words))
        project = _text(given, "project")
        return _streamed(self._kept(lines, project, words) if project and self.projects.place(project) else lines)

    async def _kept(
        self, lines: AsyncGenerator[bytes, None], project: str, words: Mapping[str, Any]
    ) -> AsyncGenerator[bytes, None]:
        """The lines of an answer, which is kept with its project."""
        async with contextlib.aclosing(lines) as each:
            async for line in each:
                if not line.startswith((b'{"more"', b'{"refused"')):
                    with contextlib.suppress(Error):  # the project may have gone meanwhile
                        self.projects.keep(project, words, words["question"], json.loads(line))
                yield line

    async def findings(self, request: Request) -> Response:
        """What was answered about a project as it stands."""
        return JSONResponse({"findings": self.projects.findings(request.path_params["id"])})

    async def export(self, request: Request) -> Response:
        given = await _json(request)
        folder = self.projects.exports(request.path_params["id"])
        words = {**read_words(given), "kind": _text(given, "kind"), "folder": str(folder.resolve())}
        return _streamed(self.slow.ask("export", words, MAKING, _key(words)))

    async def download(self, request: Request) -> Response:
        """A file that was made; always saved, never shown, because a report has scripts of its own."""
        path = self.projects.export(request.path_params["id"], request.path_params["file"])
        return FileResponse(path, media_type="application/octet-stream", filename=path.name)


def studio(projects: Projects, token: str, port: int) -> Guard:
    """The application behind its guard."""
    shared = _Studio(projects, token, port)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        warming = asyncio.create_task(shared.begin_warm())
        yield
        warming.cancel()
        await shared.quick.close()
        await shared.slow.close()

    def route(path: str, act: Callable[[Request], Awaitable[Response]], method: str = "GET") -> Route:
        return Route(path, act, methods=[method])

    one = "/api/projects/{id}"
    routes = [
        route("/", shared.index),
        route("/web/{name:path}", shared.resource),
        route("/api/catalogue", shared.catalogue),
        route("/api/projects", shared.projects_there),
        route("/api/projects", shared.begin, "POST"),
        route(one, shared.project),
        route(one, shared.change, "PUT"),
        route(one, shared.remove, "DELETE"),
        route("/api/check", shared.check, "POST"),
        route("/api/motion", shared.motion, "POST"),
        route("/api/equations", shared.equations, "POST"),
        route("/api/ask", shared.ask, "POST"),
        route(f"{one}/findings", shared.findings),
        route(f"{one}/export", shared.export, "POST"),
        route(f"{one}/exports/{{file}}", shared.download),
    ]
    told = {Error: _refused, HTTPException: _unknown, Exception: _broken}
    return Guard(Starlette(routes=routes, lifespan=lifespan, exception_handlers=told), token, port)


async def _json(request: Request) -> dict[str, Any]:
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise FileError("the request is no JSON, or too deep; send a table.") from None
    if not isinstance(found, dict):
        raise FileError("the request is no table; send one.")
    return found


def _text(given: Mapping[str, Any], word: str) -> str:
    found = given.get(word) or ""
    if not isinstance(found, str) or len(found) > 100:
        raise FileError(f"`{word}` is no short text; send one.")
    return found


def _key(words: Mapping[str, Any]) -> str:
    """By what a worker is known that has this declaration at hand."""
    return sha256(words["declaration"].encode()).hexdigest()


async def _answered(request: Request, work: Coroutine[Any, Any, bytes]) -> Response:
    """The answer, unless who asked goes away, which ends the work."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait([task], timeout=BEAT))[0]:
            if await request.is_disconnected():
                return Response(status_code=499)
        return Response(task.result(), media_type="application/json")
    finally:
        task.cancel()


def _streamed(lines: AsyncGenerator[bytes, None]) -> StreamingResponse:
    async def ended() -> AsyncIterator[bytes]:
        async with contextlib.aclosing(lines) as each:
            async for line in each:
                yield line + b"\n"

    return StreamingResponse(ended(), media_type="application/x-ndjson")


async def _refused(request: Request, why: Exception) -> Response:
    return JSONResponse({"refused": str(why)}, 404 if isinstance(why, UnknownNameError) else 422)


async def _unknown(request: Request, why: Exception) -> Response:
    status = why.status_code if isinstance(why, HTTPException) else 404
    return JSONResponse({"refused": "the studio has no such address; open its first page."}, status)


async def _broken(request: Request, why: Exception) -> Response:
    return JSONResponse({"refused": f"the server is at fault here ({type(why).__name__}); please report it."}, 500)
