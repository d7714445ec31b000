"""The catalogue: what every entry must hold, and games that installed packages add."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from engine import Ending, Match, Outcome, Seat, load_game
from engine.catalog import BUILT_IN, all_variants, catalog, find_entry, variant_title
from engine.entry import GameEntry, Preset
from engine.errors import BrokenGameError
from tests.engine.packages import installer
from tests.positions import law_games, matches

NAMES = ("you", "Perfect")
played = given(match=matches(law_games()))


install = installer(catalog)


def another(**changes: Any) -> GameEntry:
    """Tic-tac-toe under another name."""
    usual = find_entry("tictactoe")

    def make(spec: str, options: Any) -> Any:
        return replace(usual.make(spec, options), key="extra")

    return replace(usual, key="extra", make=make, **changes)


def test_the_game_of_a_package_comes_after_ours_and_knows_its_home(install: Any) -> None:
    install(another())
    assert [entry.key for entry in catalog()] == [*(entry.key for entry in BUILT_IN), "extra"]
    assert find_entry("extra").home == "extra.rules"
    assert find_entry("nim").home == ""


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("no entry at all", "is no GameEntry"),
        (SystemExit("no licence"), "no licence"),
        (replace(another(), key="Extra Game"), "small letters"),
        (replace(another(), key="nim"), "there is a game nim already"),
        (another(presets=()), "its first preset"),
        (replace(another(), key="other"), "its first preset"),
        (another(presets=(Preset("odd", "Odd", (("size", "4"),)),)), "size"),
    ],
)
def test_a_broken_game_is_reported_and_skipped(
    install: Any, caplog: pytest.LogCaptureFixture, entry: Any, why: str
) -> None:
    install(entry, another())
    with caplog.at_level(logging.WARNING):
        assert [found.key for found in catalog()][len(BUILT_IN) :] == ["extra"]
    assert "game extra was skipped" in caplog.text
    assert why in caplog.text


def test_of_two_games_with_one_key_the_first_is_listed(
    install: Any, caplog: pytest.LogCaptureFixture
) -> None:
    install(another(title="One"), another(title="Two"))
    assert find_entry("extra").title == "One"
    assert "there is a game extra already" in caplog.text


@pytest.mark.parametrize("entry", BUILT_IN, ids=lambda entry: entry.key)
def test_a_preview_is_a_position_of_the_game_that_begins(entry: GameEntry) -> None:
    assert entry.preview is not None
    game = load_game(entry.preview.spec)
    assert game.spec == load_game(entry.key).spec
    moves = [game.parse_move(text) for text in entry.preview.moves.split()]
    assert Match.replay(game, moves).outcome() is None


@played
def test_an_evaluation_stays_between_loss_and_win(match: Match[Any, Any]) -> None:
    evaluation = find_entry(match.game.key).evaluation or (lambda state: 0.0)
    assert -1 < evaluation(match.state) < 1


THEORIES = [game for game in law_games() if find_entry(game.key).theory]


@given(match=matches(tuple(THEORIES)))
def test_a_theory_agrees_with_itself_a_move_later_and_says_it_of_all_moves_at_once(
    match: Match[Any, Any],
) -> None:
    """A state is won exactly when some move leads to one that is lost."""
    theory, state = find_entry(match.game.key).theory, match.state
    each = {move: theory.verdict(state.play(move)).seen_by_mover() for move in state.legal_moves()}
    here = theory.verdict(state)
    assert here.value == max((verdict.value for verdict in each.values()), default=here.value)
    assert list(theory.verdicts(state).items()) == list(each.items())


@played
def test_a_drawing_has_as_many_lines_for_every_state_of_a_game(match: Match[Any, Any]) -> None:
    entry = find_entry(match.game.key)
    last = match.moves[-1] if match.moves else None
    start, here = entry.drawn(match.game.start), entry.drawn(match.state, last)
    assert len(here.splitlines()) == len(start.splitlines())


def test_the_cell_that_was_reached_stands_out() -> None:
    game = load_game("tictactoe")
    match = Match.replay(game, [game.parse_move("b2")])
    drawn = find_entry("tictactoe").drawn(match.state, match.moves[-1])
    assert drawn == "\n".join(
        [
            "    ┌───┬───┬───┐",
            "  3 │   │   │   │",
            "    ├───┼───┼───┤",
            "  2 │   │(x)│   │",
            "    ├───┼───┼───┤",
            "  1 │   │   │   │",
            "    └───┴───┴───┘",
            "      a   b   c",
        ]
    )


TO_SECOND, TO_NOBODY = Outcome(Seat.SECOND, Ending.GOAL), Outcome(None, Ending.GOAL)


@pytest.mark.parametrize(
    ("words", "outcome", "told"),
    [
        ("{mover} took it", TO_SECOND, "you took it"),
        ("{loser} is stuck", TO_SECOND, "you is stuck"),
        ("{winner} is there", TO_SECOND, "Perfect is there"),
        ("nobody is", TO_NOBODY, "nobody is"),
        ("not this", Outcome(None, Ending.BOARD_FULL), "board full"),
        *(
            (words, TO_NOBODY, "goal reached")
            for words in ("{0} wins", "{nobody}", "{mover", "{mover.x}")
        ),
    ],
)
def test_an_ending_is_told_in_the_games_own_words_where_they_can_be_filled_in(
    words: str, outcome: Outcome, told: str
) -> None:
    entry = another(endings={Ending.GOAL: words})
    assert entry.ending(outcome, Seat.FIRST, NAMES) == told


def fails(*_: Any) -> Any:
    raise ZeroDivisionError("its own fault")


@pytest.mark.parametrize(("drawing", "told"), [(None, 0), (fails, 1)])
def test_without_a_drawing_that_works_the_text_is_shown_and_a_failure_told_once(
    caplog: pytest.LogCaptureFixture, drawing: Any, told: int
) -> None:
    entry, start = another(drawing=drawing), load_game("tictactoe").start
    assert [entry.drawn(start), entry.drawn(start)] == [str(start)] * 2
    assert len(caplog.records) == told


def test_a_game_that_its_package_fails_to_make_is_named() -> None:
    entry = replace(find_entry("tictactoe"), key="extra", make=fails)
    with pytest.raises(BrokenGameError, match="extra cannot be set up: its package failed"):
        entry.load({})


def test_a_game_that_began_to_fail_is_left_out_of_the_lists(install: Any) -> None:
    made = iter([another().load({})] * 2)  # once for its preset, once for its default

    def at_first(spec: str, options: Any) -> Any:
        return next(made)

    install(replace(another(), make=at_first))
    assert len(catalog()) == len(BUILT_IN) + 1
    assert {game.key for game in all_variants()} == {entry.key for entry in BUILT_IN}


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("nim:heaps=1-3-5-7", "Marienbad, last loses"),
        ("nim:heaps=2-2,max_take=1", "heaps 2-2, max take 1"),
    ],
)
def test_a_variant_has_its_name_or_its_settings_for_a_title(spec: str, title: str) -> None:
    assert variant_title(spec) == title
