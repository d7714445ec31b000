"""What exhibits say of a position, recomputed from the position itself."""

from functools import cache
from random import Random

import pytest

from agents import load_agent
from agents.exhibits import Columns
from engine import Match, Seat, load_game
from engine.nim_theory import is_lost
from tests.positions import reachable_states

NIM = ("nim", "nim:preset=marienbad", "nim:preset=twenty-one", "nim:preset=normal")


@cache
def agent(spec, game):
    return load_agent(spec, load_game(game))


def shown(spec, game, state, seed=1):
    return agent(spec, game).analyse(state, rng=Random(seed), show=True)


@cache
def states(game, count=25):
    return reachable_states(load_game(game), count, seed=21)


# --- columns


def xor(digits):
    """Each column added without carrying, by counting its ones."""
    return "".join(
        str(sum(int(digit) for digit in column) % 2) for column in zip(*digits, strict=True)
    )


@pytest.mark.parametrize("game", NIM)
def test_columns_are_the_heaps_in_binary_and_their_sum(game):
    for state in states(game):
        columns = shown("nim-sum", game, state).exhibit
        modulus = (state.rules.max_take or 10**9) + 1
        assert [int(heap.digits, 2) for heap in columns.heaps] == [h % modulus for h in state.heaps]
        assert columns.total == xor([heap.digits for heap in columns.heaps])


@pytest.mark.parametrize("game", NIM)
def test_what_the_expert_tints_leaves_a_lost_position(game):
    for state in states(game):
        columns = shown("nim-expert", game, state).exhibit
        tinted = {f"{heap.name}{count}" for heap in columns.heaps for count in heap.wanted}
        assert tinted == {str(m) for m in state.legal_moves() if is_lost_after(state, m)}


def is_lost_after(state, move):
    after = state.play(move)
    outcome = after.outcome()
    return is_lost(after) if outcome is None else outcome.score(after.to_move) < 0


@pytest.mark.parametrize("game", NIM)
def test_what_nim_sum_plays_is_tinted_where_anything_is(game):
    for state in states(game):
        analysis = shown("nim-sum", game, state)
        tinted = [f"{heap.name}{n}" for heap in analysis.exhibit.heaps for n in heap.wanted]
        assert not tinted or str(analysis.choice) in tinted


@pytest.mark.parametrize("game", ["nim", "nim:preset=marienbad"])
def test_who_is_said_to_win_after_the_turn_wins(game):
    solution = agent("perfect", game)
    turned = [state for state in states(game, 60) if max(state.heaps) <= 1]
    assert turned
    for state in turned:
        told = shown("nim-expert", game, state).exhibit.turn
        value = solution.analyse(state).candidates[0].value
        assert f"whoever moves {'wins' if value > 0 else 'loses'}." in told


def test_normal_play_never_turns():
    game = "nim:preset=normal"
    assert {shown("nim-sum", game, state).exhibit.turn for state in states(game)} == {""}


# --- matchbox


@pytest.mark.parametrize("games", [100, 1000])
def test_beads_of_a_colour_stand_for_mirror_images_and_make_the_chances(games):
    game = load_game("tictactoe")
    for state in states("tictactoe"):
        analysis = shown(f"menace:games={games}", "tictactoe", state)
        box = analysis.exhibit
        held = sum(bead.count for bead in box.beads)
        for bead in box.beads:
            after = {game.canonical(state.play(game.parse_move(move))) for move in bead.moves}
            assert len(after) == 1
            assert bead.chance == pytest.approx(bead.count / held)
        assert sorted(move for bead in box.beads for move in bead.moves) == sorted(
            map(str, state.legal_moves())
        )
        drawn = {move: bead.chance / len(bead.moves) for bead in box.beads for move in bead.moves}
        told = {str(candidate.move): candidate.chance for candidate in analysis.candidates}
        assert not box.met or told == pytest.approx(drawn)


def test_the_shelf_has_every_box_once_and_michies_are_304():
    game = load_game("tictactoe")
    box = shown("menace:games=100", "tictactoe", game.start).exhibit
    lines = [line.split(" ", 2) for line in box.shelf.split("\n")]
    kinds = {game.canonical(game.parse_state(state)) for _, _, state in lines}
    assert len(kinds) == len(lines) == 627
    assert "304 of them are those of Michie" in box.counted
    assert f"opened {sum(star == '*' for star, _, _ in lines)}." in box.counted


def test_a_younger_machine_is_another_brain():
    game = load_game("tictactoe")
    box = shown("menace:games=100", "tictactoe", game.start).exhibit
    assert [dict(age.settings)["games"] for age in box.ages] == ["1", "10", "100", "1000", "20000"]
    assert box.games == 100


# --- numbers


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("qlearning", "tictactoe"),
        ("qlearning", "nim:preset=marienbad"),
        ("qlearning", "quixo"),
        ("state-value", "tictactoe"),
        ("reward-table", "tictactoe"),
    ],
)
def test_the_best_number_is_the_move_it_plays(spec, game):
    for state in states(game, 12):
        analysis = shown(spec, game, state)
        numbers = {number.move: number for number in analysis.exhibit.numbers}
        assert set(numbers) == set(map(str, state.legal_moves()))
        # What was never tried counts nothing: it beats what has cost something.
        best = max(number.value or 0.0 for number in numbers.values())
        met = any(number.tries for number in numbers.values())
        assert not met or (numbers[str(analysis.choice)].value or 0.0) == best
        assert all((number.value is None) == (number.tries == 0) for number in numbers.values())


def test_a_learning_curve_ends_where_its_brain_was_measured_last():
    analysis = shown("qlearning", "tictactoe", load_game("tictactoe").start)
    brain = agent("qlearning", "tictactoe").agent.brain
    for line in analysis.exhibit.course.lines:
        assert line.points[-1] == (brain.curve[-1].step, brain.curve[-1].metrics[line.name])


# --- samples


@pytest.mark.parametrize("game", ["tictactoe", "nim", "quixo"])
def test_the_games_of_every_stage_add_up(game):
    for state in states(game, 6):
        exhibit = shown("mcts:simulations=120", game, state).exhibit
        for games, samples in exhibit.stages:
            assert sum(sample.visits for sample in samples) == games
        last = {sample.move: sample for sample in exhibit.stages[-1][1]}
        told = shown("mcts:simulations=120", game, state)
        for moves, sample in last.items():
            candidate = told.candidate(load_game(game).parse_move(moves.split()[0]))
            assert bool(sample.proven) == candidate.proven


def test_what_is_shown_of_fewer_games_is_what_fewer_games_come_to():
    start = load_game("tictactoe").start
    many = dict(shown("mcts:simulations=200", "tictactoe", start).exhibit.stages)
    few = dict(shown("mcts:simulations=50", "tictactoe", start).exhibit.stages)
    assert many[50] == few[50]


# --- genes


def test_the_gene_that_spoke_is_the_one_the_heaps_call_for():
    rules = agent("es-rules", "nim").agent
    for state in states("nim"):
        analysis = shown("es-rules", "nim", state)
        spoke = {gene.name for gene in analysis.exhibit.genes if gene.spoke}
        odd = [heap for heap, count in enumerate(state.heaps) if count % 2]
        if len(odd) / len(state.heaps) > rules.genome.odd:
            assert "odd" in spoke
            assert analysis.choice.heap == odd[0]
        else:
            assert "odd" not in spoke


def test_a_changed_gene_is_the_one_that_plays_and_its_consequence_is_exact():
    from agents.arrays.exact import over_seats
    from agents.arrays.graph import graph_of
    from agents.arrays.policies import policy_of

    game = load_game("nim:preset=marienbad")
    analysis = shown("es-rules:odd=40,first=90,all=100", game.spec, game.start)
    assert [gene.worth for gene in analysis.exhibit.genes] == ["40%", "90%", "100%"]
    own = policy_of("es-rules:odd=40,first=90,all=100", game)
    wins = over_seats(graph_of(game).tables, own, policy_of("random:by=heap", game)).wins
    assert f"it wins {wins:.1%} of its games" in analysis.exhibit.consequence


def test_no_individual_of_any_generation_is_above_the_ceiling():
    (course,) = shown("es-rules", "nim", load_game("nim").start).exhibit.courses
    ((_, ceiling),) = course.ceilings
    assert max(share for _, share in course.cloud) <= ceiling + 0.005  # a grid, not every genome
    assert ceiling == pytest.approx(0.6674, abs=0.0005)


def test_the_side_of_a_mixture_that_spoke_plays_that_move():
    for state in states("nim", 10):
        analysis = shown("es-mix", "nim", state)
        (spoke,) = (gene.name for gene in analysis.exhibit.genes if gene.spoke)
        player = {"greedy": "greedy-heap", "random": "random:by=heap", "expert": "nim-expert"}
        own = agent(player[spoke], "nim").analyse(state, rng=Random(1))
        assert own.candidate(analysis.choice).chance > 0


# --- deepening and answers


def test_the_line_it_expects_can_be_played_and_begins_with_its_move():
    for state in states("quixo", 6):
        analysis = shown("quixo-deep:depth=4", "quixo", state)
        match = Match.begin(load_game("quixo"), state)
        for move in analysis.exhibit.line:
            match = match.play(match.game.parse_move(move))
        assert analysis.exhibit.line[0] == str(analysis.choice)
        assert analysis.exhibit.depths[-1].depth <= 4


def test_every_move_is_in_one_branch_and_the_first_is_what_it_plays():
    for state in states("quixo", 6):
        analysis = shown("quixo-deep:depth=3", "quixo", state)
        moves = [move for branch in analysis.exhibit.branches for move in branch.moves]
        assert sorted(moves) == sorted(map(str, state.legal_moves()))
        assert str(analysis.choice) in analysis.exhibit.branches[0].moves


@pytest.mark.parametrize("game", ["tictactoe", "nim:preset=marienbad", "quixo:size=3"])
def test_replies_that_go_wrong_are_those_that_give_something_away(game):
    perfect = agent("perfect", game)
    for state in states(game, 8):
        exhibit = shown("perfect", game, state).exhibit
        for answer in exhibit.answers:
            after = state.play(load_game(game).parse_move(answer.move))
            replies = () if after.outcome() else perfect.analyse(after).candidates
            best = max((reply.value for reply in replies), default=0)
            assert answer.replies == len(replies)
            assert answer.wrong == sum(reply.value < best for reply in replies)


def test_seats_make_no_difference_to_columns():
    game = load_game("nim")
    first = game.parse_state("1-3-5-7-9 x")
    second = game.parse_state("1-3-5-7-9 o")
    assert second.to_move is Seat.SECOND
    seen = [shown("nim-expert", "nim", state).exhibit for state in (first, second)]
    assert isinstance(seen[0], Columns)
    assert seen[0] == seen[1]
