"""Start and run trainings as a visitor."""

from tests.webapp.jobs.working import worked_off
from webapp.jobs.store import JobStore

MENACE = {"game": "tictactoe", "learner": "menace", "menace.opponent": "random", "length": "300"}


def begun(visitor, **changes):
    answer = visitor.post("/train", MENACE | changes)
    assert answer.status_code == 303, answer.text
    return answer.location


def trained(visitor, services, **changes):
    where = begun(visitor, **changes)
    worked_off(services[JobStore])
    return where


def visitor_id(services):
    with services[JobStore].database.read() as cursor:
        cursor.execute("select owner from jobs")
        return cursor.fetchall()[0][0]
