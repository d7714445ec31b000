"""Leagues: who makes one, how bots are paired and rated, what is told of each."""

import csv
import io
from collections import Counter
from random import Random

import pytest

from agents.contest.ratings import Score, expected, rate_against
from agents.perfect.oracles import oracle_for
from engine import Match, Seat, load_game
from tests.webapp.bots.program import ELSEWHERE, Program, fixed_clock, owner
from tests.webapp.classroom.people import Teacher
from tests.webapp.visitor import Visitor
from webapp.bots import store as bot_store
from webapp.bots.leagues import rules
from webapp.bots.leagues import store as leagues_store
from webapp.bots.leagues.models import Activity, LeagueRecord, PairScore, Result
from webapp.bots.leagues.rounds import LeagueRounds
from webapp.bots.leagues.rules import Contender, blunders, pairings, stride
from webapp.bots.leagues.store import LeagueStore
from webapp.bots.leagues.table import SCALE, LeagueTable, fixed_ratings, rating_history
from webapp.bots.referee import Referee
from webapp.config import Rate
from webapp.services import NAME

pytestmark = pytest.mark.stores

NOW = 2_000_000_000.0
DAY_S = 86_400


@pytest.fixture
def app(start):
    """Where programs may ask as fast as a test does."""
    return start(rates_token=Rate(10_000, 10_000), rates_address_token=Rate(10_000, 10_000))


class League:
    """A league at `path`, with the programs that play in it and a clock of its own."""

    def __init__(self, app, maker=None, game="tictactoe", **fields):
        self.app, self.services, self.rng = app, app.extensions[NAME], Random(5)
        self.services[Referee].close()  # the tests say when it looks
        self.hand = fixed_clock(app, NOW)
        self.services[LeagueStore].now = lambda: self.hand.now
        self.maker = maker or owner(app)
        made = self.maker.post("/leagues", {"title": "Spring", "game": game} | fields)
        assert made.status_code == 303, made.text
        self.path = made.location
        self.record = self.services[LeagueStore].find(self.path.rpartition("/")[2])
        self.programs = []

    def joins(self, name, **fields):
        made = Program(self.app, name, address=ELSEWHERE, code=self.record.code, **fields)
        self.programs.append(made.arrives())
        return made

    @property
    def games(self):
        return self.services[LeagueStore].ended_games(self.record.id)

    def goes_on(self, choose=None):
        """One look of the referee, and one move of each program."""
        rounds = self.services[LeagueRounds]
        rounds.go_on(), rounds.go_on()
        for program in self.programs:
            program.arrives()
            turn = program.turn()
            if turn["turn"]:
                move = (choose or self.rng.choice)(turn["legal"])
                program.plays(move, turn["turn"])
        self.hand.now += 1

    def plays(self, count):
        for _ in range(4000):
            if len(self.games) >= count:
                return self
            self.goes_on()
        raise AssertionError(f"only {len(self.games)} games")


def test_whoever_teaches_or_owns_the_server_makes_a_league(app):
    stranger, teacher, boss = Visitor(app), Teacher(app), owner(app)
    form = {"title": "Spring", "game": "quixo"}
    assert stranger.post("/leagues", form).status_code == 403
    assert "Make the league" not in stranger.get("/leagues").text
    for one in (teacher, boss):
        assert "Make the league" in one.get("/leagues").text
        path = one.post("/leagues", form).location
        assert one.get(path).status_code == 200
        league = app.extensions[NAME][LeagueStore].find(path.rpartition("/")[2])
        assert league.code in one.get(path).text
        assert league.code not in stranger.get(path).text
        assert stranger.get(f"{path}/results.csv").status_code == 403
        assert stranger.post(f"{path}/end").status_code == 403
    assert stranger.get("/leagues").text.count("Spring") == 2
    assert stranger.get("/leagues/none").status_code == 404


def test_leagues_and_their_bots_are_bounded(app, monkeypatch):
    monkeypatch.setattr(leagues_store, "MAX_OPEN", leagues_store.MAX_OPEN_EACH + 1)
    monkeypatch.setattr(bot_store, "MAX_LEAGUE_BOTS", 2)
    form = {"title": "Spring", "game": "nim"}
    one, two, boss = Teacher(app), Teacher(app), owner(app)
    made = [one.post("/leagues", form) for _ in range(leagues_store.MAX_OPEN_EACH)]
    assert {answer.status_code for answer in made} == {303}
    refused = one.post("/leagues", form)
    assert refused.status_code == 409
    assert "end one of them first" in refused.text
    assert two.post("/leagues", form).status_code == 303
    assert "Too many leagues" in two.post("/leagues", form).text
    assert boss.post("/leagues", form).status_code == 303
    one.post(f"{made[0].location}/end")
    one.post(f"{made[1].location}/end")
    assert one.post("/leagues", form).status_code == 303
    league = League(app)
    for name in ("Ada", "Eve"):
        league.joins(name)
    asked = {"name": "Leo", "code": league.record.code}
    full = app.test_client().post("/api/1/bots", json=asked)
    assert (full.status_code, full.json["error"]) == (503, "full")
    assert "takes no more" in full.json["message"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": "  "},
        {"game": "chess"},
        {"from": "2020-01-02", "until": "2020-01-01"},
        {"until": "soon"},
        {"until": "2999-01-01"},
        {"move": "0"},
        {"bank": "-1"},
        {"code": "AB"},
        {"code": "HELLO"},  # a letter that no code has
    ],
)
def test_a_league_that_cannot_be_is_told_on_the_form(app, wrong):
    answer = owner(app).post("/leagues", {"title": "Spring", "game": "nim"} | wrong)
    assert answer.status_code in (400, 422)
    assert "A new league" in answer.text


def test_a_code_belongs_to_one_league_and_its_tokens_end_with_it(app):
    league = League(app, code="BCDFG")
    form = {"title": "Autumn", "game": "nim", "code": "bcdfg"}
    assert league.maker.post("/leagues", form).status_code == 409
    ada = league.joins("Ada")
    until = rules_of(app, ada).until
    assert until == league.record.ends
    assert 21 * DAY_S <= until - NOW <= 22 * DAY_S
    sent = {"name": "Nim", "code": league.record.code, "plays": ["nim"]}
    refused = app.test_client().post("/api/1/bots", json=sent)
    assert refused.status_code == 422
    assert "this league plays tictactoe" in refused.json["message"]
    league.hand.now = until + 1
    assert ada.call("GET", "/api/1/turn").status_code == 410
    late = app.test_client().post("/api/1/bots", json=sent | {"plays": []})
    assert late.status_code == 403


def rules_of(app, program):
    from webapp.bots.store import BotStore

    return app.extensions[NAME][BotStore].find(program.id)


def test_bots_are_paired_play_and_are_rated_and_every_game_counts_once(app):
    league = League(app)
    for name in ("Ada", "Eve", "Ibex"):
        league.joins(name)
    page = Visitor(app).get(league.path).text
    assert "None yet." in page
    league.plays(12)
    games = league.games
    assert len({game.match_id for game in games}) == len(games)
    page = Visitor(app)
    page.get(league.path)
    lines = {line.row.name: line for line in page.seen["league"].lines}
    counts = Counter(player for game in games for player in game.seats)
    for line in lines.values():
        assert line.row.score.games == counts[line.row.player]
    fixed = fixed_ratings("tictactoe")
    for spec, rating in fixed.items():
        (line,) = [each for each in lines.values() if each.row.player == spec]
        assert (line.rating, line.interval) == (f"{rating:.0f}", "fixed")
    assert any(set(game.seats) & set(fixed) for game in games)
    assert any(not set(game.seats) & set(fixed) for game in games)
    assert lines["Ada"].interval.startswith("±")
    bots = Visitor(app).get("/bots").text
    assert "Spring" in bots
    # the ratings again, by a sum over all games at the maximum of the likelihood
    ratings = {line.row.player: line.row.rating.elo for line in lines.values() if line.row.rating}
    middle = sum(fixed.values()) / len(fixed)
    for line in lines.values():
        player = line.row.player
        if player in fixed or not line.row.score.games:
            continue
        own = [game for game in games if player in game.seats]
        won = sum(game.score(game.seat_of(player)) / 2 + 0.5 for game in own)
        hoped = sum(
            expected(ratings[player] - ratings[game.seats[1 - game.seat_of(player)]])
            for game in own
        )
        drawn = expected(ratings[player] - middle) - 0.5
        assert won == pytest.approx(hoped + drawn, abs=1e-6)


def test_the_owner_gets_a_line_for_each_bot_and_a_report(app):
    league = League(app)
    ada, eve = league.joins("Ada"), league.joins("Eve")
    league.plays(6)
    sent = league.maker.get(f"{league.path}/results.csv")
    rows = {row["bot"]: row for row in csv.DictReader(io.StringIO(sent.text))}
    assert set(rows) == {"Ada", "Eve"}
    for name, program in (("Ada", ada), ("Eve", eve)):
        own = [game for game in league.games if any(program.id in each for each in game.seats)]
        row = rows[name]
        assert int(row["games"]) == len(own)
        assert int(row["wins"]) + int(row["draws"]) + int(row["losses"]) == len(own)
        assert float(row["low"]) <= float(row["rating"]) <= float(row["high"])
        assert int(row["moves with a known value"]) == int(row["moves"]) > 0
        page = league.maker.get(f"{league.path}/bots/{program.id}").text
        assert f"{row['blunders']} of {row['moves']} moves gave away a win or a draw" in page
    assert Visitor(app).get(f"{league.path}/bots/{ada.id}").status_code == 403
    student = Visitor(app)
    assert student.post(ada.joined["claim"]).status_code == 303
    assert student.get(f"{league.path}/bots/{ada.id}").status_code == 200
    assert student.get(f"{league.path}/bots/{eve.id}").status_code == 403
    told = student.get(f"/bots/{ada.id}").text
    assert "Rating over time" in told


def test_forfeits_are_told_by_cause(app):
    league = League(app)
    league.joins("Ada")
    for _ in range(60):
        league.goes_on(lambda legal: "z9")
        if league.games:
            break
    (game,) = league.games
    assert rules.forfeit_cause(game.fault) == "illegal moves"
    league.hand.now += 20
    league.goes_on(lambda legal: legal[0])
    league.hand.now += 33
    league.app.extensions[NAME][LeagueRounds]._games.forfeit_overdue()
    league.services[LeagueRounds].go_on()
    league.maker.get(f"{league.path}/bots/{league.programs[0].id}")
    assert dict(league.maker.seen["report"].forfeits)["illegal moves"] == 1


def test_nobody_is_paired_before_its_days_or_after_its_end(app):
    league = League(app, **{"from": "2033-05-20", "until": "2033-06-01"})
    league.joins("Ada")
    for _ in range(5):
        league.goes_on()
    assert "It has not begun yet" in Visitor(app).get(league.path).text
    league.hand.now = league.record.begins + 1
    league.plays(1)
    assert league.maker.post(f"{league.path}/end").status_code == 303
    count = len(league.games)
    for _ in range(30):
        league.hand.now += 20
        league.services[LeagueRounds].go_on()
    assert len(league.games) <= count + 1
    assert "This league is over" in Visitor(app).get(league.path).text


# --- pairings


def contenders(count, games=1, prefix="bot:b"):
    return [Contender(f"{prefix}{at}", 1500 + 10 * at, games) for at in range(count)]


@pytest.mark.parametrize("count", [0, 1, 2, 5, 30])
@pytest.mark.parametrize("games", [0, 1])
def test_each_bot_plays_once_a_round_new_ones_against_machines(count, games):
    machines = contenders(3, prefix="m")
    found = pairings(contenders(count, games), machines, {})
    bots = [player for pair in found for player in pair if player.startswith("bot:")]
    assert sorted(bots) == sorted(each.player for each in contenders(count))
    with_machines = sum(any(player.startswith("m") for player in pair) for pair in found)
    assert with_machines == count if games == 0 else with_machines <= (2 * count + 2) // 3


def test_near_ratings_meet_and_who_met_often_does_not():
    near = [Contender("a", 1500, 1), Contender("b", 1510, 1), Contender("c", 1900, 1)]
    assert len(pairings(near, contenders(1, prefix="m"), {})) >= 2
    assert pairings(near, [], {}) == [("a", "b")]
    met = {("a", "b"): 2, ("b", "a"): 2}
    assert pairings(near, [], met) == [("a", "c")]
    assert pairings(near[:2], [], {("a", "b"): 1}) == [("b", "a")]


def test_the_more_a_bot_has_played_the_less_often_it_does():
    strides = [stride(games) for games in range(1000)]
    assert strides[0] == 1
    assert strides == sorted(strides)
    assert set(strides) == {1 << power for power in range(10)}
    begun, games = Activity(), 0
    for number in range(int(21 * DAY_S / rules.ROUND_S)):
        at = number * rules.ROUND_S
        if rules.is_due(begun, 0.0, at):
            games += 1
            begun = Activity(games, at)
    assert 300 <= games <= 800


# --- ratings and blunders


def test_ratings_stand_on_the_scale_of_what_is_fixed():
    table = [[None, Score(30, 0, 10)], [Score(10, 0, 30), None]]
    one, fixed = rate_against(table, {1: SCALE})
    assert (fixed.elo, fixed.low, fixed.high) == (SCALE, SCALE, SCALE)
    assert one.elo - SCALE == pytest.approx(191, abs=6)  # odds of three to one, less the prior
    more = [[None, Score(300, 0, 100)], [Score(100, 0, 300), None]]
    assert rate_against(more, {1: SCALE})[0].high - one.elo < one.high - one.elo
    assert rate_against(table, {}) == rate_against(table, {})


def test_a_history_is_that_of_tables_made_anew():
    """Each point is the rating by all games that had ended by then, however it was computed."""
    rng, bots = Random(4), [f"bot:b{number} Bot" for number in range(6)]
    players = [*bots, *fixed_ratings("quixo")]
    record = LeagueRecord("l", "me", "T", "quixo", 2, 30, "BCDFG", 0, 100)
    games = [Result(*rng.sample(players, 2), rng.choice([0, 1, None]), at) for at in range(80)]
    for player in bots[:2]:
        found = rating_history(record, players, games, player)
        assert found
        for point in found:
            scores = [
                PairScore(first, second, winner == 0, winner is None, winner == 1)
                for first, second, winner, ended in games
                if ended <= point.at
            ]
            anew = LeagueTable(record, players, scores).ratings[player]
            assert point.rating.elo == pytest.approx(anew.elo, abs=1e-6)
            assert point.rating.low == pytest.approx(anew.low, abs=1e-6)
        assert found[-1].games == sum(player in game[:2] for game in games)


def best_value(match):
    """Of the one to move, by trying everything."""
    outcome = match.outcome()
    if outcome is not None:
        return outcome.score(match.state.to_move)
    return max(-best_value(match.play(move)) for move in match.state.legal_moves())


def test_blunders_are_those_that_a_search_of_everything_finds():
    game, rng = load_game("tictactoe"), Random(2)
    oracle = oracle_for(game)
    for _ in range(5):
        match = Match.begin(game)
        for move in rng.sample(match.state.legal_moves(), 3):  # a search of six plies is quick
            match = match.play(move)
        found = Counter()
        start = match
        while match.outcome() is None:
            seat, best = match.state.to_move, best_value(match)
            match = match.play(rng.choice(match.state.legal_moves()))
            found[seat] += -best_value(match) < best
        later = Match.replay(game, match.moves)
        early = blunders(Match.replay(game, start.moves), oracle)
        total = blunders(later, oracle)
        assert total[0] - early[0] == found[Seat.FIRST]
        assert total[1] - early[1] == found[Seat.SECOND]
