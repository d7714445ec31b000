"""Jobs worked on in this process, or by a coordinator as a process of its own."""

import os
import subprocess
import sys
from concurrent.futures import Future
from time import monotonic, sleep

from agents.compute.processes import done
from webapp.config import JobSettings
from webapp.jobs.coordinator import Coordinator
from webapp.jobs.kinds.training import TrainingPlan, TrainingRun, training_job
from webapp.jobs.models import JobState

OWNER = "0" * 32
MANY = JobSettings(each=100, queue=1000)
# Other tests would not let it come to its turn.
BUSY = {"ZERMELO_JOB_NICENESS": "0", "ZERMELO_WARM_UP": "0"}
COORDINATE = [sys.executable, "-m", "webapp", "jobs"]


class HereAndNow:
    """Runs a task when it is handed over, as a process would."""

    hindrance = None

    def __init__(self, lanes=1):
        self.lanes = lanes
        self.tasks = []

    def submit(self, function, arguments, seconds, *, express=False):
        import pickle

        self.tasks.append((function, arguments))
        future = Future()
        failed, result = pickle.loads(done(function, arguments))
        future.set_exception(result) if failed else future.set_result(result)
        return future

    def end(self, future):
        return None

    def close(self):
        return None


def a_training(agent="menace", seed=7, length=300, game="tictactoe", owner=OWNER, runs=None):
    """A small training, not stored yet."""
    runs = runs or ((agent, seed),)
    plan = TrainingPlan(game, tuple(TrainingRun(*run) for run in runs), length)
    return training_job(owner, f"{agent} learns {game}", plan)


def worked_off(store, executor=None, coordinator=None, seconds=600):
    """Turn after turn until nothing is active."""
    coordinator = coordinator or Coordinator(store, executor or HereAndNow())
    until = monotonic() + seconds
    coordinator.turn()
    while coordinator._jobs:
        assert monotonic() < until, "it takes too long"
        coordinator.turn()
    return coordinator


def ended(store, job_id, seconds=600, state=JobState.DONE):
    """The job once it is over, whoever works on it."""
    until = monotonic() + seconds
    while not (record := store.find(job_id)).state.is_over:
        assert monotonic() < until, f"{record} takes too long"
        sleep(0.05)
    assert record.state is state, record
    return record


def coordinator_process(data, **environment):
    """`zermelo jobs` as a process of its own, once it is at work."""
    process = subprocess.Popen(
        COORDINATE,
        env=os.environ
        | {"ZERMELO_DATA": str(data), "ZERMELO_JOB_WORKERS": "1"}
        | BUSY
        | environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline().startswith("Jobs are worked on")
    return process
