"""Who may bring a bot: whoever has the server's own code or a class's, or sits at the computer."""

from __future__ import annotations

import hmac

from webapp.api.requests import is_on_this_computer
from webapp.bots.models import DAY_S, Admission, CodeLookup, WrongCodeError
from webapp.web.rate_limits import RateLimits, client_network

CODE_LETTERS = "BCDFGHJKMNPQRSTVWXYZ"  # as in the codes of classes, which are shorter
CODE_LENGTH = 6


def server_code(secret_key: str) -> str:
    """The server's own code; it follows from the key, so that every process knows it."""
    digest = hmac.digest(secret_key.encode(), b"the code for bots", "sha256")
    return "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in digest[:CODE_LENGTH])


def normalised(code: str) -> str:
    """As it was meant: upper case, without spaces and dashes."""
    return "".join(letter for letter in code.upper() if letter in CODE_LETTERS)[:20]


def admit(code: str, own_code: str, codes: CodeLookup, limits: RateLimits, now: float) -> Admission:
    """What this code gives; raises WrongCodeError, and limits how fast codes can be guessed."""
    until = int(now) + DAY_S
    wanted = normalised(code)
    if not wanted and is_on_this_computer():
        return Admission(until)
    limits.guesses_by_address.check(client_network())
    if hmac.compare_digest(wanted, own_code):
        return Admission(until)
    if (found := codes.find(wanted)) is None:
        limits.guesses_by_address.take(client_network())
        why = "this code admits no bot here: ask for that of the class, the league or the server"
        raise WrongCodeError(why)
    return found
