"""The form of a training: which values survive a change of game or learner."""

from itertools import permutations
from urllib.parse import urlencode

import pytest

from agents.roster import read_agent
from engine.catalog import catalog, load_game
from engine.errors import InvalidSpecError, ZermeloError
from engine.options import Role
from tests.webapp.lab.trainings import MENACE, trained, visitor_id
from tests.webapp.visitor import filled_in
from webapp.jobs.brain_store import BrainStore
from webapp.lab.training.form_page import TrainForm
from webapp.lab.training.forms import chosen_plan, learners_for, number_options


def variants():
    """Every named variant that can be learned, with its learners."""
    found = {}
    for entry in catalog():
        for preset in entry.presets:
            game = entry.load({"preset": preset.name})
            if entries := learners_for(game):
                found[game.spec] = {each.key: each for each in entries}
    return found


VARIANTS = variants()
NIM_RULES = {"game": "nim", "learner": "es-rules"}


def usual_length(entry):
    return str(number_options(entry)["length"].default)


def shown(visitor, fields):
    """The form that comes back for these fields, as it would be sent."""
    return filled_in(visitor.get(f"/train?{urlencode(fields)}").text, "/train")


@pytest.mark.parametrize("game", VARIANTS)
def test_choosing_a_learner_shows_its_own_length_in_a_form_that_can_be_sent(
    visitor, services, game
):
    for before, after in permutations(VARIANTS[game], 2):
        form = shown(visitor, {"game": game, "learner": before})
        form = shown(visitor, form | {"learner": after})
        assert form["learner"] == after
        assert form["length"] == usual_length(VARIANTS[game][after]), (before, after)
        assert chosen_plan(form).runs[0].agent.startswith(after)


@pytest.mark.parametrize("before", VARIANTS)
def test_choosing_a_game_shows_a_form_that_can_be_sent(visitor, services, before):
    for learner in VARIANTS[before]:
        form = shown(visitor, {"game": before, "learner": learner})
        for after in VARIANTS:
            there = shown(visitor, form | {"game": after})
            assert there["game"] == after
            entry = VARIANTS[after][there["learner"]]
            assert there["length"] == usual_length(entry), (learner, after)
            assert chosen_plan(there).game == after


def test_a_length_lasts_while_the_learner_does(visitor, services):
    form = shown(visitor, {"game": "nim", "learner": "qlearning"}) | {"length": "777"}
    assert shown(visitor, form)["length"] == "777"
    form = shown(visitor, form | {"game": "quixo"})
    assert (form["learner"], form["length"]) == ("qlearning", "777")
    form = shown(visitor, form | {"learner": "quixo-deep"})
    assert form["length"] == "2000"
    assert shown(visitor, form | {"learner": "qlearning"})["length"] == "100000"


def test_a_link_says_how_long_its_own_learner_learns(visitor, services):
    assert shown(visitor, NIM_RULES | {"length": "30"})["length"] == "30"
    assert shown(visitor, NIM_RULES | {"length": "100000"})["length"] == "100"


@pytest.mark.parametrize(
    ("name", "typed", "usual"),
    [
        ("length", "0", "100"),
        ("length", "many", "100"),
        ("seed", "-1", "1"),
        ("seed", str(2**31), "1"),
        ("seeds", "13", "1"),
        ("es-rules.population", "0", "100"),
        ("es-rules.mutation", "2", "0.2"),
    ],
)
def test_what_does_not_fit_gives_way_when_the_form_is_brought_up_to_date(
    visitor, services, name, typed, usual
):
    form = shown(visitor, NIM_RULES)
    assert shown(visitor, form | {name: typed})[name] == usual
    refused = visitor.post("/train", form | {name: typed})
    assert refused.status_code == 422
    assert filled_in(refused.text, "/train")[name] == typed  # it is what the message is about


def test_an_opponent_that_the_next_game_does_not_have_gives_way(visitor, services):
    form = shown(visitor, {"game": "tictactoe", "learner": "qlearning"})
    form = shown(visitor, form | {"qlearning.opponent": "perfect"})
    assert form["qlearning.opponent"] == "perfect"
    with pytest.raises(ZermeloError):
        chosen_plan(form | {"game": "quixo"})
    assert shown(visitor, form | {"game": "quixo"})["qlearning.opponent"] == "self"
    own = {"game": "nim", "learner": "qlearning", "qlearning.opponent": "random:by=heap"}
    assert shown(visitor, own)["qlearning.opponent"] == "random:by=heap"  # as no list has it


def test_parameters_to_try_are_those_of_their_learner(visitor, services):
    form = shown(visitor, {"game": "nim", "learner": "qlearning", "grid": "alpha=0.1,0.5"})
    assert shown(visitor, form)["grid"] == "alpha=0.1,0.5"
    assert shown(visitor, form | {"learner": "es-rules"})["grid"] == ""


def test_a_brain_goes_on_as_what_it_is(visitor, services):
    trained(visitor, services, length="20")
    brain = services[BrainStore].mine(visitor_id(services), 1)[0]
    form = shown(visitor, {"origin": brain.id})
    assert form["origin"] == brain.id
    assert "origin" in shown(visitor, form)
    assert "origin" not in shown(visitor, form | {"learner": "qlearning"})
    assert "origin" not in shown(visitor, form | {"game": "nim"})


def test_a_learner_whose_settings_were_not_shown_is_not_begun_unseen(visitor, services):
    form = shown(visitor, {"game": "nim", "learner": "qlearning"})
    answer = visitor.post("/train", form | {"learner": "es-rules"})
    assert answer.status_code == 422
    there = filled_in(answer.text, "/train")
    assert there["length"] == "100"
    assert visitor.post("/train", there).status_code == 303


@pytest.mark.parametrize("more", [{}, {"grid": "alpha=0.1:1:0.1 gamma=0.1:0.9:0.1"}])
def test_what_is_begun_on_a_projector_stays_there(visitor, services, more):
    page = visitor.get("/train?present=1").text
    lessons = page.partition("For a lesson")[2]
    assert lessons.count("present=1") == lessons.count("/train?")
    form = shown(visitor, {"game": "tictactoe", "learner": "qlearning", "present": "1"})
    form = shown(visitor, form | {"game": "nim:preset=marienbad"})  # another game is chosen there
    assert visitor.post("/train", form | more).location.endswith("?present=1")
    elsewhere = {name: value for name, value in form.items() if name != "present"}
    assert "?" not in visitor.post("/train", elsewhere | more).location


def test_rules_that_cannot_be_read_are_said_and_keep_their_game(visitor, services):
    form = shown(visitor, {"game": "custom:nim", "learner": "qlearning"}) | {"nim.heaps": "1-x"}
    page = visitor.get(f"/train?{urlencode(form | {'learner': 'es-rules'})}").text
    assert "Heaps must be whole numbers" in page
    there = filled_in(page, "/train")
    assert (there["game"], there["learner"]) == ("custom:nim", "es-rules")
    assert there["nim.heaps"] == "1-x"
    assert visitor.get("/train?game=chess").status_code == 200


def test_rules_that_nobody_learns_are_said(visitor, services):
    own = {"game": "custom:nim", "nim.heaps": "50-50-50"}
    page = visitor.get(f"/train?{urlencode(own)}").text
    assert "Nobody learns Nim by these rules." in page
    assert filled_in(page, "/train")["game"] == "custom:nim"


def test_the_menace_of_the_tests_is_what_a_form_sends(visitor, services):
    assert MENACE.items() <= shown(visitor, MENACE).items()


def test_the_form_begins_with_a_training_in_which_one_sees_it_learn_and_folds_the_rest():
    form = TrainForm({})
    assert form.entry.key == "menace"
    (opponent,) = form.opponent
    assert opponent.value == "perfect"
    assert [choice.label for choice in opponent.choices if choice.chosen] == ["Perfect"]
    assert not form.changed
    qlearning = TrainForm({"learner": "qlearning"})
    labels = {field.option.name: field.label for field in qlearning.settings}
    assert labels["half"] == "Games until alpha is halved"
    assert labels["shape"] == "When it is rewarded"
    assert labels["draw_first"] == "What a draw pays, as first"
    assert TrainForm({"learner": "qlearning", "qlearning.alpha": "0.1"}).changed


def test_a_refused_number_says_what_it_must_be():
    fields = {"learner": "qlearning", "length": "0"}
    with pytest.raises(InvalidSpecError) as caught:
        chosen_plan(fields)
    assert str(caught.value) == ("“How long, in games” must be a whole number from 1 to 5,000,000")


@pytest.mark.parametrize(
    ("game", "learner"),
    [
        ("nim", "es-rules"),
        ("nim", "qlearning"),
        ("tictactoe", "qlearning"),
        ("tictactoe", "reward-table"),
    ],
)
def test_a_learner_can_be_set_as_it_was_published(visitor, services, game, learner):
    (preset,) = TrainForm({"game": game, "learner": learner}).named
    form = shown(visitor, dict(preset.fields))
    assert dict(preset.fields).items() <= form.items()
    plan = chosen_plan(form)
    _, published = read_agent(f"{learner}:preset=published", load_game(game))
    _, asked = read_agent(plan.runs[0].agent, load_game(game))
    assert asked.of(Role.TRAINING) == published.of(Role.TRAINING)
    assert plan.length == next(iter(published.of(Role.LENGTH).values()), None)
    page = visitor.get(f"/train?game={game}&learner={learner}").text
    assert f'">Set it {preset.title}</a>' in page


def test_a_learner_without_published_settings_has_no_link_to_them():
    assert TrainForm({"game": "tictactoe", "learner": "menace"}).named == ()
