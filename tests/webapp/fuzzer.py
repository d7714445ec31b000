"""Requests by chance from a seed, over every route there is: what pages show is sent back changed.

It learns forms, links and ids from the responses, so that a new route is fuzzed as soon as it is.
"""

import json
import re
from random import Random
from urllib.parse import parse_qsl, quote, urlsplit

from benchmarks.guard.page import Page
from tests.webapp.visitor import HTMX, OWN_PAGE

GARBAGE = (
    *("", " ", "0", "-1", "1", "7", "99999999999999999999", "-" + "9" * 400, "1e999", "NaN", "1.5"),
    *(
        "None",
        "null",
        "true",
        "[]",
        "{}",
        "on",
        "a1",
        "b2",
        "b2 b2",
        "a1-a5",
        "x" * 300,
        "y" * 9000,
    ),
    *(
        "../../etc/passwd",
        "%00",
        "a\0b",
        "\ud7ff",
        "🙂",
        "\u202e",
        "=1+1",
        "<b>x</b>",
        "'\"--;",
        "\r\nX: y",
    ),
    *("tictactoe", "nim", "quixo", "quixo:size=3", "nim:heaps=50-50", "nim:heaps=1-2,last=wins"),
    *("random", "perfect", "person", "friend", "minimax:depth=99", "mcts:simulations=1000000000"),
    *("menace", "qlearning:brain=nobody", "custom", "marienbad", "../..", "http://evil.example/"),
)
NAMES = (
    *(
        "game",
        "opponent",
        "rival",
        "starts",
        "mode",
        "preset",
        "nim.heaps",
        "move",
        "revision",
        "ply",
    ),
    *(
        "page",
        "known",
        "pick",
        "depth",
        "algorithm",
        "order",
        "open",
        "upto",
        "agent",
        "agents",
        "hint",
    ),
    *(
        "state",
        "moves",
        "text",
        "name",
        "machine",
        "learner",
        "length",
        "origin",
        "like",
        "run",
        "code",
    ),
    *(
        "do",
        "round",
        "vote",
        "answer",
        "values",
        "story",
        "show",
        "spec",
        "problem",
        "search",
        "seed",
    ),
)
METHODS = ("GET",) * 6 + ("POST",) * 5 + ("HEAD", "PUT", "DELETE", "OPTIONS", "PATCH")
MAX_LEARNED = 400
IDS = re.compile(r"[\w-]{4,40}")


class Fuzzer:
    """Sends requests as an owner, a stranger, a program with a token, and nobody."""

    def __init__(self, app, seed):
        self.app = app
        self.rng = Random(seed)
        self.owner, self.stranger = app.test_client(), app.test_client()
        self.nobody = app.test_client(use_cookies=False)
        self.rules = [rule for rule in app.url_map.iter_rules() if "static" not in rule.endpoint]
        self.forms, self.links = [], []  # (path, fields); addresses
        self.ids = ["x"]
        self.tokens = ["no-token"]

    def step(self):
        """One request; the request and its response."""
        kind = self.rng.random()
        if kind < 0.3 and self.forms:
            sent = self.changed_form()
        elif kind < 0.5 and self.links:
            sent = "GET", self.changed_link(), {}
        else:
            sent = self.any_route()
        return sent, self.send(*sent)

    def send(self, method, path, fields):
        client = self.rng.choice((self.owner, self.owner, self.stranger, self.nobody))
        headers = {} if self.rng.random() < 0.05 else dict(OWN_PAGE)
        if self.rng.random() < 0.4:
            headers |= HTMX
        body = {"data": fields}
        if path.startswith("/api/"):
            headers["Authorization"] = f"Bearer {self.rng.choice(self.tokens)}"
            body = {"data": json.dumps(fields), "content_type": "application/json"}
        elif self.rng.random() < 0.03:
            body = {"data": self.rng.randbytes(200), "content_type": self.odd_type()}
        if method in ("GET", "HEAD", "OPTIONS"):
            body = {}
        answer = client.open(path, method=method, headers=headers, **body)
        self.learn(answer)
        return answer

    def odd_type(self):
        return self.rng.choice(
            ("application/json", "multipart/form-data; boundary=x", "text/plain", "x/y; z=\xff")
        )

    def any_route(self):
        rule = self.rng.choice(self.rules)
        path = rule.rule
        for name in rule.arguments:
            pattern = rf"<(\w+(\([^)]*\))?:)?{name}>"
            part = quote(self.value(), safe="") or "x"
            path = re.sub(pattern, part.replace("\\", ""), path)
        method = self.rng.choice(sorted(rule.methods)) if self.rng.random() < 0.9 else ""
        fields = {self.rng.choice(NAMES): self.value() for _ in range(self.rng.randrange(5))}
        if (method or "GET") == "GET" and fields:
            path += "?" + "&".join(f"{name}={quote(value)}" for name, value in fields.items())
        return method or self.rng.choice(METHODS), path, fields

    def changed_form(self):
        path, fields = self.rng.choice(self.forms)
        fields = dict(fields)
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            name = self.rng.choice([*fields, *NAMES] if self.rng.random() < 0.2 else [*fields, "x"])
            fields[name] = self.value()
        return "POST", path, fields

    def changed_link(self):
        path, _, query = self.rng.choice(self.links).partition("?")
        fields = dict(parse_qsl(query))
        fields[self.rng.choice([*fields, *NAMES])] = self.value()
        return f"{path}?" + "&".join(f"{quote(k)}={quote(v)}" for k, v in fields.items())

    def value(self):
        """Garbage, an id that was seen, or a part of a value with garbage in it."""
        kind = self.rng.random()
        if kind < 0.4:
            return self.rng.choice(self.ids)
        word = self.rng.choice(GARBAGE)
        if kind < 0.9:
            return word
        known = self.rng.choice(self.ids)
        at = self.rng.randrange(len(known) + 1)
        return known[:at] + word[:50] + known[at:]

    def learn(self, answer):
        """Forms, links and ids of a page; tokens of a program."""
        if answer.location:
            self.ids += IDS.findall(urlsplit(answer.location).path)
        if answer.mimetype == "text/html" and len(answer.data) < 300_000:
            page = Page(answer.text)
            for form in page.forms:
                if form.method == "post" and form.action.startswith("/"):
                    self.forms.append((form.action, dict(form.fields({}, None))))
            links = re.findall(r'(?:href|hx-get)="(/[^"#]*)"', answer.text)
            self.links += [link.replace("&amp;", "&") for link in links[:40]]
            self.ids += IDS.findall(" ".join(re.findall(r'value="([^"]{1,40})"', answer.text)))[:20]
        elif answer.mimetype == "application/json" and answer.is_json and answer.data:
            found = answer.json if isinstance(answer.json, dict) else {}
            self.tokens += [found["token"]] if isinstance(found.get("token"), str) else []
            self.ids += [each for each in map(str, found.values()) if IDS.fullmatch(each)][:10]
        for learned in (self.forms, self.links, self.ids, self.tokens):
            while len(learned) > MAX_LEARNED:
                learned.pop(self.rng.randrange(len(learned)))
