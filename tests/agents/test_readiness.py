"""Who can play at once, who after a moment of training, and who not before someone trained it."""

from __future__ import annotations

import pytest

from agents import load_agent
from agents.errors import MissingBrainError
from agents.roster import agents_for, ready_spec, roster
from agents.training.loop import Points
from engine.catalog import catalog, load_game
from engine.errors import ZermeloError

A_MOMENT = 2.0  # seconds
LEARNERS = [entry.key for entry in roster() if entry.train is not None]
PRESETS = [entry.load({"preset": p.name}).spec for entry in catalog() for p in entry.presets]
PAIRS = [
    (spec, entry.key)
    for spec in sorted({*PRESETS, "quixo:size=3", "quixo:size=4", "nim:heaps=3-4-6"})
    for entry in agents_for(load_game(spec))
    if entry.train is not None
]


@pytest.mark.parametrize(("spec", "key"), PAIRS)
def test_every_learner_on_offer_plays_after_a_moment(spec: str, key: str) -> None:
    game = load_game(spec)
    ready = ready_spec(key, game, A_MOMENT)
    assert ready.partition(":")[0] == key
    assert ready_spec(ready, game, A_MOMENT) == ready


def test_what_ships_with_a_brain_needs_no_other_length() -> None:
    assert ready_spec("qlearning", load_game("nim"), A_MOMENT) == "qlearning"


@pytest.mark.slow
def test_who_leaves_open_how_long_it_learns_learns_for_as_long_as_fits() -> None:
    game = load_game("nim:heaps=3-4-6")
    long, short = (ready_spec("qlearning", game, seconds) for seconds in (A_MOMENT, 0.02))
    assert (long, short) == ("qlearning:games=500000", "qlearning:games=5000")
    evidence = load_agent(short, game).analyse(game.start).evidence
    assert ("games learned from", 5000) in [(fact.name, fact.value) for fact in evidence]


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("nim:heaps=3-4-6", "es-mix:parents=1000,games=10000,generations=5000"),
        ("nim:heaps=3-4-6", "es-rules:generations=5000"),
        ("nim:heaps=3-4-6", "ea-table:population=10000,children=10000"),
        ("nim:heaps=3-4-6", "qlearning:games=5000000"),
        ("tictactoe", "qlearning:opponent=mcts"),  # thinks at each of 5,478 positions
        ("tictactoe", "menace:opponent=qlearning,games=5000000"),
        ("quixo", "quixo-deep:games=7"),
        ("quixo", "quixo-evolved:generations=39"),
        ("quixo:size=4", "qlearning:games=7"),
    ],
)
def test_what_takes_long_is_refused_and_says_what_to_do(game: str, spec: str) -> None:
    with pytest.raises(MissingBrainError, match="run `zermelo train`, then name it with brain="):
        ready_spec(spec, load_game(game), A_MOMENT)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("qlearning:opponent=randum", "unknown agent 'randum': did you mean 'random'?"),
        ("qlearning:opponent=nim-sum", "nim-sum cannot play tictactoe"),
        ("qlearning:brain=nobodys", "there is no brain called 'nobodys'"),
        ("menace:brain=../secret", "is no name for a brain"),
        ("state-value:games=none", "games is a whole number"),
        ("random:by=heap", "random:by=heap cannot play tictactoe: it has no heaps"),
        ("mcts:take_wins=yes", "mcts:take_wins=yes cannot play tictactoe: only quixo"),
    ],
)
def test_what_no_agent_can_use_is_refused(spec: str, why: str) -> None:
    with pytest.raises(ZermeloError) as refused:
        ready_spec(spec, load_game("tictactoe"), A_MOMENT)
    assert why in str(refused.value)


@pytest.mark.parametrize("points", [Points(1), Points(50), Points(2000), Points(200, first=20)])
def test_points_are_counted_without_walking_along_the_curve(points: Points) -> None:
    for step in (0, 1, 2, 19, 20, 49, 50, 51, 999, 4_000, 4_001):
        assert points.up_to(step) == sum(points.stand_at(at) for at in range(1, step + 1))
