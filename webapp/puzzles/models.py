"""Records of puzzles: plain frozen values as the store reads and writes them."""

from __future__ import annotations

from dataclasses import dataclass

from agents.puzzles.models import Puzzle
from webapp.errors import RequestError

DAY_S = 24 * 3600
SPRINT_S = 180  # three minutes, as many as you can
LEVEL_RATINGS = {1: 800.0, 2: 1100.0, 3: 1400.0, 4: 1700.0, 5: 2000.0}
START_RATING, START_DEVIATION = 900.0, 350.0  # of a player
PUZZLE_DEVIATION = 150.0  # of a puzzle before anyone tried it
MIN_TRIES, MAX_DEVIATION = 20, 100.0  # from which visitors, not machines, say how hard it is
FRESH, FROM_MATCH = "fresh", "match"  # origins of puzzles that do not ship


class UnknownPuzzleError(RequestError):
    """An address of no puzzle."""

    status = 404


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength on Elo's scale, and its standard deviation."""

    value: float
    deviation: float

    def __str__(self) -> str:
        return f"{self.value:.0f} ± {2 * self.deviation:.0f}"


@dataclass(frozen=True, slots=True)
class Progress:
    """A player's progress with puzzles."""

    id: str  # the player's
    rating: float = START_RATING
    deviation: float = START_DEVIATION
    streak: int = 0
    best: int = 0  # streak
    tried: int = 0
    solved: int = 0  # at the first try
    sprint_ends: int = 0  # seconds since 1970; 0: never begun
    sprint_solved: int = 0
    sprint_missed: int = 0
    sprint_best: int = 0
    updated: int = 0

    @property
    def strength(self) -> Rating:
        return Rating(self.rating, self.deviation)

    @property
    def level(self) -> int:
        """The level of the puzzles that suit this player."""
        return nearest_level(self.rating)

    def is_sprinting(self, now: float) -> bool:
        return now < self.sprint_ends


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a player has done with one puzzle."""

    puzzle: str  # its id
    tries: int = 0
    move: str | None = None  # the last answer
    first: bool | None = None  # whether the first answer was right, without help
    solved: bool = False
    hinted: bool = False
    shown: bool = False  # the solution, before it was found
    own: bool = False  # from a match of theirs
    seconds: int | None = None  # to the last answer
    due: int | None = None  # when it is asked again
    repeats: int = 0  # times it was right when asked again
    answered: int | None = None  # first, in seconds since 1970

    @property
    def is_open(self) -> bool:
        """Whether nothing of the solution was shown yet."""
        return self.tries == 0 and not self.shown

    @property
    def is_decided(self) -> bool:
        """Whether the solution is known: found, or shown."""
        return self.solved or self.shown

    def is_due(self, now: float) -> bool:
        return self.due is not None and self.due <= now


@dataclass(frozen=True, slots=True)
class PuzzleScore:
    """How visitors fared with a puzzle at their first try."""

    id: str
    rating: float
    deviation: float = PUZZLE_DEVIATION
    tried: int = 0
    solved: int = 0

    @classmethod
    def prior(cls, puzzle: Puzzle) -> PuzzleScore:
        """Before anyone tried it: from depth and machines."""
        return cls(puzzle.id, LEVEL_RATINGS[puzzle.level])

    @property
    def is_known(self) -> bool:
        """Whether enough visitors tried it to say how hard it is."""
        return self.tried >= MIN_TRIES and self.deviation <= MAX_DEVIATION


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle to choose from, without its board."""

    id: str
    game: str  # spec
    theme: str
    level: int

    @property
    def key(self) -> str:
        """The game's, without its options."""
        return self.game.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which puzzles are wanted; None stands for any."""

    game: str | None = None  # a game's key, or a variant's spec
    theme: str | None = None
    level: int | None = None  # None: the player's own

    def fits(self, entry: Entry) -> bool:
        """Whether game and theme are as wanted."""
        return self.game in (None, entry.game, entry.key) and self.theme in (None, entry.theme)


def nearest_level(rating: float) -> int:
    """The level whose usual rating is nearest."""
    return min(LEVEL_RATINGS, key=lambda level: abs(LEVEL_RATINGS[level] - rating))


def entry_of(puzzle: Puzzle) -> Entry:
    return Entry(puzzle.id, puzzle.game, puzzle.theme, puzzle.level)
