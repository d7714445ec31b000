"""A bot as the tests tell it: a program at another computer that knows nothing but HTTP."""

from tests.webapp.visitor import Visitor
from webapp.bots.models import BotAttendance
from webapp.services import NAME
from webapp.web.owner import owner_key

ELSEWHERE = "192.0.2.7"  # another computer


class Program:
    """A client with a token; `base` is the address it calls from."""

    def __init__(self, app, name="Ada", plays=(), address="127.0.0.1", code=""):
        self.app, self.address = app, address
        self.client = app.test_client(use_cookies=False)
        self.token = ""
        answer = self.call(
            "POST", "/api/1/bots", {"name": name, "plays": list(plays), "code": code}
        )
        assert answer.status_code == 201, answer.text
        self.joined = answer.json
        self.token, self.id = self.joined["token"], self.joined["bot"]

    def call(self, method, path, body=None, token=None):
        headers = {}
        if token or self.token:
            headers["Authorization"] = f"Bearer {token or self.token}"
        return self.client.open(
            path,
            method=method,
            json=body,
            headers=headers,
            environ_overrides={"REMOTE_ADDR": self.address},
        )

    def turn(self):
        answer = self.call("GET", "/api/1/turn")
        assert answer.status_code == 200, answer.text
        return answer.json

    def plays(self, move, turn=None, **more):
        turn = turn or self.turn()["turn"]
        return self.call("POST", f"/api/1/turn/{turn}", {"move": move} | more)

    def practises(self, game="tictactoe", opponent="random", seat="x"):
        body = {"game": game, "opponent": opponent, "seat": seat}
        return self.call("POST", "/api/1/practice", body)

    def arrives(self):
        """Asks for a turn, and that is written down at once."""
        self.turn()
        self.app.extensions[NAME][BotAttendance].flush()
        return self


def owner(app):
    """A visitor who has opened the link that the server prints."""
    visitor = Visitor(app)
    opened = visitor.get(f"/owner/{owner_key(app.secret_key)}")
    assert (opened.status_code, opened.location) == (303, "/bots")
    return visitor


def fixed_clock(app, at):
    """The app's clock, which stands until a test sets it."""
    from webapp.bots.game_store import BotGameStore
    from webapp.bots.store import BotStore
    from webapp.services import Clock

    class Hand:
        now = at

    hand = Hand()
    services = app.extensions[NAME]
    services[Clock] = Clock(lambda: hand.now)
    services[BotStore].now = lambda: hand.now
    services[BotGameStore].started = at - 3600
    services[BotAttendance]._clock = lambda: hand.now
    return hand
