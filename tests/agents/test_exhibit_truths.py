"""What exhibits say of a position, recomputed from the position itself."""

import re
from functools import cache
from random import Random

import pytest

from agents import load_agent
from agents.roster import OPPONENTS
from agents.runs import ceilings_for
from agents.tabular.exact import over_seats
from agents.tabular.graph import graph_of
from engine import Match, load_game
from engine.nim_theory import is_lost
from tests.positions import reachable_states

pytestmark = pytest.mark.slow  # together they take a tenth of make quick

NIM = ("nim", "nim:preset=marienbad", "nim:preset=twenty-one", "nim:preset=normal")


@cache
def agent(spec, game):
    return load_agent(spec, load_game(game))


@cache
def shown(spec, game, state):
    return agent(spec, game).analyse(state, rng=Random(1), show=True)


@cache
def states(game, count=200):
    return reachable_states(load_game(game), count, seed=21)


def against(law, spec, game, count=200):
    """The positions in which what the agent shows is against the law."""
    return [str(state) for state in states(game, count) if not law(state, shown(spec, game, state))]


# --- columns


def xor(digits):
    """Each column added without carrying, by counting its ones."""
    columns = zip(*digits, strict=True)
    return "".join(str(sum(int(digit) for digit in column) % 2) for column in columns)


def framed(columns):
    return {f"{heap.name}{count}" for heap in columns.heaps for count in heap.wanted}


@pytest.mark.parametrize("game", NIM)
def test_columns_are_the_heaps_in_binary_and_their_sum(game):
    def law(state, said):
        modulus = (state.rules.max_take or 10**9) + 1
        digits = [heap.digits for heap in said.exhibit.heaps]
        read = [int(each, 2) for each in digits]
        return read == [h % modulus for h in state.heaps] and said.exhibit.total == xor(digits)

    assert against(law, "nim-sum", game) == []


@pytest.mark.parametrize("game", NIM)
def test_what_taking_from_a_match_leaves_is_the_sum_of_what_is_then_there(game):
    def left(state, move):
        after = state.play(move)
        modulus = (state.rules.max_take or 10**9) + 1
        total = 0
        for heap in after.heaps:
            total ^= heap % modulus
        return f"{total:b}"

    def law(state, said):
        told = {
            f"{heap.name}{take}": total
            for heap in said.exhibit.heaps
            for take, total in enumerate(heap.leaves, start=1)
        }
        return told == {str(move): left(state, move) for move in state.legal_moves()}

    assert against(law, "nim-expert", game) == []


@pytest.mark.parametrize("game", NIM)
def test_what_the_expert_frames_leaves_a_lost_position(game):
    def loses(after):
        outcome = after.outcome()
        return is_lost(after) if outcome is None else outcome.score(after.to_move) < 0

    def law(state, said):
        lost = {str(move) for move in state.legal_moves() if loses(state.play(move))}
        return framed(said.exhibit) == lost

    assert against(law, "nim-expert", game) == []


@pytest.mark.parametrize("game", NIM)
@pytest.mark.parametrize("spec", ["nim-sum", "nim-sum:leave=nonzero", "nim-expert", "greedy-heap"])
def test_what_a_nim_player_plays_is_framed_where_anything_is(spec, game):
    def law(state, said):
        wanted = framed(said.exhibit)
        return not wanted or str(said.choice) in wanted

    assert against(law, spec, game) == []


@pytest.mark.parametrize("game", ["nim", "nim:preset=marienbad"])
def test_who_is_said_to_win_after_the_turn_wins(game):
    def law(state, said):
        value = agent("perfect", game).analyse(state).candidates[0].value
        told = f"whoever moves {'wins' if value > 0 else 'loses'}."
        return max(state.heaps) > 1 or told in said.exhibit.turn

    assert any(max(state.heaps) <= 1 for state in states(game))
    assert against(law, "nim-expert", game) == []


@pytest.mark.parametrize("game", ["nim", "nim:preset=marienbad"])
def test_where_it_turns_leaving_an_odd_number_of_ones_wins(game):
    def law(state, said):
        if sum(count > 1 for count in state.heaps) != 1:
            return "Here it turns" not in said.exhibit.turn
        after = [state.play(move) for move in state.legal_moves() if is_framed(move, said)]
        return "Here it turns" in said.exhibit.turn and all(
            max(each.heaps) <= 1 and sum(each.heaps) % 2 for each in after
        )

    def is_framed(move, said):
        return str(move) in framed(said.exhibit)

    assert against(law, "nim-expert", game) == []


def test_normal_play_never_turns():
    assert against(lambda _, said: said.exhibit.turn == "", "nim-sum", "nim:preset=normal") == []


# --- matchbox


@pytest.mark.parametrize("games", [100, 1000])
def test_beads_of_a_colour_stand_for_mirror_images_and_make_the_chances(games):
    game = load_game("tictactoe")

    def alike(state, bead):
        moves = map(game.parse_move, bead.moves)
        return len({game.canonical(state.play(move)) for move in moves}) == 1

    def law(state, said):
        beads = said.exhibit.beads
        held = sum(bead.count for bead in beads)
        drawn = {m: bead.count / held / len(bead.moves) for bead in beads for m in bead.moves}
        told = {str(candidate.move): candidate.chance for candidate in said.candidates}
        every = set(drawn) == set(map(str, state.legal_moves()))
        fits = not said.exhibit.met or told == pytest.approx(drawn)
        return every and fits and all(alike(state, bead) for bead in beads)

    assert against(law, f"menace:games={games}", "tictactoe") == []


def test_the_shelf_has_every_box_once_and_michies_are_304():
    game = load_game("tictactoe")
    box = shown("menace:games=100", "tictactoe", game.start).exhibit
    lines = [line.split(" ", 2) for line in box.shelf.split("\n")]
    kinds = {game.canonical(game.parse_state(state)) for _, _, state in lines}
    assert len(kinds) == len(lines) == 627
    assert "304 of them are those of Michie" in box.counted
    assert f"opened {sum(star == '*' for star, _, _ in lines)}." in box.counted


def test_a_younger_machine_is_offered_at_every_age():
    box = shown("menace:games=100", "tictactoe", load_game("tictactoe").start).exhibit
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
    def law(state, said):
        numbers = {number.move: number for number in said.exhibit.numbers}
        # What was never tried counts nothing: it beats what has cost something.
        best = max(number.value or 0.0 for number in numbers.values())
        met = any(number.tries for number in numbers.values())
        return (
            set(numbers) == set(map(str, state.legal_moves()))
            and (not met or (numbers[str(said.choice)].value or 0.0) == best)
            and all((each.value is None) == (each.tries == 0) for each in numbers.values())
        )

    assert against(law, spec, game) == []


def test_a_learning_curve_ends_where_its_brain_was_measured_last():
    course = shown("qlearning", "tictactoe", load_game("tictactoe").start).exhibit.course
    last = agent("qlearning", "tictactoe").agent.brain.curve[-1]
    ends = {line.name: line.points[-1] for line in course.lines}
    assert ends == {name: (last.step, last.metrics[name]) for name in ("wins", "draws", "losses")}


# --- samples


@pytest.mark.parametrize("game", ["tictactoe", "nim", "quixo"])
def test_the_games_of_every_stage_add_up_and_the_last_is_what_it_says(game):
    def law(state, said):
        read = load_game(game).parse_move
        *_, (_, last) = said.exhibit.stages
        return all(
            sum(sample.visits for sample in samples) == games
            for games, samples in said.exhibit.stages
        ) and all(
            bool(sample.proven) == said.candidate(read(sample.move.split()[0])).proven
            for sample in last
        )

    assert against(law, "mcts:simulations=120", game, 40) == []


@pytest.mark.parametrize("game", ["tictactoe", "nim", "quixo", "quixo:size=3"])
def test_the_tree_that_grew_is_of_positions_and_its_first_row_is_what_was_sampled(game):
    read = load_game(game).parse_move

    def position(tree, state, place):
        """By its first moves, from the top."""
        if place < 0:
            return state
        node = tree[place]
        return position(tree, state, node.above).play(read(node.moves[0]))

    def is_sound(tree, state, node):
        before = position(tree, state, node.above)
        after = {load_game(game).canonical(before.play(read(move))) for move in node.moves}
        return len(after) == 1 and (node.visits > 0 or node.proven)

    def law(state, said):
        tree, (*_, (_, last)) = said.exhibit.tree, said.exhibit.stages
        first = {(" ".join(n.moves), n.visits, n.mean, n.proven) for n in tree if n.above < 0}
        sampled = {(s.move, s.visits, s.mean, s.proven) for s in last if s.visits or s.proven}
        return first == sampled and all(is_sound(tree, state, node) for node in tree)

    assert against(law, "mcts:simulations=120", game, 40) == []


def test_in_a_tree_without_shared_positions_the_answers_have_the_games_of_what_they_answer():
    def law(state, said):
        tree = said.exhibit.tree
        below = {}
        for node in tree:
            below[node.above] = below.get(node.above, 0) + node.visits
        # A position keeps the games that ended there: the one that grew it, and those proven.
        return all(
            games <= tree[place].visits for place, games in below.items() if place >= 0
        ) and below[-1] == sum(sample.visits for sample in said.exhibit.stages[-1][1])

    assert against(law, "mcts:simulations=300", "quixo", 40) == []


def test_what_is_shown_of_fewer_games_is_what_fewer_games_come_to():
    start = load_game("tictactoe").start
    many = dict(shown("mcts:simulations=200", "tictactoe", start).exhibit.stages)
    few = dict(shown("mcts:simulations=50", "tictactoe", start).exhibit.stages)
    assert many[50] == few[50]


# --- genes


def test_the_gene_that_spoke_is_the_one_the_heaps_call_for():
    genome = agent("es-rules", "nim").agent.genome

    def law(state, said):
        spoke = {gene.name for gene in said.exhibit.genes if gene.spoke}
        odd = [heap for heap, count in enumerate(state.heaps) if count % 2]
        if len(odd) / len(state.heaps) > genome.odd:
            return "odd" in spoke and said.choice.heap == odd[0]
        return "odd" not in spoke

    assert against(law, "es-rules", "nim") == []


def test_where_only_one_may_be_taken_no_chance_of_it_is_told():
    def law(state, said):
        much = said.reason.rpartition(": ")[2]
        one = state.heaps[said.choice.heap] == 1
        return much.endswith("holds one." if one else "takes one, as it must.")

    assert against(law, "es-rules", "nim:preset=normal,max_take=1", 20) == []


def test_a_changed_gene_is_the_one_that_plays_and_its_consequence_is_exact():
    game, spec = load_game("nim:preset=marienbad"), "es-rules:odd=40,first=90,all=100"
    exhibit = shown(spec, game.spec, game.start).exhibit
    assert [gene.worth for gene in exhibit.genes] == ["40%", "90%", "100%"]
    theirs = OPPONENTS.policy("random:by=heap", game)
    wins = over_seats(graph_of(game).tables, OPPONENTS.policy(spec, game), theirs).wins
    assert f"it wins {wins:.1%} of its games" in exhibit.consequence


def test_no_individual_of_any_generation_is_above_the_ceiling():
    (course,) = shown("es-rules", "nim", load_game("nim").start).exhibit.courses
    ((_, ceiling),) = course.ceilings
    assert max(share for _, share in course.cloud) <= ceiling
    assert ceiling == pytest.approx(0.6674, abs=0.0005)


def test_where_nobody_wins_the_ceiling_is_a_draw():
    assert ceilings_for("tictactoe", "perfect") == (("at best a draw", 1.0, "not lost"),)
    course = shown("menace", "tictactoe", load_game("tictactoe").start).exhibit.course
    assert course.ceilings == (("at best a draw", 1.0),)


def test_the_side_of_a_mixture_that_spoke_plays_that_move():
    players = {"greedy": "greedy-heap", "random": "random:by=heap", "expert": "nim-expert"}

    def law(state, said):
        (spoke,) = (gene.name for gene in said.exhibit.genes if gene.spoke)
        own = agent(players[spoke], "nim").analyse(state, rng=Random(1))
        return own.candidate(said.choice).chance > 0

    assert against(law, "es-mix", "nim", 100) == []


def test_the_gene_of_a_table_and_the_individual_that_was_bred_are_what_is_played():
    def law(state, said):
        (spoke,) = (gene for gene in said.exhibit.genes if gene.spoke)
        return str(said.choice) in spoke.says or f"takes {said.choice.count}:" in spoke.says

    assert against(law, "ea-table", "nim", 100) == []
    assert against(law, "es-move", "nim", 100) == []


# --- deepening and answers


def deep(state):
    return shown("quixo-deep:depth=4", "quixo", state)


def test_the_line_it_expects_can_be_played_and_begins_with_its_move():
    game = load_game("quixo")

    def law(state, said):
        moves = map(game.parse_move, said.exhibit.line)
        Match.replay(game, moves, state)
        return said.exhibit.line[0] == str(said.choice) and said.exhibit.depths[-1].depth <= 4

    assert against(law, "quixo-deep:depth=4", "quixo") == []


def test_what_is_told_of_its_move_lies_between_the_last_two_depths():
    def law(state, said):
        low, high = sorted(each.value for each in said.exhibit.depths[-2:])
        return low - 0.001 <= said.exhibit.branches[0].value <= high + 0.001

    unsure = [each for each in states("quixo") if not deep(each).exhibit.branches[0].sure]
    assert len(unsure) >= 10
    assert [str(each) for each in unsure if not law(each, deep(each))] == []


def test_who_is_said_to_be_ahead_or_behind_is_by_the_value_that_is_told():
    standings = {"ahead": 1, "level": 0, "behind": -1}

    def law(state, said):
        found = re.search(r"leaves whoever plays it (\w+) \(", said.reason)
        value = round(said.candidates[0].value, 2)
        return not found or standings[found[1]] == (value > 0) - (value < 0)

    assert sum("leaves whoever" in deep(state).reason for state in states("quixo")) >= 5
    assert against(law, "quixo-deep:depth=4", "quixo") == []


def test_every_move_is_with_those_to_the_same_board_and_the_first_is_what_it_plays():
    def law(state, said):
        groups = [moves for branch in said.exhibit.branches for moves in branch.boards]
        boards = [{state.play(load_game("quixo").parse_move(m)) for m in moves} for moves in groups]
        every = sorted(move for moves in groups for move in moves)
        return (
            every == sorted(map(str, state.legal_moves()))
            and all(len(board) == 1 for board in boards)
            and len(set.union(*boards)) == len(boards)
            and str(said.choice) == groups[0][0]
        )

    assert against(law, "quixo-deep:depth=3", "quixo") == []


@pytest.mark.parametrize("game", ["tictactoe", "nim:preset=marienbad", "quixo:size=3"])
def test_replies_that_go_wrong_are_those_that_give_something_away(game):
    def replies_to(state, answer):
        after = state.play(load_game(game).parse_move(answer.move))
        if after.outcome() is not None:
            return 0, 0
        values = [reply.value for reply in agent("perfect", game).analyse(after).candidates]
        return len(values), sum(value < max(values) for value in values)

    def law(state, said):
        told = [(answer.replies, answer.wrong) for answer in said.exhibit.answers]
        return told == [replies_to(state, answer) for answer in said.exhibit.answers]

    assert against(law, "perfect", game, 100) == []
