"""quixo-deep with endgame tables: values, draws by repetition and by length, words."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from agents import Analysis, Fact, Limit, load_agent
from agents.perfect.oracles import EndgameOracle
from agents.quixo.endgame_tables import endgames
from agents.quixo.evaluation import course_evaluation
from agents.search.quixo.kernel import DECIDED
from agents.search.quixo.root import think
from engine import Match, load_game
from engine.core import Verdict
from engine.quixo import Push, QuixoState
from tests.agents.perfect.boards import open_boards
from tests.soak import lessened

GAME = load_game("quixo")
A_LITTLE = Limit(nodes=2_000)


def worth(value: int, blanks: int, seed: int, count: int) -> list[tuple[QuixoState, int]]:
    """Boards that are won, drawn or lost, and the plies to their ends; a draw has none: 0."""
    verdicts = ((board, EndgameOracle().probe(board)) for board in open_boards(blanks, seed))
    found = ((board, verdict.plies or 0) for board, verdict in verdicts if verdict.value == value)
    return list(islice(found, count))


def analyse(
    state: QuixoState, history: tuple[QuixoState, ...] = (), spec: str = "quixo-deep"
) -> Analysis[Push]:
    agent = load_agent(spec, GAME)
    return agent.analyse(state, limit=A_LITTLE, rng=Random(1), history=history)


def verdicts_of(analysis: Analysis[Push]) -> dict[Push, Verdict]:
    """The verdict on every move; all of them have to be proven."""
    assert all(candidate.proven for candidate in analysis.candidates)
    return {c.move: Verdict(int(c.value or 0), c.plies) for c in analysis.candidates}


def played_out(start: QuixoState, winner: str, loser: str) -> Match[QuixoState, Push]:
    """The match in which the winner is to move first."""
    agents = {start.to_move: load_agent(winner, GAME), start.to_move.other: load_agent(loser, GAME)}
    match, rng = Match.begin(GAME, start), Random(str(start))
    while match.outcome() is None:
        agent = agents[match.state.to_move]
        history = match.states[:-1]
        analysis = agent.analyse(match.state, limit=A_LITTLE, rng=rng, history=history)
        match = match.play(analysis.choice)
    return match


def lost_games(states: list[tuple[QuixoState, int]], winner: str, loser: str) -> list[str]:
    """The boards that the side to move did not win in time."""
    matches = [(played_out(state, winner, loser), state, plies) for state, plies in states]
    return [
        str(state)
        for match, state, plies in matches
        if match.ply > plies or (end := match.outcome()) is None or end.winner is not state.to_move
    ]


def far_win() -> tuple[QuixoState, int]:
    return next(one for one in worth(1, 0, seed=4, count=40) if one[1] > 5)


@pytest.mark.soak
@pytest.mark.usefixtures("full_boards")
class TestFullBoards:
    def test_every_move_has_its_exact_value_and_nothing_is_searched(self) -> None:
        found = list(islice(open_boards(0, seed=1), 60))
        analyses = [analyse(board) for board in found]
        assert [verdicts_of(analysis) for analysis in analyses] == [
            EndgameOracle().verdicts(board) for board in found
        ]
        assert {(each.effort.nodes, each.effort.depth) for each in analyses} == {(0, 1)}
        # It wins as soon and loses as late as can be, or holds a draw.
        assert [Verdict(int(a.chosen.value or 0), a.chosen.plies) for a in analyses] == [
            EndgameOracle().probe(board) for board in found
        ]

    def test_it_says_that_the_position_is_solved(self) -> None:
        (board, _), *_ = worth(0, 0, seed=3, count=1)
        drawn, won = analyse(board), analyse(far_win()[0])
        assert drawn.evidence[0] == Fact("exact", "0 blanks, draws")
        assert drawn.reason == (
            f"{drawn.choice} holds the draw; every board with so few blanks is solved."
        )
        assert won.evidence[0] == Fact("exact", f"0 blanks, wins in {far_win()[1]}")
        assert won.reason == (
            f"{won.choice} forces a line in {far_win()[1]} moves, whatever the reply."
        )

    def test_what_it_expects_of_a_short_win_ends_in_it(self) -> None:
        short = [(board, plies) for board, plies in worth(1, 0, seed=5, count=80) if plies <= 7]
        lines = [(board, analyse(board).chosen.line) for board, _ in short]
        assert [len(line) for _, line in lines] == [plies for _, plies in short]

    def test_an_end_after_the_last_ply_of_the_match_is_a_draw(self) -> None:
        board, plies = far_win()
        elsewhere = GAME.start  # it never comes back, and only its ply counts
        in_time = analyse(board, history=(elsewhere,) * (200 - plies)).chosen
        too_late = analyse(board, history=(elsewhere,) * (201 - plies)).chosen
        assert (in_time.value, in_time.plies) == (1, plies)
        assert (too_late.value, too_late.proven) == (0, True)

    def test_a_win_is_a_draw_where_either_can_make_a_third_repetition(self) -> None:
        board, _ = far_win()
        best = analyse(board).choice
        after = board.play(best)
        again = analyse(board, history=(after, board, after)).candidate(best)
        assert (again.value, again.proven, again.plies) == (0, True, 1)
        reply = after.play(after.legal_moves()[0])
        history = (reply, after, reply, after, board, after)
        escaped = analyse(board, history=history).candidate(best)
        assert (escaped.value, escaped.proven) == (0, True)

    def test_what_takes_the_last_blank_is_looked_up(self) -> None:
        found = list(islice(open_boards(1, seed=6), 60))
        taking = [
            (analysis.candidate(move), EndgameOracle().probe(board.play(move)).seen_by_mover())
            for board in found
            for analysis in [analyse(board)]
            for move in board.legal_moves()
            if board.play(move).outcome() is None
            and (board.play(move).x | board.play(move).o).bit_count() == 25
        ]
        decided = [(c, v) for c, v in taking if c.proven and abs(c.value or 0) == 1]
        assert len(decided) > 50
        assert [c.value for c, _ in decided] == [v.value for _, v in decided]

    def test_a_win_once_proven_is_never_given_up_deeper(self) -> None:
        found = list(islice(open_boards(2, seed=7), 40))
        values = [
            [
                think(
                    GAME, board, course_evaluation(5), limit=Limit(depth=depth), endgames=endgames()
                ).best.expected
                for depth in range(1, 6)
            ]
            for board in found
        ]
        proven = [row for row in values if max(row) > DECIDED]
        assert len(proven) > 10
        assert all(row[at:] == sorted(row[at:]) for row in proven for at in [first_win(row)])

    @pytest.mark.parametrize("spec", ["quixo-deep:endgames=no", "quixo-deep:level=grandmaster"])
    def test_below_full_strength_or_without_the_option_it_searches(self, spec: str) -> None:
        analysis = analyse(next(open_boards(0, seed=1)), spec=spec)
        assert analysis.evidence[0].name == "positions searched"


def first_win(row: list[int]) -> int:
    return next(at for at, value in enumerate(row) if value > DECIDED)


def test_without_tables_it_searches() -> None:
    analysis = analyse(next(open_boards(0, seed=1)))
    assert analysis.evidence[0].name == "positions searched"
    assert analysis.effort.nodes > 0


@pytest.mark.soak
@pytest.mark.parametrize("loser", ["perfect", "quixo-deep"])
def test_won_boards_with_a_blank_are_won_in_time(one_blank: Path, loser: str) -> None:
    count = lessened(250, 30)
    found = [*worth(1, 0, seed=9, count=count), *worth(1, 1, seed=9, count=count)]
    assert lost_games(found, "quixo-deep", loser) == []


@pytest.mark.soak
def test_what_it_proves_two_blanks_before_the_end_holds_one_ply_on(one_blank: Path) -> None:
    """A proven win with two blanks comes within its plies, whatever is answered."""
    found = list(islice(open_boards(2, seed=10), lessened(200, 60)))
    course = course_evaluation(5)
    best = [think(GAME, board, course, limit=A_LITTLE, endgames=endgames()).best for board in found]
    wins = [branch for branch in best if branch.wins]
    assert len(wins) > len(found) // 5
    after = [
        (branch.most_plies, EndgameOracle().probe(reply))
        for branch in wins
        for move in branch.child.legal_moves()
        for reply in [branch.child.play(move)]
        if (reply.x | reply.o).bit_count() > 23
    ]
    assert after
    assert all(
        verdict.value == 1 and (verdict.plies or 0) <= (plies or 0) - 2 for plies, verdict in after
    )
