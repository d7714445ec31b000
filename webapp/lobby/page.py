"""What the lobby's templates are given; the same rules as in `webapp.replays.views`."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.boards.scene import Board
from webapp.charts.meter import Meter
from webapp.web.forms import Choice, OptionField
from webapp.web.messages import Message


@dataclass(frozen=True, slots=True)
class OpponentChoice:
    """One opponent with the line that helps to choose it."""

    value: str  # a spec, or `person`
    label: str
    description: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OpponentGroup:
    """Opponents of about the same strength, weakest group first."""

    title: str
    choices: tuple[OpponentChoice, ...]


@dataclass(frozen=True, slots=True)
class OpponentPicker:
    """A <select> of opponents with the line about the chosen one and its own options."""

    name: str  # of the field: opponent or rival
    label: str  # Opponent, First machine, Second machine
    groups: tuple[OpponentGroup, ...]
    strength: Meter | None  # as it was measured
    unmeasured: str  # what to say where it was not, of a machine
    description: str
    fields: tuple[OptionField, ...]  # that matter in play


@dataclass(frozen=True, slots=True)
class SetupView:
    """Setting up one game (`lobby/_setup.html`, root id `setup-<game>`).

    A GET of `url` with the form's fields gives the same form, brought up to date: it is what a
    changed <select> asks for, and what *Advanced* (`more=1`) does without JavaScript.
    """

    game: str
    title: str
    summary: str
    preview: Board
    url: str  # GET, the form brought up to date
    play_url: str  # POST
    rules_url: str  # a sheet: how this variant is played
    presets: tuple[Choice, ...]  # `preset`, the last one `custom` where there are options
    custom: tuple[OptionField, ...]  # while `custom` is chosen
    modes: tuple[Choice, ...]  # `mode`: play or watch
    opponent: OpponentPicker
    rival: OpponentPicker | None  # the other machine, while two are to be watched
    players: tuple[OpponentPicker, ...]  # those who are set under *Advanced*
    starts: tuple[Choice, ...]  # `starts`: you, opponent, lot
    more: bool
    message: Message | None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A match one can go on with."""

    url: str
    text: str  # Quixo against Alpha-beta, your move, ply 9
    offer: str = "Continue"


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The first page (`lobby/page.html`)."""

    count: str  # Three, of the games
    setups: tuple[SetupView, ...]
    unfinished: tuple[Unfinished, ...]
    import_url: str
    positions_url: str  # any position, set up on a board
    own_games: str | None  # where there is any
