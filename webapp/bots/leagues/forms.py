"""The form of a new league, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta

from engine import load_game
from engine.options import Kind, Option
from webapp.bots.leagues.models import LeagueRecord
from webapp.bots.leagues.store import CODE_LETTERS
from webapp.web.errors import InvalidFormError
from webapp.web.forms import field_value

MAX_TITLE_CHARS = 80
MAX_SPEC_CHARS = 200
MAX_DAYS = 200
DEFAULT_DAYS = 21
MIN_CODE_CHARS, MAX_CODE_CHARS = 5, 12  # a class's has four
MOVE = Option("seconds a move", Kind.NUMBER, 2.0, "", low=0.1, high=60.0)
BANK = Option("seconds in the bank", Kind.NUMBER, 30.0, "", low=0.0, high=600.0)


def read_league(fields: Mapping[str, str], owner: str, now: float) -> LeagueRecord:
    """A league that is not stored yet; raises InvalidFormError or InvalidSpecError."""
    title = " ".join(fields.get("title", "").split())[:MAX_TITLE_CHARS]
    if not title:
        raise InvalidFormError("", "a league needs a title, such as Quixo in spring")
    game = load_game(fields.get("game", "")[:MAX_SPEC_CHARS]).spec
    begins, ends = _days(fields, now)
    return LeagueRecord(
        id="",
        owner=owner,
        title=title,
        game=game,
        move_s=field_value(MOVE, fields.get("move", "")),
        bank_s=field_value(BANK, fields.get("bank", "")),
        code=_code(fields.get("code", "")),
        begins=begins,
        ends=ends,
    )


def default_days(now: float) -> tuple[str, str]:
    """Today and three weeks from now, as a form writes them."""
    today = datetime.fromtimestamp(now, UTC).date()
    return today.isoformat(), (today + timedelta(days=DEFAULT_DAYS)).isoformat()


def _days(fields: Mapping[str, str], now: float) -> tuple[int, int]:
    """From the beginning of the first day to the end of the last, in UTC; a first of today: now."""
    usual = default_days(now)
    first, last = (
        _day(fields.get(name) or day) for name, day in zip(("from", "until"), usual, strict=True)
    )
    begins = max(int(_midnight(first)), int(now) if first.isoformat() == usual[0] else 0)
    ends = int(_midnight(last + timedelta(days=1)))
    if ends <= max(begins, now):
        raise InvalidFormError(str(last), "the last day is before the first, or over already")
    if ends - now > MAX_DAYS * 24 * 3600:
        raise InvalidFormError(str(last), f"a league ends within {MAX_DAYS} days")
    return begins, ends


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise InvalidFormError(text, "a day is written as 2026-05-31") from error


def _midnight(day: date) -> float:
    return datetime.combine(day, time(), UTC).timestamp()


def _code(text: str) -> str:
    """Upper case, without spaces; empty for one that is drawn."""
    code = "".join(text.upper().split())
    fits = MIN_CODE_CHARS <= len(code) <= MAX_CODE_CHARS and set(code) <= set(CODE_LETTERS)
    if code and not fits:
        why = f"a code has {MIN_CODE_CHARS} to {MAX_CODE_CHARS} of the letters {CODE_LETTERS}"
        raise InvalidFormError(text, why)
    return code
