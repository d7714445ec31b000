"""The page of the form of a training: built from catalogue, roster and what was sent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from agents.entry import Entry
from agents.roster import agent_title
from agents.training.opponents import SELF
from engine import Game, load_game
from engine.catalog import find_entry, variant_title
from engine.errors import ZermeloError, sentence
from webapp.lab.training.forms import (
    CUSTOM,
    DEFAULT_GAME,
    MAX_RUNS,
    OPPONENT,
    SEED,
    SHOWN_FIELD,
    chosen_game,
    learners_for,
    length_option,
    number_options,
    number_text,
    opponents_for,
    setting_fits,
    training_options,
)
from webapp.web.forms import Choice, Fields, OptionField, fits, named_variants, option_fields
from webapp.web.messages import Message, Tone

DEFAULT_LEARNER = "menace"  # where it plays the game: one sees it learn, against a perfect player


@dataclass(frozen=True, slots=True)
class TrainingPreset:
    """A training as fields of the form."""

    title: str
    about: str
    fields: tuple[tuple[str, str], ...]


def _preset(title: str, about: str, **fields: str) -> TrainingPreset:
    return TrainingPreset(
        title, about, tuple((name.replace("__", "."), value) for name, value in fields.items())
    )


PRESETS = (
    _preset(
        "Matchboxes against a master",
        "MENACE learns tic-tac-toe from a player who never errs.",
        game="tictactoe",
        learner="menace",
        menace__opponent="perfect",
        length="20000",
    ),
    _preset(
        "Matchboxes against chance",
        "The same boxes against random moves: why do they stay so far below?",
        game="tictactoe",
        learner="menace",
        menace__opponent="random",
        length="20000",
    ),
    _preset(
        "Nobody teaches it",
        "A Q-learner finds tic-tac-toe out by playing itself.",
        game="tictactoe",
        learner="qlearning",
        length="400000",
    ),
    _preset(
        "How fast to change one's mind",
        "Three learning rates, two seeds each, in one chart.",
        game="tictactoe",
        learner="qlearning",
        qlearning__opponent="random",
        grid="alpha=0.1,0.5,0.9",
        seeds="2",
        length="50000",
    ),
    _preset(
        "Ten seconds to unbeatable",
        "A network that has only itself to play finds tic-tac-toe out while you watch.",
        game="tictactoe",
        learner="network",
        length="20000",
    ),
    _preset(
        "Policy gradient that collapses",
        "The same learner with and without a bonus for being undecided. Which keeps learning?",
        game="tictactoe",
        learner="reinforce",
        reinforce__rate="0.003",
        grid="entropy=0,0.1",
        length="30000",
    ),
    _preset(
        "Network against Nim",
        "Five heaps, and the same network twice: once it counts the matches, once it sees the "
        "binary digits.",
        game="nim",
        learner="network",
        grid="inputs=plain,binary",
        length="10000",
    ),
    _preset(
        "A thousand settings",
        "Every combination of three parameters, ranked: how much of the best is luck?",
        game="tictactoe",
        learner="qlearning",
        qlearning__opponent="random",
        qlearning__alpha="0.5",
        qlearning__gamma="0.7",
        qlearning__epsilon="0.1",
        qlearning__half="1000000000",
        qlearning__starts="start",
        grid="alpha=0.1:1:0.1 gamma=0.1:1:0.1 epsilon=0.1:1:0.1",
        length="100000",
    ),
    _preset(
        "Three genes",
        "Evolution tunes three rules for Nim, and meets their limit.",
        game="nim",
        learner="es-rules",
        length="30",
    ),
    _preset(
        "Eleven genes",
        "The same evolution with more to say: genes that weigh what a move leaves behind.",
        game="nim",
        learner="es-rules",
        length="30",
        **{"es-rules.genes": "traits"},
    ),
)


def on_projector(fields: Fields) -> dict[str, str]:
    """The field that keeps a training on a projector, if it is begun there."""
    return {"present": "1"} if fields.get("present") == "1" else {}


class TrainForm:
    """The form (`lab/_train.html`, root id `train`): unreadable values are replaced by defaults.

    In a refused form they stay, since the message is about them.
    """

    largest_seed, most_seeds = SEED.high, MAX_RUNS
    presets = PRESETS

    def __init__(
        self, fields: Fields, message: Message | None = None, origin_name: str = ""
    ) -> None:
        self.game, wrong = _game_or_default(fields)
        self.message, self.origin_name = message or wrong, origin_name
        self.entries = learners_for(self.game)
        wanted = fields.get("learner") or DEFAULT_LEARNER
        self.entry = next((each for each in self.entries if each.key == wanted), self.entries[0])
        self.fields = fields
        if message is None or not _shows_learner(self.entry, fields):
            self.fields = _drop_unfitting(fields, self.entry, self.game)
        self.unit, numbers = length_option(self.entry).name, number_options(self.entry)
        self.most = numbers["length"].high
        self.length, self.seed, self.seeds = (
            self.fields.get(name) or str(option.default) for name, option in numbers.items()
        )
        self.grid = self.fields.get("grid", "")
        self.origin = fields.get("origin", "") if origin_name else ""  # a brain to continue from
        self.onward = on_projector(fields)  # fields of every link, and of the training's page

    @property
    def games(self) -> tuple[Choice, ...]:
        """Every named variant that can be learned, custom ones, and the chosen one."""
        named, spec = self.fields.get("game", ""), self.game.spec
        own = named.startswith(CUSTOM)
        found: list[Choice] = []
        for entry, variants in named_variants():
            for game, title in variants:
                if learners_for(game):
                    label = game.title if title == game.title else f"{game.title}: {title}"
                    found.append(Choice(game.spec, label, chosen=game.spec == spec and not own))
            if entry.options:
                custom = f"{CUSTOM}{entry.key}"
                found.append(Choice(custom, f"{entry.title}: your own…", chosen=named == custom))
        if not any(choice.chosen for choice in found):
            found.append(Choice(spec, f"{self.game.title}: {variant_title(spec)}", chosen=True))
        return tuple(found)

    @property
    def rules(self) -> tuple[OptionField, ...]:
        """Fields of the rules, if a custom variant is chosen."""
        named = self.fields.get("game", "")
        if not named.startswith(CUSTOM):
            return ()
        try:
            entry = find_entry(named.removeprefix(CUSTOM))
        except ZermeloError:
            return ()
        return option_fields(entry.options, self.fields, entry.key, {})

    @property
    def learners(self) -> tuple[Choice, ...]:
        return tuple(
            Choice(each.key, each.title, chosen=each is self.entry) for each in self.entries
        )

    @property
    def opponent(self) -> tuple[OptionField, ...]:
        """The field of whom it trains against, if it has one."""
        return tuple(field for field in self._options if field.option.name == OPPONENT)

    @property
    def settings(self) -> tuple[OptionField, ...]:
        """The other fields of the learner's options, folded away."""
        return tuple(field for field in self._options if field.option.name != OPPONENT)

    @property
    def named(self) -> tuple[TrainingPreset, ...]:
        """The settings that the learner has a name for, as fields of this form."""
        own = {option.name: option for option in training_options(self.entry)}
        found = []
        for preset in self.entry.presets:
            texts = dict(preset.texts)
            length = texts.pop(self.unit, self.length)
            trained = {name: text for name, text in texts.items() if name in own}
            if all(setting_fits(own[name], text, self.game) for name, text in trained.items()):
                fields = {f"{self.entry.key}.{name}": text for name, text in trained.items()}
                about = (("game", self.game.spec), ("learner", self.entry.key), ("length", length))
                found.append(TrainingPreset(preset.title, "", (*about, *fields.items())))
        return tuple(found)

    @property
    def changed(self) -> bool:
        """Whether a folded setting is not at its default, or the form was refused."""
        return self.message is not None or any(
            field.value != field.option.write(field.option.default)
            for field in self.settings
            if field.option.default is not None or field.value
        )

    @property
    def _options(self) -> tuple[OptionField, ...]:
        """Fields of the learner's options; opponents are chosen from a list."""
        return tuple(
            self._with_opponents(field) if field.option.name == OPPONENT else field
            for field in option_fields(
                training_options(self.entry), self.fields, self.entry.key, {}
            )
        )

    def _with_opponents(self, field: OptionField) -> OptionField:
        offered = dict.fromkeys((*opponents_for(self.game.spec), field.value))
        choices = tuple(
            Choice(
                spec,
                "itself" if spec == SELF else agent_title(spec, self.game.spec),
                chosen=spec == field.value,
            )
            for spec in offered
        )
        return replace(field, choices=choices, input="select")


def _game_or_default(fields: Fields) -> tuple[Game[Any, Any], Message | None]:
    """The chosen game, or one that can be trained with a message why the chosen one cannot."""
    try:
        game = chosen_game(fields)
        why = f"nobody learns {game.title} by these rules"
    except ZermeloError as error:
        game, why = None, str(error)
    if game is not None and learners_for(game):
        return game, None
    for spec in (fields.get("game", "").removeprefix(CUSTOM), DEFAULT_GAME):
        try:
            usual = load_game(spec)
        except ZermeloError:
            continue
        if learners_for(usual):
            break
    return usual, Message(Tone.ERROR, sentence(why))


def _shows_learner(entry: Entry, fields: Fields) -> bool:
    """Whether the fields belong to this learner."""
    return (fields.get(SHOWN_FIELD) or fields.get("learner") or entry.key) == entry.key


def _drop_unfitting(fields: Fields, entry: Entry, game: Game[Any, Any]) -> dict[str, str]:
    """The fields without those of another learner and values that do not fit this one."""
    kept = dict(fields)
    if not _shows_learner(entry, fields):
        kept |= {"length": "", "grid": ""}
    for name, option in number_options(entry).items():
        text = number_text(kept, name)
        kept[name] = text if fits(option, text) else ""
    for option in training_options(entry):
        name = f"{entry.key}.{option.name}"
        if not setting_fits(option, kept.get(name, ""), game):
            kept[name] = ""
    return kept
