"""The catalogue: jobs by name, and the first that fits."""

import pytest

from muster.jobs import JOBS, Ask, DoesNotFit, UnknownJob, first_fitting, job_of
from muster.project import open_stack, stacks
from tests.stack_files import ROOT

from .clusters import a_blueprint, a_group, a_system_group

FIRST = dict.fromkeys(stacks(ROOT), "nccl-tests") | dict.fromkeys(
    ("g4dn", "g4dn-vpc", "trn1", "p5-join-existing"), "efa-check"
)


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_a_job_fits_every_stack(stack: str) -> None:
    """The NCCL test where it can run; where it cannot, the check."""
    assert first_fitting(open_stack(ROOT, stack).derive()).name == FIRST[stack]


def test_where_none_fits_every_job_says_why() -> None:
    """Each reason begins with the job's name."""
    with pytest.raises(DoesNotFit) as refused:
        first_fitting(a_blueprint({"s": a_system_group()}))
    assert [reason.partition(": ")[0] for reason in refused.value.reasons] == list(JOBS)


def test_what_is_asked_decides_which_fits() -> None:
    """A group that only the check can run on is asked for by name."""
    blueprint = a_blueprint(
        {"s": a_system_group(), "a": a_group(), "t": a_group(instance="trn1.32xlarge")},
        ("nvidia-device-plugin", "neuron-device-plugin", "efa-device-plugin", "mpi-operator"),
    )
    assert first_fitting(blueprint).name == "nccl-tests"
    assert first_fitting(blueprint, Ask("t")).name == "efa-check"


def test_every_job_names_the_group_of_its_workers() -> None:
    """The group that the manifest's node selector names."""
    blueprint = a_blueprint()
    for job in JOBS.values():
        assert job.workers(blueprint, None).name == "workers"
        assert "'muster/group': 'workers'" in str(job.build(blueprint, Ask()))


def test_near_misses_are_offered() -> None:
    """A name that is nearly one is answered with it."""
    assert job_of("efa-check") is JOBS["efa-check"]
    with pytest.raises(UnknownJob, match="no job 'efa-chek'; did you mean 'efa-check'"):
        job_of("efa-chek")
