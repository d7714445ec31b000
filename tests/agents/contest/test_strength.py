"""Measured strength: what ships covers the roster, can be taken again, and says what was played."""

from dataclasses import replace

import pytest

from agents.contest.ratings import Score
from agents.contest.strength import (
    SHIPPED_STRENGTH,
    Encounter,
    MeasuredField,
    from_text,
    measured_fields,
    strength_of,
    to_text,
    usual_strength,
)
from agents.errors import UnreadableStrengthError
from agents.roster import BUILT_IN, agents_for
from benchmarks.strength import run as measurement
from benchmarks.strength.field import (
    GAMES,
    Appointment,
    empty_field,
    measured_variants,
    meet,
    meetings,
)
from benchmarks.strength.run import StrengthRun, still_true
from engine import load_game

AGAIN = "after a change `python -m benchmarks.strength` plays what is missing"
LARGEST = 120_000  # bytes that ship


@pytest.fixture(scope="module")
def shipped():
    return from_text(SHIPPED_STRENGTH.read_text(encoding="utf-8"))


def pairs(field):
    return [(met.one, met.two) for met in field.encounters]


def test_it_is_of_every_named_variant_and_no_other_and_small(shipped):
    assert list(shipped) == list(measured_variants())
    assert len(SHIPPED_STRENGTH.read_bytes()) < LARGEST
    assert from_text(to_text(shipped.values())) == shipped


@pytest.mark.parametrize("game", measured_variants())
def test_what_ships_is_every_pair_of_the_roster_half_its_games_in_either_seat(shipped, game):
    found, wanted = shipped[game], empty_field(game)
    assert found.players == wanted.players, AGAIN
    assert found.nodes == wanted.nodes
    assert pairs(found) == [(met.one, met.two) for met in meetings(wanted)], AGAIN
    halves = {half.games for met in found.encounters for half in (met.first, met.second)}
    assert halves == {GAMES // 2}
    players = {entry.key for entry in agents_for(load_game(game))}
    measured = {entry.key for entry in BUILT_IN if strength_of(entry.key, game) is not None}
    assert measured == players


@pytest.mark.parametrize("game", measured_variants())
def test_steps_go_from_the_weakest_to_the_strongest_and_a_newcomer_is_weak(game):
    field = measured_fields()[game]
    specs = sorted((*field.agents, *field.levels), key=field.merit)
    steps = [field.strength(spec).step for spec in specs]
    assert steps == sorted(steps)
    assert (steps[0], steps[-1]) == (1, 5)
    assert all("depth=1" in spec and "skill=0.5" in spec for spec in field.newcomers)
    rates = {spec: field.scores[spec].rate for spec in field.newcomers}
    assert rates[field.newcomer] == max(rates.values())


def test_points_are_what_was_won_against_every_other_agent():
    field = measured_fields()["tictactoe"]
    won = 0.0
    for met in field.encounters:
        if met.one == "random" and met.two in field.agents:
            won += met.score.points
        if met.two == "random" and met.one in field.agents:
            won += met.score.games - met.score.points
    strength = field.strength("random")
    assert strength.score.points == won
    assert strength.score.games == GAMES * (len(field.agents) - 1)
    assert strength.opponents == len(field.agents) - 1


@pytest.mark.parametrize(
    ("one", "two"), [("random", "opportunist"), ("perfect", "nim-sum"), ("greedy-heap", "nim-sum")]
)
def test_a_pair_measured_again_comes_out_as_it_shipped(shipped, one, two):
    game = "nim:heaps=3-4-5,last=wins"
    found = {(met.one, met.two): met for met in shipped[game].encounters}
    pair = (one, two) if (one, two) in found else (two, one)
    assert meet(Appointment(game, *pair)) == found[pair]


def test_players_who_would_repeat_themselves_begin_with_random_moves():
    alike = meet(Appointment("nim:heaps=21,max_take=3", "greedy-heap", "nim-sum"))
    assert alike.opening > 0
    assert meet(Appointment("nim", "random", "greedy-heap")).opening == 0


ONE = '{"format": "zermelo strength 1"}'
UNKNOWN = '"fields": {"nim": {}}}'


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", '{"format": "zermelo strength 9"}', f"{ONE[:-1]}, {UNKNOWN}"]
)
def test_what_is_no_measurement_is_refused(text):
    with pytest.raises(UnreadableStrengthError):
        from_text(text)


NEW = "minimax:depth=1,skill=0.5"


def small(*encounters):
    marks = {"random": "1", "perfect": "2"}
    return MeasuredField("tictactoe", {}, marks, {}, {NEW: "3"}, encounters)


def met(one, two, wins=5):
    half = Score(wins=wins, losses=5 - wins)
    return Encounter(one, two, 0, half, half)


def test_what_was_played_by_who_has_changed_is_played_again():
    known = small(met("random", "perfect"), met(NEW, "random"))
    changed = replace(small(), agents={"random": "1", "perfect": "changed"})
    assert pairs(still_true(changed, known)) == [(NEW, "random")]
    assert still_true(changed, None).encounters == ()


def test_a_field_is_whole_when_everyone_has_met_every_agent_and_knows_who_is_easy():
    field = small(met("random", "perfect"), met(NEW, "random", wins=4))
    whole = replace(field, encounters=(*field.encounters, met(NEW, "perfect", wins=3)))
    assert (field.is_whole, whole.is_whole) == (False, True)
    assert whole.easy_opponents == {"random", "perfect"}
    harder = replace(field, encounters=(*field.encounters, met(NEW, "perfect", wins=2)))
    assert harder.easy_opponents == {"random"}


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path, monkeypatch):
    path, asked = tmp_path / "strength.json", []

    def quick(meeting):
        asked.append((meeting.one, meeting.two))
        return met(meeting.one, meeting.two)

    monkeypatch.setattr(measurement, "meet", quick)
    run = StrengthRun(path, ["tictactoe"])
    everyone = run.missing()
    playing = run.play(everyone, None)
    for _ in range(3):
        next(playing)
    again = StrengthRun(path, ["tictactoe"])
    assert again.missing() == everyone[3:]
    assert len(list(again.play(again.missing(), None))) == len(everyone) - 3
    assert asked == [(meeting.one, meeting.two) for meeting in everyone]
    assert StrengthRun(path, ["tictactoe"]).missing() == []
    assert StrengthRun(path, ["tictactoe"], anew=True).missing() == everyone


@pytest.mark.slow
def test_measuring_one_variant_leaves_the_others_as_they_were(tmp_path, monkeypatch, shipped):
    path = tmp_path / "strength.json"
    path.write_text(to_text(shipped.values()), encoding="utf-8")
    monkeypatch.setattr(measurement, "meet", lambda meeting: met(meeting.one, meeting.two))
    run = StrengthRun(path, ["tictactoe"], anew=True)
    list(run.play(run.missing(), None))
    found = from_text(path.read_text(encoding="utf-8"))
    assert {game for game in found if found[game] != shipped[game]} == {"tictactoe"}


def test_where_a_variant_was_not_measured_the_game_and_then_all_games_stand_in():
    fields = measured_fields()
    nim = [field.scores["mcts"].rate for game, field in fields.items() if game.startswith("nim")]
    everywhere = [field.scores["mcts"].rate for field in fields.values()]
    assert usual_strength("mcts", "nim") == fields["nim"].scores["mcts"].rate
    assert usual_strength("mcts", "nim:heaps=2-3") == pytest.approx(sum(nim) / len(nim))
    assert usual_strength("mcts", "chomp") == pytest.approx(sum(everywhere) / len(everywhere))
    assert usual_strength("somebody", "nim") is None
    for spec, game in (("alphabeta:depth=4", "nim"), ("random", "nim:heaps=2-3"), ("x", "nim")):
        assert strength_of(spec, game) is None  # not measured
