"""Every batch script that Muster prints for the project's stacks, on Slurm."""

import pytest

from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import DoesNotFit
from muster.jobs.slurm_jobs import make as script_of
from muster.rehearsal.outcome import Verdict
from muster.rehearsal.slurm.batch_script import parse_script
from muster.rehearsal.slurm.rehearsal import RehearsalRequest, rehearse
from muster.stack.project import open_stack
from tests.stack_files import ON_HYPERPOD_SLURM, ROOT, WITH_SLURM

pytestmark = [pytest.mark.slurm, pytest.mark.usefixtures("slurm")]


def scripts() -> list[tuple[str, str]]:
    """Stack and job, of each that fits."""
    found = []
    for stack in (*WITH_SLURM, *ON_HYPERPOD_SLURM):
        blueprint = open_stack(ROOT, stack).derive()
        for name, job in JOBS.items():
            try:
                script_of(job, blueprint)
            except DoesNotFit:
                continue
            found.append((stack, name))
    return found


@pytest.mark.parametrize(("stack", "name"), scripts())
def test_it_starts_on_all_nodes_that_it_is_for(stack: str, name: str):
    """As it is printed."""
    blueprint = open_stack(ROOT, stack).derive()
    text = script_of(JOBS[name], blueprint).text
    script = parse_script(text)
    outcome = rehearse(RehearsalRequest(blueprint, script, name))
    assert (outcome.verdict, outcome.waiting) == (Verdict.STARTS, ())
    assert outcome.job == name
    assert len(outcome.pods) == int(script.asks.get("nodes", "1"))
