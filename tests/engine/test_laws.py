"""The laws that hold for every game and every variant, in states reached by legal play."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

from engine import IllegalMoveError, Match, load_game, read_transcript
from tests.positions import law_games, matches

GAMES = law_games()
played = given(match=matches(GAMES))


@played
def test_legal_moves_are_empty_exactly_when_there_is_an_outcome(match: Match[Any, Any]) -> None:
    assert (not match.state.legal_moves()) == (match.state.outcome() is not None)


@played
def test_legal_moves_are_distinct_and_in_the_order_of_all_moves(match: Match[Any, Any]) -> None:
    order = [match.game.all_moves.index(move) for move in match.state.legal_moves()]
    assert order == sorted(set(order))


@played
def test_exactly_the_legal_moves_can_be_played(match: Match[Any, Any]) -> None:
    def can_be_played(move: Any) -> bool:
        try:
            match.state.play(move)
        except IllegalMoveError:
            return False
        return True

    playable = tuple(move for move in match.game.all_moves if can_be_played(move))
    assert playable == match.state.legal_moves()


@played
def test_playing_a_move_changes_nothing_but_gives_a_new_state(match: Match[Any, Any]) -> None:
    state, text = match.state, str(match.state)
    after = [state.play(move) for move in state.legal_moves()]
    assert str(state) == text
    assert all(new.to_move is state.to_move.other for new in after)


@played
def test_a_state_and_its_moves_read_back_from_their_texts(match: Match[Any, Any]) -> None:
    moves, read = match.state.legal_moves(), match.game.parse_state(str(match.state))
    assert (read, hash(read)) == (match.state, hash(match.state))
    assert tuple(match.game.parse_move(str(move)) for move in moves) == moves
    assert [repr(value) for value in (read, *moves)] == [str(value) for value in (read, *moves)]


@settings(max_examples=40)
@played
def test_symmetries_carry_play_along(match: Match[Any, Any]) -> None:
    state = match.state
    assert all(
        symmetry.state(state).play(symmetry.move(move)) == symmetry.state(state.play(move))
        for symmetry, move in product(match.game.symmetries[:24], state.legal_moves())
    )


@played
def test_symmetries_keep_the_legal_moves_and_the_outcome(match: Match[Any, Any]) -> None:
    state, symmetries = match.state, match.game.symmetries
    turned = [symmetry.state(state) for symmetry in symmetries]
    assert {new.outcome() for new in turned} == {state.outcome()}
    assert all(
        {symmetry.move(move) for move in state.legal_moves()} == set(new.legal_moves())
        for symmetry, new in zip(symmetries, turned, strict=True)
    )


@settings(max_examples=40)
@played
def test_symmetric_states_have_one_canonical_form(match: Match[Any, Any]) -> None:
    game = match.game
    forms = {game.canonical(symmetry.state(match.state)) for symmetry in game.symmetries}
    assert forms == {game.canonical(match.state)}
    assert {game.canonical(form) for form in forms} == forms


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
def test_the_symmetries_are_a_group_with_the_identity_first(game: Any) -> None:
    def effect(*symmetries: Any) -> tuple[Any, ...]:
        moves = game.all_moves
        for symmetry in symmetries:
            moves = tuple(symmetry.move(move) for move in moves)
        return moves

    effects = {effect(symmetry) for symmetry in game.symmetries}
    some = game.symmetries[:8]
    assert effect(game.symmetries[0]) == game.all_moves
    assert len({symmetry.name for symmetry in game.symmetries}) == len(game.symmetries)
    assert {effect(one, other) for one, other in product(some, some)} <= effects


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
def test_a_game_comes_back_from_its_spec_and_shows_as_what_gives_it_back(game: Any) -> None:
    again = load_game(game.spec)
    assert eval(repr(game), {"load_game": load_game}) == game
    assert (again, again.spec, again.start) == (game, game.spec, game.start)
    assert again.all_moves == game.all_moves


@played
def test_a_match_reads_back_from_its_transcript(match: Match[Any, Any]) -> None:
    assert read_transcript(match.transcript()) == match


@played
def test_taking_back_every_ply_returns_to_the_start(match: Match[Any, Any]) -> None:
    assert match.undo(match.ply) == Match.begin(match.game)
