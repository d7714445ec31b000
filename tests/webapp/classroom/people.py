"""A teacher and students, as visitors of the app."""

from tests.webapp.visitor import HTMX, Visitor
from webapp.classroom.store import ClassStore
from webapp.services import NAME

PLAN = "how-machines-play"
SMALL = "nim:heaps=1-2"  # two heaps: b1 leaves 1-1


class Accepted(Visitor):
    """A visitor of a class at `path`."""

    def posts(self, action, status=303, **fields):
        """An action of the page, answered with this status."""
        answer = self.post(f"{self.path}/{action}", fields)
        assert answer.status_code == status, answer.text
        return self

    def page(self, name, path=""):
        """What the page's template is given."""
        answer = self.get(f"{self.path}{path}")
        assert answer.status_code == 200, answer.text
        return self.seen[name]


class Teacher(Accepted):
    """A visitor who has started a class, with the shipped plan if one is wanted."""

    def __init__(self, app, plan=""):
        super().__init__(app)
        begun = self.post("/class", {"shipped": plan})
        assert begun.status_code == 303, begun.text
        self.path = begun.location
        self.class_id = self.path.rpartition("/")[2]

    @property
    def control(self):
        return self.page("control")

    @property
    def screen(self):
        return self.page("screen", "/screen")

    @property
    def code(self):
        return self.control.invite.code

    @property
    def session(self):
        return self.app.extensions[NAME][ClassStore].find(self.class_id)

    def asks(self, game=SMALL, **fields):
        return self.posts("rounds", game=game, **fields)

    def begins_match(self, game="nim:heaps=1-2,last=wins", seat="x", **fields):
        return self.posts("match", game=game, machine="perfect", seat=seat, **fields)

    def plays(self, move):
        return self.posts("play", move=move)

    def hears(self):
        """Play the machine's reply."""
        return self.posts("reply")

    def opens_cup(self, **fields):
        return self.posts("cup", **{"do": "open", "game": "tictactoe"} | fields)

    def does(self, *steps, action="phase", **fields):
        """Take steps of the current round, each accepted."""
        for step in steps:
            self.tries(step, 303, action, **fields)
        return self

    def tries(self, step, status, action="phase", **fields):
        question = self.control.question
        current = {"round": question.number, "vote": question.vote} if question else {}
        return self.posts(action, status, **current | {"do": step} | fields)


class Student(Accepted):
    """A visitor who has joined by the code."""

    def __init__(self, app, code):
        super().__init__(app)
        self.path = f"/c/{code}"
        joined = self.post("/join", {"code": code})
        assert joined.status_code == 303, joined.text

    @property
    def phone(self):
        return self.page("phone")

    @property
    def name(self):
        return self.phone.seat.name

    def says(self, answer, status=303, **fields):
        """Answer the current question."""
        question = self.phone.question
        now = {"round": question.number, "vote": question.vote, "move": answer}
        return self.posts("answer", status, **now | fields)

    def enters(self, spec, status=303):
        return self.posts("machine", status, machine="random", spec=spec)

    def polls(self):
        """A function that sends the phone's poll."""
        follow = self.phone.follow
        return lambda: self.client.get(follow, headers=HTMX)
