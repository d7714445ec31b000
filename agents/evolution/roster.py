"""The agents that evolve."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agents.core import Agent
from agents.entry import Entry, Technique, only
from agents.evolution import ea_table, es_mix, es_rules, quixo_evolved
from agents.evolution.es_move import EsMove
from agents.evolution.generations import generations_option
from agents.evolution.rules_exhibit import SAYS
from agents.search.alphabeta import DEPTH, NODES, limit_of
from agents.tabular.tables import why_too_many
from agents.training.brains import Brain
from agents.training.opponents import Opponents, opponent_option
from agents.training.shipped import recall, unless_known
from agents.training.trainer import BRAIN, Lasting, Trainer
from engine.core import Game
from engine.options import Kind, Option, Role, Values

MAX_STATES = 50_000  # of a game: more would take too long to evolve on

_only_nim = only("nim")


def _only_small_nim(game: Game[Any, Any]) -> str | None:
    return _only_nim(game) or why_too_many(game, MAX_STATES, "evolve on")


def _only_full_quixo(game: Game[Any, Any]) -> str | None:
    return None if game.spec == "quixo" else "it has evolved on Quixo 5×5 only"


def _quixo(game: Game[Any, Any], options: Values) -> quixo_evolved.QuixoEvolved:
    seconds = quixo_evolved.seconds
    brain = recall(quixo_evolved.KEY, game, options, quixo_evolved.train, seconds)
    generation = options.optional_integer("ancestor")
    return quixo_evolved.QuixoEvolved.of(game, brain, limit_of(options), generation)


def _rules(
    opponents: Opponents, train: Trainer, game: Game[Any, Any], options: Values
) -> es_rules.RuleGenome:
    brain = recall(es_rules.KEY, game, options, train, es_rules.seconds)
    genes = {name: options.optional_integer(name) for name in SAYS}
    return es_rules.RuleGenome.of(opponents, game, brain, genes)


def _gene(name: str, says: str) -> Option:
    return Option(
        name,
        Kind.INTEGER,
        None,
        f"its gene {name} in per cent: {says}; none: as it evolved",
        low=0,
        high=100,
        optional=True,
        role=Role.PLAYING,
    )


def _maker(
    key: str,
    train: Trainer,
    seconds: Lasting,
    of: Callable[[Game[Any, Any], Brain], Agent[Any, Any]],
) -> Callable[[Game[Any, Any], Values], Agent[Any, Any]]:
    return lambda game, options: of(game, recall(key, game, options, train, seconds))


def _count(name: str, default: int, what: str, high: int = 10_000) -> Option:
    return Option(name, Kind.INTEGER, default, what, low=1, high=high)


def _share(name: str, default: float, what: str) -> Option:
    return Option(name, Kind.NUMBER, default, what, low=0.0, high=1.0)


def evolution_entries(opponents: Opponents) -> tuple[Entry, ...]:
    """The agents that evolve, who find whom they are measured by among these opponents."""
    train_rules, train_table, train_mix = (
        partial(learner.train, opponents) for learner in (es_rules, ea_table, es_mix)
    )
    mix_seconds = partial(es_mix.seconds, opponents)
    return (
        Entry(
            key="es-move",
            title="Evolved move",
            technique=Technique.EVOLUTION,
            description=(
                "Breeds every move afresh: one individual for each heap, two hundred generations, "
                "and the fittest plays. It is told only what a good move leaves, "
                "not how to find one."
            ),
            options=(
                _count("children", 5, "children of each individual in a generation", high=1000),
                Option(
                    "sigma", Kind.NUMBER, 0.01, "how far a weight mutates", low=0.000001, high=10.0
                ),
                _share("rate", 0.5, "chance that a weight mutates at all"),
            ),
            make=lambda game, options: EsMove(
                options.integer("children"), options.number("sigma"), options.number("rate")
            ),
            refuses=_only_nim,
            shows=True,
        ),
        Entry(
            key=es_rules.KEY,
            title="Evolved rules",
            technique=Technique.EVOLUTION,
            description=(
                "Plays by three numbers that won most games against a hundred others like them. "
                "Three numbers cannot say much about Nim, and it shows."
            ),
            options=(
                BRAIN,
                generations_option(100),
                _count("population", 100, "individuals; every pair plays twice", high=1000),
                _share("mutation", 0.2, "chance that a child's gene is drawn anew"),
                *(_gene(name, says) for name, says in SAYS.items()),
            ),
            make=partial(_rules, opponents, train_rules),
            refuses=_only_small_nim,
            train=train_rules,
            lasts=unless_known(es_rules.KEY, es_rules.seconds),
            shows=True,
        ),
        Entry(
            key=ea_table.KEY,
            title="Evolved table",
            technique=Technique.EVOLUTION,
            description=(
                "Has a gene for every position, bred for leaving nim-sum 0: normal play, not "
                "misère. What no mutation has found yet it plays by accident."
            ),
            options=(
                BRAIN,
                generations_option(200),
                _count("population", 1000, "genotypes that live at a time"),
                _count("children", 100, "children in a generation"),
                _count("rivals", 10, "how many compete to be a parent", high=1000),
                _share("mutation", 0.3, "chance that a child is a mutant, not a crossover"),
                _count("genes", 1, "genes that a mutation draws anew", high=1000),
            ),
            make=_maker(ea_table.KEY, train_table, ea_table.seconds, ea_table.MoveTable.of),
            refuses=_only_small_nim,
            train=train_table,
            lasts=unless_known(ea_table.KEY, ea_table.seconds),
            shows=True,
        ),
        Entry(
            key=es_mix.KEY,
            title="Evolved mixture",
            technique=Technique.EVOLUTION,
            description=(
                "Is greedy, random or an expert from turn to turn, as often as evolution found "
                "best. Its curve shows how soon it learns whom to trust."
            ),
            options=(
                BRAIN,
                generations_option(100),
                _count("parents", 10, "individuals that have two children each", high=1000),
                _count("games", 50, "games each of them plays in a generation"),
                Option("sigma", Kind.NUMBER, 0.1, "how far a chance mutates", low=0.0001, high=1.0),
                opponent_option("random:by=heap"),
            ),
            make=_maker(es_mix.KEY, train_mix, mix_seconds, es_mix.Mixture.of),
            refuses=_only_small_nim,
            train=train_mix,
            lasts=unless_known(es_mix.KEY, mix_seconds),
            shows=True,
        ),
        Entry(
            key=quixo_evolved.KEY,
            title="Evolved Quixo",
            technique=Technique.EVOLUTION,
            description=(
                "Looks ahead like alpha-beta, but what a line is worth it has from evolution. "
                "The weights grew in games against the textbook's and against their own parents."
            ),
            options=(
                BRAIN,
                DEPTH,
                NODES,
                generations_option(40),
                _count("children", 20, "children of a generation, in pairs", high=1000),
                _count("games", 20, "games of each with either rival, at every sight"),
                _count("sight", 3, "plies they look ahead at most while they evolve", high=3),
                Option(
                    "sigma",
                    Kind.NUMBER,
                    0.25,
                    "how far a weight strays at first",
                    low=0.001,
                    high=3.0,
                ),
                Option(
                    "ancestor",
                    Kind.INTEGER,
                    None,
                    "plays as it did in this generation, or the last one kept before; none: as now",
                    low=0,
                    high=100_000,
                    optional=True,
                    role=Role.PLAYING,
                ),
            ),
            make=_quixo,
            refuses=_only_full_quixo,
            train=quixo_evolved.train,
            sampled=2 * quixo_evolved.MEASURED,
            lasts=unless_known(quixo_evolved.KEY, quixo_evolved.seconds),
            shows=True,
        ),
    )
