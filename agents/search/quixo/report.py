"""The analysis of a Quixo search: candidates, evidence, reason and exhibit."""

from __future__ import annotations

from dataclasses import dataclass

from agents.core import Candidate, Fact, even_chances
from agents.exhibits import Branching, Deepening, DepthReached
from agents.formats import counted, signed
from agents.quixo.bitboard import blanks_of
from agents.quixo.evaluation import LineEvaluation
from agents.search.quixo.branches import Branch
from agents.search.quixo.kernel import DECIDED
from agents.search.quixo.root import Findings, line_of
from engine.quixo import Push, QuixoState

CERTAIN = {1.0: "win", 0.0: "draw", -1.0: "loss"}
LEVEL = 0.005  # values below this either way are shown as 0.00


@dataclass(frozen=True)
class DeepReport:
    """The findings of a search as parts of an analysis."""

    findings: Findings
    evaluation: LineEvaluation

    def candidates(self) -> list[Candidate[Push]]:
        """Every legal move; those of a branch share its value and its chance."""
        moves = [move for branch in self.findings.branches for move in branch.turns]
        chances = even_chances(moves, self.findings.best.turns)
        found = []
        for branch in self.findings.branches:
            _, *rest = line_of(self.findings, branch)
            found += [
                Candidate(
                    move,
                    self.value(branch),
                    chances[move],
                    proven=branch.certain,
                    plies=branch.plies,
                    line=(move, *map(turn.move, rest)),
                )
                for move, turn in branch.turns.items()
            ]
        return found

    def value(self, branch: Branch) -> float:
        """The value of a branch, -1 to 1, at most that of the best.

        The side that moves last before the horizon looks better, so the value is the mean of
        those at this depth and at the one before.
        """
        best = self.findings.best
        expected = min(branch.expected, best.expected)
        if abs(expected) > DECIDED:
            return 1.0 if expected > 0 else -1.0
        if branch.proven:
            return 0.0
        score = expected - self._swing(branch)
        if abs(best.expected) <= DECIDED:
            score = min(score, best.expected - self._swing(best))
        return self.evaluation.value(score)

    def _swing(self, branch: Branch) -> int:
        """How much of a branch's value is due to the parity of its depth."""
        if branch.settled:
            return 0
        depth = branch.depth if branch.estimate is None else self.findings.depth
        same_side = (depth - self.findings.depth) % 2 == 0
        return self.findings.swing if same_side else -self.findings.swing

    def deepening(self, choice: Push) -> Deepening:
        """The exhibit: the value by depth, the branches, and the expected line."""
        turn = self.findings.best.turns.get(choice)
        line = line_of(self.findings, self.findings.best)
        expected = (choice, *map(turn.move, line[1:])) if turn is not None else line
        return Deepening(
            depths=tuple(
                DepthReached(
                    depth,
                    self._value_of(value),
                    str(choice if choice in branch.turns else branch.move),
                    positions,
                )
                for depth, branch, value, positions in self.findings.iterations
            ),
            branches=tuple(
                Branching(
                    self._boards(branch, choice),
                    self.value(branch),
                    CERTAIN[self.value(branch)] if branch.certain else "",
                )
                for branch in sorted(self.findings.branches, key=self._order)
            ),
            line=tuple(map(str, expected)),
        )

    def _boards(self, branch: Branch, choice: Push) -> tuple[tuple[str, ...], ...]:
        """The moves of a branch by the board they lead to, the chosen one first."""
        moves: dict[QuixoState, list[str]] = {}
        for move in sorted(branch.turns, key=lambda move: move != choice):
            moves.setdefault(self.findings.state.play(move), []).append(str(move))
        return tuple(map(tuple, moves.values()))

    def _order(self, branch: Branch) -> tuple[bool, float, int]:
        return branch is not self.findings.best, -self.value(branch), branch.most_plies or 0

    def _value_of(self, expected: int) -> float:
        if abs(expected) > DECIDED:
            return 1.0 if expected > 0 else -1.0
        return self.evaluation.value(expected)

    def evidence(self) -> list[Fact]:
        """The figures of the search, or of the endgame tables where those had the position."""
        if self.looked_up:
            blanks = counted(blanks_of(self.findings.state), "blank", "blanks")
            return [
                Fact("exact", f"{blanks}, {self._end()}"),
                Fact("moves that differ", len(self.findings.branches)),
            ]
        return [
            Fact("positions searched", self.findings.positions),
            Fact("plies looked ahead", self.findings.depth),
            Fact("moves that differ", len(self.findings.branches)),
            Fact("evaluation", self.evaluation.name),
        ]

    @property
    def looked_up(self) -> bool:
        """Whether the position was in the endgame tables."""
        return any(branch.looked_up for branch in self.findings.branches)

    def _end(self) -> str:
        """The result of the best move: `wins in 21`, `draws`."""
        best = self.findings.best
        if abs(best.expected) <= DECIDED:
            return "draws"
        return f"{'wins' if best.expected > 0 else 'loses'} in {best.plies}"

    def reason(self, move: Push) -> str:
        """A sentence on why the best branch is best, for the move of it that is played."""
        best = self.findings.best
        outcome = best.child.outcome()
        expected = best.expected
        if outcome is not None and expected > 0:
            return f"{move} completes {self._line(move)}."
        if expected > DECIDED:
            soon = "within" if best.plies is None else "in"
            return f"{move} forces a line {soon} {best.most_plies} moves, whatever the reply."
        if expected < -DECIDED:
            others = "every move" if len(self.findings.branches) > 1 else "the only move"
            longest = counted(best.most_plies or 0, "move", "moves")
            longest = f"at most {longest}" if best.plies is None else longest
            return f"Against best play {others} loses; {move} holds out longest, {longest}."
        if best.looked_up:
            return f"{move} holds the draw; every board with so few blanks is solved."
        if best.settled:
            again = "ends the match in a draw" if best.proven else "repeats what stood before"
            return f"{move} {again}, and nothing better is in sight."
        if (refuted := self._only_move()) is not None:
            return f"{move} is the only move that does not lose; {refuted}."
        return self._outlook(move)

    def _line(self, move: Push) -> str:
        """The name of the line that a winning move completes."""
        after = self.findings.state.play(move)
        own = after.o if after.to_move == 0 else after.x
        line = after.table.square.line_of(own)
        assert line is not None
        return line.name

    def _only_move(self) -> str | None:
        """How another move would lose, where all others do."""
        others = [branch for branch in self.findings.branches if branch is not self.findings.best]
        if not others or any(branch.expected >= -DECIDED for branch in others):
            return None
        longest = min(others, key=lambda branch: branch.expected)
        line = line_of(self.findings, longest)
        if len(line) > 1:
            return f"{line[0]}, for one, is answered by {line[1]}"
        return f"{line[0]}, for one, completes the other player's line"

    def _outlook(self, move: Push) -> str:
        """A sentence on the value at the end of the search."""
        value = self.value(self.findings.best)
        standing = "even" if abs(value) < LEVEL else "ahead" if value > 0 else "behind"
        depth = self.findings.depth
        seen = "At first sight" if depth < 2 else f"Looking {depth} moves ahead,"
        turn = self.findings.best.turns[move]
        _, *replies = map(turn.move, line_of(self.findings, self.findings.best))
        expects = f"; it expects {replies[0]}" if replies else ""
        return f"{seen} {move} comes out best: {standing} ({signed(value)}){expects}."
