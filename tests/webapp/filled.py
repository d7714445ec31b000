"""A form as a browser would send it untouched: read from the page, not from what made it."""

from html.parser import HTMLParser

BOXES = ("checkbox", "radio")


class _Form(HTMLParser):
    """The names and values of the form with this action, boxes that are not ticked left out."""

    def __init__(self, action):
        super().__init__()
        self.action = action
        self.inside = False
        self.select = None
        self.fields = {}

    def handle_starttag(self, tag, attributes):
        said = dict(attributes)
        if tag == "form":
            self.inside = said.get("action") == self.action and said.get("method") == "post"
        elif not self.inside:
            return
        elif tag == "select":
            self.select = said["name"]
        elif tag == "option":
            if "selected" in said or self.select not in self.fields:
                self.fields[self.select] = said["value"]
        elif tag == "input" and ("checked" in said or said.get("type") not in BOXES):
            self.fields.setdefault(said["name"], said.get("value", ""))

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = False


def filled_in(page, action):
    """What the form on this page holds."""
    form = _Form(action)
    form.feed(page)
    assert form.fields, f"no form for {action}"
    return form.fields
