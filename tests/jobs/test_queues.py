"""Which queue a job goes to, and the namespace that follows."""

from typing import Any

import pytest

from muster.blueprint.cluster import Blueprint
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import DoesNotFit, JobOptions
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.jobs.clusters import a_group, a_stored_cluster, a_system_group, manifest_of, without

MANAGED = ("nccl-tests", "pytorch-fsdp", "efa-check")
"""The jobs of kinds that Kueue lets in: Volcano's are Volcano's, and what asks for no devices needs no quota."""

LABEL = "kueue.x-k8s.io/queue-name"

GROUPS: dict[str, Any] = {"system": a_system_group(), "workers": a_group()}


def with_kueue(*queues: str, namespace: str = "default", **options: Any) -> Blueprint:
    said = {name: {"namespace": namespace} for name in queues}
    return a_stored_cluster(GROUPS, kueue={"queues": said}, **options)


def labels(blueprint: Blueprint, name: str, **ask: Any) -> dict[str, str]:
    return manifest_of(JOBS[name], blueprint, JobOptions(**ask))["metadata"].get("labels", {})


@pytest.mark.parametrize("name", MANAGED)
def test_the_only_queue_is_named(name: str) -> None:
    """Where the stack has Kueue; nowhere else."""
    assert labels(with_kueue("main"), name) == {LABEL: "main"}
    assert labels(a_stored_cluster(GROUPS), name) == {}


@pytest.mark.parametrize("name", MANAGED)
def test_of_several_one_is_chosen(name: str) -> None:
    """By whoever asks; a near miss is offered."""
    blueprint = with_kueue("team-a", "team-b")
    assert labels(blueprint, name, queue="team-b") == {LABEL: "team-b"}
    with pytest.raises(DoesNotFit, match="several LocalQueues; choose with --queue: team-a, team-b"):
        labels(blueprint, name)
    with pytest.raises(DoesNotFit, match="no LocalQueue 'team_a'; did you mean 'team-a'"):
        labels(blueprint, name, queue="team_a")


@pytest.mark.parametrize("name", sorted(set(JOBS) - set(MANAGED) - {"nvbandwidth"}))
def test_the_others_are_never_labelled(name: str) -> None:
    """Kueue beside Volcano: it knows nothing of Volcano's jobs."""
    groups = {"system": a_system_group(), "workers": a_group(instance="trn1.32xlarge")}
    blueprint = a_stored_cluster(groups, kueue={"queues": {"main": {}}})
    assert LABEL not in labels(blueprint, name)


def test_a_job_is_in_the_namespace_of_its_queue_and_its_claim() -> None:
    """Nothing is said of `default`; two others are one too many."""

    def namespaces(made: Any, name: str) -> Any:
        return manifest_of(JOBS[name], made, JobOptions())["metadata"].get("namespace")

    assert namespaces(with_kueue("main"), "nccl-tests") is None
    assert namespaces(with_kueue("main", namespace="ml"), "nccl-tests") == "ml"
    both = with_kueue("main", namespace="ml", fsx_csi_driver={"namespace": "ml"})
    assert namespaces(both, "pytorch-fsdp") == "ml"
    assert namespaces(without(both, "kueue"), "pytorch-fsdp") == "ml"
    for apart in (with_kueue("main", namespace="ml"), with_kueue("main", fsx_csi_driver={"namespace": "ml"})):
        with pytest.raises(DoesNotFit, match=r"accepts jobs of the namespace .* the claim 'scratch' is in"):
            namespaces(apart, "pytorch-fsdp")
    assert namespaces(with_kueue("main", namespace="ml", storage={}), "pytorch-fsdp") == "ml"


TEAMS = {"research": {"quota": {"p5.48xlarge": {"instances": 2}}}, "product": {"quota": {"p5.48xlarge": {"vcpus": 8}}}}


def of_teams(**more: Any) -> Blueprint:
    """A HyperPod cluster with two teams."""
    return a_hyperpod_blueprint(
        {
            "addons.hyperpod-task-governance": {},
            "addons.training-operator": {"version": "v1.8.1"},
            "hyperpod.task-governance": {"teams": TEAMS, "priorities": {"training": 70}},
            **more,
        }
    )


@pytest.mark.parametrize("queue", ["research", "hyperpod-ns-research-localqueue"])
def test_a_team_has_its_queue_and_namespace(queue: str) -> None:
    """Chosen by the team's name, or by its queue's."""
    metadata = manifest_of(JOBS["pytorch-fsdp"], of_teams(), JobOptions(queue=queue, priority="training"))["metadata"]
    assert metadata["namespace"] == "hyperpod-ns-research"
    assert metadata["labels"] == {
        LABEL: "hyperpod-ns-research-localqueue",
        "kueue.x-k8s.io/priority-class": "training-priority",
    }


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        ({}, "several teams; choose with --queue: research, product"),
        ({"queue": "reserch"}, "no team 'reserch'; did you mean 'research'"),
        ({"queue": "research", "priority": "trainin"}, "no priority class 'trainin'; did you mean 'training'"),
    ],
)
def test_a_team_or_priority_that_is_not_there(ask: dict[str, Any], says: str) -> None:
    """Named, with those that are."""
    with pytest.raises(DoesNotFit, match=says):
        manifest_of(JOBS["pytorch-fsdp"], of_teams(), JobOptions(**ask))
