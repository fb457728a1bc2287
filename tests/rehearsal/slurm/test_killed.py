"""However a rehearsal on Slurm ends, it leaves nothing behind: slurmd's steps outlive slurmd by design."""

import random
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from muster.rehearsal import watchdog
from muster.rehearsal.slurm.batch_script import NODE_MARK, parse_script
from muster.rehearsal.slurm.configuration import planned_configuration
from muster.rehearsal.slurm.controller import Controller
from muster.rehearsal.slurm.job import SlurmJob
from tests.rehearsal.leftovers import left, processes
from tests.rehearsal.slurm.clusters import a_script
from tests.rehearsal.victims import a_victim, signalled
from tests.slurm_factories import a_slurm_blueprint

pytestmark = [pytest.mark.slurm, pytest.mark.usefixtures("slurm")]

LONGEST = 4.0
"""Seconds: beyond a whole rehearsal, into the next."""


@pytest.fixture
def base() -> Iterator[Path]:
    """A folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


VICTIM = "tests.rehearsal.slurm.victim"


@pytest.mark.parametrize("attempt", range(6))
def test_killed_at_random_moments(base: Path, attempt: int):
    """By whatever signal."""
    number, after = random.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]), random.uniform(0, LONGEST)
    with a_victim(VICTIM, str(base)) as victim:
        signalled(victim, number, after)
    assert left(base) == [], f"{number.name} after {after:.2f} s"


def test_killed_while_its_job_runs(base: Path):
    """The job's step goes with the rest."""
    with a_victim(VICTIM, str(base)) as victim:
        assert victim.stdout is not None
        assert victim.stdout.readline() == "up\n"
        assert any("slurmstepd" in each or "slurm_script" in each for each in processes(base))
        victim.kill()
    assert left(base) == []


def test_the_job_goes_though_the_watchdog_is_killed(base: Path):
    """The rehearsal itself finds what the daemons put out of its reach."""
    with Controller(planned_configuration(a_slurm_blueprint()), folder=base) as controller:
        controller.start_all()
        job = SlurmJob(controller, parse_script(a_script("--nodes=2")))
        job.submit()
        job.settle()
        assert (
            len(watchdog.processes_of(controller.folder)) >= 8
        )  # munged, slurmctld and its helper, four slurmd, the step
        controller.processes._watchdog.kill()
    assert left(base) == []


def test_a_node_that_is_taken_away_takes_its_step_with_it(base: Path):
    """As an instance does; the others stay."""
    with Controller(planned_configuration(a_slurm_blueprint()), folder=base) as controller:
        controller.start_all()
        job = SlurmJob(controller, parse_script(a_script("--nodes=1", "--nodelist=train-st-workers-3")))
        job.submit()
        job.settle()
        of_node = f"{NODE_MARK}=train-st-workers-3"
        _marked(controller, of_node, 3)  # slurmd, the step, its body
        # Of munge, slurmctld and the other nodes. What these start can end at any time.
        others = {each.pid for name, each in controller.processes.running.items() if name != "train-st-workers-3"}
        assert len(others) >= 5
        controller.stop_node("train-st-workers-3")
        assert watchdog.processes_of(controller.folder, of_node) == []
        assert others <= set(watchdog.processes_of(controller.folder))
        controller.processes.check()


def _marked(controller: Controller, mark: str, count: int) -> set[int]:
    """The processes with a mark, once there are so many: a job runs before its body does."""
    ends = time.monotonic() + 30
    while len(found := set(watchdog.processes_of(controller.folder, mark))) < count:
        assert time.monotonic() < ends, f"{len(found)} of {count} processes"
        time.sleep(0.05)
    return found
