"""A page as a visitor meets it: text, links, forms, names for those who listen, drawings.

Left out is what only style sheets and scripts read: `class`, `style`, `data-*`, `hx-*`, addresses
of assets, and which element an inline word stands in. What a script says aloud is kept, since it is
heard (`data-announcement`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"}
VOID |= {"track", "wbr"}
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "cite",
    "code",
    "data",
    "dfn",
    "em",
    "i",
    "kbd",
    "mark",
    "output",
}
INLINE |= {"q", "s", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr", "label"}
SKIPPED = {"script", "style"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
FIELDS = {"input", "select", "textarea", "button", "option"}
DRAWN = {"circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "text", "use", "svg"}
# Of which elements which attributes are what someone sees, hears or sends.
KEPT = {
    "a": ("href", "download", "target"),
    "form": ("method", "action", "enctype"),
    "input": (
        *("type", "name", "value", "checked", "min", "max", "step", "pattern", "maxlength"),
        *("minlength", "placeholder", "required", "readonly", "inputmode", "autocomplete"),
        *("accept", "list", "form"),
    ),
    "button": ("type", "name", "value", "form", "formaction", "formmethod"),
    "select": ("name", "multiple", "required", "form"),
    "option": ("value", "selected"),
    "textarea": ("name", "rows", "maxlength", "placeholder", "required"),
    "details": ("open",),
    "img": ("alt", "src"),
    "meta": ("name", "content"),
    "optgroup": ("label",),
    "th": ("scope", "colspan", "rowspan"),
    "td": ("colspan", "rowspan"),
    "ol": ("start",),
    "progress": ("value", "max"),
    "meter": ("value", "min", "max"),
    "time": ("datetime",),
    "label": ("for",),
    "link": ("rel", "href"),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
    "path": ("d", "transform"),
    "polygon": ("points",),
    "polyline": ("points",),
    "rect": ("x", "y", "width", "height"),
    "text": ("x", "y", "dx", "dy"),
    "use": ("href", "x", "y", "transform"),
    "svg": ("viewbox", "x", "y"),
    "g": ("transform",),
}
ALWAYS = ("role", "title", "hidden", "disabled", "tabindex", "accesskey", "autofocus", "lang")
ASSET = re.compile(r"/(?:static|games)/[^\s\"'?]+(?:\?v=[\w.-]+)?")
LONGEST = 160  # characters of a drawing's attribute; of a longer one its digest
HTMX = "htmx"

Attributes = dict[str, str | None]


@dataclass
class Control:
    """One field of a form, or one of its buttons."""

    kind: str  # the type of an input; select, textarea, submit
    name: str
    value: str
    on: bool = True  # whether a browser would send it by itself
    options: list[str] = field(default_factory=list)
    attributes: Attributes = field(default_factory=dict)


@dataclass
class Form:
    """A form with what a browser would send."""

    action: str
    method: str
    controls: list[Control] = field(default_factory=list)
    text: str = ""  # of its buttons, to find it by
    id: str = ""

    def fields(self, changes: dict[str, object], button: Control | None) -> list[tuple[str, str]]:
        """What is sent when this button is pressed, with some fields filled in otherwise: in the
        order of the page, a list of values one after the other, None not at all."""
        sent: list[tuple[str, str]] = []
        left = {name: _values(value) for name, value in changes.items()}
        for each in self.controls:
            if each.name in left:
                sent += [(each.name, value) for value in left[each.name]]
                left[each.name] = []
            elif each.name and (each.on or each is button):
                sent.append((each.name, each.value))
        return [*sent, *((name, value) for name, values in left.items() for value in values)]

    @property
    def buttons(self) -> list[Control]:
        return [each for each in self.controls if each.kind == "submit"]

    def address(self, fields: Iterable[tuple[str, str]]) -> str:
        """Where a GET of it leads."""
        path = self.action.partition("#")[0].partition("?")[0]
        return f"{path}?{urlencode(list(fields))}"


def _values(value: object) -> list[str]:
    if value is None:
        return []
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


class Page(HTMLParser):
    """Reads HTML once: `lines` to be written down, `links` and `forms` to go on from."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.links: list[tuple[str, str]] = []  # address, text
        self.forms: list[Form] = []
        self.ids: list[str] = []
        self._words: list[str] = []
        self._skipping = 0
        self._form: Form | None = None
        self._select: Control | None = None
        self._open: list[tuple[str, int]] = []  # links, buttons and such: where their text begins
        self._text: list[str] = []
        self._area: Control | None = None
        self._elsewhere: list[Control] = []
        self.feed(text)
        self.close()
        self._end_line()
        for control in self._elsewhere:
            for form in self.forms:
                if form.id and form.id == control.attributes.get("form"):
                    form.controls.append(control)
        self.lines += [f"#{each}" for each in self.ids]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes: Attributes = dict(attrs)
        if tag in SKIPPED:
            self._skipping += 1
            return
        if self._skipping:
            return
        if tag not in INLINE and tag not in FIELDS:
            self._end_line()
        if "id" in attributes:
            self.ids.append(str(attributes["id"]))
        self._note_form(tag, attributes)
        told = self._told(tag, attributes)
        if tag in HEADINGS:
            self._words.append(f"{tag}:")
        elif tag in {"td", "th"}:
            self._words.append("|")
        elif tag == "li":
            self._words.append("-")
        elif tag == "br":
            self._words.append("/")
        if told:
            self._words.append(f"<{told}>")
        if tag in {"a", "button", "option", "textarea"}:
            self._open.append((tag, len(self._text)))
            if tag == "a":
                self.links.append((str(attributes.get("href") or ""), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in SKIPPED:
            self._skipping = max(0, self._skipping - 1)
            return
        if self._open and self._open[-1][0] == tag:
            _, begun = self._open.pop()
            self._close_text(tag, " ".join("".join(self._text[begun:]).split()))
            self._words.append(f"</{tag}>")
        if tag == "form":
            self._form = None
            self._words.append("</form>")
        elif tag == "select":
            self._select = None
        if tag not in INLINE and tag not in FIELDS:
            self._end_line()

    def handle_data(self, data: str) -> None:
        if self._skipping:
            return
        self._words.append(data)
        self._text.append(data)
        if self._area is not None:
            self._area.value += data

    def _told(self, tag: str, attributes: Attributes) -> str:
        """The element with what is kept of it; nothing where nothing is."""
        if tag in {"meta", "link"} and not _is_read(tag, attributes):
            return ""
        kept = [name for name in (*KEPT.get(tag, ()), *ALWAYS) if name in attributes]
        kept += sorted(name for name in attributes if name.startswith("aria-"))
        said = [f"{name}={_shown(tag, name, attributes[name])}" for name in kept]
        if spoken := attributes.get("data-announcement"):
            said.append(f"announces={spoken}")
        if not said and tag not in {"form", "a", "select", "textarea", "button", "title", "dialog"}:
            return ""
        return " ".join((tag, *said))

    def _note_form(self, tag: str, attributes: Attributes) -> None:
        value, name = str(attributes.get("value") or ""), str(attributes.get("name") or "")
        if tag == "form":
            method = str(attributes.get("method") or "get").lower()
            named = str(attributes.get("id") or "")
            self._form = Form(str(attributes.get("action") or ""), method, id=named)
            self.forms.append(self._form)
        elif tag == "option" and self._select is not None:
            self._select.options.append(value)
            if "selected" in attributes or len(self._select.options) == 1:
                self._select.value = value
        elif tag in {"input", "select", "textarea", "button"}:
            kind = str(attributes.get("type") or ("submit" if tag == "button" else "text"))
            kind = tag if tag in {"select", "textarea"} else kind
            if kind in {"checkbox", "radio"} and "value" not in attributes:
                value = "on"
            on = kind not in {"submit", "button", "checkbox", "radio", "file"}
            on = (on or "checked" in attributes) and "disabled" not in attributes
            control = Control(kind, name, value, on, attributes=attributes)
            self._select = control if tag == "select" else self._select
            self._area = control if tag == "textarea" else None
            if attributes.get("form"):  # it belongs to one that may stand further down
                self._elsewhere.append(control)
            elif (form := self._form) is not None:
                form.controls.append(control)
                form.text += f" {attributes.get('id') or ''} {attributes.get('aria-label') or ''}"

    def _close_text(self, tag: str, text: str) -> None:
        if tag == "a" and self.links:
            self.links[-1] = (self.links[-1][0], text)
        elif tag == "button" and self._form is not None:
            self._form.text += f" {text}"
        elif tag == "textarea":
            self._area = None

    def _end_line(self) -> None:
        line = " ".join("".join(_spaced(self._words)).split())
        self._words.clear()
        if line:
            self.lines.append(line)


def _is_read(tag: str, attributes: Attributes) -> bool:
    """Whether a head's element is for readers or search engines, not for scripts or styles."""
    if tag == "meta":
        name = str(attributes.get("name") or HTMX)
        return not name.startswith(HTMX)
    return attributes.get("rel") not in {"stylesheet", "icon", "preload", "modulepreload"}


def _shown(tag: str, name: str, value: str | None) -> str:
    text = ASSET.sub("(asset)", " ".join((value or "").split()))
    if tag in DRAWN and len(text) > LONGEST:
        return f"{hashlib.sha256(text.encode()).hexdigest()[:16]} ({len(text)} characters)"
    return text


def _spaced(words: list[str]) -> Iterator[str]:
    """Elements stand apart from text; text itself has the spaces it has."""
    for word in words:
        apart = word.startswith("<") or word in {"|", "-", "/"} or word[-1:] == ":"
        yield f" {word} " if apart else word
