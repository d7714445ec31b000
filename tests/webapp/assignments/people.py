"""A teacher with an assignment and students, as visitors of the app."""

from tests.webapp.visitor import OWN_PAGE, Visitor
from webapp.assignments.store import AssignmentStore
from webapp.assignments.work_store import WorkStore
from webapp.services import NAME

FORK = "201c6f5e"  # .x./oox/..x o: only c3 holds
HOLD = "4b838c22"  # ..x/xxo/o.o x: only b1 holds
TASKS = f"""
## Two puzzles
puzzles: {FORK} {HOLD}

## Win this
position: nim:heaps=1-2,last=wins  1-2 x
win: random

## A lesson
lesson: nim
"""
WORK = 1  # number of the task with puzzles


class Teacher(Visitor):
    """A visitor who has made an assignment."""

    def __init__(self, app, tasks=TASKS, **fields):
        super().__init__(app)
        made = self.post("/assignments", {"title": "For Monday", "tasks": tasks} | fields)
        assert made.status_code == 303, made.text
        self.path = made.location
        self.assignment_id = self.path.rpartition("/")[2]

    @property
    def store(self):
        return self.app.extensions[NAME][AssignmentStore]

    @property
    def work(self):
        return self.app.extensions[NAME][WorkStore]

    @property
    def record(self):
        return self.store.find(self.assignment_id)

    @property
    def code(self):
        return self.record.code

    @property
    def table(self):
        answer = self.get(self.path)
        assert answer.status_code == 200, answer.text
        return self.seen["table"]

    def row(self, name):
        (found,) = (row for row in self.table.rows if row.seat.name == name)
        return found.progress

    @property
    def csv(self):
        answer = self.get(f"{self.path}.csv")
        assert answer.status_code == 200
        return [line.split(",") for line in answer.text.strip().split("\r\n")]


class Student(Visitor):
    """A visitor who has begun an assignment."""

    def __init__(self, app, code, name=None):
        super().__init__(app)
        self.path = f"/a/{code}"
        joined = self.post(f"{self.path}/join", {"name": name} if name else {})
        assert joined.status_code == 303, joined.text

    @property
    def work(self):
        answer = self.get(self.path)
        assert answer.status_code == 200, answer.text
        return self.seen["work"]

    @property
    def name(self):
        return self.work.seat.name

    def task(self, number=WORK, part=None):
        answer = self.get(f"{self.path}/{number}{f'?part={part}' if part else ''}")
        assert answer.status_code == 200, answer.text
        return self.seen["task"]

    def says(self, move, task=WORK, part=1, status=303, **fields):
        """Answer a puzzle or a question, by the form of its page."""
        sent = dict(self.task(task, part).kept) | {"move": move} | fields
        answer = self.post(f"{self.path}/{task}/answer", sent, OWN_PAGE)
        assert answer.status_code == status, answer.text
        return answer

    def plays(self, task=2):
        """Begin the match of a task."""
        begun = self.post(f"{self.path}/{task}/play")
        assert begun.status_code == 303, begun.text
        player = Visitor(self.app)
        player.client, player.path = self.client, begun.location.partition("?")[0]
        return player
