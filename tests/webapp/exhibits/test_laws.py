"""Laws of exhibits: the row that is marked is the move that is played, and sentences about
columns, beads, genes and samples are parsed and worked out again."""

import re
from functools import cache
from random import Random

import pytest

from agents import Limit, load_agent
from agents.exhibits import Answers, Deepening, Matchbox, Numbers, Samples
from engine import load_game
from tests.agents.test_roster_laws import SHOWING
from tests.positions import reachable_states
from tests.soak import lessened
from webapp.exhibits import exhibit_view
from webapp.exhibits.exhibit import ExhibitContext
from webapp.exhibits.monte_carlo import SamplesView

NIM = ("nim", "nim:preset=marienbad", "nim:preset=twenty-one", "nim:preset=normal")
BRIEF = Limit(nodes=300, depth=3)
# Kinds with a row for every move; columns and genes depend on the position only.
BY_MOVE = (Samples, Answers, Numbers, Matchbox, Deepening)


@cache
def agent(key, spec):
    return load_agent(key, load_game(spec))


@cache
def positions(spec, count):
    return reachable_states(load_game(spec), count, seed=41)


def said_at(key, spec, state, limit=None):
    """(what it says in the state, its exhibit as the page shows it)."""
    bound = {} if limit is None else {"limit": limit}
    said = agent(key, spec).analyse(state, rng=Random(5), show=True, **bound)
    return said, exhibit_view(said.exhibit, context(spec, state, said.choice))


def context(spec, state, choice):
    links = (lambda *_: "", lambda _: "", lambda _: "")
    return ExhibitContext(load_game(spec), state, None, None, *links, choice=str(choice))


def counted(few, many, short):
    """A fixture's numbers of positions: a few in `make test`, many in the soak."""
    return [few, pytest.param(lessened(many, short), marks=pytest.mark.soak)]


@pytest.fixture(params=counted(50, 400, 100))
def untrue(request):
    """The positions for which a sentence is wrong."""

    def found(law, key, spec):
        for state in positions(spec, request.param):
            said, view = said_at(key, spec, state)
            if not law(state, said, view):
                yield f"{state}: {said.reason} / {view.sentence}"

    return lambda *asked: list(found(*asked))


# --- every kind


def rows_of(view):
    """(its moves, whether it is marked) for each row, as they are written."""
    found = [getattr(view, name, ()) for name in ("rows", "rest", "colours", "pushes")]
    return [
        (
            f"{getattr(row, 'moves', '') or row.move} {getattr(row, 'others', '')}".split(),
            row.chosen,
        )
        for rows in found
        if isinstance(rows, tuple)
        for row in rows
    ]


@pytest.mark.parametrize("count", counted(6, 200, 20))
@pytest.mark.parametrize(("spec", "key"), SHOWING)
def test_the_row_that_is_marked_is_the_move_it_plays(spec, key, count):
    def agrees(state):
        said, view = said_at(key, spec, state, BRIEF)
        if not isinstance(said.exhibit, BY_MOVE):
            return True
        rows = rows_of(view)
        marked = [moves for moves, chosen in rows if chosen]
        first = marked == [rows[0][0]] or isinstance(said.exhibit, Matchbox)
        return len(marked) == 1 and str(said.choice) in marked[0] and first

    assert [str(state) for state in positions(spec, count) if not agrees(state)] == []


# --- samples


def sampled(spec, text):
    state = load_game(spec).parse_state(text)
    return state, *said_at("mcts", spec, state, BRIEF)


def test_a_win_at_once_is_no_game_played_out_and_is_what_it_plays():
    _, _, view = sampled("tictactoe", "o.x/x.x/o.o x")
    assert view.sentence == "No game was played out; it plays b2. 1 move is proven to win."
    assert (view.rows[0].moves, view.rows[0].proven) == ("b2", "▲ proven")


@pytest.mark.parametrize("spec", ["tictactoe", "nim", "quixo"])
def test_what_most_games_began_with_is_said_and_what_it_plays_where_that_is_another(spec):
    def told(state):
        said, view = said_at("mcts", spec, state, BRIEF)
        _, samples = said.exhibit.stages[-1]
        most = max(sample.visits for sample in samples)
        (own,) = (each for each in samples if str(said.choice) in each.move.split())
        another = f"it plays {said.choice}" in view.sentence
        begun = [f"began with {each.move}: {most:,}" for each in samples if each.visits == most]
        return another == (not most or own.visits < most) and (
            any(words in view.sentence for words in begun) if most else "began" not in view.sentence
        )

    assert [str(state) for state in positions(spec, 40) if not told(state)] == []


def test_where_no_move_is_told_none_is_marked():
    state, said, _ = sampled("tictactoe", ".../.x./... o")
    view = SamplesView(said.exhibit, context("tictactoe", state, ""))
    assert [row for row in view.rows if row.chosen] == []
    assert "plays" not in view.sentence


# --- columns


def counts(state):
    """The heaps as far as they count: what is left over where only so many may be taken."""
    limit = state.rules.max_take
    return [heap if limit is None else heap % (limit + 1) for heap in state.heaps]


def odd_powers(state):
    """Powers of two of which an odd number of heaps has one, by division instead of xor."""
    powers = [2**place for place in range(6)]
    return {power for power in powers if sum(heap // power % 2 for heap in counts(state)) % 2}


@cache
def is_lost_by_trying(state):
    outcome = state.outcome()
    if outcome is not None:
        return outcome.score(state.to_move) < 0
    return not any(is_lost_by_trying(state.play(move)) for move in state.legal_moves())


def moves_that(state, leaves):
    return {str(move) for move in state.legal_moves() if leaves(state.play(move))}


def advised(view):
    """`take 2 or 3` of each row, as moves."""
    return {f"{row.name}{count}" for row in view.rows for count in re.findall(r"\d+", row.advice)}


def framing_is_true(view, wanted):
    told = re.match(r"(\d+|No) moves? (?:framed)?", view.wanted)
    number = 0 if told[1] == "No" else int(told[1])
    return advised(view) == wanted and number == len(wanted)


@pytest.mark.parametrize("spec", NIM)
@pytest.mark.parametrize("key", ["nim-expert", "greedy-heap"])
def test_the_columns_that_are_named_have_an_odd_number_of_ones(untrue, spec, key):
    def law(state, said, view):
        odd = odd_powers(state)
        columns, _, total = view.sentence.rpartition(": nim-sum")
        named = {int(power) for power in re.findall(r"\d+", columns)}
        digits = zip(view.powers, view.total, strict=True)
        lit = {int(power) for power, digit in digits if digit.lit}
        is_sum = int(total.rstrip(".").split()[-1], 2) == sum(odd)
        return named == lit == odd and is_sum and ("Every column" in columns) == (not odd)

    assert untrue(law, key, spec) == []


def tint(state, move, zero):
    """Of the match with which that move begins: none where it may not be taken."""
    if move not in map(str, state.legal_moves()):
        return ""
    return "even" if move in zero else "odd"


@pytest.mark.parametrize("spec", [*NIM, "nim:heaps=5-4,max_take=3,last=wins"])
def test_as_many_moves_are_green_and_framed_as_leave_what_is_said(untrue, spec):
    def law(state, said, view):
        zero = moves_that(state, lambda after: not odd_powers(after))
        lost = moves_that(state, is_lost_by_trying)
        told = re.search(r"\((\d+) of (\d+) moves\)", view.tints)
        green = (int(told[1]), int(told[2])) if told else (0, len(state.legal_moves()))
        drawn = not view.tints or green == (len(zero), len(state.legal_moves()))
        sticks = [
            (f"{row.name}{count}", stick)
            for row in view.rows
            for count, stick in enumerate(reversed(row.sticks), start=1)
        ]
        return (
            drawn
            and framing_is_true(view, lost)
            and all(stick.tint == tint(state, move, zero) for move, stick in sticks)
            and all(stick.wanted == (move in lost) for move, stick in sticks)
            and all(not stick.tint or f"take {move[1:]}:" in stick.says for move, stick in sticks)
        )

    assert untrue(law, "nim-expert", spec) == []


def test_what_the_columns_say_of_nim_as_it_begins():
    _, view = said_at("nim-expert", "nim:preset=marienbad", load_game("nim:preset=marienbad").start)
    assert view.sentence == "Every column holds an even number of ones: nim-sum 0."
    _, view = said_at("nim-expert", "nim", load_game("nim").start)
    assert view.sentence == "The columns of 8 and 1 hold an odd number of ones: nim-sum 1001."
    assert view.wanted == "1 move framed: it leaves a lost position."
    assert "leaves nim-sum 0 (1 of 25 moves)" in view.tints
    assert [row.advice for row in view.rows] == ["", "", "", "", "take 9"]


@pytest.mark.parametrize(
    ("rules", "drawn", "before"),
    [("17", 0, ""), ("16", 16, ""), ("40-2", 2, ""), ("21,max_take=3", 3, "18 +")],
)
def test_of_a_large_heap_those_that_may_be_taken_are_drawn_and_then_tints_explained(
    rules, drawn, before
):
    spec = f"nim:heaps={rules}"
    _, view = said_at("nim-expert", spec, load_game(spec).start)
    assert sum(len(row.sticks) for row in view.rows) == drawn
    assert bool(view.tints) == bool(drawn)
    assert not before or view.rows[0].before == before


@pytest.mark.parametrize("spec", NIM)
@pytest.mark.parametrize(("key", "zero"), [("nim-sum", True), ("nim-sum:leave=nonzero", False)])
def test_a_nim_sum_player_frames_the_moves_that_leave_what_it_wishes(untrue, spec, key, zero):
    def law(state, said, view):
        wished = moves_that(state, lambda after: (not odd_powers(after)) == zero)
        return framing_is_true(view, wished)

    assert untrue(law, key, spec) == []


@pytest.mark.parametrize("spec", ["nim", "nim:preset=marienbad", "nim:preset=twenty-one"])
def test_where_misere_play_turns_is_counted_and_what_then_wins_wins(untrue, spec):
    def law(state, said, view):
        left = counts(state)
        large, ones = sum(count > 1 for count in left), left.count(1)
        if large > 1:
            return f"{large} rows are larger than 1" in view.turn
        if large == 1:
            odd = moves_that(
                state, lambda after: max(counts(after)) <= 1 and counts(after).count(1) % 2
            )
            wins = moves_that(state, is_lost_by_trying)
            return "Here it turns" in view.turn and odd == wins != set()
        parity = "odd" if ones % 2 else "even"
        side = "loses" if is_lost_by_trying(state) else "wins"
        return re.search(rf"\b{ones} (is|are) 1: an {parity} .* to move {side}\.", view.turn)

    assert untrue(law, "nim-expert", spec) == []


# --- beads


def colours_of(game, state):
    """Moves that a symmetry of the position carries into each other."""
    mirrors = [mirror for mirror in game.symmetries if mirror.state(state) == state]
    return {frozenset(str(mirror.move(move)) for mirror in mirrors) for move in state.legal_moves()}


@cache
def shelf_of(key):
    """Each box by its position in one of its turns: whether it was opened, and its beads."""
    game = load_game("tictactoe")
    box = said_at(key, "tictactoe", game.start)[0].exhibit
    lines = (line.split(" ", 2) for line in box.shelf.split("\n"))
    return {
        game.canonical(game.parse_state(state)): (
            star == "*",
            sorted(int(pair.partition("=")[2]) for pair in beads.split(",")),
        )
        for star, beads, state in lines
    }


def number_in(pattern, text):
    found = re.search(pattern, text)
    return None if found is None else int(found[1].replace(",", ""))


@pytest.mark.parametrize("games", [100, 1000])
def test_the_beads_that_are_told_lie_in_the_box_a_colour_for_moves_that_mirror(untrue, games):
    game, key = load_game("tictactoe"), f"menace:games={games}"

    def law(state, said, view):
        opened, beads = shelf_of(key)[game.canonical(state)]
        told = {frozenset(colour.moves.split()): colour for colour in view.colours}
        counts = [int(colour.count.replace(",", "")) for colour in view.colours]
        met = number_in(r"([\d,]+) times? in", view.shared)
        return (
            set(told) == colours_of(game, state)
            and sorted(counts) == beads
            and number_in(r"([\d,]+) beads? of", view.sentence) == sum(counts)
            and number_in(r"of ([\d,]+) colours?", view.sentence) == sum(map(bool, counts))
            and ("never opened" in view.sentence) == (not opened) == (met == 0)
            and ("Perfect never led it here" in view.sentence) == (met == 0)
            and met <= games
            and ("mirror" in view.shared) == any(len(moves) > 1 for moves in told)
            and len(view.spots) == len(state.legal_moves())
            and (
                bool(view.scale)  # a bead drawn stands for several
                or [view.beads.count(colour.number) for colour in view.colours] == counts
            )
        )

    assert untrue(law, key, "tictactoe") == []


def test_a_box_that_is_called_as_new_has_what_it_had_before_the_first_game(untrue):
    game = load_game("tictactoe")

    def law(state, said, view):
        kind = game.canonical(state)
        as_new = shelf_of("menace:games=1000")[kind] == shelf_of("menace:games=1")[kind]
        return "as new" not in view.sentence or as_new

    assert untrue(law, "menace:games=1000", "tictactoe") == []


def test_why_a_bead_was_drawn_is_said_by_the_beads(untrue):
    def law(state, said, view):
        beads = {move: bead.count for bead in said.exhibit.beads for move in bead.moves}
        own, most = beads[str(said.choice)], max(beads.values())
        if "never opened" in view.sentence:
            return "The box holds" not in said.reason
        rarer = re.search(r"a rarer draw, (\w+) has ([\d,]+)\.", said.reason)
        if own < most:
            return rarer and beads[rarer[1]] == most == int(rarer[2].replace(",", ""))
        same = "looks the same" in said.reason
        return (same == (len(said.exhibit.beads) == 1)) and (
            number_in(
                rf"([\d,]+) of them for [\w, ]*{said.choice}",
                said.reason.replace("all of them", f"{sum(beads.values()):,} of them"),
            )
            == own
        )

    assert untrue(law, "menace:games=1000", "tictactoe") == []


# --- genes


def percents(text):
    return [float(figure) / 100 for figure in re.findall(r"([\d.]+)%", text)]


@pytest.mark.parametrize("spec", NIM)
def test_evolved_rules_say_how_many_heaps_are_odd_and_do_what_their_genes_say(untrue, spec):
    said, _ = said_at("es-rules", spec, load_game(spec).start)
    odd_gene, first_gene, all_gene = said.exhibit.genes
    (all_share,) = percents(all_gene.worth)
    threshold = agent("es-rules", spec).agent.genome.odd

    def law(state, said, view):
        odd = [at for at, heap in enumerate(state.heaps) if heap % 2]
        filled = [at for at, heap in enumerate(state.heaps) if heap]
        heap, count = said.choice.heap, said.choice.count
        most = min(state.heaps[heap], state.rules.max_take or 99)
        spoke = {gene.name for gene in view.genes if gene.spoke}
        where = len(odd) > threshold * len(state.heaps)
        return (
            said.reason == view.sentence
            and said.reason.startswith(f"{len(odd)} of {len(state.heaps)} rows are odd")
            and ("on the first:" in said.reason) == where == ("odd" in spoke)
            and (heap == odd[0] if where else heap in (filled[0], filled[-1]))
            and ("first" in spoke) == (not where and len(filled) > 1)
            and ("all" in spoke) == (most > 1)
            and (f"of {odd_gene.worth}" in said.reason) == where
            and ("takes all it may" in said.reason) == (count == most > 1)
            and (
                "of the time." not in said.reason
                or abs(percents(said.reason)[-1] - (all_share if count == most else 1 - all_share))
                < 0.011
            )
        )

    assert first_gene.name == "first"
    assert untrue(law, "es-rules", spec) == []


def test_the_side_of_a_mixture_that_is_named_has_most_of_the_move(untrue):
    mixture = agent("es-mix", "nim").agent.mixture

    def chances(state, move):
        """Of each side playing the move: greedy takes all of the first heap, the expert wins."""
        first = next(at for at, heap in enumerate(state.heaps) if heap)
        greedy = move.heap == first and move.count == state.heaps[first]
        heaps = sum(heap > 0 for heap in state.heaps)
        by_heap = 1 / heaps / state.heaps[move.heap]
        expert = agent("nim-expert", "nim").analyse(state, rng=Random(1)).candidate(move).chance
        return dict(zip(("greedy", "random", "expert"), (greedy, by_heap, expert), strict=True))

    def law(state, said, view):
        (spoke,) = (gene for gene in view.genes if gene.spoke)
        sides = chances(state, said.choice)
        shares = {name: part * sides[name] for part, name in zip(mixture, sides, strict=True)}
        return (
            shares[spoke.name] >= max(shares.values()) - 1e-9
            and said.reason == view.sentence
            and said.reason.startswith(f"Its {spoke.name} side has {spoke.worth} of the turns")
        )

    assert untrue(law, "es-mix", "nim") == []


@pytest.mark.parametrize("spec", ["nim", "nim:preset=marienbad"])
def test_what_the_gene_of_a_table_was_paid_is_ten_for_nim_sum_0_and_one_for_each_taken(
    untrue, spec
):
    def law(state, said, view):
        pay = {
            str(move): move.count + 10 * (not odd_powers(state.play(move)))
            for move in state.legal_moves()
        }
        spoke, _ = view.genes
        own, best = pay[str(said.choice)], max(pay.values())
        other = re.search(r"; (\w+) would have been paid (\d+)\.", view.sentence)
        return (
            (spoke.name, spoke.says) == (state.heaps_text, f"play {said.choice}")
            and spoke.worth == f"paid {own} of {best}"
            and f"its gene says {said.choice}, for which it was paid {own} " in view.sentence
            and ("as much as any" in view.sentence) == (own == best)
            and (own == best or pay[other[1]] == int(other[2]) == best)
        )

    assert untrue(law, "ea-table", spec) == []


@pytest.mark.parametrize("spec", ["nim", "nim:preset=normal"])
def test_what_an_individual_was_bred_for_is_what_its_move_leaves(untrue, spec):
    def fitness(state, move):
        left, after = counts(state), state.play(move)
        large = [at for at, count in enumerate(left) if count > 1]
        if state.rules.last == "loses" and large == [move.heap]:
            return 3 if is_lost_by_trying(after) else 2
        return int(not odd_powers(after))

    meaning = ("nothing special", "leaves nim-sum 0", "the right heap", "the right heap and count")

    def law(state, said, view):
        bred = [
            load_game(spec).parse_move(f"{gene.name[-1]}{number_in(r'takes ([0-9]+):', gene.says)}")
            for gene in view.genes
        ]
        fit = {move: fitness(state, move) for move in bred}
        own = fit[said.choice]
        told = f", fitness {own}, {meaning[own]}." if own else "None of the moves it bred"
        return (
            own == max(fit.values())
            and all(
                f": {meaning[fit[move]]}. Weights: " in gene.says
                and gene.worth == f"fitness {fit[move]}"
                for gene, move in zip(view.genes, bred, strict=True)
            )
            and [gene.spoke for gene in view.genes] == [move == said.choice for move in bred]
            and told in view.sentence
        )

    assert untrue(law, "es-move", spec) == []


def test_evolved_quixo_names_the_generation_by_which_it_judges(untrue):
    def law(state, said, view):
        return view.sentence == f"{said.reason} It judges by the weights of generation 20."

    assert untrue(law, "quixo-evolved:depth=1,ancestor=20", "quixo") == []
