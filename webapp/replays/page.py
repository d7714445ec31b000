"""The page of a match at one ply: board, status, announcement, notes and links."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from agents.roster import find_agent
from engine import Match
from engine.catalog import variant_title
from engine.errors import sentence
from webapp.analysis.panel import Panel
from webapp.analysis.summary import with_verb
from webapp.boards import board_for, refusal_for
from webapp.boards.grid import Board
from webapp.exhibits.lines import LineStep
from webapp.exhibits.matchbox import LET_IT_MOVE
from webapp.replays.actions import (
    Actions,
    Company,
    Reply,
    allowed_actions,
    pending_reply,
)
from webapp.replays.advice import Hint, Why
from webapp.replays.comparison import Comparison
from webapp.replays.query import (
    MatchQuery,
    PictureQuery,
    TreeQuery,
    ask_class_url,
    path_fields,
    position_url,
)
from webapp.replays.story import Story
from webapp.replays.view import MatchView, PlayerKind, ending_text, match_title, result_text
from webapp.web.messages import Message, Tone
from webapp.web.navigation import keys_url, lesson_url, rules_url
from webapp.web.query import Pairs

STOOD_TWICE = "This position has stood twice: once more is a draw"


@dataclass(frozen=True)  # no slots: cached properties
class MatchPage(MatchView):
    """What `replays/_match.html` reads; an address that is None is an action not available."""

    analysis: Panel
    hint: Hint | None = None
    comparison: Comparison | None = None
    story: Story | None = None
    why: Why | None = None
    error: Message | None = None  # why this request failed
    warming: bool = False  # the agent to move may have to be compiled first

    @cached_property
    def title(self) -> str:
        """You against Perfect."""
        return match_title(self.players)

    @property
    def game_title(self) -> str:
        return self.match.game.title

    @property
    def variant(self) -> str:
        """Marienbad, last loses."""
        return variant_title(self.record.game)

    @property
    def watching(self) -> bool:
        """Whether two agents play."""
        return not self.record.people

    @property
    def starts_itself(self) -> bool:
        """Whether two agents are to begin without a press of *Play*."""
        return self.watching and self.awaits_reply and not self.last_ply

    @property
    def over(self) -> bool:
        """Whether the match is over and its last ply is shown."""
        return self.outcome is not None

    @cached_property
    def company(self) -> Company | None:
        """None where no one else can join or watch."""
        return Company(self) if self.record.place is None else None

    @cached_property
    def board(self) -> Board:
        line = self.analysis.line
        if line is not None and line.shown is not None:
            return self._line_board(line.shown)
        return board_for(
            self.match,
            ply=self.ply,
            may_move=self.may_move,
            pick=self.query.pick if self.may_move else None,
            last_move=self._last_move,
            outcome=self.outcome,
            values=self.analysis.values,
            tallies=self.analysis.tallies,
            hint=self.hint.move if self.hint else None,
            aid=self.aided,
        )

    def _line_board(self, step: LineStep) -> Board:
        """The board after a step of an expected line, read-only."""
        return board_for(
            Match.begin(self.match.game, step.state),
            ply=0,
            may_move=False,
            last_move=step.move,
            outcome=step.state.outcome(),
            aid=self.aided,
        )

    @property
    def _last_move(self) -> object:
        return self.match.moves[self.ply - 1] if self.ply else None

    @property
    def last_move(self) -> str:
        return str(self._last_move) if self.ply else ""

    @cached_property
    def result(self) -> str | None:
        """You win: three in column a."""
        if self.outcome is None:
            return None
        why = self.board.why or ending_text(self.record, self.outcome, self.players)
        return result_text(self.outcome, self.players, why)

    @cached_property
    def refusal(self) -> str | None:
        """Why the picked or submitted move was refused; it replaces the status."""
        if not self.may_move:
            return None
        if self.error is not None and self.error.tone is Tone.REFUSAL:
            return self.error.text
        return refusal_for(self.match, self.board, self.query.pick)

    @cached_property
    def status(self) -> str:
        """Your move · Perfect is thinking · You win: three in column a."""
        line = self.analysis.line
        if line is not None and line.status_text:
            return line.status_text
        return self.result or self.refusal or self._turn_text()

    @property
    def advised(self) -> bool:
        """Whether the status is a hint."""
        return self.hint is not None and self.status == self.hint.text

    def _turn_text(self) -> str:
        """Whose move it is and what to press first, or what the match waits for."""
        if not self.live:
            return f"After {self.ply} of {self.last_ply} moves"
        if self.board.prompt:
            return self.board.prompt
        if self.hint:
            return self.hint.text
        if self._stood_twice:
            return f"{self._mover_text()}. {STOOD_TWICE}"
        opening = "" if self.query.present else self.board.opening  # a class is told
        return f"{self._mover_text()}: {opening}" if opening else self._mover_text()

    @property
    def _stood_twice(self) -> bool:
        """Whether the position would end the match if it stood once more."""
        repetition = self.match.game.repetition
        stood = self.match.states[: self.ply + 1].count(self.state)
        return repetition is not None and stood == repetition - 1

    def _mover_text(self) -> str:
        mover, record = self.mover, self.record
        assert mover is not None
        if mover.kind is PlayerKind.YOU:
            return "Your move"
        if record.is_shared and record.holders[mover.seat] is None:
            return "Waiting for a friend"
        if mover.kind is PlayerKind.BOT:
            return f"{mover.name} is thinking"
        thinks = mover.kind is PlayerKind.AGENT and record.people and self.may_change
        if thinks and self._reply_label is None:
            return f"{mover.title} is {'warming up' if self.warming else 'thinking'}"
        return f"{mover.title} to move"

    @property
    def announcement(self) -> str:
        """For the live region: the last move and the status."""
        if self.refusal:
            return self.refusal
        status = f"{self.status.removesuffix('.')}."
        if not self.ply:
            return status
        mover = self.players[self.match.states[self.ply - 1].to_move]
        verb = "played" if mover.kind is PlayerKind.YOU else "plays"
        return f"{mover.title} {verb} {self.last_move}. {status}"

    @cached_property
    def message(self) -> Message | None:
        """The error, unless the status says it; else that an agent failed to answer."""
        if self.error is not None and not self.refusal:
            return self.error
        place = self.record.place
        if self.live and place and place.ending:
            return Message(Tone.WARNING, place.ending)
        if self.live and self.record.failure and self.record.failure[1]:
            return Message(Tone.WARNING, sentence(self.record.failure[1]))
        note = self.record.plies[self.ply - 1].note if self.ply else None
        if note is None:
            return None
        mover = self.players[self.match.states[self.ply - 1].to_move]
        return Message(Tone.WARNING, f"{with_verb(mover, 'fail')} to answer: {note}.")

    @property
    def traceback(self) -> str:
        """Where the agent that forfeited failed, on the last page of the game."""
        place = self.record.place
        return place.traceback if self.live and place else ""

    @property
    def unadvised(self) -> str | None:
        """Why agents give no advice here."""
        return sentence(self.advice_refusal) if self.advice_refusal else None

    @property
    def offers_rules(self) -> bool:
        """Whether the visitor is about to make their first move in a game new to this browser."""
        met = self.game in self.visit.games_met
        moved = self.record.last_turn_of(self.record.held_by(self.visit.actor)) is not None
        return self.may_move and not met and not moved

    @cached_property
    def reply(self) -> Reply | None:
        return pending_reply(self, self._reply_label)

    @cached_property
    def _reply_label(self) -> str | None:
        """The label of the reply button where the agent's exhibit is open; None: reply at once."""
        if not (self.query.show and self.awaits_reply and self.record.people):
            return None
        agent = self.analysis.agent
        if self.record.seats[self.match.state.to_move] != agent:
            return None
        if self.analysis.exhibit is not None:
            return self.analysis.exhibit.press
        opening = self.analysis.pending and find_agent(agent.partition(":")[0]).lessons
        return LET_IT_MOVE if opening else None

    @cached_property
    def actions(self) -> Actions:
        return allowed_actions(self)

    @property
    def place(self) -> tuple[str, str, str] | None:
        """Of an open head: in whose place it thinks, and a link to the other thought."""
        if self.analysis.exhibit is None or not (self.record.people and self.record.agents):
            return None
        query = replace(self.query, part=None, step=None, open=(), pick=None, hint=False)
        if self.may_move and self.analysis.advises:
            text = "It is your turn. This is what it would do in your place."
            before = self.match.states[self.ply - 1].to_move if self.ply else None
            if before is None or self.record.seats[before] != self.analysis.agent:
                return text, "", ""
            return text, query.url(self.path, ply=self.ply - 1), f"How it chose {self.last_move}"
        if self.live or self.record.outcome is not None or self.analysis.advises:
            return None
        chose = self.match.moves[self.ply]
        now = query.url(self.path, ply=None)
        return f"This is how it chose {chose}.", now, "Back to the game"

    @property
    def steps(self) -> tuple[str | None, str | None, str | None, str | None]:
        """Addresses of the first, previous, next and last ply."""
        ply, last = self.ply, self.last_ply
        back = (self.ply_url(0), self.ply_url(ply - 1)) if ply > 0 else (None, None)
        return *back, *((self.ply_url(ply + 1), self.url) if ply < last else (None, None))

    @property
    def next_reply(self) -> str | None:
        """Between two agents at the last ply, Next is this POST."""
        return self.child("reply") if self.awaits_reply and self.watching else None

    @property
    def lesson_link(self) -> tuple[str, str] | None:
        """Address and label: back to where it was begun, or the lesson about it."""
        if self.query.task_url:
            return self.query.task_url, "Back to the assignment"
        if self.query.lesson_url:
            if self.won_for_lesson:
                return self.query.won_lesson_url, "Won: back to the lesson"
            return self.query.lesson_url, "Back to the lesson"
        agents = [self.record.seats[seat] for seat in self.record.agents]
        url = lesson_url(agents[0] if len(agents) == 1 else "", self.record.game)
        return (url, "The lesson about it") if self.over and url else None

    @property
    def won_for_lesson(self) -> bool:
        """Whether you won what a lesson asked you to win: the way back comes first."""
        winner = None if self.outcome is None else self.outcome.winner
        asked = bool(self.query.lesson_url) and not self.query.task_url
        return asked and winner is not None and self.players[winner].kind is PlayerKind.YOU

    @cached_property
    def carried(self) -> Pairs:
        """Hidden fields that keep the panels after a change."""
        return self.query.form_fields

    @property
    def form_path(self) -> str:
        """The path of forms, whose fields are in `path_fields`."""
        return self.path.partition("?")[0]

    @property
    def path_fields(self) -> Pairs:
        return path_fields(self.path)

    @property
    def moves_url(self) -> str:
        return self.child("moves")

    @property
    def aided(self) -> bool:
        """Whether the board shows its thinking aid, which is advice as well."""
        return self.query.aid and not self.unadvised

    @property
    def aid_url(self) -> str | None:
        """Turns the board's thinking aid on or off."""
        return None if self.unadvised else self.query.url(self.path, aid=not self.query.aid)

    @property
    def values_url(self) -> str:
        """Turns the values on or off, and closes what depends on them; a hint stays."""
        closed = replace(self.query, show=False, versus=None, part=None, step=None, open=())
        return closed.url(self.path, values=not self.query.values)

    @cached_property
    def present_url(self) -> str:
        """The other mode, at the same ply."""
        return self.query.url(self.path, present=not self.query.present)

    @property
    def share_url(self) -> str:
        return self.visit.site + MatchQuery(ply=self.ply).url(self.path)

    @property
    def picture_url(self) -> str:
        """The shown position as an image."""
        return PictureQuery(ply=self.ply).url(f"{self.path}.svg")

    @property
    def sheet_url(self) -> str:
        """The match as a printable sheet."""
        return self.child("sheet")

    @property
    def setup_url(self) -> str:
        """The shown position in the editor."""
        return position_url(self.match.game.spec, str(self.state))

    @cached_property
    def ask_url(self) -> str | None:
        """Asks a class about the shown position, unless the game is over there."""
        if self.state.outcome() is not None:
            return None
        moves = [str(move) for move in self.match.moves[: self.ply]]
        return ask_class_url(self.record.game, self.record.start, moves)

    @property
    def rules_url(self) -> str:
        """Dialog: the rules of this variant."""
        return rules_url(self.match.game.spec, self.here)

    @property
    def keys_url(self) -> str:
        """Dialog: the keyboard shortcuts."""
        return keys_url(self.here)

    @cached_property
    def tree_url(self) -> str | None:
        """The textbook search of the shown position, where advice is allowed."""
        if not self.advice_allowed:
            return None
        return TreeQuery(ply=self.ply, present=self.query.present).address(self.path)
