"""A teacher and students, as visitors of the app."""

from tests.webapp.visitor import HTMX, OWN_PAGE, Visitor

MARIENBAD = "nim:preset=marienbad"
SMALL = "nim:heaps=1-2"  # two heaps: b1 leaves 1-1


class Teacher(Visitor):
    """A visitor who has started a class."""

    def __init__(self, app):
        super().__init__(app)
        begun = self.post("/class")
        assert begun.status_code == 303, begun.text
        self.path = begun.location

    @property
    def control(self):
        answer = self.get(self.path)
        assert answer.status_code == 200, answer.text
        return self.seen["control"]

    @property
    def screen(self):
        answer = self.get(f"{self.path}/screen")
        assert answer.status_code == 200, answer.text
        return self.seen["screen"]

    @property
    def code(self):
        return self.control.invite.code

    def asks(self, game=SMALL, **fields):
        answer = self.post(f"{self.path}/rounds", {"game": game} | fields)
        assert answer.status_code == 303, answer.text
        return self

    def does(self, *steps, action="phase", **fields):
        """Take steps of the current round, each accepted."""
        for step in steps:
            answer = self.tries(step, action, **fields)
            assert answer.status_code == 303, answer.text
        return self

    def tries(self, step, action="phase", **fields):
        question = self.control.question
        current = {"round": question.number, "vote": question.vote} if question else {}
        return self.post(f"{self.path}/{action}", current | {"do": step} | fields)


class Student(Visitor):
    """A visitor who has joined by the code."""

    def __init__(self, app, code):
        super().__init__(app)
        self.path = f"/c/{code}"
        joined = self.post("/join", {"code": code})
        assert joined.status_code == 303, joined.text

    @property
    def phone(self):
        answer = self.get(self.path)
        assert answer.status_code == 200, answer.text
        return self.seen["phone"]

    @property
    def name(self):
        return self.phone.seat.name

    def says(self, answer):
        """Answer the current question, accepted."""
        response = self.tries(answer)
        assert response.status_code == 303, response.text
        return self

    def tries(self, answer, **fields):
        question = self.phone.question
        now = {"round": question.number, "vote": question.vote, "move": answer}
        return self.post(f"{self.path}/answer", now | fields)

    def polls(self):
        """A function that sends the phone's poll."""
        follow = self.phone.follow
        return lambda: self.client.get(follow, headers=HTMX)


__all__ = ["HTMX", "MARIENBAD", "OWN_PAGE", "SMALL", "Student", "Teacher", "Visitor"]
