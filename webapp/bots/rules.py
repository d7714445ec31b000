"""Pure decisions about a bot's turns: the clock, lives, forfeits, and the moves it answers with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agents import Analysis, Candidate
from agents.core import Effort, Measure, rank
from engine import Game, Seat
from engine.errors import IllegalMoveError, InvalidMoveError, sentence
from webapp.bots.models import (
    MAX_OPEN_GAMES,
    Answer,
    BotGame,
    BotRecord,
    BusyBotError,
    Change,
    LateError,
    OverError,
    RefusedMoveError,
    TimeControl,
    TurnLog,
)
from webapp.matches import rules
from webapp.replays.analysis_store import pack_analysis
from webapp.replays.models import Record, one_line

LIVES = 3  # illegal moves in a game; the last one loses it
FORFEIT_S = 300  # a bot that is to move and gives no sign of life for so long loses
MAX_GAME_LOG_CHARS = 64_000  # kept of a game
NO_REASON = "It gave no reason."


def new_game(bot_id: str, seat: Seat, time: TimeControl | None, now: float) -> BotGame:
    """The seat of a bot in a match that is about to be stored; without a time there is no clock."""
    bank = 0.0 if time is None else time.bank_s
    move_s = None if time is None else time.move_s
    return BotGame("", seat, bot_id, True, move_s, bank, bank, LIVES, created=now)


def absence(bot: BotRecord, started: float, now: float) -> str | None:
    """Why a bot loses the games that it does not come to; None while it is waited for."""
    if bot.until <= now:
        return "left"
    since = max(bot.seen or bot.created, started)
    return f"was away for {FORFEIT_S // 60} minutes" if now - since > FORFEIT_S else None


def check_free(bot: BotRecord, game: Game[Any, Any], open_games: int, now: float) -> None:
    """Raises BusyBotError for a bot that cannot begin a game now."""
    if not bot.can_play(game):
        raise BusyBotError(f"{bot.name} does not play {game.title}, or not this variant of it")
    if not bot.is_here(now):
        raise BusyBotError(f"{bot.name} is away: its program has not asked for a turn lately")
    if open_games >= MAX_OPEN_GAMES:
        raise BusyBotError(f"{bot.name} plays {MAX_OPEN_GAMES} games already: wait for one to end")


def is_due(record: Record, game: BotGame) -> bool:
    """Whether it is this bot's turn."""
    return record.outcome is None and record.match.state.to_move is game.seat


def handed_out(game: BotGame, revision: int, now: float) -> BotGame:
    """Hand out the turn of this revision: its clock starts, unless it runs already."""
    if game.revision == revision and game.handed is not None:
        return game
    return replace(game, revision=revision, handed=now)


def played_in_time(game: BotGame, now: float) -> BotGame:
    """Stop the clock: what a move took beyond its own seconds is taken from the bank.

    A turn that was not handed out since the server started costs nothing.
    """
    took = 0.0 if game.handed is None else max(0.0, now - game.handed)
    over = 0.0 if game.move_s is None else max(0.0, took - game.move_s)
    left = max(0.0, game.left - over)
    return replace(game, took=took, left=left, handed=None, revision=None)


def forfeit_reason(game: BotGame, seen: int | None, now: float) -> str | None:
    """Why the bot, which is to move, has lost by now; None while it has not."""
    if game.deadline is not None:
        if now <= game.deadline:
            return None
        return f"timed out after {game.deadline - (game.handed or 0):.1f} s, time bank empty"
    since = max(seen or 0, game.created)
    if game.handed is None and game.move_s is not None and now - since > FORFEIT_S:
        return f"was away for {FORFEIT_S // 60} minutes"
    return None


def forfeited(record: Record, game: BotGame, why: str, now: float) -> Change:
    """The game is lost for this reason, with the position for the bot's author."""
    lost = replace(
        record,
        resigned=game.seat,
        fault=one_line(why),
        offer=None,
        revision=record.revision + 1,
    )
    ply = len(record.plies) + 1
    took = None if game.handed is None else now - game.handed
    told = f"{why}\nposition  {record.match.state}"
    log = TurnLog(record.id, ply, game.bot_id, now, took, error=told)
    ended = replace(game, open=False, handed=None, revision=None, error=one_line(why))
    return Change(lost, ended, log)


def answered(
    record: Record, game: BotGame, bot: BotRecord, revision: int, answer: Answer, now: float
) -> Change:
    """Play a bot's answer to the turn of this revision, or refuse it, which costs a life.

    The same answer again changes nothing; raises LateError or OverError for a turn that is past.
    """
    if (played := _played_at(record, game.seat, revision)) is not None:
        if _same_move(record, answer.move, played):
            return Change(record, game)
        raise LateError(f"this turn was played already: {played}")
    check_turn(record, game, revision)
    if (why := forfeit_reason(game, int(now), now)) is not None:
        lost = forfeited(record, game, why, now)
        return replace(lost, error=LateError(f"the game is lost: {bot.name} {why}"))
    try:
        analysis = pack_analysis(analysis_of(record, answer))
        after = rules.moved(record, bot.actor, answer.move, revision, analysis)
    except (InvalidMoveError, IllegalMoveError) as error:
        shown = answer.move or "an empty text"
        return _refused(record, game, answer, f"{shown}: {error}", now)
    stopped = played_in_time(game, now)
    kept = _log_text(game, answer.log)
    log = TurnLog(record.id, len(after.plies), bot.id, now, stopped.took, kept)
    stopped = replace(stopped, log_chars=game.log_chars + len(kept or ""))
    return Change(after, replace(stopped, open=after.outcome is None), log)


def gave_up(record: Record, game: BotGame, revision: int, answer: Answer, now: float) -> Change:
    """The bot resigns; with a reason its program has failed, and the match says so."""
    if record.resigned is game.seat and record.revision == revision + 1:
        return Change(record, game)  # the same request again
    check_turn(record, game, revision)
    if answer.reason:
        change = forfeited(record, game, f"failed: {answer.reason}", now)
    else:
        change = forfeited(record, game, "resigned", now)
        change = replace(change, record=replace(change.record, fault=None))
    kept = _log_text(game, answer.log)
    return replace(change, log=change.log and replace(change.log, log=kept))


def check_turn(record: Record, game: BotGame, revision: int) -> None:
    """Raises OverError or LateError where this is not the turn of this seat any more."""
    if record.outcome is not None:
        result = record.match.result()
        if record.fault:
            loser = "you" if record.resigned is game.seat else "your opponent"
            result = f"{loser} {record.fault}"
        raise OverError(f"the game is over: {result}")
    if record.revision != revision or record.match.state.to_move is not game.seat:
        raise LateError("the game has gone on since: ask for the next turn")


def analysis_of(record: Record, answer: Answer) -> Analysis[Any] | None:
    """What the bot says of its move, for the panel; None if it says nothing.

    Raises InvalidMoveError for a move that cannot be read.
    """
    if not (answer.values or answer.reason):
        return None
    match = record.match
    choice = match.game.parse_move(answer.move)
    legal = match.state.legal_moves()
    if choice not in legal:
        return None  # refused by the rules, in their words
    candidates = [
        Candidate(move, answer.values.get(str(move)), chance=1.0 if move == choice else 0.0)
        for move in legal
    ]
    ordered = tuple(sorted(candidates, key=rank))
    measure = Measure.VALUE if answer.values else Measure.CHANCE
    reason = sentence(answer.reason) if answer.reason else NO_REASON
    return Analysis(ordered, reason, choice, effort=Effort(), measure=measure)


def _refused(record: Record, game: BotGame, answer: Answer, why: str, now: float) -> Change:
    """An illegal move: a life less, the clock runs on; without lives the game is lost."""
    lives = game.lives - 1
    game = replace(game, lives=lives, error=one_line(why))
    if lives <= 0:
        change = forfeited(record, game, f"lost its last life: {why}", now)
        told = RefusedMoveError(f"{why}; that was the last life, the game is lost", 0)
        return replace(change, error=told)
    ply = len(record.plies) + 1
    text = f"{why}\nposition  {record.match.state}"
    log = TurnLog(record.id, ply, game.bot_id, now, None, _log_text(game, answer.log), text)
    return Change(record, game, log, RefusedMoveError(why, lives))


def _log_text(game: BotGame, text: str) -> str | None:
    """What is kept of a log: of a long game, no more after so much."""
    return text[: max(0, MAX_GAME_LOG_CHARS - game.log_chars)] or None


def _played_at(record: Record, seat: Seat, revision: int) -> str | None:
    """The move of this seat in this revision."""
    states = record.match.states
    for at, ply in enumerate(record.plies):
        if ply.revision == revision and states[at].to_move is seat:
            return ply.text
    return None


def _same_move(record: Record, sent: str, played: str) -> bool:
    try:
        return str(record.match.game.parse_move(sent)) == played
    except InvalidMoveError:
        return False
