"""The description of the API (`openapi.json`), and the page that shows it to people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

FILE = Path(__file__).with_name("openapi.json")
METHODS = ("get", "post", "delete")
RATE_HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
STATE_SAFE = "/:,="  # characters left unescaped in queries


@cache
def description() -> dict[str, Any]:
    """The OpenAPI document, every response with the rate headers; not to be changed."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    operations = (
        path[each] for path in found["paths"].values() for each in METHODS if each in path
    )
    own = (each for operation in operations for each in operation["responses"].values())
    for response in (*own, *found["components"]["responses"].values()):
        if "$ref" not in response:
            response.setdefault("headers", {}).update(
                {name: {"$ref": f"#/components/headers/{name}"} for name in RATE_HEADERS}
            )
    return found


@dataclass(frozen=True, slots=True)
class Answer:
    """A status that an operation answers with, and when."""

    status: str
    when: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One request of the API: what it is for, an example, and what it answers."""

    method: str
    path: str
    document: Mapping[str, Any]
    url: str  # of the example

    @property
    def id(self) -> str:
        return str(self.document["operationId"])

    @property
    def summary(self) -> str:
        return str(self.document["summary"])

    @property
    def text(self) -> str:
        return str(self.document.get("description", ""))

    @property
    def body(self) -> dict[str, Any] | None:
        """The example of what is sent."""
        if "requestBody" not in self.document:
            return None
        sent: dict[str, Any] = self.document["requestBody"]["content"]["application/json"]
        found: dict[str, Any] = sent["example"]
        return found

    @property
    def needs_token(self) -> bool:
        return bool(self.document["security"]) and {} not in self.document["security"]

    @property
    def curl(self) -> str:
        """The example for a shell."""
        parts = ["curl" if self.method == "GET" else f"curl -X {self.method}"]
        if self.needs_token:
            parts.append('-H "Authorization: Bearer $TOKEN"')
        if self.body is not None:
            parts.append("-H 'Content-Type: application/json'")
            parts.append(f"-d '{json.dumps(self.body)}'")
        parts.append(f'"{self.url}"')
        return " ".join(parts) if len(parts) <= 2 else " \\\n  ".join(parts)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """Those of its own; what every request may be answered with stands at the top."""
        responses: Mapping[str, Any] = self.document["responses"]
        own = {status: each for status, each in responses.items() if "$ref" not in each}
        return tuple(Answer(status, each["description"]) for status, each in own.items())


@dataclass(frozen=True, slots=True)
class Section:
    """The operations with one tag."""

    name: str
    text: str
    operations: tuple[Operation, ...]


class ApiPage:
    """`GET /api`."""

    def __init__(self, document: Mapping[str, Any], site: str) -> None:
        self._document = document
        self._site = site
        self.version = document["servers"][0]["url"]
        self.document_url = f"{self.version}/openapi.json"

    @property
    def sections(self) -> tuple[Section, ...]:
        found = tuple(self.operations())
        return tuple(
            Section(
                tag["name"],
                tag["description"],
                tuple(each for each in found if each.document["tags"] == [tag["name"]]),
            )
            for tag in self._document["tags"]
        )

    @property
    def errors(self) -> tuple[Answer, ...]:
        """What any request may be answered with."""
        shared: Mapping[str, Any] = self._document["components"]["responses"]
        return tuple(Answer(each["x-status"], each["description"]) for each in shared.values())

    def operations(self) -> Iterator[Operation]:
        for path, methods in self._document["paths"].items():
            for method in METHODS:
                if method in methods:
                    document = methods[method]
                    url = self._example_url(path, document.get("parameters", []))
                    yield Operation(method.upper(), f"{self.version}{path}", document, url)

    def _example_url(self, path: str, parameters: list[Mapping[str, Any]]) -> str:
        """The address with the examples of its parameters; ids are left to the shell."""
        filled = re.sub(r"{(\w+)}", lambda name: f"${name[1].upper()}", path)
        query = urlencode({each["name"]: each["example"] for each in parameters}, safe=STATE_SAFE)
        return f"{self._site}{self.version}{filled}" + (f"?{query}" if query else "")
