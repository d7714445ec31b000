"""A browser of 2022: whatever is younger is taken out of what it is sent."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Route

# What style sheets may say that no browser knew then, and how it is made unknown again: the
# browser then does with it what an old one does, which is to drop it, or to find `@supports` false.
YOUNG = (
    (r"light-dark\(", "unknown("),
    (r"color-mix\(", "unknown("),
    (r":has\(", ":unknown("),
    (r"@container", "@unknown"),
    (r"container-type", "unknown-type"),
    (r"(?<=\d)(?:[sdl]v[hwib]|cq(?:[iwhb]|min|max))\b", "unknown"),
    (r"(?<![-\w])(?:translate|rotate|scale|text-wrap|accent-color|field-sizing):", "unknown:"),
    (r"overflow: clip", "overflow: unknown"),
    (r"subgrid", "unknown"),
    (r"@starting-style|@scope|@property", "@unknown"),
    (r":user-(?:in)?valid|:popover-open|:open\b", ":unknown"),
)
SCRIPTS = """
  delete HTMLFormElement.prototype.requestSubmit;
  for (const name of ["findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "with"]) {
    delete Array.prototype[name];
  }
  for (const name of ["structuredClone", "scheduler", "navigation"]) delete window[name];
  for (const name of ["showPopover", "hidePopover", "togglePopover", "popover"]) {
    delete HTMLElement.prototype[name];
  }
  delete Document.prototype.startViewTransition;
  delete Element.prototype.checkVisibility;
  delete Object.groupBy;
  delete Promise.withResolvers;
  delete URL.canParse;
  delete Set.prototype.union;
  const Whole = FormData;
  window.FormData = class extends Whole {
    constructor(form) {
      super(form); // a second argument, the pressed button, was not known
    }
  };
"""


def age(context: BrowserContext) -> None:
    """From now on this browser is a few years old."""
    context.add_init_script(SCRIPTS)
    context.route("**/*.css?*", _age_sheet)


def age_further(context: BrowserContext) -> None:
    """Older still: it does not know `@layer`, and so nothing of what our sheets say."""
    context.add_init_script(SCRIPTS)
    context.route("**/*.css?*", _drop_layers)


def aged(sheet: str) -> str:
    """The style sheet as a browser of 2022 reads it."""
    for young, unknown in YOUNG:
        sheet = re.sub(young, unknown, sheet)
    return sheet


def _age_sheet(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=aged(answer.text()))


def _drop_layers(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace("@layer", "@unknown"))
