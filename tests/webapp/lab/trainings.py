"""Start and run trainings as a visitor."""

from tests.webapp.jobs.working import worked_off
from webapp.jobs.brain_store import BrainStore
from webapp.jobs.store import JobStore
from webapp.lab.query import TrainingQuery
from webapp.lab.training.page import TrainingPage

MENACE = {"game": "tictactoe", "learner": "menace", "menace.opponent": "random", "length": "300"}


def begun(visitor, **changes):
    answer = visitor.post("/train", MENACE | changes)
    assert answer.status_code == 303, answer.text
    return answer.location


def trained(visitor, services, **changes):
    where = begun(visitor, **changes)
    worked_off(services[JobStore])
    return where


def training_page(services, where, **query):
    """The page of a training, made without a request, and its points."""
    job_id = where.split("/")[-1]
    jobs, kept = services[JobStore], services[BrainStore].there(job_id)
    points = jobs.points(job_id)
    return TrainingPage(where, jobs.find(job_id), points, kept, TrainingQuery(**query)), points


def visitor_id(services):
    with services[JobStore].database.read() as cursor:
        cursor.execute("select owner from jobs")
        return cursor.fetchall()[0][0]
