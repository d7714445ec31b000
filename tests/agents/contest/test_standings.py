"""The table of an arena against games made up by hand, and against its own files."""

import csv
import io
from itertools import combinations, permutations
from random import Random

import pytest

from agents.contest.arena import Terms
from agents.contest.export import document, meetings_csv, standings_csv
from agents.contest.ratings import Score, rate_field
from agents.contest.results import Result
from agents.contest.series import play_all
from agents.contest.standings import brackets_of, standings_of
from agents.core import Limit
from engine import Ending

NAMES = ("ann", "bob", "cat", "dan")


def terms(players=3, games=10, **rest):
    return Terms("tictactoe", NAMES[:players], games, **rest)


def game(first, second, winner=None, number=0, moves=None, ending=Ending.LINE, forfeited=False):
    """A result; its moves differ by its number unless they are given."""
    text = f"a1 b{number}" if moves is None else moves
    return Result(first, second, number, winner, ending, text, forfeited, (3, 2), (0.6, 0.1))


def pair(one, two, wins, losses, draws=0):
    """The games of two, seats changed after each; `wins` are the first named one's."""
    winners = [one] * wins + [two] * losses + [None] * draws
    return [
        game(*seats, None if who is None else seats.index(who), number)
        for number, who in enumerate(winners)
        for seats in [(one, two) if number % 2 == 0 else (two, one)]
    ]


def names(table):
    return [standing.spec for standing in table.standings]


def test_whoever_scored_most_stands_first_in_whatever_order_the_games_come():
    games = pair(0, 1, 2, 8) + pair(1, 2, 9, 1) + pair(0, 2, 6, 4)
    table = standings_of(terms(), games)
    assert names(table) == ["bob", "ann", "cat"]
    scores = [standing.score for standing in table.standings]
    assert scores == [Score(17, 0, 3), Score(8, 0, 12), Score(5, 0, 15)]
    assert [standing.rank for standing in table.standings] == [1, 2, 3]
    assert standings_of(terms(), Random(1).sample(games, len(games))) == table


def test_who_has_not_played_has_no_rating_and_stands_last():
    table, empty = standings_of(terms(), pair(0, 1, 0, 10)), standings_of(terms(), [])
    assert names(table) == ["bob", "ann", "cat"]
    assert [standing.rating is None for standing in table.standings] == [False, False, True]
    assert (table.is_complete, table.brackets) == (False, ())
    assert [standing.rating for standing in empty.standings] == [None] * 3
    assert (empty.played, empty.brackets, empty.cycles, empty.upsets) == (0, (), (), ())
    assert rows(standings_csv(empty))[0]["rating"] == ""


def test_a_pair_is_seen_from_both_sides_and_by_seat():
    table = standings_of(terms(2), [game(0, 1, 0), game(1, 0, 0), game(0, 1, 1), game(1, 0, None)])
    there, back = table.meetings[0][1], table.meetings[1][0]
    assert (there.first, there.second) == (Score(1, 0, 1), Score(0, 1, 1))
    assert (back.first, back.second) == (Score(1, 1, 0), Score(1, 0, 1))
    assert there.score == back.score.seen_by_opponent
    assert table.meetings[0][0] is None


def test_level_ratings_are_untied_by_the_games_among_the_level():
    # All three have ten points of twenty; cat and ann are level only with each other.
    games = pair(0, 1, 4, 6) + pair(1, 2, 4, 6) + pair(0, 2, 6, 4) + pair(0, 3, 5, 5)
    games += pair(1, 3, 5, 5) + pair(2, 3, 5, 5)
    table = standings_of(terms(4), games)
    assert {round(standing.rating.elo, 1) for standing in table.standings} == {0.0}
    assert names(table) == ["ann", "bob", "cat", "dan"]
    among_two = standings_of(terms(2), [game(1, 0, 0), game(1, 0, None, 1), game(0, 1, 0, 2)])
    assert names(among_two) == ["ann", "bob"]


def test_an_even_pair_is_bracketed_and_a_clean_sweep_is_not():
    even = standings_of(terms(2), pair(0, 1, 6, 4))
    swept = standings_of(terms(2), pair(0, 1, 10, 0))
    assert even.brackets == ((1, 2),)
    assert swept.brackets == ()


def test_brackets_are_the_longest_runs_and_may_overlap():
    # 1 2 3 4 5: only neighbours up to two apart cannot be told apart, and 5 stands alone.
    apart = [[abs(one - two) > 1 or 4 in (one, two) for two in range(5)] for one in range(5)]
    assert brackets_of(apart, 5) == ((1, 2), (2, 3), (3, 4))
    assert brackets_of([[False] * 3] * 3, 3) == ((1, 3),)


def test_ratings_may_differ_for_sure_although_their_intervals_overlap():
    # Both hang on the same games: 70 of 100 between two is nothing that chance does.
    table = [[None, Score(65, 0, 35)], [Score(35, 0, 65), None]]
    rated = rate_field(table)
    assert rated.apart == ((False, True), (True, False))


def test_copies_of_a_game_are_counted_once_for_each_order_of_seats():
    copies = [game(0, 1, 0, n, "a1 b2") for n in range(5)]
    turned = [game(1, 0, 0, n, "a1 b2") for n in range(5)]
    table = standings_of(terms(2), [*copies, *turned])
    assert (table.different, table.played) == (2, 10)
    assert table.meetings[1][0].different == 2


def test_forfeits_repetitions_and_lengths_are_counted_apart():
    table = standings_of(
        terms(2),
        [
            game(0, 1, 1, 0, ending=Ending.RESIGNATION, forfeited=True),
            game(1, 0, 1, 1, ending=Ending.RESIGNATION, forfeited=True),
            game(0, 1, None, 2, ending=Ending.REPETITION),
            game(1, 0, None, 3, ending=Ending.PLY_LIMIT),
            game(0, 1, 0, 4),
        ],
    )
    odd = table.oddities
    assert (odd.forfeits, odd.repetitions, odd.lengths) == (2, 1, 1)
    assert {standing.spec: standing.forfeits for standing in table.standings} == {
        "ann": 1,
        "bob": 1,
    }


def test_time_per_move_is_that_of_the_seats_it_had():
    table = standings_of(terms(2), [game(0, 1, 0), game(1, 0, 0, 1)])
    paces = {standing.spec: standing.pace.per_move for standing in table.standings}
    assert paces == {"ann": pytest.approx(0.7 / 5), "bob": pytest.approx(0.7 / 5)}


def test_three_who_beat_each_other_are_a_cycle():
    table = standings_of(terms(), pair(0, 1, 9, 1) + pair(1, 2, 10, 0) + pair(2, 0, 10, 0))
    (cycle,) = table.cycles
    assert cycle.sure
    steps = list(zip(cycle.entrants, (*cycle.entrants[1:], cycle.entrants[0]), strict=True))
    assert set(steps) == {(0, 1), (1, 2), (2, 0)}
    assert cycle.entrants[0] == table.order[0]
    chance = standings_of(terms(), pair(0, 1, 6, 4) + pair(1, 2, 6, 4) + pair(2, 0, 6, 4))
    assert [cycle.sure for cycle in chance.cycles] == [False]
    games = [each for one, two in combinations(range(4), 2) for each in pair(one, two, 8, 2)]
    assert standings_of(terms(4), games).cycles == ()  # an order without contradiction


def test_a_win_of_the_weaker_or_a_draw_that_nobody_expected_is_an_upset_and_names_its_game():
    table = standings_of(terms(2, 40), [*pair(0, 1, 39, 0), game(1, 0, 0, 39)])
    (upset,) = table.upsets
    assert (upset.by, upset.over, upset.drawn, upset.plies, upset.number) == (1, 0, False, 2, 40)
    assert upset.expected < 0.1
    rare = standings_of(terms(2, 40), pair(0, 1, 39, 0, draws=1))
    usual = standings_of(terms(2, 40), pair(0, 1, 25, 0, draws=15))
    assert [[upset.drawn for upset in each.upsets] for each in (rare, usual)] == [[True], []]


def test_neither_a_forfeit_nor_a_game_between_equals_is_an_upset():
    forfeit = game(1, 0, 0, 39, ending=Ending.RESIGNATION, forfeited=True)
    assert standings_of(terms(2, 40), [*pair(0, 1, 39, 0), forfeit]).upsets == ()
    assert standings_of(terms(2), pair(0, 1, 6, 4)).upsets == ()


@pytest.fixture(scope="module")
def played():
    agreed = Terms("tictactoe", ("random", "perfect", "opportunist"), 6, 3, opening=1)
    return standings_of(agreed, map(Result.of, play_all(agreed.fixtures())))


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_file_has_a_line_for_each_machine_best_first(played):
    header, _, _ = standings_csv(played).partition("\n")
    written = rows(standings_csv(played))
    assert header == (
        "rank,machine,rating,low,high,games,wins,draws,losses,forfeits,seconds_per_move"
    )
    assert [row["machine"] for row in written] == names(played)
    assert [int(row["games"]) for row in written] == [12] * 3
    assert all(float(row["low"]) < float(row["rating"]) < float(row["high"]) for row in written)


def test_seconds_are_written_only_where_they_are_asked_for_or_the_limit_is_in_seconds(played):
    timed = standings_of(Terms("nim", ("ann", "bob"), 10, limit=Limit(seconds=1)), pair(0, 1, 5, 5))
    assert {row["seconds_per_move"] for row in rows(standings_csv(played))} == {""}
    asked = rows(standings_csv(played, times=True))
    assert all(float(row["seconds_per_move"]) > 0 for row in asked)
    assert {row["seconds_per_move"] for row in rows(standings_csv(timed))} == {"0.140000"}


def test_the_second_file_adds_up_to_the_first_and_the_document_says_the_same(played):
    meetings = rows(meetings_csv(played))
    assert list(meetings[0]) == ["machine", "opponent", "seat", "wins", "draws", "losses"]
    assert {(row["machine"], row["opponent"], row["seat"]) for row in meetings} == {
        (one, two, seat)
        for one, two in permutations(played.terms.players, 2)
        for seat in ("first", "second")
    }
    for row in rows(standings_csv(played)):
        own = [each for each in meetings if each["machine"] == row["machine"]]
        for count in ("wins", "draws", "losses"):
            assert sum(int(each[count]) for each in own) == int(row[count])
    written = document(played)
    assert (written["played"], written["total"], written["different"]) == (18, 18, played.different)
    by_rank = sorted(written["players"], key=lambda player: player["rank"])
    assert [player["spec"] for player in by_rank] == names(played)
    assert [player["spec"] for player in written["players"]] == list(played.terms.players)
    assert written["table"][0][1]["wins"] == played.meetings[0][1].score.wins
