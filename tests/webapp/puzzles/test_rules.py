"""What an answer changes, and which puzzle comes next."""

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest

from agents.puzzles.answers import judge
from agents.puzzles.collection import shipped_puzzles
from webapp.puzzles import rules
from webapp.puzzles.models import (
    DAY_S,
    LEVEL_RATINGS,
    Attempt,
    Entry,
    Progress,
    PuzzleScore,
    Rating,
    Selection,
    entry_of,
)
from webapp.puzzles.rules import Standing

PUZZLE = shipped_puzzles()[0]
RIGHT = judge(PUZZLE, PUZZLE.solutions[0])
WRONG = judge(PUZZLE, PUZZLE.refutation[0])
NOW = 1_800_000_000
BEFORE = Standing(Progress("me"), Attempt(PUZZLE.id), PuzzleScore.prior(PUZZLE))


def after(standing, *answers, at=NOW):
    for judged in answers:
        standing = rules.answered(standing, judged, at, 5)
    return standing


def test_a_right_first_answer_adds_to_streak_and_rating_of_the_player():
    done = after(BEFORE, RIGHT)
    assert (done.progress.streak, done.progress.best) == (1, 1)
    assert (done.progress.tried, done.progress.solved) == (1, 1)
    assert done.progress.rating > BEFORE.progress.rating
    assert done.score.rating < BEFORE.score.rating
    assert (done.attempt.first, done.attempt.solved, done.attempt.due) == (True, True, None)


def test_a_wrong_one_ends_the_streak_and_comes_back_a_day_later():
    streaky = replace(BEFORE, progress=replace(BEFORE.progress, streak=4, best=4))
    done = after(streaky, WRONG)
    assert (done.progress.streak, done.progress.best) == (0, 4)
    assert done.progress.rating < BEFORE.progress.rating
    assert done.score.rating > BEFORE.score.rating
    assert done.attempt.due == NOW + DAY_S


def test_only_the_first_answer_counts():
    once, twice = after(BEFORE, WRONG), after(BEFORE, WRONG, RIGHT)
    assert twice.progress == once.progress
    assert twice.score == once.score
    assert (twice.attempt.first, twice.attempt.solved, twice.attempt.tries) == (False, True, 2)
    assert twice.attempt.due == once.attempt.due


def test_what_was_missed_is_asked_after_a_day_and_after_a_week_and_then_no_more():
    missed = after(BEFORE, WRONG)
    day = after(missed, RIGHT, at=NOW + DAY_S)
    assert day.attempt.due == NOW + DAY_S + 7 * DAY_S
    week = after(day, RIGHT, at=day.attempt.due)
    assert week.attempt.due is None
    again = after(day, WRONG, at=day.attempt.due)
    assert again.attempt.due == day.attempt.due + DAY_S
    early = after(missed, RIGHT, at=NOW + 60)
    assert early.attempt.due == missed.attempt.due


def test_a_hint_adds_nothing_to_the_streak_and_takes_nothing():
    streaky = replace(BEFORE, progress=replace(BEFORE.progress, streak=4))
    done = after(rules.hinted(streaky, NOW), RIGHT)
    assert done.progress.streak == 4
    assert done.attempt.first is False
    assert done.attempt.due is None
    assert not done.attempt.hinted


def test_what_is_shown_counts_as_missed_once():
    done = rules.shown(BEFORE, NOW)
    assert (done.progress.tried, done.progress.streak, done.attempt.first) == (1, 0, False)
    assert done.attempt.due == NOW + DAY_S
    assert rules.shown(done, NOW).progress == done.progress
    later = rules.shown(done, NOW + DAY_S)
    assert later.attempt.due == NOW + 2 * DAY_S
    assert after(done, RIGHT).progress.streak == 0


def test_whoever_was_away_has_no_time():
    assert rules.answered(BEFORE, RIGHT, NOW, 14).attempt.seconds == 14
    assert rules.answered(BEFORE, RIGHT, NOW, 100_000).attempt.seconds is None


def test_ratings_move_as_glickman_says():
    """The first game of his example (1999): 1500 ± 200 beats 1400 ± 30, where he gives g = 0.9955
    and E = 0.639."""
    won = rules.updated(Rating(1500, 200), Rating(1400, 30), 1.0)
    information = (0.0057565 * 0.9955) ** 2 * 0.639 * 0.361
    variance = 1 / (1 / 200**2 + information)
    assert won.deviation == pytest.approx(variance**0.5, abs=0.1)
    assert won.value == pytest.approx(1500 + 0.0057565 * variance * 0.9955 * 0.361, abs=0.3)
    lost = rules.updated(Rating(1500, 200), Rating(1700, 300), 0.0)
    assert 1400 < lost.value < 1500


def test_uncertainty_shrinks_with_tries_but_never_to_nothing():
    standing, deviations = BEFORE, []
    for _ in range(200):
        standing = after(replace(standing, attempt=Attempt(PUZZLE.id)), RIGHT, WRONG)
        deviations.append(standing.progress.deviation)
    assert deviations == sorted(deviations, reverse=True)
    assert deviations[-1] >= rules.MIN_DEVIATION
    assert standing.score.is_known


def test_the_level_follows_the_player():
    standing = BEFORE
    assert standing.progress.level == 1
    for _ in range(25):
        score = PuzzleScore("x", LEVEL_RATINGS[standing.progress.level])
        standing = after(Standing(standing.progress, Attempt("x"), score), RIGHT)
    assert standing.progress.level == 5
    for _ in range(60):
        score = PuzzleScore("x", LEVEL_RATINGS[standing.progress.level])
        standing = after(Standing(standing.progress, Attempt("x"), score), WRONG)
    assert standing.progress.level == 1


def test_three_minutes_count_first_answers_until_they_are_over():
    running = replace(BEFORE, progress=rules.sprint_begun(BEFORE.progress, NOW))
    done = after(running, RIGHT, at=NOW + 10)
    assert (done.progress.sprint_solved, done.progress.sprint_best) == (1, 1)
    assert after(running, WRONG, at=NOW + 10).progress.sprint_missed == 1
    assert after(running, RIGHT, at=NOW + 180).progress.sprint_solved == 0
    progress = replace(running.progress, sprint_solved=7)
    assert rules.wanted_level(progress, NOW) == 3


ENTRIES = [Entry(f"p{n}", "nim", "only move", 1 + n % 5) for n in range(20)]


def test_the_next_one_is_untried_and_of_the_nearest_level():
    chosen = rules.next_entry(ENTRIES, 3, set(), None, "seed")
    assert chosen.level == 3
    assert rules.next_entry(ENTRIES, 3, set(), None, "seed") == chosen
    threes = {each.id for each in ENTRIES if each.level == 3}
    assert rules.next_entry(ENTRIES, 3, threes, None, "seed").level in (2, 4)
    everything = {each.id for each in ENTRIES}
    assert rules.next_entry(ENTRIES, 3, everything, None, "seed").level == 3
    assert rules.next_entry(ENTRIES[:1], 3, set(), "p0", "seed") is None
    others = {rules.next_entry(ENTRIES, 3, set(), chosen.id, str(n)).id for n in range(50)}
    assert chosen.id not in others


KEYS = ("quixo", "tictactoe", "nim")
MIXED = [Entry(f"{key}{n}", key, "only move", 1 + n % 5) for key in KEYS for n in range(20)]


def sequence(count, level=2, *, solves=True, skips=False):
    """The games of puzzles that come one after another."""
    tried, games, last = set(), [], None
    for _ in range(count):
        is_new = not (solves and tried)
        chosen = rules.next_entry(MIXED, level, tried, last, f"me {len(tried)}", is_new=is_new)
        last = chosen.id
        games.append(chosen.key)
        if not skips:
            tried.add(chosen.id)
    return games


def test_games_take_turns():
    games = sequence(12)
    assert {key: games.count(key) for key in KEYS} == dict.fromkeys(KEYS, 4)
    assert all(one != other for one, other in pairwise(games))


def test_whoever_has_solved_nothing_yet_begins_with_the_games_that_everyone_knows():
    assert sequence(3)[:2] == ["tictactoe", "nim"]
    assert sequence(3)[2] == "quixo"
    assert sequence(4, solves=False) == ["tictactoe", "nim"] * 2
    assert sequence(4, skips=True) == ["tictactoe", "nim"] * 2


def test_turns_do_not_change_the_level_by_more_than_one():
    levels, tried = [], set()
    for n in range(12):
        chosen = rules.next_entry(MIXED, 3, tried, None, str(n))
        levels.append(chosen.level)
        tried.add(chosen.id)
    assert levels == [3] * 12
    rest = [each for each in MIXED if each.key != "nim" or each.level == 5]
    levels = [rules.next_entry(rest, 3, set(), None, str(n)).level for n in range(30)]
    assert set(levels) == {3}


def test_the_days_puzzle_is_the_same_for_everyone_and_another_each_day():
    entries = [entry_of(each) for each in shipped_puzzles()]
    day = rules.entry_of_day(entries, date(2026, 11, 18))
    assert rules.entry_of_day(list(reversed(entries)), date(2026, 11, 18)) == day
    month = {rules.entry_of_day(entries, date(2026, 11, n)).id for n in range(1, 31)}
    assert len(month) > 25


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        (Selection(), True),
        (Selection("quixo"), True),
        (Selection("quixo:size=4"), True),
        (Selection("quixo:size=3"), False),
        (Selection("nim"), False),
        (Selection(None, "two threats"), False),
    ],
)
def test_a_game_is_chosen_by_key_or_variant(wanted, fits):
    assert wanted.fits(Entry("a", "quixo:size=4", "only move", 1)) == fits
