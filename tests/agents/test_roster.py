"""The roster: finding, reading and refusing agents, skill, and agents of installed packages."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents import Limit, load_agent
from agents.entry import Entry, Technique
from agents.errors import MissingBrainError
from agents.roster import (
    BUILT_IN,
    agent_spec,
    agent_title,
    agents_for,
    find_agent,
    ready_spec,
    roster,
)
from agents.rules.baselines import UniformRandom
from agents.training.brain_files import keep
from agents.training.trainer import finish
from engine import load_game
from engine.catalog import all_variants
from engine.errors import ZermeloError
from tests.agents.learning.helpers import training
from tests.engine.packages import installer

TICTACTOE = load_game("tictactoe")
A_MOMENT = 2.0  # seconds


@pytest.mark.parametrize("read", [load_agent, partial(ready_spec, seconds=A_MOMENT)])
@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("randm", "unknown agent 'randm': did you mean 'random'?"),
        ("", "unknown agent ''"),
        ("random:depth=3", "unknown option of random 'depth'"),
        ("random:skill=2", "skill must be a number from 0 to 1, not '2'"),
        ("random:by=cell", "by must be one of move, heap, not 'cell'"),
        ("random:by=heap", "random:by=heap cannot play tictactoe: it has no heaps"),
        ("mcts:take_wins=yes", "mcts:take_wins=yes cannot play tictactoe: only quixo"),
        ("qlearning:opponent=randum", "unknown agent 'randum': did you mean 'random'?"),
        ("qlearning:opponent=nim-sum", "nim-sum cannot play tictactoe"),
        ("qlearning:brain=nobodys", "there is no brain called 'nobodys'"),
        ("menace:brain=../secret", "is no name for a brain"),
        ("state-value:games=none", "games must be a whole number"),
    ],
)
def test_a_spec_that_no_agent_can_use_says_what_would_be_right(
    spec: str, why: str, read: Callable[..., Any]
) -> None:
    with pytest.raises(ZermeloError) as caught:
        read(spec, TICTACTOE)
    assert why in str(caught.value)


def test_random_by_heap_gives_every_heap_the_same_chance() -> None:
    game = load_game("nim:heaps=1-3-0")
    analysis = load_agent("random:by=heap", game).analyse(game.start)
    chances = {str(c.move): c.chance for c in analysis.candidates}
    assert chances == pytest.approx({"a1": 1 / 2, "b1": 1 / 6, "b2": 1 / 6, "b3": 1 / 6})


def test_a_spec_is_shortened() -> None:
    assert agent_spec("random:skill=1,by=move", TICTACTOE) == "random"
    assert agent_spec("perfect:skill=0.50", TICTACTOE) == "perfect:skill=0.5"


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("menace:games=1000", "MENACE · 1,000 games"),
        ("menace:games=1", "MENACE · 1 game"),
        ("menace:brain=71deabdb4e5eea64247a760c548e0c32", "MENACE · brain 71deabdb"),
        ("menace:brain=mine", "MENACE · brain mine"),
        ("alphabeta:depth=7", "Alpha-beta · depth 7"),
    ],
)
def test_a_title_counts_what_a_setting_counts_and_tells_enough_of_a_digest(
    spec: str, title: str
) -> None:
    assert agent_title(spec, "tictactoe") == title


def test_a_title_says_how_a_brain_was_trained_where_it_is_on_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    brain = finish(training("tictactoe", "menace:games=20,win=5"))
    spec = f"menace:brain={keep(brain)}"
    assert agent_title(spec, "tictactoe") == "MENACE · after 20 games · win 5"


@pytest.mark.parametrize(("skill", "slips"), [("0", True), ("1", False)])
def test_a_slip_says_so_and_what_it_comes_to_where_it_makes_no_difference(
    skill: str, slips: bool
) -> None:
    game = load_game("quixo:size=3")
    state = game.parse_state(".../.../... x")  # many pushes leave the same board
    agent, own = (
        load_agent(f"minimax:depth=1,skill={skill}", game),
        load_agent("minimax:depth=1", game),
    )
    said = set()
    for seed in range(100):
        played = agent.analyse(state, limit=Limit(), rng=Random(seed))
        plain = own.analyse(state, limit=Limit(), rng=Random(seed))
        same = state.play(played.choice) == state.play(plain.choice)
        said.add((played.choice != plain.choice, same))
        assert ("at random on purpose" in played.reason) == (played.choice != plain.choice)
        assert ("to the same board" in played.reason) == (same and played.choice != plain.choice)
    assert said == ({(True, True), (True, False), (False, True)} if slips else {(False, True)})


@pytest.mark.slow
def test_choices_come_as_often_as_their_chances_say() -> None:
    state = TICTACTOE.parse_state("xx./oo./... x")
    agent = load_agent("perfect:skill=0.5", TICTACTOE)
    choices = [
        str(agent.analyse(state, limit=Limit(), rng=Random(seed)).choice) for seed in range(2000)
    ]
    assert choices.count("c3") / 2000 == pytest.approx(0.6, abs=0.033)  # three standard errors


# --- who can play at once, who after a moment of training, who not before someone trained it

PRESETS = [game.spec for game in all_variants()]


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        (spec, entry.key)
        for spec in sorted({*PRESETS, "quixo:size=3", "quixo:size=4", "nim:heaps=3-4-6"})
        for entry in agents_for(load_game(spec))
        if entry.train is not None
    ],
)
def test_every_learner_on_offer_plays_after_a_moment(spec: str, key: str) -> None:
    game = load_game(spec)
    ready = ready_spec(key, game, A_MOMENT)
    assert ready.partition(":")[0] == key
    assert ready_spec(ready, game, A_MOMENT) == ready


@pytest.mark.slow
def test_who_leaves_open_how_long_it_learns_learns_for_as_long_as_fits() -> None:
    assert ready_spec("qlearning", load_game("nim"), A_MOMENT) == "qlearning"  # has a brain
    game = load_game("nim:heaps=3-4-6")
    long, short = (ready_spec("qlearning", game, seconds) for seconds in (A_MOMENT, 0.02))
    assert (long, short) == ("qlearning:games=500000", "qlearning:games=5000")
    evidence = load_agent(short, game).analyse(game.start).evidence
    assert ("games learned from", 5000) in [(fact.name, fact.value) for fact in evidence]


@pytest.mark.parametrize("read", [load_agent, partial(ready_spec, seconds=A_MOMENT)])
@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("nim:heaps=3-4-6", "es-mix:parents=1000,games=10000,generations=5000"),
        ("nim:heaps=3-4-6", "es-rules:generations=5000"),
        ("nim:heaps=3-4-6", "ea-table:population=10000,children=10000,generations=20000"),
        ("nim:heaps=3-4-6", "qlearning:games=20000000"),
        ("tictactoe", "menace:opponent=qlearning,games=5000000"),
        ("quixo", "quixo-deep:games=7"),
        ("quixo", "quixo-evolved:generations=39"),
        ("quixo:size=4", "qlearning:games=7"),
        ("quixo:size=4", "qlearning:opponent=random"),
    ],
)
def test_what_takes_long_is_refused_and_says_what_to_do(
    game: str, spec: str, read: Callable[..., Any]
) -> None:
    with pytest.raises(MissingBrainError, match="run `zermelo train`, then name it with brain="):
        read(spec, load_game(game))


@pytest.mark.parametrize("option", ["opponent=mcts", "games=5000000"])  # thinks at each position
def test_what_takes_longer_than_a_moment_is_refused(option: str) -> None:
    with pytest.raises(MissingBrainError, match="run `zermelo train`"):
        ready_spec(f"qlearning:{option}", TICTACTOE, A_MOMENT)


# --- installed packages

EXAMPLE = Entry("example", "Example", Technique.RULES, "Plays.", lambda *_: UniformRandom())


install = installer(roster)


def test_an_installed_package_adds_its_agent(install: Any) -> None:
    install(EXAMPLE)
    assert find_agent("example") is EXAMPLE


def test_ours_are_declared_in_their_modules_and_listed_by_technique_and_order() -> None:
    places = [(list(Technique).index(entry.technique), entry.order) for entry in BUILT_IN]
    assert places == sorted(set(places))
    assert len(places) > len(Technique)
