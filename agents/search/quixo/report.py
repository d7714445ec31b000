"""What a Quixo search found, in the words of an analysis."""

from __future__ import annotations

from dataclasses import dataclass

from agents.core import Candidate, Fact, even_chances
from agents.exhibits import Branching, Deepening, DepthReached
from agents.formats import counted, signed
from agents.quixo.bitboard import blanks_of
from agents.search.quixo.branches import Branch
from agents.search.quixo.kernel import SURE
from agents.search.quixo.lines import LineEvaluation
from agents.search.quixo.root import Findings, line_of
from engine.quixo import Push, QuixoState

CERTAIN = {1.0: "win", 0.0: "draw", -1.0: "loss"}
LEVEL = 0.005  # within so much of 0, which is told as 0.00, nobody is ahead


@dataclass(frozen=True)
class DeepReport:
    """A search as its candidates, its evidence and its reason."""

    thought: Findings
    evaluation: LineEvaluation

    def candidates(self) -> list[Candidate[Push]]:
        """Every legal move; those that come to the same share a value, and the chance."""
        moves = [move for branch in self.thought.branches for move in branch.turns]
        chances = even_chances(moves, self.thought.best.turns)
        found = []
        for branch in self.thought.branches:
            _, *rest = line_of(self.thought, branch)
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
        """-1 to 1. No move is better than the best, as far as both were searched.

        Whoever moves last before the horizon looks better. So a value is told as halfway between
        what it is at this depth and what it would be at the one before.
        """
        best = self.thought.best
        promise = min(branch.promise, best.promise)
        if abs(promise) > SURE:
            return 1.0 if promise > 0 else -1.0
        if branch.proven:
            return 0.0
        told = promise - self._sway(branch)
        if abs(best.promise) <= SURE:
            told = min(told, best.promise - self._sway(best))
        return self.evaluation.value(told)

    def _sway(self, branch: Branch) -> int:
        """How much of a branch's value is due to the side from which it saw the horizon."""
        if branch.settled:
            return 0
        depth = branch.depth if branch.estimate is None else self.thought.depth
        same_side = (depth - self.thought.depth) % 2 == 0
        return self.thought.sway if same_side else -self.thought.sway

    def deepening(self, choice: Push) -> Deepening:
        """Value by depth as it went, each board once, and the line it expects after its move."""
        turn = self.thought.best.turns.get(choice)
        line = line_of(self.thought, self.thought.best)
        expected = (choice, *map(turn.move, line[1:])) if turn is not None else line
        return Deepening(
            depths=tuple(
                DepthReached(
                    depth,
                    self._value_of(value),
                    str(choice if choice in branch.turns else branch.move),
                    positions,
                )
                for depth, branch, value, positions in self.thought.course
            ),
            branches=tuple(
                Branching(
                    self._boards(branch, choice),
                    self.value(branch),
                    CERTAIN[self.value(branch)] if branch.certain else "",
                )
                for branch in sorted(self.thought.branches, key=self._order)
            ),
            line=tuple(map(str, expected)),
        )

    def _boards(self, branch: Branch, choice: Push) -> tuple[tuple[str, ...], ...]:
        """The moves of a branch by the board they lead to, the one that is played first."""
        moves: dict[QuixoState, list[str]] = {}
        for move in sorted(branch.turns, key=lambda move: move != choice):
            moves.setdefault(self.thought.state.play(move), []).append(str(move))
        return tuple(map(tuple, moves.values()))

    def _order(self, branch: Branch) -> tuple[bool, float, int]:
        return branch is not self.thought.best, -self.value(branch), branch.plies or 0

    def _value_of(self, promise: int) -> float:
        if abs(promise) > SURE:
            return 1.0 if promise > 0 else -1.0
        return self.evaluation.value(promise)

    def evidence(self) -> list[Fact]:
        """The figures of the search; where nothing was searched, what was looked up."""
        if self.looked_up:
            blanks = counted(blanks_of(self.thought.state), "blank", "blanks")
            return [
                Fact("exact", f"{blanks}, {self._end()}"),
                Fact("moves that differ", len(self.thought.branches)),
            ]
        return [
            Fact("positions searched", self.thought.positions),
            Fact("plies looked ahead", self.thought.depth),
            Fact("moves that differ", len(self.thought.branches)),
            Fact("evaluation", self.evaluation.name),
        ]

    @property
    def looked_up(self) -> bool:
        """Whether the endgames held the position."""
        return any(branch.known for branch in self.thought.branches)

    def _end(self) -> str:
        """`wins in 21`, `draws`: what the best move comes to."""
        best = self.thought.best
        if abs(best.promise) <= SURE:
            return "draws"
        return f"{'wins' if best.promise > 0 else 'loses'} in {best.plies}"

    def reason(self, move: Push) -> str:
        """Why the best branch is best, told of the move of it that is played."""
        best = self.thought.best
        outcome = best.child.outcome()
        promise = best.promise
        if outcome is not None and promise > 0:
            return f"{move} completes {self._line(move)}."
        if promise > SURE:
            return f"{move} forces a line in {best.plies} plies, whatever the reply."
        if promise < -SURE:
            others = "every move" if len(self.thought.branches) > 1 else "the only move"
            longest = counted(best.plies or 0, "ply", "plies")
            return f"Against best play {others} loses; {move} holds out longest, {longest}."
        if best.known:
            return f"{move} holds the draw; every board with so few blanks is solved."
        if best.settled:
            again = "ends the match in a draw" if best.proven else "repeats what stood before"
            return f"{move} {again}, and nothing better is in sight."
        if (refuted := self._only_move()) is not None:
            return f"{move} is the only move that does not lose; {refuted}."
        return self._outlook(move)

    def _line(self, move: Push) -> str:
        """The name of the line that a winning move completes."""
        after = self.thought.state.play(move)
        own = after.o if after.to_move == 0 else after.x
        line = after.table.square.line_of(own)
        assert line is not None
        return line.name

    def _only_move(self) -> str | None:
        """How another move would lose, where all others do."""
        others = [branch for branch in self.thought.branches if branch is not self.thought.best]
        if not others or any(branch.promise >= -SURE for branch in others):
            return None
        longest = min(others, key=lambda branch: branch.promise)
        line = line_of(self.thought, longest)
        if len(line) > 1:
            return f"{line[0]}, for one, is answered by {line[1]}"
        return f"{line[0]}, for one, completes the other player's line"

    def _outlook(self, move: Push) -> str:
        """How it stands at the end of what it sees."""
        value = self.value(self.thought.best)
        standing = "level" if abs(value) < LEVEL else "ahead" if value > 0 else "behind"
        depth = self.thought.depth
        seen = "At first sight" if depth < 2 else f"Seen {depth} plies ahead,"
        turn = self.thought.best.turns[move]
        _, *replies = map(turn.move, line_of(self.thought, self.thought.best))
        expects = f"; it expects {replies[0]}" if replies else ""
        return f"{seen} {move} leaves whoever plays it {standing} ({signed(value)}){expects}."
