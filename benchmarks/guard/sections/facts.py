"""What pages are made from: the addresses there are, shipped brains, figures of the lessons."""

from __future__ import annotations

import hashlib
import json

from benchmarks.guard import adapter
from benchmarks.guard.record import Section


def tour(section: Section) -> None:
    app = section.start()
    rules = sorted(
        f"{rule.rule} {' '.join(sorted(rule.methods - {'HEAD', 'OPTIONS'}))}"
        for rule in app.url_map.iter_rules()
    )
    section.recorder.write("routes", "\n".join(rules))
    brains = adapter.shipped_brains()
    lines = [f"{name} {hashlib.sha256(data).hexdigest()}" for name, data in sorted(brains.items())]
    section.recorder.write("shipped brains", "\n".join(lines))
    figures = json.loads(adapter.FIGURES.read_text("utf-8"))
    text = json.dumps(figures, sort_keys=True, ensure_ascii=False, indent=1)
    digest = hashlib.sha256(text.encode()).hexdigest()
    section.recorder.write("figures of lessons", f"sha256 {digest}\n\n{text}")
    visitor = section.browser("visitor")
    for path in ("/static/img/icon.svg", "/favicon.ico", "/robots.txt"):
        visitor.get(path, both=False)
