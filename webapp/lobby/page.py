"""The lobby: a form that sets up a match of each game, and the visitor's unfinished matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from urllib.parse import urlencode

from agents.contest.ladder import difficulties
from agents.formats import counted
from engine import load_game
from engine.catalog import catalog
from engine.entry import GameEntry
from engine.errors import ZermeloError, sentence, warn_once
from webapp.boards import preview_for
from webapp.boards.grid import Board
from webapp.bots.models import BotRecord
from webapp.jobs.brain_store import OfferedBrain
from webapp.lobby.forms import CUSTOM, MODES, STARTS, chosen_game
from webapp.lobby.opponents import OpponentPicker
from webapp.replays.models import Record, Unreadable
from webapp.replays.view import PlayerKind, players_at
from webapp.web.cookies import Actor
from webapp.web.forms import Choice, OptionField, option_fields
from webapp.web.messages import Message, Tone
from webapp.web.navigation import rules_url

USUAL = (("choose", "0"), ("more", "0"), ("starts", "you"))  # fields with what goes without saying
NUMBER_WORDS = ("Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")

Brains = Callable[[str], Sequence[OfferedBrain]]  # those offered for a variant


class Setup:
    """The form that sets up a match of one game (`lobby/_setup.html`, root id `setup-<game>`).

    At first it offers a few difficulties; with `choose=1`, or where something else is chosen, all
    machines and variants. A GET of `url` with its fields returns the updated form: htmx sends it
    when a <select> changes, *Advanced* (`more=1`) does so without JavaScript.
    """

    url = "/"
    play_url = "/matches"

    def __init__(
        self,
        entry: GameEntry,
        fields: Mapping[str, str],
        message: Message | None,
        brains: Brains,
        bots: Sequence[BotRecord] = (),
        *,
        only_here: bool = False,
    ) -> None:
        self.entry = entry
        self.fields = fields if fields.get("game") == entry.key else {"game": entry.key}
        self.game, self.title, self.summary = entry.key, entry.title, entry.summary
        self.preset = self.fields.get("preset") or entry.presets[0].name
        self.mode = "watch" if self.fields.get("mode") == "watch" else "play"
        self.more = self.fields.get("more") == "1"
        self.message = message
        try:
            rules = chosen_game(self.fields)
        except ZermeloError as error:
            rules = load_game(entry.key)
            self.message = message or Message(Tone.ERROR, sentence(str(error)))
        offered = brains(rules.spec)
        self.rules_url = rules_url(rules.spec)
        here = [bot for bot in bots if bot.can_play(rules)]
        self.opponent = OpponentPicker(
            "opponent", self.fields, rules, offered, here, only_here=only_here
        )
        self.difficulties = difficulties(rules.spec)
        self.rival: OpponentPicker | None = None
        if self.mode == "watch":
            self.rival = OpponentPicker("rival", self.fields, rules, offered, here)

    @property
    def choosing(self) -> bool:
        """Whether all there is to choose from is shown, instead of a few difficulties."""
        plain = self.preset == self.entry.presets[0].name and self.mode == "play"
        wishes = any(self.fields.get(name, "") not in ("", usual) for name, usual in USUAL)
        offered = {each.value for each in self.difficulties}
        return bool(wishes or self.message) or not plain or self.opponent.value not in offered

    @property
    def levels(self) -> tuple[Choice, ...]:
        """The field `opponent` where one chooses by difficulty."""
        named = [(each.value, each.name) for each in self.difficulties]
        return _choices(named, self.opponent.value)

    def with_url(self, **fields: str) -> str:
        """The address of this card with these fields."""
        return f"{self.url}?{urlencode({'game': self.game} | fields)}#setup-{self.game}"

    @property
    def preview(self) -> Board:
        return preview_for(self.entry)

    @property
    def players(self) -> tuple[OpponentPicker, ...]:
        """Those whose options are under *Advanced*."""
        return (self.opponent, self.rival) if self.rival else (self.opponent,)

    @property
    def presets(self) -> tuple[Choice, ...]:
        """The field `preset`; the last is `custom` if there are options."""
        named = [(preset.name, preset.title) for preset in self.entry.presets]
        if self.entry.options:
            named.append((CUSTOM, "Your own…"))
        return _choices(named, self.preset)

    @property
    def custom(self) -> tuple[OptionField, ...]:
        """The game's options, if `custom` is chosen."""
        if self.preset != CUSTOM:
            return ()
        return option_fields(self.entry.options, self.fields, self.entry.key, {})

    @property
    def modes(self) -> tuple[Choice, ...]:
        return _choices(MODES, self.mode)

    @property
    def starts(self) -> tuple[Choice, ...]:
        return _choices(STARTS, self.fields.get("starts") or "you")


class LobbyPage:
    """The lobby (`lobby/page.html`), with the form of one game filled in, and its error."""

    bots_url = "/bots"
    puzzle_url = "/puzzles/today"
    import_url = "/matches/import"
    positions_url = "/positions"

    def __init__(
        self,
        fields: Mapping[str, str],
        actor: Actor,
        unfinished: Sequence[Record | Unreadable],
        *,
        brains: Brains,
        bots: Sequence[BotRecord] = (),
        has_games: bool,
        only_here: bool = False,
        message: Message | None = None,
    ) -> None:
        self.fields = fields
        self.only_here = only_here
        self.brains = brains
        self.bots = bots
        self.message = message
        self.unfinished = tuple(Unfinished(record, actor) for record in unfinished)
        self.own_games = "/matches" if has_games else None

    @cached_property
    def setups(self) -> tuple[Setup, ...]:
        """The card of each game, except for packages that fail."""
        found = []
        for entry in catalog():
            message = self.message if entry.key == self.fields.get("game") else None
            try:
                setup = Setup(
                    entry, self.fields, message, self.brains, self.bots, only_here=self.only_here
                )
                found.append(setup)
            except Exception as error:
                if not entry.home:  # built-in games must not fail
                    raise
                warn_once(__name__, f"game {entry.key} is left out of the lobby: {error!r}"[:500])
        return tuple(found)

    @property
    def setup(self) -> Setup:
        """The form of the chosen game."""
        chosen = self.fields.get("game")
        return next((setup for setup in self.setups if setup.game == chosen), self.setups[0])

    @property
    def count(self) -> str:
        """The number of games as a word, as far as there are words."""
        games = len(self.setups)
        return NUMBER_WORDS[games - 3] if games - 3 < len(NUMBER_WORDS) else str(games)


class Unfinished:
    """An unfinished match."""

    def __init__(self, record: Record | Unreadable, actor: Actor) -> None:
        self.url = f"/matches/{record.id}"
        if isinstance(record, Unreadable):
            self.offer, self.text = "Unreadable:", "a match whose game has changed, or is gone"
            return
        self.offer = "Continue"
        match = record.match
        players = players_at(record, match.ply, actor)
        mover = next((player for player in players if player.to_move), None)
        if mover is None:
            turn = "over"
        else:
            turn = "your move" if mover.kind is PlayerKind.YOU else f"{mover.title} to move"
        others = [player.title for player in players if player.kind is not PlayerKind.YOU]
        who = f" against {others[0]}" if len(others) == 1 else f": {' and '.join(others)}"
        moves = counted(match.ply, "move", "moves")
        self.text = f"{match.game.title}{who}, {turn}, after {moves}"


def _choices(named: Sequence[tuple[str, str]], chosen: str) -> tuple[Choice, ...]:
    return tuple(Choice(value, label, chosen=value == chosen) for value, label in named)
