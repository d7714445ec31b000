"""The gallery: every machine with its shipped strengths."""

from functools import cache
from random import Random

import pytest

from agents import Limit, load_agent
from agents.contest.strength import measured_fields
from agents.entry import Technique
from agents.formats import portion
from agents.roster import BUILT_IN, agents_for
from engine import load_game
from engine.catalog import catalog, variant_title

GAMES = [entry.key for entry in catalog()]


def gallery(visitor, query=""):
    answer = visitor.get(f"/machines{query}")
    assert answer.status_code == 200
    return visitor.seen["gallery"]


def cards(view):
    return {card.key: card for group in view.groups for card in group.cards}


def test_every_machine_hangs_with_its_technique_on_a_page_that_is_small(visitor):
    assert len(visitor.get("/machines").data) < 60_000
    view = gallery(visitor)
    hung = {card.key: group.name for group in view.groups for card in group.cards}
    assert hung == {entry.key: entry.technique.value for entry in BUILT_IN}
    ours = [technique.value for technique in Technique if technique is not Technique.PLAYERS]
    assert [group.name for group in view.groups] == ours
    assert view.count == "Twenty-four ways to play"


def test_a_bar_is_what_was_measured_in_the_game_as_it_is_usually_played(visitor):
    titles = {entry.title: entry.key for entry in catalog()}
    for key, card in cards(gallery(visitor)).items():
        for row in card.rows:
            strength = measured_fields()[titles[row.title]].strength(key)
            shown = row.meter and (row.meter.share, row.meter.points)
            assert shown == (strength and (round(strength.rate, 4), portion(strength.rate)))


@pytest.mark.parametrize("game", GAMES)
def test_with_one_game_there_is_a_bar_for_every_variant(visitor, game):
    found = cards(gallery(visitor, f"?game={game}"))
    specs = [spec for spec in measured_fields() if spec.partition(":")[0] == game]
    players = {entry.key for spec in specs for entry in agents_for(load_game(spec))}
    assert set(found) == players
    for key, card in found.items():
        played = [
            spec for spec in specs if key in {each.key for each in agents_for(load_game(spec))}
        ]
        assert [row.title for row in card.rows] == [variant_title(spec) for spec in played]
        for spec, row in zip(played, card.rows, strict=True):
            strength = measured_fields()[spec].strength(key)
            assert row.meter.share == round(strength.rate, 4)
            assert row.note in ("", "plays by the rule for the other ending")


def test_a_machine_has_only_the_games_it_plays(visitor):
    found = cards(gallery(visitor))
    assert [row.title for row in found["menace"].rows] == ["Tic-tac-toe"]
    assert [row.title for row in found["nim-sum"].rows] == ["Nim"]
    assert found["perfect"].rows[-1].note == "only 4 × 4, 3 × 3"


def verdicts(visitor):
    """{(machine, variant): its points, or what is shown instead}"""
    specs = {(spec.partition(":")[0], variant_title(spec)): spec for spec in measured_fields()}
    return {
        (key, specs[game, row.title]): row.note or row.points
        for game in GAMES
        for key, card in cards(gallery(visitor, f"?game={game}")).items()
        for row in card.rows
    }


def test_who_never_lost_is_said_to_and_nobody_else(visitor):
    found = verdicts(visitor)
    for spec, field in measured_fields().items():
        for key in field.agents:
            lost = sum(score.losses for other, score in field.met(key) if other in field.agents)
            assert (found[key, spec] == "never lost") == (lost == 0)
    assert found["perfect", "tictactoe"] == "never lost"
    assert "never lost" in visitor.get("/machines").text
    assert "<b>Never lost.</b>" in visitor.get("/machines/perfect?game=tictactoe").text


def test_who_plays_by_the_rule_for_the_other_ending_does_so_at_every_position(visitor):
    found = {where for where, what in verdicts(visitor).items() if what.endswith("other ending")}
    assert found == {
        ("nim-sum", spec)
        for spec in measured_fields()
        if spec.startswith("nim") and "last=wins" not in spec
    }
    assert "Plays by the rule for the other ending." in visitor.get("/machines/nim-sum").text
    rng = Random(5)
    for key, spec in found:
        game, other = load_game(spec), load_game(f"{spec}{',' if ':' in spec else ':'}last=wins")
        agent = load_agent(key, game)
        for _ in range(30):
            state, twin = game.start, other.start
            while twin.outcome() is None:
                wins = [move for move in twin.legal_moves() if not is_won(twin.play(move))]
                choice = agent.analyse(state, limit=Limit(nodes=1), rng=rng).choice
                assert choice in wins or not wins
                move = rng.choice(state.legal_moves())
                state, twin = state.play(move), twin.play(move)


@cache
def is_won(state):
    """Whether the side to move wins, where whoever took the last one has won; by looking at all."""
    return any(not is_won(state.play(move)) for move in state.legal_moves())


@pytest.mark.parametrize(("order", "sign"), [("weakest", 1), ("strongest", -1)])
def test_machines_of_a_technique_stand_in_the_order_asked_for(visitor, order, sign):
    for group in gallery(visitor, f"?game=tictactoe&order={order}").groups:
        shares = [sign * card.rows[0].meter.share for card in group.cards]
        assert shares == sorted(shares)


@pytest.mark.parametrize("game", ["nim", "tictactoe", "quixo"])
def test_strongest_first_begins_with_the_strongest_machine_of_all(visitor, game):
    first = gallery(visitor, f"?game={game}&order=strongest").groups[0].cards[0]
    shares = [
        row.meter.share
        for group in gallery(visitor, f"?game={game}").groups
        for card in group.cards
        for row in card.rows[:1]
        if row.meter
    ]
    assert first.rows[0].meter.share >= max(shares) - 0.1  # a card's is the mean of its variants


def test_every_link_of_the_gallery_opens(visitor):
    view = gallery(visitor)
    links = [link.url for link in (*view.filters, *view.orders)]
    for url in [*links, *(card.play_url.partition("#")[0] for card in cards(view).values())]:
        assert visitor.get(url).status_code == 200


def test_play_opens_the_lobby_with_the_machine_chosen(visitor):
    visitor.get(cards(gallery(visitor, "?game=quixo"))["perfect"].play_url.partition("#")[0])
    setup = visitor.seen["setup"]
    chosen = [c.value for group in setup.opponent.groups for c in group.choices if c.chosen]
    assert (setup.game, chosen) == ("quixo", ["perfect"])
    assert [preset.value for preset in setup.presets if preset.chosen] == ["small"]


@pytest.mark.parametrize("query", ["?game=chess", "?order=best", "?game=%00&present=2"])
def test_what_cannot_be_read_counts_for_nothing(visitor, query):
    assert len(cards(gallery(visitor, query))) == len(BUILT_IN)
