"""Every lesson: each of its buttons pressed, answers right and wrong, widgets some presses on."""

from __future__ import annotations

from benchmarks.guard.record import Answer, Browser, Section

HELD = "held"
FOLLOWED = 4  # of so many presses one is followed to its whole page
DEEPER = 5  # presses from there on


def tour(section: Section) -> None:
    reader = section.browser("reader")
    reader.post("/class/tools", {"show": "1"})
    front = reader.get("/learn")
    lessons = dict.fromkeys(a for a, _ in front.page.links if a.startswith("/learn/"))
    for path in lessons:
        page = reader.get(path.partition("?")[0])
        press_all(reader, page)
        reader.tour(page, r"^/class/ask\?", most=8)
        reader.tour(page, r"^/positions", most=2)
        if page.has_form("/matches") or page.has_form("/positions"):
            for form in page.page.forms:
                if form.method == "post" and form.action != "/class/tools":
                    reader.follow(reader.submit(form))
    for path in list(lessons)[:2]:
        for query in ("do=none:1", "do=present:1", "present=1", "do=x", "none=1"):
            reader.get(f"{path}?{query}")


def press_all(reader: Browser, page: Answer) -> None:
    """Each button once, from the page as it is; some are followed, and pressed on from there."""
    for number, button in enumerate(_buttons(page)):
        answer = reader.submit(_held(page), button)
        if number % FOLLOWED or not answer.goal:
            continue
        before, after = set(_values(page)), reader.follow(answer)
        fresh = [each for each in _buttons(after) if each.value not in before]
        for each in fresh[:DEEPER]:
            reader.submit(_held(after), each)


def _held(page: Answer):  # type: ignore[no-untyped-def]
    return next(form for form in page.page.forms if form.id == HELD)


def _buttons(page: Answer):  # type: ignore[no-untyped-def]
    return _held(page).buttons


def _values(page: Answer) -> list[str]:
    return [button.value for button in _buttons(page)]
