"""The lobby: forms built from catalogue and roster, and their submission."""

import re

import pytest

from agents.compute.paths import data_dir
from agents.contest.strength import measured_fields
from agents.formats import portion
from agents.roster import agent_spec, agents_for, find_agent
from engine import load_game
from engine.catalog import catalog
from tests.webapp.visitor import HTMX, OWN_PAGE
from webapp.lobby.opponents import OpponentPicker

GAMES = [entry.key for entry in catalog()]
OPPONENTS = [(game, entry.key) for game in GAMES for entry in agents_for(load_game(game))]
VARIANTS = [(entry.key, preset.name) for entry in catalog() for preset in entry.presets]


def chosen(choices):
    return [choice.value for choice in choices if choice.chosen]


def setup_of(visitor, game, query=""):
    visitor.get(f"/?game={game}{query}", **HTMX)
    assert visitor.template == "lobby/_setup.html"
    return visitor.seen["setup"]


def choices_of(setup):
    return [choice for group in setup.opponent.groups for choice in group.choices]


@pytest.mark.parametrize("path", ["/", "/?game=quixo&choose=1"])
def test_every_way_on_leads_back_to_a_card_that_is_there(visitor, path):
    page = visitor.get(path).get_data(as_text=True)
    anchors = re.findall(r'href="/\?[^"#]*#([^"]*)"', page)
    assert len(anchors) >= 2
    assert [each for each in anchors if f'id="{each}"' not in page] == []


def test_every_game_has_its_card_on_a_first_page_that_is_small(visitor):
    page = visitor.get("/")
    assert [setup.game for setup in visitor.seen["lobby"].setups] == GAMES
    assert len(page.data) < 60_000
    for path, words in (
        ("/bots", "Bring your own player"),
        ("/positions", "Set up a position"),
        ("/matches/import", "Open a saved match"),
    ):
        assert f'<a class="btn" href="{path}">{words}</a>' in page.text
        assert visitor.get(path).status_code == 200
    assert '<a class="btn" href="/puzzles/today">Puzzle of the day</a>' in page.text
    assert visitor.get("/puzzles/today").location.startswith("/puzzles/")


@pytest.mark.parametrize("game", GAMES)
def test_every_agent_of_the_roster_can_be_chosen(visitor, game):
    offered = [choice.value for choice in choices_of(setup_of(visitor, game))]
    keys = {value.partition(":")[0] for value in offered[:-2]}
    assert keys == {entry.key for entry in agents_for(load_game(game))}
    assert offered[-2:] == ["person", "friend"]


@pytest.mark.parametrize(("game", "preset"), VARIANTS)
def test_opponents_stand_in_the_order_of_their_measured_strength(visitor, game, preset):
    """Levels of one agent in their own order, and the first offered is easy for a newcomer."""
    rules = load_game(f"{game}:preset={preset}")
    field = measured_fields()[rules.spec]
    setup = setup_of(visitor, game, f"&preset={preset}")
    *groups, no_machine = setup.opponent.groups
    offered = [agent_spec(choice.value, rules) for group in groups for choice in group.choices]
    rates = [field.strength(spec).rate for spec in offered]
    assert rates == sorted(rates)
    assert [spec for spec in offered if spec in field.levels] == [*field.levels]
    titles = [group.title for group in groups for _ in group.choices]
    assert titles == [f"Strength {field.strength(spec).step} of 5" for spec in offered]
    assert no_machine.title == "No machine"
    (value,) = chosen(choices_of(setup))
    assert dict(field.met(field.newcomer))[agent_spec(value, rules)].rate >= 0.5


@pytest.mark.parametrize(("game", "preset"), VARIANTS)
def test_each_difficulty_was_measured_stronger_than_the_one_before(visitor, game, preset):
    rules = load_game(f"{game}:preset={preset}")
    field = measured_fields()[rules.spec]
    setup = setup_of(visitor, game, f"&preset={preset}")
    last = "Strongest" if rules.spec == "quixo" else "Perfect"
    assert [level.label for level in setup.levels] == ["Easy", "Medium", "Hard", last]
    specs = [agent_spec(level.value, rules) for level in setup.levels]
    rates = [field.scores[spec].rate for spec in specs]
    ratings = [field.ratings[spec] for spec in specs]
    assert (rates, ratings) == (sorted(set(rates)), sorted(set(ratings)))
    assert chosen(setup.levels) == chosen(choices_of(setup))


def test_a_card_offers_difficulties_until_something_else_is_wanted(visitor):
    page = visitor.get("/").text
    assert page.count(">Play</button>") == len(GAMES)
    assert "<select" not in page
    assert "Quixo engine, level 3 of 15." in page
    assert "% to" not in page  # figures stand on the machine's page
    links = [link for link in re.findall(r'href="([^"]*)"', page) if "#setup-" in link]
    assert len(links) == 3 * len(GAMES)
    assert all(re.fullmatch(r"[^#]*#setup-[a-z]+", link) for link in links)
    for wish in ("&choose=1", "&mode=watch", "&opponent=friend", "&preset=normal", "&starts=lot"):
        assert "<select" in visitor.get(f"/?game=nim{wish}", **HTMX).text
    hard = setup_of(visitor, "nim", "&opponent=mcts")
    assert [level.label for level in hard.levels if level.chosen] == ["Hard"]
    assert not hard.choosing


def test_before_a_friend_is_invited_the_card_says_who_can_reach_the_address(visitor):
    asked = "&opponent=friend"
    assert "only this computer can open" in setup_of(visitor, "nim", asked).opponent.description
    reached = OpponentPicker("opponent", {"opponent": "friend"}, load_game("nim"), ())
    assert "only this computer" not in reached.description


def test_what_the_card_says_of_an_opponent_is_what_was_measured(visitor):
    setup = setup_of(visitor, "nim", "&opponent=mcts")
    found = measured_fields()["nim"].strength("mcts")
    meter = setup.opponent.strength
    assert (meter.step, meter.share) == (found.step, round(found.rate, 4))
    assert f"{found.score.games} games" in meter.description
    assert meter.label in visitor.get("/?game=nim&opponent=mcts&choose=1").text


@pytest.mark.parametrize(
    "query",
    ["&preset=custom&nim.heaps=2-3&opponent=mcts", "&opponent=qlearning:brain=mine"],
    ids=["a variant of one's own", "a brain of one's own"],
)
def test_what_was_not_measured_says_so(visitor, query):
    setup = setup_of(visitor, "nim", query)
    assert setup.opponent.strength is None
    assert setup.opponent.unmeasured == "Not measured:"


def test_a_brain_of_ones_own_stays_chosen_though_no_field_shows_it(visitor):
    setup = setup_of(visitor, "nim", "&opponent=qlearning:brain=mine,skill=0.5&more=1")
    assert "qlearning:brain=mine" in chosen(choices_of(setup))
    fields = {field.name: field.value for field in setup.opponent.fields}
    assert fields == {
        "opponent.qlearning.search": "0",
        "opponent.qlearning.unmet": "trained",
        "opponent.qlearning.skill": "0.5",
    }


@pytest.mark.parametrize("game", GAMES)
def test_only_what_matters_in_play_can_be_set(visitor, game):
    entries = agents_for(load_game(game))
    technical = {
        option.name for entry in entries for option in entry.options if option.technical
    } | {"games", "generations", "population", "alpha"}
    for entry in entries:
        setup = setup_of(visitor, game, f"&opponent={entry.key}&more=1")
        names = {field.option.name for field in setup.opponent.fields}
        assert "skill" in names
        assert not names & technical, entry.key


def test_watching_has_two_pickers_and_nobody_else_and_playing_one(visitor):
    setup = setup_of(visitor, "nim", "&mode=watch&opponent=random&rival=perfect&more=1")
    assert (setup.opponent.label, setup.rival.label) == ("First machine", "Second machine")
    assert "person" not in [choice.value for choice in choices_of(setup)]
    assert [player.label for player in setup.players] == ["First machine", "Second machine"]
    alone = setup_of(visitor, "nim", "&more=1")
    assert [player.label for player in alone.players] == ["Opponent"]


def test_without_a_script_watch_leads_to_both_pickers(visitor):
    fields = {"game": "nim", "mode": "watch", "opponent": "random", "preset": "normal"}
    answer = visitor.post("/matches", fields)
    assert answer.status_code == 303
    assert answer.location.endswith("#setup-nim")
    text = visitor.get(answer.location.partition("#")[0]).text
    assert text.count('name="rival"') == 1
    setup = visitor.seen["setup"]
    assert chosen(setup.presets) == ["normal"]
    assert chosen(choices_of(setup)) == ["random"]


@pytest.mark.parametrize(("game", "opponent"), OPPONENTS)
def test_a_match_can_be_begun_against_anyone(visitor, game, opponent):
    visitor.begins(game, opponent)
    assert visitor.record["players"] == ["person", opponent]


@pytest.mark.parametrize(("game", "preset"), VARIANTS)
def test_a_match_can_be_begun_in_every_variant(visitor, game, preset):
    visitor.begins(game, "random", preset=preset)
    assert visitor.record["game"] == load_game(f"{game}:preset={preset}").spec


def test_the_chosen_opponent_brings_its_own_options_and_a_spec_fills_them(visitor):
    setup = setup_of(visitor, "nim", "&opponent=random:skill=0.25&more=1")
    fields = {field.name: field.value for field in setup.opponent.fields}
    assert fields == {"opponent.random.by": "move", "opponent.random.skill": "0.25"}
    assert setup.more


def test_options_and_heaps_of_ones_own_are_played_with_and_no_others_from_either_seat(visitor):
    fields = {"opponent.random.by": "heap", "opponent.random.skill": "0.5"}
    fields |= {"nim.heaps": "2-3", "nim.last": "wins", "nim.max_take": "2"}
    fields |= {"opponent.perfect.skill": "0.5", "preset": "custom", "starts": "lot"}
    visitor.begins("nim", "random", **fields)
    assert visitor.record["game"] == "nim:heaps=2-3,last=wins,max_take=2"
    assert sorted(visitor.record["players"]) == ["person", "random:by=heap,skill=0.5"]
    titles = {player.title for player in visitor.match.players}
    assert titles == {"You", "Random · by heap · skill 0.5"}


def test_every_level_of_an_agent_is_an_opponent_of_its_own(visitor):
    entry = find_agent("quixo-deep")
    level = entry.levels[0]
    setup = setup_of(visitor, "quixo", f"&opponent=quixo-deep:level={level.name}")
    offered = choices_of(setup)
    levels = [choice.label for choice in offered if choice.value.startswith("quixo-deep")]
    titles = [f"{at}. {level.title}" for at, level in enumerate(entry.levels, start=1)]
    assert levels == [f"Quixo engine · {title}" for title in titles]
    assert setup.opponent.description == level.description
    assert "opponent.quixo-deep.level" not in [field.name for field in setup.opponent.fields]
    player = visitor.begins("quixo", f"quixo-deep:level={level.name}").players[1]
    setting = f"{level.title} (level 1 of {len(entry.levels)})"
    assert player.title == f"Quixo engine · {level.title}"
    assert (player.name, player.setting) == ("Quixo engine", setting)


def test_levels_have_the_same_numbers_and_never_less_strength_everywhere(visitor):
    """In the lobby, in the list of levels and in the lesson that plays them."""
    titles = [
        f"{at}. {level.title}" for at, level in enumerate(find_agent("quixo-deep").levels, start=1)
    ]
    for preset in ("classic", "small", "tiny"):
        page = visitor.get(f"/?game=quixo&preset={preset}&choose=1").text
        assert re.findall(r">Quixo engine · (\d+\. [^<]+)</option>", page) == titles
    machine = visitor.get("/machines/quixo-deep").text
    assert re.findall(r'<th scope="row">(\d+\. [^<]+)</th>', machine) == titles
    shares = [level.meter.share for level in visitor.seen["machine"].levels]
    assert shares == sorted(shares)
    lesson = visitor.get("/learn/quixo").text
    played = re.findall(r"Play level </span>(\d+), ([^<]+)</button>", lesson)
    assert [f"{number}. {title}" for number, title in played] == titles
    assert re.findall(r"Won (\S+) of the points", lesson) == [portion(share) for share in shares]


def test_the_fields_for_heaps_appear_when_they_are_wanted_and_keep_what_was_filled_in(visitor):
    assert setup_of(visitor, "nim").custom == ()
    setup = setup_of(visitor, "nim", "&preset=custom&nim.heaps=4-4&starts=lot&opponent=person")
    assert [field.name for field in setup.custom] == ["nim.heaps", "nim.last", "nim.max_take"]
    assert setup.custom[0].value == "4-4"
    assert (chosen(setup.starts), chosen(setup.presets)) == (["lot"], ["custom"])
    assert setup.opponent.fields == ()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"game": "chess"}, "Unknown game 'chess'"),
        ({"game": "nim", "preset": "huge"}, "Unknown preset of nim 'huge'"),
        ({"game": "nim", "preset": "custom", "nim.heaps": "many"}, "Heaps must be whole numbers"),
        ({"game": "nim", "preset": "custom", "nim.heaps": "0-0"}, "Nim has 1 to 12 heaps"),
        ({"game": "nim", "preset": "custom", "nim.heaps": "99"}, "Heaps must be whole numbers"),
        ({"game": "nim", "opponent": "minmaxx"}, "Unknown agent 'minmaxx'"),
        ({"game": "quixo", "opponent": "perfect"}, "Perfect cannot play quixo"),
        (
            {"game": "nim", "opponent": "random", "opponent.random.skill": "2"},
            "Skill must be a number",
        ),
        ({"game": "nim", "starts": "nobody"}, "Either you start"),
        (
            {"game": "nim", "opponent": "person", "rival": "random", "mode": "watch"},
            "Watching takes two machines",
        ),
        ({"game": "nim", "opponent": "x" * 600}, "A spec has at most 500 characters"),
        ({}, "Unknown game ''"),
    ],
    ids=str,
)
def test_a_form_that_makes_no_match_says_what_is_wrong(visitor, fields, reason):
    answer = visitor.post("/matches", fields)
    assert answer.status_code == 422
    assert reason in answer.text.replace("&#39;", "'")


def test_a_refused_form_comes_back_to_its_card(visitor):
    fields = {"game": "nim", "preset": "custom", "nim.heaps": "many"}
    visitor.post("/matches", fields, headers=OWN_PAGE | HTMX)
    assert visitor.template == "lobby/_setup.html"
    assert visitor.seen["setup"].game == "nim"
    assert visitor.seen["setup"].custom[0].value == "many"


@pytest.mark.stores
def test_unfinished_matches_can_be_gone_on_with_by_whose_they_are(visitor, stranger):
    def lobby(someone):
        someone.get("/")
        return someone.seen["lobby"]

    visitor.begins("nim", "perfect")
    line = lobby(visitor).unfinished[0]
    assert (line.url, line.text) == (visitor.path, "Nim against Perfect, your move, after 0 moves")
    assert lobby(stranger).unfinished == ()
    visitor.does("resign")
    assert lobby(visitor).unfinished == ()
    assert (lobby(visitor).own_games, lobby(stranger).own_games) == ("/matches", None)


@pytest.mark.parametrize(
    ("opponent", "reason"),
    [
        ("randum", "did you mean &#39;random&#39;"),
        ("qlearning:brain=nobodys", "There is no brain called"),
        ("mcts:take_wins=yes", "only quixo"),
        ("qlearning:opponent=randum", "did you mean &#39;random&#39;"),
        ("es-mix:parents=1000,games=10000,generations=5000", "takes too long to do on the spot"),
    ],
)
def test_an_opponent_that_could_not_play_is_refused_before_the_match(visitor, opponent, reason):
    fields = {"game": "nim", "preset": "custom", "nim.heaps": "3-4-6", "opponent": opponent}
    answer = visitor.post("/matches", fields | {"starts": "opponent"})
    assert answer.status_code == 422
    assert reason in answer.text
    assert str(data_dir()) not in answer.text
    visitor.get("/")
    assert not visitor.seen["lobby"].unfinished
