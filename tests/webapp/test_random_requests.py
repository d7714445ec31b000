"""Whatever is sent: never a 5xx, and the matches stay whole."""

import re
from functools import partial

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from engine import Match, load_game
from engine.catalog import catalog
from tests.soak import lessened
from tests.webapp.visitor import HTMX, OWN_PAGE
from webapp.matches.store import MatchStore
from webapp.services import NAME

MATCHES = (
    {"game": "tictactoe", "opponent": "person"},
    {"game": "tictactoe", "opponent": "random"},
    {"game": "nim", "preset": "normal", "opponent": "random", "starts": "opponent"},
    {"game": "quixo", "preset": "tiny", "opponent": "person"},
    {"game": "nim", "opponent": "random", "rival": "random:skill=0.5", "mode": "watch"},
    {"game": "tictactoe", "opponent": "friend"},
)
INVITATION = re.compile(r"/invitations/[\w-]+")
AGREEMENTS = ("accept", "accept", "decline", "undo", "rematch", "swap", "invite", "uninvite")
GARBAGE = st.one_of(
    st.sampled_from(["", "-1", "99999999999999999999", "None", "b2 b2", "../../etc/passwd", "🙂"]),
    st.text(max_size=40),
    st.integers().map(str),
)
SPECS = st.one_of(st.sampled_from(["random", "perfect", "person", "perfect:skill=0.5"]), GARBAGE)
GAMES = st.one_of(st.sampled_from([entry.key for entry in catalog()]), GARBAGE)
PRESETS = st.one_of(st.sampled_from(["", "custom", "marienbad", "tiny", "small"]), GARBAGE)
SECOND_THOUGHTS = ("undo", "undo", "resign", "swap", "rematch", "play-on")
ACTIONS = st.sampled_from(["moves", *SECOND_THOUGHTS, "analysis", "hint", "story", "tree"])
LOOKS = ["ply", "pick", "agent", "hint", "algorithm", "order", "open", "upto"]
METHODS = st.sampled_from(["get", "post", "put", "delete", "patch", "head", "options"])
WHO = st.sampled_from(["owner", "owner", "owner", "stranger"])
ANYONE = st.sampled_from(["owner", "friend", "stranger"])
HOW = st.sampled_from([{}, HTMX])
ANY = st.integers(0, 10_000)  # which of those there are


class Anything(RuleBasedStateMachine):
    """Three browsers: who owns the matches, a friend in the last of them, and a stranger."""

    def __init__(self, app, seen):
        super().__init__()
        self.app = app
        self.seen = seen
        self.browsers = {who: app.test_client() for who in ("owner", "stranger", "friend")}
        self.paths = []
        self.links = []
        self.sent = []

    def send(self, who, method, path, fields=None, headers=()):
        answer = self.browsers[who].open(
            path, method=method, data=fields, headers=OWN_PAGE | dict(headers)
        )
        what = "invitations" if path.startswith("/invitations") else path.rpartition("/")[2]
        self.seen.add((what, answer.status_code))
        assert answer.status_code < 500, (method, path, fields)
        answer.close()
        return answer

    def change(self, who, path, fields, how):
        """Something that may be sent again."""
        request = partial(self.send, who, "post", path, fields, how)
        self.sent.append(request)
        return request()

    @initialize()
    def begins(self):
        for fields in MATCHES:
            answer = self.send("owner", "post", "/matches", fields)
            assert answer.status_code == 303
            self.paths.append(answer.headers["Location"])
        self.swaps_and_swaps_back(self.paths[1])
        self.lets_a_machine_begin_twice(self.paths[2])
        page = self.browsers["owner"].get(self.paths[-1]).text
        self.links = INVITATION.findall(page)[:1]
        self.send("friend", "post", self.links[0])
        self.takes_back_by_agreement(self.paths[-1])

    def lets_a_machine_begin_twice(self, path):
        """Once it does, and then it is the owner's turn."""
        for _ in range(2):
            self.send("owner", "post", f"{path}/reply", {"revision": 0})

    def takes_back_by_agreement(self, path):
        """Nor does it often find two who agree."""
        self.send("owner", "post", f"{path}/moves", {"move": "b2", "revision": 0})
        self.send("owner", "post", f"{path}/undo", {"revision": 1})
        self.send("friend", "post", f"{path}/decline", {"revision": 1})
        self.send("owner", "post", f"{path}/undo", {"revision": 1})
        self.send("friend", "post", f"{path}/accept", {"revision": 1})
        assert self.record(path)["moves"] == []
        for who, action in (("friend", "accept"), ("stranger", "accept"), ("owner", "invite")):
            self.send(who, "post", f"{path}/{action}", {"revision": 2})

    def invitation(self):
        """The link that whoever invites sees; of nobody where it was withdrawn or is taken."""
        page = self.browsers["owner"].get(self.paths[-1]).text
        return next(iter(INVITATION.findall(page)), "/invitations/none")

    def swaps_and_swaps_back(self, path):
        """Chance comes here too rarely to be relied on."""
        for revision in (0, 1):
            self.send("owner", "post", f"{path}/swap", {"revision": revision})

    @rule(which=ANY, move=ANY, behind=st.sampled_from([0, 0, 0, 0, 1, -1]), who=WHO, how=HOW)
    def moves(self, which, move, behind, who, how):
        path = self.paths[which % len(self.paths)]
        before = self.record(path)
        legal = load_game(before["game"]).parse_state(before["state"]).legal_moves() or ("a1",)
        text = str(legal[move % len(legal)])
        fields = {"move": text, "revision": before["revision"] - behind}
        answer = self.change(who, f"{path}/moves", fields, how)
        after = self.record(path)["moves"]
        grown = after == [*before["moves"], text] and answer.status_code in (200, 303)
        assert grown or after == before["moves"]
        assert not (grown and (behind or who == "stranger"))

    @rule(which=ANY, who=WHO, how=HOW)
    def replies(self, which, who, how):
        path = self.paths[which % len(self.paths)]
        self.change(who, f"{path}/reply", {"revision": self.record(path)["revision"]}, how)

    @rule(which=ANY)
    def the_same_again_and_again(self, which):
        before = self.all_moves()
        for request in self.sent[which % (len(self.sent) or 1) :][:1] * 2:
            request()
        grown = [len(now) - len(then) for then, now in zip(before, self.all_moves(), strict=True)]
        assert sum(map(abs, grown)) <= 1

    @rule(which=ANY, action=st.sampled_from(SECOND_THOUGHTS), who=WHO, how=HOW, ply=GARBAGE)
    def has_second_thoughts(self, which, action, who, how, ply):
        path = self.paths[which % len(self.paths)]
        fields = {"revision": self.record(path)["revision"], "ply": ply}
        self.send(who, "post", f"{path}/{action}", fields, how)

    @rule(action=st.sampled_from(AGREEMENTS), again=st.booleans(), who=ANYONE, how=HOW)
    def agrees_or_not(self, action, again, who, how):
        """Between the owner and a friend; asking for the same from the other side agrees too."""
        path = self.paths[-1]
        before = self.record(path)
        for one in (who, "friend") if again else (who,):
            fields = {"revision": self.record(path)["revision"]}
            self.send(one, "post", f"{path}/{action}", fields, how)
        after = self.record(path)
        assert who != "stranger" or again or after == before

    @rule(word=GARBAGE, known=GARBAGE, who=ANYONE, how=HOW)
    def comes_by_invitation(self, word, known, who, how):
        before = self.all_moves()
        for link in (self.links[0], f"/invitations/{word}".split("?")[0]):
            self.send(who, "get", link, headers=how)
            self.send(who, "post", link, headers=how)
        follow = f"{self.paths[-1]}/follow"
        answer = self.browsers[who].get(follow, query_string={"known": known}, headers=how)
        assert answer.status_code < 500
        assert self.all_moves() == before

    @rule(at=ANY, word=GARBAGE, who=ANYONE)
    def takes_the_games_elsewhere(self, at, word, who):
        """Whole, and with something else written over a part of it."""
        text = self.browsers["owner"].get("/matches/export").text
        before = self.all_moves()
        garbled = text[: at % len(text)] + word + text[at % len(text) + len(word) :]
        self.send(who, "post", "/matches/import", {"text": garbled})
        self.send(who, "post", "/matches/import", {"text": text})
        assert self.send(who, "get", "/matches").status_code == 200
        assert self.all_moves() == before

    @rule(which=ANY, name=st.sampled_from(LOOKS), value=GARBAGE, how=HOW)
    def looks(self, which, name, value, how):
        path = self.paths[which % len(self.paths)]
        tail = ("", "/analysis", "/story", "/hint", "/tree")[which % 5]
        query = {"depth": "2", name: value, "values": "1"}
        answer = self.browsers["owner"].get(path + tail, query_string=query, headers=how)
        assert answer.status_code < 500

    @rule(game=GAMES, preset=PRESETS, opponent=SPECS, rival=SPECS, starts=GARBAGE, heaps=GARBAGE)
    def begins_anything(self, game, preset, opponent, rival, starts, heaps):
        fields = {"game": game, "preset": preset, "opponent": opponent, "rival": rival}
        fields |= {"nim.heaps": heaps, "starts": starts, "mode": starts}
        self.send("owner", "post", "/matches", fields)
        assert self.browsers["owner"].get("/", query_string=fields).status_code == 200
        self.send("owner", "post", "/matches/import", {"text": heaps})

    @rule(which=ANY, action=ACTIONS, method=METHODS, word=GARBAGE, other=GARBAGE, who=WHO)
    def garbles(self, which, action, method, word, other, who):
        path = self.paths[which % len(self.paths)]
        before = self.record(path)
        fields = {"revision": word, "move": other, "ply": other, "present": word}
        self.send(who, "post", f"{path}/{action}", fields | {"revision": "x"}, HTMX)
        self.send(who, "post", f"{path}/moves", fields, HTMX)
        self.send(who, method, f"/matches/{word}/{other}".split("?")[0].replace("//", "/"))
        assert self.send(who, "post", f"{path}/moves", {"move": "x" * 70_000}).status_code == 413
        assert self.record(path) == before

    def record(self, path):
        return self.browsers["stranger"].get(f"{path}.json").json

    def all_moves(self):
        return [self.record(path)["moves"] for path in self.paths]

    def teardown(self):
        """Every board equals its replay."""
        for path in self.paths:
            record = self.record(path)
            game = load_game(record["game"])
            match = Match.replay(game, map(game.parse_move, record["moves"]))
            assert str(match.state) == record["state"]

    @invariant()
    def plies_are_contiguous_and_one_move_each(self):
        with self.app.extensions[NAME][MatchStore].database.read() as cursor:
            cursor.execute(
                "select match_id, count(*), count(distinct ply), min(ply), max(ply)"
                " from moves group by match_id"
            )
            rows = cursor.fetchall()
            wrong = [row for row in rows if not row[1] == row[2] == row[4] or row[3] != 1]
        assert wrong == []


def sends_anything(app, examples):
    seen = set()
    run_state_machine_as_test(
        partial(Anything, app, seen),
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
    outcomes = {("moves", 303), ("moves", 200), ("moves", 403), ("moves", 409), ("moves", 422)}
    outcomes |= {("invitations", status) for status in (200, 303, 404, 409)}
    outcomes |= {("accept", 303), ("accept", 409), ("accept", 403), ("decline", 303)}
    outcomes |= {("invite", 409), ("import", 303), ("import", 422)}
    outcomes |= {("reply", 303), ("reply", 200), ("reply", 409), ("undo", 303), ("swap", 303)}
    assert outcomes - seen == set(), "the machine must have been everywhere"


@pytest.mark.slow
def test_whatever_is_sent_nothing_breaks(start):
    sends_anything(start(think_seconds=0.05), 25)


@pytest.mark.stores
@pytest.mark.soak
def test_whatever_is_sent_for_longer_nothing_breaks(start):
    sends_anything(start(think_seconds=0.05), lessened(400, 25))
