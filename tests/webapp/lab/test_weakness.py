"""Whether a trained machine can be beaten: computed over every reply, and said on its page."""

from functools import cache

import pytest

from agents.roster import load_agent
from agents.tabular.exact import over_seats
from agents.tabular.tables import tabulate
from engine import Seat, load_game
from webapp.lab.training.snapshots import can_be_searched, weakness_text
from webapp.workers.knowledge import Weakness, WeaknessRequest


def can_win(game, agent, seat):
    """Whether some player in this seat can win: every move of theirs, any the agent may play."""

    @cache
    def winnable(state):
        outcome = state.outcome()
        if outcome is not None:
            return outcome.winner is seat
        if state.to_move is seat:
            return any(winnable(state.play(move)) for move in state.legal_moves())
        said = agent.analyse(state).candidates
        return any(winnable(state.play(each.move)) for each in said if each.chance)

    return winnable(game.start)


@pytest.mark.parametrize(
    ("spec", "agent"),
    [
        ("tictactoe", "network"),
        ("tictactoe", "reward-table"),
        ("nim:heaps=1-3-5-7", "network"),
        ("nim:heaps=1-3-5", "greedy-heap"),
    ],
)
def test_the_seats_in_which_it_can_be_beaten_are_those_of_a_plain_search(spec, agent):
    game, player = load_game(spec), load_agent(agent, load_game(spec))
    beaten = tuple(seat.mark for seat in Seat if can_win(game, player, seat.other))
    assert WeaknessRequest(spec, agent).run(60).beaten == beaten


def test_what_is_said_of_it_names_the_seats():
    assert weakness_text(Weakness((), "")).startswith("Unbeatable:")
    assert weakness_text(Weakness(("x",), "x")) == (
        "Unbeatable when it moves second, the side that can win; moving first, even perfect play "
        "loses."
    )
    assert weakness_text(Weakness(("o",), "x")) == "The right moves beat it, when it moves second."
    assert weakness_text(Weakness(("x", "o"), "")).endswith("whether it moves first or second.")


def test_one_that_its_curve_never_saw_lose_is_said_to_be_beaten_by_others():
    """MENACE after 20,000 games against Perfect: never lost to it, and anyone may beat it."""
    game = load_game("tictactoe")
    tables, menace = tabulate(game), load_agent("menace", game)
    perfect = tables.policy(load_agent("perfect", game))
    assert over_seats(tables, tables.policy(menace), perfect).losses == 0
    assert weakness_text(WeaknessRequest("tictactoe", "menace").run(60), "Perfect") == (
        "The right moves beat it, whether it moves first or second. Its curve is measured "
        "against Perfect, which never plays them."
    )


def test_it_is_computed_of_games_that_end_and_have_few_positions():
    assert [
        can_be_searched(load_game(spec)) for spec in ("tictactoe", "nim", "quixo:size=3", "quixo")
    ] == [True, True, False, False]
