"""What exhibits say of a position, recomputed from it; and who is asked for one."""

import re
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import pytest

from agents import Analysis, Limit, load_agent
from agents.core import ask
from agents.roster import OPPONENTS, roster
from agents.rules.baselines import UniformRandom
from agents.runs import ceilings_for
from agents.tabular.exact import over_seats
from agents.tabular.graph import graph_of
from agents.wrappers import Skilled
from engine import Match, load_game
from engine.nim_theory import is_lost
from tests.positions import reachable_states
from webapp.workers import analyses
from webapp.workers.analyses import AnalysisRequest

NIM = ("nim", "nim:preset=marienbad", "nim:preset=twenty-one", "nim:preset=normal")
MISERE = NIM[:2]


@cache
def agent(spec, game):
    return load_agent(spec, load_game(game))


@cache
def shown(spec, game, state):
    return agent(spec, game).analyse(state, rng=Random(1), show=True)


@cache
def states(game, count):
    return reachable_states(load_game(game), count, seed=21)


@dataclass(frozen=True)
class At:
    """What an agent showed at a state; its text names the place in a failed test."""

    spec: str
    name: str
    state: Any

    @property
    def said(self) -> Analysis[Any]:
        return shown(self.spec, self.name, self.state)

    @property
    def exhibit(self) -> Any:
        return self.said.exhibit

    @property
    def choice(self) -> str:
        return str(self.said.choice)

    @property
    def moves(self) -> list[str]:
        return [str(move) for move in self.state.legal_moves()]

    @property
    def game(self) -> Any:
        return load_game(self.name)

    def after(self, move: str) -> Any:
        return self.state.play(self.game.parse_move(move))


TRUTHS = []


def truth(*specs, on, count=200, least=1):
    """Holds of what these agents show in these games, wherever it does not say None; and it says
    something else in so many positions at least."""

    def register(law):
        TRUTHS.extend(
            pytest.param(law, spec, game, count, least, id=f"{law.__name__}-{spec}-{game}")
            for spec in specs
            for game in on
        )
        return law

    return register


# --- columns


def framed(at):
    return {f"{heap.name}{count}" for heap in at.exhibit.heaps for count in heap.wanted}


def modulus(at):
    return (at.state.rules.max_take or 10**9) + 1


@truth("nim-sum", on=NIM)
def columns_are_the_heaps_in_binary_and_their_sum(at):
    digits = [heap.digits for heap in at.exhibit.heaps]
    # Each column is added without carrying, by counting its ones.
    columns = zip(*digits, strict=True)
    total = "".join(str(sum(int(digit) for digit in column) % 2) for column in columns)
    read = [int(each, 2) for each in digits]
    return read == [heap % modulus(at) for heap in at.state.heaps] and at.exhibit.total == total


@truth("nim-expert", on=NIM)
def what_taking_from_a_match_leaves_is_the_sum_of_what_is_then_there(at):
    def left(move):
        total = 0
        for heap in at.after(move).heaps:
            total ^= heap % modulus(at)
        return f"{total:b}"

    told = {
        f"{heap.name}{take}": total
        for heap in at.exhibit.heaps
        for take, total in enumerate(heap.leaves, start=1)
    }
    return told == {move: left(move) for move in at.moves}


@truth("nim-expert", on=NIM)
def what_the_expert_frames_leaves_a_lost_position(at):
    def loses(after):
        outcome = after.outcome()
        return is_lost(after) if outcome is None else outcome.score(after.to_move) < 0

    return framed(at) == {move for move in at.moves if loses(at.after(move))}


@truth("nim-sum", "nim-sum:leave=nonzero", "nim-expert", "greedy-heap", on=NIM)
def what_a_nim_player_plays_is_framed_where_anything_is(at):
    return at.choice in framed(at) if framed(at) else None


@truth("nim-expert", on=MISERE)
def who_is_said_to_win_after_the_turn_wins(at):
    value = agent("perfect", at.name).analyse(at.state).candidates[0].value
    told = f"the player to move {'wins' if value > 0 else 'loses'}."
    return None if max(at.state.heaps) > 1 else told in at.exhibit.turn


@truth("nim-expert", on=MISERE)
def where_it_turns_leaving_an_odd_number_of_ones_wins(at):
    if sum(count > 1 for count in at.state.heaps) != 1:
        return "Here it turns" not in at.exhibit.turn
    after = [at.after(move).heaps for move in at.moves if move in framed(at)]
    return "Here it turns" in at.exhibit.turn and all(
        max(heaps) <= 1 and sum(heaps) % 2 for heaps in after
    )


@truth("nim-sum", on=["nim:preset=normal"])
def normal_play_never_turns(at):
    return at.exhibit.turn == ""


# --- matchbox


@truth("menace:games=100", "menace:games=1000", on=["tictactoe"])
def beads_of_a_colour_stand_for_mirror_images_and_make_the_chances(at):
    beads = at.exhibit.beads
    held = sum(bead.count for bead in beads)
    drawn = {move: bead.count / held / len(bead.moves) for bead in beads for move in bead.moves}
    told = {str(candidate.move): candidate.chance for candidate in at.said.candidates}
    images = [{at.game.canonical(at.after(move)) for move in bead.moves} for bead in beads]
    fits = not at.exhibit.met or told == pytest.approx(drawn)
    fits &= [bead.chance for bead in beads] == pytest.approx(
        [sum(told[move] for move in bead.moves) for bead in beads]
    )
    return set(drawn) == set(at.moves) and fits and all(len(image) == 1 for image in images)


# --- numbers


@truth("qlearning", on=["tictactoe", "nim:preset=marienbad", "quixo"])
@truth("state-value", "reward-table", on=["tictactoe"])
def the_best_number_is_the_move_it_plays(at):
    numbers = {number.move: number for number in at.exhibit.numbers}
    # What was never tried counts nothing: it beats what has cost something.
    best = max(number.value or 0.0 for number in numbers.values())
    met = any(number.tries for number in numbers.values())
    return (
        set(numbers) == set(at.moves)
        and (not met or (numbers[at.choice].value or 0.0) == best)
        and all((each.value is None) == (each.tries == 0) for each in numbers.values())
    )


# --- samples


@truth("mcts:simulations=120", on=["tictactoe", "nim", "quixo"], count=40)
def the_games_of_every_stage_add_up_and_the_last_is_what_it_says(at):
    read = at.game.parse_move
    *_, (_, last) = at.exhibit.stages
    return all(
        sum(sample.visits for sample in samples) == games for games, samples in at.exhibit.stages
    ) and all(
        bool(sample.proven) == at.said.candidate(read(sample.move.split()[0])).proven
        for sample in last
    )


@truth("mcts:simulations=120", on=["tictactoe", "nim", "quixo", "quixo:size=3"], count=40)
def the_tree_that_grew_is_of_positions_and_its_first_row_is_what_was_sampled(at):
    read, tree, (*_, (_, last)) = at.game.parse_move, at.exhibit.tree, at.exhibit.stages

    def position(place):
        """By its first moves, from the top."""
        if place < 0:
            return at.state
        return position(tree[place].above).play(read(tree[place].moves[0]))

    def is_sound(node):
        before = position(node.above)
        after = {at.game.canonical(before.play(read(move))) for move in node.moves}
        return len(after) == 1 and (node.visits > 0 or node.proven)

    first = {(" ".join(n.moves), n.visits, n.mean, n.proven) for n in tree if n.above < 0}
    sampled = {(s.move, s.visits, s.mean, s.proven) for s in last if s.visits or s.proven}
    return first == sampled and all(is_sound(node) for node in tree)


@truth("mcts:simulations=300", on=["quixo"], count=40)
def in_a_tree_without_shared_positions_the_answers_have_the_games_of_what_they_answer(at):
    tree, below = at.exhibit.tree, {}
    for node in tree:
        below[node.above] = below.get(node.above, 0) + node.visits
    # A position keeps the games that ended there: the one that grew it, and those proven.
    return all(
        games <= tree[place].visits for place, games in below.items() if place >= 0
    ) and below[-1] == sum(sample.visits for sample in at.exhibit.stages[-1][1])


# --- genes


def genes_that_spoke(at):
    return {gene.name for gene in at.exhibit.genes if gene.spoke}


@truth("es-rules", on=["nim"])
def the_gene_that_spoke_is_the_one_the_heaps_call_for(at):
    odd = [heap for heap, count in enumerate(at.state.heaps) if count % 2]
    if len(odd) / len(at.state.heaps) > agent("es-rules", "nim").agent.genome.odd:
        return "odd" in genes_that_spoke(at) and at.said.choice.heap == odd[0]
    return "odd" not in genes_that_spoke(at)


@truth("es-rules", on=["nim:preset=normal,max_take=1"], count=20)
def where_only_one_may_be_taken_no_chance_of_it_is_told(at):
    much = at.said.reason.rpartition(": ")[2]
    one = at.state.heaps[at.said.choice.heap] == 1
    return much.endswith("holds one." if one else "takes one, as it must.")


@truth("es-mix", on=["nim"], count=100)
def the_side_of_a_mixture_that_spoke_plays_that_move(at):
    players = {"greedy": "greedy-heap", "random": "random:by=heap", "expert": "nim-expert"}
    (spoke,) = genes_that_spoke(at)
    own = agent(players[spoke], "nim").analyse(at.state, rng=Random(1))
    return own.candidate(at.said.choice).chance > 0


@truth("ea-table", "es-move", on=["nim"], count=100)
def the_gene_of_a_table_and_the_individual_that_was_bred_are_what_is_played(at):
    (spoke,) = (gene for gene in at.exhibit.genes if gene.spoke)
    return at.choice in spoke.says or f"takes {at.said.choice.count}:" in spoke.says


# --- deepening and answers


@truth("quixo-deep:depth=4", on=["quixo"])
def the_line_it_expects_can_be_played_and_begins_with_its_move(at):
    Match.replay(at.game, map(at.game.parse_move, at.exhibit.line), at.state)
    return at.exhibit.line[0] == at.choice and at.exhibit.depths[-1].depth <= 4


@truth("quixo-deep:depth=4", on=["quixo"], least=10)
def what_is_told_of_its_move_lies_between_the_last_two_depths(at):
    depths, best = [each.value for each in at.exhibit.depths[-2:]], at.exhibit.branches[0]
    return None if best.sure else min(depths) - 0.001 <= best.value <= max(depths) + 0.001


@truth("quixo-deep:depth=4", on=["quixo"], least=5)
def who_is_said_to_be_ahead_or_behind_is_by_the_value_that_is_told(at):
    found = re.search(r"comes out best: (\w+) \(", at.said.reason)
    value = round(at.said.candidates[0].value, 2)
    standings = {"ahead": 1, "even": 0, "behind": -1}
    return standings[found[1]] == (value > 0) - (value < 0) if found else None


@truth("quixo-deep:depth=3", on=["quixo"])
def every_move_is_with_those_to_the_same_board_and_the_first_is_what_it_plays(at):
    groups = [moves for branch in at.exhibit.branches for moves in branch.boards]
    boards = [{at.after(move) for move in moves} for moves in groups]
    return (
        sorted(move for moves in groups for move in moves) == sorted(at.moves)
        and all(len(board) == 1 for board in boards)
        and len(set.union(*boards)) == len(boards)
        and at.choice == groups[0][0]
    )


@truth("perfect", on=["tictactoe", "nim:preset=marienbad", "quixo:size=3"], count=100)
def replies_that_go_wrong_are_those_that_give_something_away(at):
    def replies_to(answer):
        after = at.after(answer.move)
        if after.outcome() is not None:
            return 0, 0
        values = [reply.value for reply in agent("perfect", at.name).analyse(after).candidates]
        return len(values), sum(value < max(values) for value in values)

    told = [(answer.replies, answer.wrong) for answer in at.exhibit.answers]
    return told == [replies_to(answer) for answer in at.exhibit.answers]


@pytest.mark.slow  # together they take a tenth of make quick
@pytest.mark.parametrize(("law", "spec", "game", "count", "least"), TRUTHS)
def test_what_is_shown_is_true(law, spec, game, count, least):
    held = {at: law(at) for at in (At(spec, game, state) for state in states(game, count))}
    assert [at for at, holds in held.items() if holds is not None and not holds] == []
    assert sum(holds is not None for holds in held.values()) >= least


# --- at the start of a game


def at_start(spec, game):
    return shown(spec, game, load_game(game).start).exhibit


@pytest.mark.slow
def test_the_shelf_has_every_box_once_michies_are_304_and_a_younger_machine_is_offered():
    game, box = load_game("tictactoe"), at_start("menace:games=100", "tictactoe")
    lines = [line.split(" ", 2) for line in box.shelf.split("\n")]
    kinds = {game.canonical(game.parse_state(state)) for _, _, state in lines}
    assert len(kinds) == len(lines) == 627
    assert "304 of them are those of Michie" in box.counted
    assert f"opened {sum(star == '*' for star, _, _ in lines)}." in box.counted
    assert [dict(age.settings)["games"] for age in box.ages] == ["1", "10", "100", "1000", "20000"]
    assert box.games == 100


def test_a_learning_curve_ends_where_its_brain_was_measured_last():
    course = at_start("qlearning", "tictactoe").course
    last = agent("qlearning", "tictactoe").agent.brain.curve[-1]
    ends = {line.name: line.points[-1] for line in course.lines}
    assert ends == {name: (last.step, last.metrics[name]) for name in ("wins", "draws", "losses")}


def test_what_is_shown_of_fewer_games_is_what_fewer_games_come_to():
    stages = [dict(at_start(f"mcts:simulations={n}", "tictactoe").stages) for n in (200, 50)]
    assert stages[0][50] == stages[1][50]


@pytest.mark.slow
def test_a_changed_gene_is_the_one_that_plays_and_its_consequence_is_exact():
    game, spec = load_game("nim:preset=marienbad"), "es-rules:odd=40,first=90,all=100"
    exhibit = at_start(spec, game.spec)
    assert [gene.worth for gene in exhibit.genes] == ["40%", "90%", "100%"]
    theirs = OPPONENTS.policy("random:by=heap", game)
    wins = over_seats(graph_of(game).tables, OPPONENTS.policy(spec, game), theirs).wins
    assert f"it wins {wins:.1%} of its games" in exhibit.consequence


@pytest.mark.slow
def test_no_individual_of_any_generation_is_above_the_ceiling():
    (course,) = at_start("es-rules", "nim").courses
    ((_, ceiling),) = course.ceilings
    assert max(share for _, share in course.cloud) <= ceiling
    assert ceiling == pytest.approx(0.6674, abs=0.0005)


def test_where_nobody_wins_the_ceiling_is_a_draw():
    assert ceilings_for("tictactoe", "perfect") == (("at best a draw", 1.0, "not lost"),)
    assert at_start("menace", "tictactoe").course.ceilings == (("at best a draw", 1.0),)


# --- who is asked


class Showing:
    """A random player that shows how many moves it had."""

    def analyse(self, state, *, limit, rng, history=(), show=False):
        said = UniformRandom().analyse(state, limit=limit, rng=rng)
        return replace(said, exhibit=len(said.candidates)) if show else said


@pytest.mark.parametrize(
    ("player", "show", "exhibit"),
    [
        (Showing(), True, 9),
        (Showing(), False, None),
        (Skilled(Showing(), 0.5), True, 9),
        (load_agent("random", load_game("tictactoe")), False, None),
    ],
)
def test_an_exhibit_is_made_only_when_asked_for(player, show, exhibit):
    match = Match.begin(load_game("tictactoe"))
    assert ask(player, match, Limit(), Random(1), show=show).exhibit == exhibit


@pytest.mark.parametrize("shows", [True, False])
def test_only_agents_whose_entry_says_so_are_asked_to_show(shows, monkeypatch):
    seen = []
    entry = replace(roster()[0], shows=shows)
    monkeypatch.setattr(analyses, "find_agent", lambda key: entry)
    monkeypatch.setattr(analyses, "ask", lambda *args, show: seen.append(show))
    analyses.think(AnalysisRequest("tictactoe", None, (), "random", "seed", show=True), 5.0)
    assert seen == [shows]
