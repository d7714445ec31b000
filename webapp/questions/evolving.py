"""What evolution could find at best: every setting of three genes, tried out."""

from __future__ import annotations

from agents.evolution.rules_fitness import best_of_a_grid
from agents.formats import portion
from agents.roster import agent_title, pinned_spec
from agents.tabular.tables import why_too_many
from engine import load_game
from engine.nim import NimState
from webapp.questions.arguments import Arguments
from webapp.questions.errors import UnknowableError
from webapp.questions.facts import NumberFact
from webapp.questions.playing import MOST_STATES, check_tabulated
from webapp.questions.posed import PosedQuestion


def three_genes(posed: PosedQuestion, arguments: Arguments) -> NumberFact:
    """The most that rules of three genes win against a machine, each setting counted exactly."""
    game = load_game(posed.game)
    if not isinstance(game.start, NimState):
        raise arguments.wrong(f"these genes play Nim, not {posed.game}")
    if why_too_many(game, MOST_STATES, "tabulate") is not None:
        raise UnknowableError(f"{posed.game} has too many positions to try out every setting")
    spec = pinned_spec(arguments.words[0], game)
    check_tabulated(spec, game)
    share = best_of_a_grid(game, spec)
    sentence = (
        f"Of settings all over their range the best wins {portion(share)} against "
        f"{agent_title(spec, posed.game)}."
    )
    return NumberFact(100 * share, sentence, "each setting's games counted exactly", unit="%")
