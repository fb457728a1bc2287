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


def with_kueue(*queues: str, namespace: str = "default", instance: str = "p5.48xlarge", **options: Any) -> Blueprint:
    groups: dict[str, Any] = {"system": a_system_group(), "workers": a_group(instance=instance)}
    said = {"kueue": {"queues": {name: {"namespace": namespace} for name in queues}}} if queues else {}
    return a_stored_cluster(groups, **said, **options)


def metadata(blueprint: Blueprint, name: str, **ask: Any) -> dict[str, Any]:
    made: dict[str, Any] = manifest_of(JOBS[name], blueprint, JobOptions(**ask))["metadata"]
    return made


def labels(blueprint: Blueprint, name: str, **ask: Any) -> dict[str, str]:
    found: dict[str, str] = metadata(blueprint, name, **ask).get("labels", {})
    return found


@pytest.mark.parametrize("name", sorted({*JOBS} - {"nvbandwidth"}))
def test_the_only_queue_is_named_and_of_several_one_is_chosen(name: str) -> None:
    """By whoever asks; a near miss is offered. Jobs of other kinds are never labelled."""
    if name not in MANAGED:
        assert LABEL not in labels(with_kueue("main", instance="trn1.32xlarge"), name)
        return
    assert labels(with_kueue("main"), name) == {LABEL: "main"}
    assert labels(with_kueue(), name) == {}
    several = with_kueue("team-a", "team-b")
    assert labels(several, name, queue="team-b") == {LABEL: "team-b"}
    with pytest.raises(DoesNotFit, match="choose with --queue: team-a, team-b"):
        labels(several, name)
    with pytest.raises(DoesNotFit, match="did you mean 'team-a'"):
        labels(several, name, queue="team_a")


def test_a_job_is_in_the_namespace_of_its_queue_and_its_claim() -> None:
    """Nothing is said of `default`; two others are one too many."""

    def namespace(made: Any, name: str) -> Any:
        return metadata(made, name).get("namespace")

    assert namespace(with_kueue("main"), "nccl-tests") is None
    assert namespace(with_kueue("main", namespace="ml"), "nccl-tests") == "ml"
    both = with_kueue("main", namespace="ml", fsx_csi_driver={"namespace": "ml"})
    assert namespace(both, "pytorch-fsdp") == "ml"
    assert namespace(without(both, "kueue"), "pytorch-fsdp") == "ml"
    for apart in (with_kueue("main", namespace="ml"), with_kueue("main", fsx_csi_driver={"namespace": "ml"})):
        with pytest.raises(DoesNotFit, match="the claim 'scratch' is in"):
            namespace(apart, "pytorch-fsdp")
    assert namespace(with_kueue("main", namespace="ml", storage={}), "pytorch-fsdp") == "ml"


TEAMS = {"research": {"quota": {"p5.48xlarge": {"instances": 2}}}, "product": {"quota": {"p5.48xlarge": {"vcpus": 8}}}}


def of_teams() -> Blueprint:
    """A HyperPod cluster with two teams."""
    governance = {"teams": TEAMS, "priorities": {"training": 70}}
    addons = {"addons.hyperpod-task-governance": {}, "addons.training-operator": {"version": "v1.8.1"}}
    return a_hyperpod_blueprint({**addons, "hyperpod.task-governance": governance})


@pytest.mark.parametrize("queue", ["research", "hyperpod-ns-research-localqueue"])
def test_a_team_has_its_queue_and_namespace(queue: str) -> None:
    """Chosen by the team's name, or by its queue's."""
    found = metadata(of_teams(), "pytorch-fsdp", queue=queue, priority="training")
    assert found["namespace"] == "hyperpod-ns-research"
    assert found["labels"] == {
        LABEL: "hyperpod-ns-research-localqueue",
        "kueue.x-k8s.io/priority-class": "training-priority",
    }


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        ({}, "choose with --queue: research, product"),
        ({"queue": "reserch"}, "did you mean 'research'"),
        ({"queue": "research", "priority": "trainin"}, "did you mean 'training'"),
    ],
)
def test_a_team_or_priority_that_is_not_there(ask: dict[str, Any], says: str) -> None:
    """Named, with those that are."""
    with pytest.raises(DoesNotFit, match=says):
        metadata(of_teams(), "pytorch-fsdp", **ask)
