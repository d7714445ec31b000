"""Visitors with browsers, and the files in which what they are answered is written down."""

from __future__ import annotations

import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.guard import adapter
from benchmarks.guard.fixed import FIXED, REAL_CLOCK, pass_seconds
from benchmarks.guard.page import Control, Form, Page

OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
TOLD = ("Location", "HX-Redirect", "HX-Location", "HX-Push-Url", "Retry-After", "Allow")
TOLD += ("Content-Disposition", "Vary")
LONGEST_SLUG = 60
OTHER_HOSTS = "http://localhost"


# A moment counts the requests before it, so that one more would change all that follow.
MOMENTS = (
    (re.compile(r"\b18000\d{5}\b"), "T"),
    (re.compile(r"\b(20\d\d-\d\d-\d\d|\d\d January,) \d\d:\d\d\b"), r"\1 TT:TT"),
)


class MissingError(Exception):
    """A link or a form that the page should have: the journey cannot go on."""


@dataclass
class Recorder:
    """One file for each response, numbered within its section; ids are named by their order."""

    place: Path
    number: int = 0
    names: dict[str, str] = field(default_factory=dict)

    def write(self, slug: str, text: str, *, beside: bool = False) -> None:
        """One more response; `beside` the last one, it has the same number."""
        self.number += not beside
        self.place.mkdir(parents=True, exist_ok=True)
        path = self.place / f"{self.number:04}-{_slug(self._plain(slug))}.txt"
        path.write_text(self._plain(text).rstrip() + "\n", "utf-8")

    def _plain(self, text: str) -> str:
        """Without what only this run has: moments, its directory, and ids, each of these by when it
        first was written down."""
        for moment, told in MOMENTS:
            text = moment.sub(told, text)
        if (place := os.environ.get("ZERMELO_DATA")) is not None:
            text = text.replace(str(Path(place).parent), "(data)")
        if not FIXED.issued:
            return text
        known = re.compile("|".join(sorted(map(re.escape, set(FIXED.issued)))))
        return known.sub(lambda found: self._name(found[0]), text)

    def _name(self, issued: str) -> str:
        return self.names.setdefault(issued, f"id{len(self.names) + 1}")


@dataclass
class Answer:
    """What came back for one request."""

    path: str
    status: int
    kind: str  # the content type
    headers: dict[str, str]
    body: bytes
    htmx: bool

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @cached_property
    def page(self) -> Page:
        return Page(self.text)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def goal(self) -> str | None:
        """Where a browser goes from here."""
        found = self.headers.get("Location") or self.headers.get("HX-Redirect")
        return found and found.removeprefix(OTHER_HOSTS)

    def form(self, wanted: str, nth: int = 0) -> Form:
        """The form whose action, ids or words on buttons have this."""
        found = [form for form in self.page.forms if wanted in f"{form.action} {form.text}"]
        if len(found) <= nth:
            raise MissingError(f"{self.path} has no form with {wanted!r}")
        return found[nth]

    def has_form(self, wanted: str) -> bool:
        return any(wanted in f"{form.action} {form.text}" for form in self.page.forms)

    def link(self, wanted: str) -> str:
        """The address of the first link with these words, or with this in its address."""
        for address, text in self.page.links:
            if wanted == text or wanted in address:
                return address
        raise MissingError(f"{self.path} has no link {wanted!r}")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """What a visitor sees of it."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.status} {self.kind}"
        for name in TOLD:
            if name in self.headers:
                yield f"{name}: {self.headers[name]}"
        yield ""
        if self.kind.startswith("text/html"):
            yield from self.page.lines
        elif "json" in self.kind:
            yield json.dumps(self.json, indent=1, sort_keys=True, ensure_ascii=False)
        elif self.kind.startswith("text/"):
            yield self.text
        else:
            digest = hashlib.sha256(self.body).hexdigest()
            yield f"{len(self.body)} bytes, sha256 {digest}"


@dataclass
class Section:
    """One part of the tour: an app of its own, and a recorder."""

    recorder: Recorder
    data: Path
    app: Any = None
    apps: int = 0
    took: list[tuple[float, str]] = field(default_factory=list)  # real seconds, by request

    def start(self, **settings: Any) -> Any:
        """Another app, on an empty database; from here on browsers visit this one."""
        self.stop()
        self.apps += 1
        self.app = adapter.make_app(self.data / str(self.apps), **settings)
        return self.app

    def stop(self) -> None:
        if self.app is not None:
            adapter.close(self.app)
        self.app = None

    def browser(self, name: str = "owner", *, htmx: bool = False) -> Browser:
        if self.app is None:
            self.start()
        return Browser(self, name, self.app.test_client(), htmx)


@dataclass
class Browser:
    """A visitor with cookies of their own. With `htmx`, all they send is sent by it."""

    section: Section
    name: str
    client: Any
    htmx: bool = False
    last: Answer | None = None
    seen: set[str] = field(default_factory=set)

    def get(self, path: str, *, both: bool | None = None, **headers: str) -> Answer:
        """A look, written down; as htmx is answered as well where that is something else."""
        answer = self._send("GET", path, headers=headers)
        if both if both is not None else not self.htmx:
            part = self._send("GET", path, headers=headers, htmx=True, record=False)
            if part.lines != answer.lines:
                self._record("GET", path, (), part, beside=True)
        self.last = answer
        return answer

    def post(self, path: str, fields: Any = (), files: Any = None, **headers: str) -> Answer:
        """Something sent; what it was is written down too."""
        pairs = list(fields.items()) if isinstance(fields, dict) else list(fields)
        pairs = [(name, str(value)) for name, value in pairs]
        return self._send("POST", path, pairs, files, OWN_PAGE | headers)

    def submit(self, form: Form, button: Control | str | None = None, **changes: Any) -> Answer:
        """A form filled in and sent, by this button or its first; a dot
        in a name is written `__`."""
        named = {name.replace("__", "."): value for name, value in changes.items()}
        if isinstance(button, str):
            found = [b for b in form.buttons if button in (b.value, b.attributes.get("id"))]
            if not found:
                raise MissingError(f"{form.action} has no button {button!r}")
            button = found[0]
        elif button is None and form.buttons:
            button = form.buttons[0]
        fields = form.fields(named, button)
        action = form.action or (self.last.path if self.last else "")
        method = form.method
        if button is not None and button.attributes.get("formaction"):
            action = str(button.attributes["formaction"])
            method = str(button.attributes.get("formmethod") or method)
        if method == "get":
            return self.get(Form(action, "get").address(fields))
        return self.post(action, fields)

    def does(self, wanted: str, button: str | None = None, **changes: Any) -> Answer:
        """The form with this in it, of the page looked at last, sent; and where it leads."""
        if self.last is None:
            raise MissingError("nothing was looked at yet")
        return self.follow(self.submit(self.last.form(wanted), button, **changes))

    def follow(self, answer: Answer) -> Answer:
        """Where an answer leads, if it does."""
        if answer.goal:
            return self.get(answer.goal)
        self.last = answer
        return answer

    def tour(self, answer: Answer, within: str, most: int = 40, deeper: int = 0) -> None:
        """Every link of a page whose address matches, once, and from there on if `deeper`."""
        pattern = re.compile(within)
        found = [address for address, _ in answer.page.links if pattern.search(address)]
        fresh = [path for path in dict.fromkeys(found) if path not in self.seen][:most]
        self.seen.update(fresh)
        for path in fresh:
            looked = self.get(path)
            if deeper:
                self.tour(looked, within, most, deeper - 1)

    def _send(
        self,
        method: str,
        path: str,
        fields: list[tuple[str, str]] | tuple[()] = (),
        files: Any = None,
        headers: Any = None,
        *,
        htmx: bool | None = None,
        record: bool = True,
    ) -> Answer:
        htmx = self.htmx if htmx is None else htmx
        data: Any = [(name, value) for name, value in fields]
        if method == "POST":
            sent: dict[str, Any] = {}
            for name, value in data:
                sent.setdefault(name, []).append(value)
            for name, (content, filename) in (files or {}).items():
                sent[name] = (BytesIO(content), filename)
            data = sent
        pass_seconds(1)
        begun = REAL_CLOCK()
        response = self.client.open(
            path.partition("#")[0],
            method=method,
            data=data if method == "POST" else None,
            headers=(headers or {}) | (adapter.HTMX if htmx else {}),
        )
        answer = Answer(
            path,
            response.status_code,
            response.content_type or "",
            dict(response.headers),
            response.data,
            htmx,
        )
        response.close()
        self.section.took.append((REAL_CLOCK() - begun, f"{method} {path}"))
        adapter.settle(self.section.app)
        if record:
            self._record(
                method,
                path,
                [*fields, *((n, f"({f[1]})") for n, f in (files or {}).items())],
                answer,
            )
        return answer

    def _record(
        self, method: str, path: str, fields: Any, answer: Answer, *, beside: bool = False
    ) -> None:
        head = [f"{method} {path}", f"by {self.name}{', htmx' if answer.htmx else ''}"]
        head += [f"  {name}={value}" for name, value in fields]
        parts = urlsplit(path)
        slug = f"{self.name} {'hx ' if answer.htmx else ''}{method if method != 'GET' else ''}"
        slug += f" {parts.path} {parts.query}"
        self.section.recorder.write(slug, "\n".join([*head, *answer.lines]), beside=beside)


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_SLUG].strip("-") or "root"
