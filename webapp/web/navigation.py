"""Main navigation, and addresses of the help pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from flask import request, url_for


@dataclass(frozen=True, slots=True)
class NavItem:
    """An entry: its title, the page it opens, and the blueprints that belong to it."""

    title: str
    endpoint: str
    blueprints: frozenset[str]


NAV_ITEMS = (
    NavItem(
        "Play",
        "lobby.show",
        frozenset(
            {
                "lobby",
                "matches",
                "exchange",
                "positions",
                "invitations",
                "own_games",
                "own_puzzles",
                "tokens",
            }
        ),
    ),
    NavItem("Puzzles", "puzzles.front", frozenset({"puzzles"})),
    NavItem("Machines", "machines.gallery", frozenset({"machines"})),
    NavItem(
        "Lab",
        "lab.front",
        frozenset(
            {
                "lab",
                "jobs",
                "train",
                "updates",
                "brains",
                "arena",
                "optimise",
                "bots",
                "leagues",
                "api_page",
            }
        ),
    ),
    NavItem("Learn", "learn.front", frozenset({"learn"})),
    NavItem(
        "Class",
        "classroom.front",
        frozenset({"classroom", "teaching", "joining", "assignments", "homework"}),
    ),
)


def nav_links() -> Iterator[tuple[str, str, str]]:
    """Title and address of all entries, with what aria-current says of each.

    That is `page`, `true` on another page of its blueprints, or nothing.
    """
    for item in NAV_ITEMS:
        here = request.blueprint in item.blueprints
        current = "page" if request.endpoint == item.endpoint else "true" if here else ""
        yield item.title, url_for(item.endpoint), current


# Which lesson is about a machine, by its key; of others, about the game.
LESSONS_BY_AGENT = {
    "perfect": "answers",
    "nim-expert": "nim",
    "nim-sum": "misere",
    "minimax": "minimax",
    "alphabeta": "alpha-beta",
    "mcts": "monte-carlo",
    **dict.fromkeys(("menace", "qlearning", "reward-table", "state-value"), "learning"),
    **dict.fromkeys(("ea-table", "es-rules", "es-move", "es-mix", "quixo-evolved"), "evolution"),
    "quixo-deep": "quixo",
    **dict.fromkeys(("network", "reinforce", "dqn", "neuroevolution"), "networks"),
}
LESSONS_BY_GAME = {"nim": "nim", "tictactoe": "answers", "quixo": "quixo"}


def lesson_url(agent: str, game: str) -> str:
    """Address of the lesson about this machine, else about this game; empty if there is none."""
    slug = LESSONS_BY_AGENT.get(agent.partition(":")[0])
    slug = slug or LESSONS_BY_GAME.get(game.partition(":")[0], "")
    return f"/learn/{slug}" if slug else ""


def rules_url(spec: str, back: str = "") -> str:
    """Address of the rules of a variant, with a link back to a match."""
    return _with("/how-to-play", game=spec, back=back)


def keys_url(back: str = "") -> str:
    """Address of the list of keys."""
    return _with("/keys", back=back)


def _with(path: str, **fields: str) -> str:
    query = urlencode({name: value for name, value in fields.items() if value})
    return f"{path}?{query}" if query else path
