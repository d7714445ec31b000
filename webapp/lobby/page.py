"""Values that the templates of the lobby read; the rules are those of `webapp.replays.views`."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.boards.scene import Board
from webapp.charts.meter import Meter
from webapp.web.forms import Choice, OptionField
from webapp.web.messages import Message


@dataclass(frozen=True, slots=True)
class OpponentChoice:
    """An opponent with its description."""

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
    """A <select> of opponents, with the description and options of the chosen one."""

    name: str  # of the field: opponent or rival
    label: str  # Opponent, First machine, Second machine
    groups: tuple[OpponentGroup, ...]
    strength: Meter | None
    unmeasured: str  # shown if an agent's strength was not measured
    description: str
    fields: tuple[OptionField, ...]


@dataclass(frozen=True, slots=True)
class SetupView:
    """The form that sets up a match of one game (`lobby/_setup.html`, root id `setup-<game>`).

    A GET of `url` with its fields returns the updated form: htmx sends it when a <select>
    changes, *Advanced* (`more=1`) does so without JavaScript.
    """

    game: str
    title: str
    summary: str
    preview: Board
    url: str  # GET: the updated form
    play_url: str  # POST
    rules_url: str  # dialog: the rules of this variant
    presets: tuple[Choice, ...]  # `preset`; the last is `custom` if there are options
    custom: tuple[OptionField, ...]  # if `custom` is chosen
    modes: tuple[Choice, ...]  # `mode`: play or watch
    opponent: OpponentPicker
    rival: OpponentPicker | None  # the second machine in the mode `watch`
    players: tuple[OpponentPicker, ...]  # whose options are under *Advanced*
    starts: tuple[Choice, ...]  # `starts`: you, opponent, lot
    more: bool
    message: Message | None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An unfinished match."""

    url: str
    text: str  # Quixo against Alpha-beta, your move, ply 9
    offer: str = "Continue"


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The lobby (`lobby/page.html`)."""

    count: str  # number of games: Three
    setups: tuple[SetupView, ...]
    unfinished: tuple[Unfinished, ...]
    import_url: str
    positions_url: str  # the position editor
    own_games: str | None  # None if there are none
