"""The turns of a bot: what it is told, what becomes of its answer, and the machine's replies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from agents.roster import agent_title
from engine import Seat
from webapp.bots import rules
from webapp.bots.game_store import BotGameStore
from webapp.bots.models import (
    Answer,
    BotGame,
    BotRecord,
    Change,
    OpenGame,
    read_turn_id,
    turn_id,
)
from webapp.matches import rules as match_rules
from webapp.replays.advice import begin_reply, reply_question
from webapp.replays.analysis_store import pack_analysis
from webapp.replays.models import PlyRecord, Record, bot_name_of, one_line
from webapp.workers.client import WorkerClient
from webapp.workers.queue import BusyError, Rank

AGAIN_IDLE_S = 1.0  # until a bot asks again that plays no game
AGAIN_PERSON_S = 0.5  # that waits for a person
AGAIN_PROGRAM_S = 0.1  # that waits for a machine or another bot
REPLY_WAIT_S = 0.03  # for a machine: all bots share a thread, and most machines answer in less


@dataclass(frozen=True, slots=True)
class NextTurn:
    """The turn that a bot has to answer; without one, when to ask again."""

    document: dict[str, Any] | None
    again: float = AGAIN_IDLE_S


@dataclass(frozen=True, slots=True)
class BotMatches:
    """Plays the matches of bots."""

    games: BotGameStore
    workers: WorkerClient
    now: Callable[[], float]

    def next_turn(self, bot: BotRecord) -> NextTurn:
        """Hand out the turn that has waited longest, its clock started; the same until answered."""
        return self._turn_of(bot, self.games.open_games(bot.id))

    def _turn_of(self, bot: BotRecord, open_games: tuple[OpenGame, ...]) -> NextTurn:
        again = AGAIN_IDLE_S
        for stored, found in open_games:
            record, game = self._with_reply(stored, bot), found
            if rules.is_due(record, game):
                if game.handed is None or game.revision != record.revision:
                    game = self.games.hand_out(game, record.revision)
                return NextTurn(turn_document(record, game))
            again = min(again, _wait_for(record))
        return NextTurn(None, again)

    def play(self, bot: BotRecord, turn: str, answer: Answer) -> tuple[str, NextTurn]:
        """Play a bot's answer; the move as it is written and the next turn. Raises if refused."""
        match_id, revision = read_turn_id(turn)

        def decide(record: Record, game: BotGame) -> Change:
            return rules.answered(record, game, bot, revision, answer, self.now())

        change = self._change(bot, match_id, revision, decide)
        record = change.record
        if record.agent_is_to_move:
            begin_reply(self.workers, record)
        played = next(ply.text for ply in record.plies if ply.revision == revision)
        return played, self._turn_of(bot, change.open_games)

    def resign(self, bot: BotRecord, turn: str, answer: Answer) -> NextTurn:
        """Give up the match of a turn; the next one."""
        match_id, revision = read_turn_id(turn)

        def decide(record: Record, game: BotGame) -> Change:
            return rules.gave_up(record, game, revision, answer, self.now())

        change = self._change(bot, match_id, revision, decide)
        return self._turn_of(bot, change.open_games)

    def practise(self, record: Record) -> Record:
        """Store a match that its bot has called for, without a clock; raises BusyBotError."""
        stored = self.games.begin_game(record, None, called=True)
        begin_reply(self.workers, stored)
        return stored

    def _change(
        self,
        bot: BotRecord,
        match_id: str,
        revision: int,
        decide: Callable[[Record, BotGame], Change],
    ) -> Change:
        change = self.games.change(match_id, bot.id, revision, decide)
        if change.error is not None:
            raise change.error
        return change

    def _with_reply(self, record: Record, bot: BotRecord) -> Record:
        """The match with the machine's move, if that is due and ready."""
        if not record.agent_is_to_move:
            return record
        try:
            pending = self.workers.ask(reply_question(record), Rank.REPLY)
            answer = self.workers.wait_for(pending, REPLY_WAIT_S)
        except BusyError:  # the bot asks again soon
            return record
        if answer is None:
            return record
        analysis = pack_analysis(answer.analysis)
        ply = PlyRecord(answer.move, record.revision, one_line(answer.note), analysis)
        return self.games.matches.change(
            record.id, lambda now: match_rules.answered(now, bot.actor, ply)
        )


def turn_document(record: Record, game: BotGame) -> dict[str, Any]:
    """A turn as JSON."""
    match = record.match
    clock = None
    if game.move_s is not None:
        clock = {"move": game.move_s, "bank": game.bank_s, "left": round(game.left, 3)}
    took = None if game.took is None else round(game.took, 3)
    return {
        "turn": turn_id(record.id, record.revision),
        "match": record.id,
        "page": record.path,
        "game": record.game,
        "seat": game.seat.mark,
        "ply": match.ply,
        "start": record.start,
        "state": str(match.state),
        "moves": [str(move) for move in match.moves],
        "legal": [str(move) for move in match.state.legal_moves()],
        "clock": clock,
        "lives": game.lives,
        "last": {"took": took, "error": game.error},
        "opponent": player_title(record, game.seat.other),
        "seed": crc32(f"{record.id}:{match.ply}".encode()),
        "rated": record.rated,
    }


def game_document(record: Record, game: BotGame) -> dict[str, Any]:
    """A game of a bot as JSON, for the list of its games."""
    outcome = record.outcome
    result = None
    if outcome is not None:
        result = ("lost", "drawn", "won")[outcome.score(game.seat) + 1]
    return {
        "match": record.id,
        "page": record.path,
        "game": record.game,
        "seat": game.seat.mark,
        "opponent": player_title(record, game.seat.other),
        "moves": len(record.plies),
        "result": result,
        "fault": record.fault,
        "rated": record.rated,
        "lives": game.lives,
    }


def player_title(record: Record, seat: Seat) -> str:
    """Who plays a seat, for a program or its author."""
    if seat in record.bots:
        return bot_name_of(record.seats[seat])
    return agent_title(record.seats[seat], record.game) if seat in record.agents else "a person"


def _wait_for(record: Record) -> float:
    """When to ask again, by who is to move."""
    if record.outcome is not None:
        return AGAIN_PROGRAM_S
    return AGAIN_PERSON_S if record.match.state.to_move in record.people else AGAIN_PROGRAM_S
