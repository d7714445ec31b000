"""The gallery: every machine with its shipped strengths."""

import pytest

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
    for key, card in cards(gallery(visitor)).items():
        for game, row in zip(GAMES, card.rows, strict=True):
            strength = measured_fields()[game].strength(key)
            shown = row.meter and (row.meter.share, row.meter.points)
            assert shown == (strength and (round(strength.rate, 4), portion(strength.rate)))


@pytest.mark.parametrize("game", GAMES)
def test_with_one_game_there_is_a_bar_for_every_variant(visitor, game):
    found = cards(gallery(visitor, f"?game={game}"))
    specs = [spec for spec in measured_fields() if spec.partition(":")[0] == game]
    players = {entry.key for spec in specs for entry in agents_for(load_game(spec))}
    assert set(found) == players
    for key, card in found.items():
        titles = [row.title for row in card.rows]
        assert titles == [variant_title(spec) for spec in specs]
        for spec, row in zip(specs, card.rows, strict=True):
            strength = measured_fields()[spec].strength(key)
            assert (row.meter and row.meter.share) == (strength and round(strength.rate, 4))
            assert row.note == ("" if strength else "does not play it")


def test_what_a_machine_does_not_play_is_said(visitor):
    found = cards(gallery(visitor))
    notes = {row.title: row.note for row in found["menace"].rows}
    assert notes == {"Nim": "does not play it", "Tic-tac-toe": "", "Quixo": "does not play it"}
    assert found["perfect"].rows[-1].note == "only 4 × 4, 3 × 3"


@pytest.mark.parametrize(("order", "sign"), [("weakest", 1), ("strongest", -1)])
def test_machines_of_a_technique_stand_in_the_order_asked_for(visitor, order, sign):
    for group in gallery(visitor, f"?game=tictactoe&order={order}").groups:
        shares = [sign * card.rows[0].meter.share for card in group.cards]
        assert shares == sorted(shares)


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
