"""The roster: finding, reading and refusing agents, skill, and agents of installed packages."""

from importlib.metadata import EntryPoint
from random import Random
from typing import Any

import pytest

from agents import Limit, load_agent
from agents.entry import Entry, Technique
from agents.errors import UnsuitableAgentError
from agents.roster import BUILT_IN, agent_spec, agent_title, agents_for, find_agent, roster
from agents.rules.baselines import UniformRandom
from agents.wrappers import Skilled
from engine import load_game
from engine.errors import InvalidSpecError

TICTACTOE = load_game("tictactoe")

EXAMPLE = Entry(
    key="example",
    title="Example",
    technique=Technique.RULES,
    description="Plays at random. It stands for an installed package.",
    make=lambda game, options: UniformRandom(),
)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("randm", "unknown agent 'randm': did you mean 'random'?"),
        ("", "unknown agent ''"),
        ("random:depth=3", "unknown option of random 'depth'"),
        ("random:skill=2", "skill is a number from 0 to 1, not '2'"),
        ("random:by=cell", "by is one of move, heap, not 'cell'"),
    ],
)
def test_a_spec_that_names_no_agent_says_what_would_be_right(spec: str, why: str) -> None:
    with pytest.raises(InvalidSpecError) as caught:
        load_agent(spec, TICTACTOE)
    assert str(caught.value).startswith(why)


def test_random_by_heap_plays_only_games_with_heaps() -> None:
    with pytest.raises(UnsuitableAgentError, match="random:by=heap cannot play tictactoe"):
        load_agent("random:by=heap", TICTACTOE)


def test_random_by_heap_gives_every_heap_the_same_chance() -> None:
    game = load_game("nim:heaps=1-3-0")
    agent = load_agent("random:by=heap", game)
    analysis = agent.analyse(game.start, limit=Limit(), rng=Random(0))
    chances = {str(c.move): c.chance for c in analysis.candidates}
    assert chances == pytest.approx({"a1": 1 / 2, "b1": 1 / 6, "b2": 1 / 6, "b3": 1 / 6})


def test_perfect_is_offered_only_where_the_game_can_be_solved() -> None:
    offered = [entry.key for entry in agents_for(load_game("quixo"))]
    assert "random" in offered
    assert "perfect" not in offered


def test_a_spec_is_shortened() -> None:
    assert agent_spec("random:skill=1,by=move", TICTACTOE) == "random"
    assert agent_spec("perfect:skill=0.50", TICTACTOE) == "perfect:skill=0.5"


def test_a_title_counts_what_a_setting_counts() -> None:
    assert agent_title("menace:games=1000", "tictactoe") == "MENACE · 1,000 games"
    assert agent_title("menace:games=1", "tictactoe") == "MENACE · 1 game"
    assert agent_title("alphabeta:depth=7", "tictactoe") == "Alpha-beta · depth 7"


def test_a_title_shows_the_first_digits_of_a_digest_and_all_of_a_name() -> None:
    digest = "71deabdb4e5eea64247a760c548e0c32"
    assert agent_title(f"menace:brain={digest}", "tictactoe") == "MENACE · brain 71deabdb"
    assert agent_title("menace:brain=mine", "tictactoe") == "MENACE · brain mine"


def test_skill_mixes_the_agents_chances_with_every_legal_move() -> None:
    state = TICTACTOE.parse_state("xx./oo./... x")
    agent = load_agent("perfect:skill=0.7", TICTACTOE)
    assert isinstance(agent.agent, Skilled)
    analysis = agent.analyse(state, limit=Limit(), rng=Random(0))
    chances = {str(c.move): c.chance for c in analysis.candidates}
    slip = 0.3 / 5
    assert chances == pytest.approx(
        {"c3": 0.7 + slip, "c2": slip, "a1": slip, "b1": slip, "c1": slip}
    )


@pytest.mark.parametrize(("skill", "slips"), [("0", 200), ("1", 0)])
def test_a_slip_says_so(skill: str, slips: int) -> None:
    state = TICTACTOE.parse_state("xx./oo./... x")
    agent = load_agent(f"perfect:skill={skill}", TICTACTOE)
    reasons = [agent.analyse(state, limit=Limit(), rng=Random(seed)).reason for seed in range(200)]
    assert sum(reason.startswith("A slip") for reason in reasons) == slips


@pytest.mark.slow
def test_choices_come_as_often_as_their_chances_say() -> None:
    state = TICTACTOE.parse_state("xx./oo./... x")
    agent = load_agent("perfect:skill=0.5", TICTACTOE)
    choices = [
        str(agent.analyse(state, limit=Limit(), rng=Random(seed)).choice) for seed in range(2000)
    ]
    assert choices.count("c3") / 2000 == pytest.approx(0.6, abs=0.033)  # three standard errors


def install(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> None:
    monkeypatch.setattr(roster, "points", lambda: points)
    roster.cache_clear()


@pytest.fixture(autouse=True)
def _fresh_roster() -> Any:
    yield
    roster.cache_clear()


def test_an_installed_package_adds_its_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, EntryPoint("example", f"{__name__}:EXAMPLE", "zermelo.agents"))
    assert find_agent("example") is EXAMPLE


@pytest.mark.parametrize("value", ["no_such_module:AGENT", f"{__name__}:TICTACTOE"])
def test_a_broken_package_is_reported_and_skipped(
    value: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    install(monkeypatch, EntryPoint("broken", value, "zermelo.agents"))
    assert "random" in [entry.key for entry in roster()]
    assert "agent broken was skipped" in caplog.text


def test_ours_are_declared_in_their_modules_and_listed_by_technique_and_order() -> None:
    places = [(list(Technique).index(entry.technique), entry.order) for entry in BUILT_IN]
    assert places == sorted(set(places))
    assert len(places) > len(Technique)
