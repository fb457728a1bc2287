"""The catalogue: jobs by name, and the first that fits."""

import re

import pytest

from muster.config.project import open_stack, stacks
from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, UnknownJob, first_fitting, job_of, roles_of
from tests.jobs.clusters import a_blueprint, a_cluster_for, a_group, a_stored_cluster, a_system_group, without
from tests.jobs.job_answers import answers
from tests.stack_files import NO_JOB_FITS, QUEUES, ROOT

FIRST = dict.fromkeys(stacks(ROOT), "nccl-tests") | {
    **dict.fromkeys(("g4dn", "g4dn-vpc", "p5-join-existing"), "efa-check"),
    **dict.fromkeys(("trn1", "hyperpod-trn1", "pcluster-trn1"), "trn1-pretrain"),
    **dict.fromkeys(("g5-auto-mode", "hyperpod-existing-eks", "hyperpod-teams"), "pytorch-fsdp"),
    "trn2-ultraserver": "efa-check",
    "hyperpod-p6e-gb200": "nvbandwidth",
}


@pytest.mark.parametrize("stack", [each for each in stacks(ROOT) if each not in NO_JOB_FITS])
def test_a_job_fits_every_stack(stack: str) -> None:
    """The NCCL test where it can run; where it cannot, the check."""
    assert first_fitting(open_stack(ROOT, stack).derive(), JobOptions(queue=QUEUES.get(stack))).name == FIRST[stack]


@pytest.mark.parametrize("stack", NO_JOB_FITS)
def test_no_job_fits_without_a_choice_or_efa(stack: str) -> None:
    with pytest.raises(DoesNotFit) as refused:
        first_fitting(open_stack(ROOT, stack).derive())
    assert refused.value.reasons == NO_JOB_FITS[stack]


@pytest.mark.parametrize("stack", QUEUES)
def test_no_job_fits_a_stack_with_several_teams_until_one_is_chosen(stack: str) -> None:
    """The reason says how, once."""
    with pytest.raises(DoesNotFit) as refused:
        first_fitting(open_stack(ROOT, stack).derive())
    assert refused.value.reasons == ("the stack has several teams; choose with --queue: research, product",)


def test_where_none_fits_those_that_lack_least_say_why() -> None:
    """Every reason, after the job's name: seven jobs' reasons would hide the one that matters."""
    with pytest.raises(DoesNotFit) as refused:
        first_fitting(a_blueprint({"s": a_system_group()}))
    assert [reason.partition(": ")[0] for reason in refused.value.reasons] == ["nccl-tests", "efa-check"]
    with pytest.raises(DoesNotFit) as refused:
        first_fitting(a_blueprint({"w": a_group()}, ("nvidia-device-plugin", "mpi-operator")))
    assert refused.value.reasons == (
        "efa-check: the job needs the add-on 'efa-device-plugin'; add `efa-device-plugin: {}` below addons:",
    )


def test_what_is_asked_decides_which_fits() -> None:
    """A group that only the check can run on is asked for by name."""
    blueprint = a_blueprint(
        {"s": a_system_group(), "a": a_group(), "t": a_group(instance="trn1.32xlarge")},
        ("nvidia-device-plugin", "neuron-device-plugin", "efa-device-plugin", "mpi-operator"),
    )
    assert first_fitting(blueprint).name == "nccl-tests"
    assert first_fitting(blueprint, JobOptions("t")).name == "efa-check"


@pytest.mark.parametrize(
    ("instance", "lacking", "first"),
    [
        ("p5.48xlarge", (), "nccl-tests"),
        ("p5.48xlarge", ("mpi-operator",), "pytorch-fsdp"),
        ("p5.48xlarge", ("mpi-operator", "training-operator"), "efa-check"),
        ("trn1.32xlarge", (), "trn1-pretrain"),
        ("trn1.32xlarge", ("volcano",), "efa-check"),
        ("g4dn.metal", (), "efa-check"),
    ],
)
def test_what_proves_more_comes_first(instance: str, lacking: tuple[str, ...], first: str) -> None:
    """A job that all nodes take part in, before one that looks at each of them."""
    blueprint = a_stored_cluster({"system": a_system_group(), "workers": a_group(instance=instance)})
    assert first_fitting(without(blueprint, *lacking)).name == first


def test_what_stands_beside_workers_is_never_chosen_unasked() -> None:
    """A dashboard that starts would prove nothing of a training cluster."""
    blueprint = a_stored_cluster({"system": a_system_group(), "workers": a_group(instance="c5.2xlarge")})
    assert {name for name, job in JOBS.items() if not job.has_workers} == {"tensorboard", "data-shell"}
    assert JOBS["tensorboard"].build(blueprint, JobOptions())
    with pytest.raises(DoesNotFit):
        first_fitting(blueprint)


def test_every_job_names_the_group_of_its_workers() -> None:
    """The group that the manifest's node selector names; those beside workers name the system group, or none."""
    for name, job in JOBS.items():
        blueprint = a_cluster_for(name)
        group = job.workers(blueprint, None)
        assert group is not None
        if name in {"tensorboard", "data-shell"}:
            assert group.name == "system"
            assert job.workers(a_stored_cluster({"workers": a_group()}), None) is None
        else:
            assert group.name == "workers"
            assert "'muster/group': 'workers'" in str(job.build(blueprint, JobOptions()))


def test_every_job_can_be_read_back() -> None:
    """By what rehearses it: each manifest is of a kind that it knows."""
    for name, job in JOBS.items():
        blueprint = a_cluster_for(name)
        assert roles_of(job.build(blueprint, JobOptions()), job.beside(blueprint, JobOptions())).name == name


@pytest.mark.parametrize("name", JOBS)
def test_names_are_dns_labels(name: str) -> None:
    """Operators make pods' names of them, with more behind."""
    assert re.fullmatch(r"[a-z]([a-z0-9-]{0,40}[a-z0-9])?", name)


def test_near_misses_are_offered() -> None:
    """A name that is nearly one is answered with it."""
    assert job_of("efa-check") is JOBS["efa-check"]
    with pytest.raises(UnknownJob, match="no job 'efa-chek'; did you mean 'efa-check'"):
        job_of("efa-chek")


def test_a_job_that_does_not_fit_is_told_each_reason_once() -> None:
    """A line each; what fits has as many notes."""
    for title, lines, fits in answers():
        assert fits or lines, title
        assert len(set(lines)) == len(lines), title
        assert all(line and "\n" not in line for line in lines), title
