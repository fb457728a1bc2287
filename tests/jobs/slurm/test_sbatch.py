"""What Slurm itself says of the scripts: a real controller, whose queues are as ParallelCluster writes them."""

from collections.abc import Iterator

import pytest

from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import DoesNotFit, JobOptions
from muster.jobs.slurm_jobs import make as script_of
from muster.rehearsal.slurm import controller
from muster.rehearsal.slurm.configuration import planned_configuration
from muster.rehearsal.slurm.controller import Controller
from tests.jobs.clusters import WITH_EFA
from tests.jobs.slurm.clusters import a_group, a_queue, a_slurm_cluster

pytestmark = pytest.mark.skipif(
    bool(controller.missing_programs()), reason=controller.missing_programs() or "all is there"
)

NAMES = dict(zip(WITH_EFA, (f"w{number}" for number in range(len(WITH_EFA))), strict=True))
"""Type -> the group of that type: one in a queue of its own, with one node that runs and one that starts for a job."""

CLUSTERS = {
    counts: a_slurm_cluster(
        {
            f"q{name}": a_queue({name: a_group(instance=instance, nodes={"min": 1, "max": 2})}, exclusive=counts)
            for instance, name in NAMES.items()
        },
        slurm={"memory-scheduling": counts},
    )
    for counts in (False, True)
}
"""With all types; by whether memory is given out as CPUs are."""

ASKS = (JobOptions(), JobOptions(nodes=2))


@pytest.fixture(scope="module", params=CLUSTERS, ids=["memory is free", "memory counts"])
def controller(request: pytest.FixtureRequest) -> Iterator[tuple[bool, Controller]]:
    with Controller(planned_configuration(CLUSTERS[request.param])) as made:
        made.start_all()
        yield request.param, made


def test_it_takes_every_script_for_every_type(controller: tuple[bool, Controller]) -> None:
    """As `sbatch --test-only` says; and says where it would run: on nodes of the group that it is sized for."""
    counts, slurm = controller
    taken = 0
    for group in CLUSTERS[counts].groups:
        for name, job in JOBS.items():
            for ask in ASKS:
                try:
                    made = script_of(job, CLUSTERS[counts], JobOptions(group.name, ask.nodes))
                except DoesNotFit:
                    continue
                said = slurm.run("sbatch", "--test-only", stdin=made.text)
                assert said.done, (name, group.described.instance, ask, said.why)
                assert f"-{group.name}-" in said.why, said.why
                taken += 1
    assert taken > 2 * len(WITH_EFA)
