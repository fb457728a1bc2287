"""HyperPod's task governance: the queues of the teams, with the real Kueue."""

from typing import Any

import pytest

from muster.blueprint.kubernetes import Blueprint
from muster.jobs.catalogue import JOBS, JobOptions, manifest_of, roles_of
from muster.rehearsal.kubernetes import kueue
from muster.rehearsal.kubernetes.rehearsal import RehearsalRequest, rehearse
from muster.rehearsal.kubernetes.task_governance import team_objects, unqueued_cause
from muster.rehearsal.outcome import Outcome, Verdict
from tests.hyperpod_factories import a_hyperpod_blueprint

TWO = {"quota": {"p5.48xlarge": {"instances": 2}}}


def governed(research: dict[str, Any], product: dict[str, Any] = TWO, **more: Any) -> Blueprint:
    """Four ml.p5.48xlarge of two teams."""
    return a_hyperpod_blueprint(
        {
            "addons.hyperpod-task-governance": {},
            "addons.training-operator": {"version": "v1.8.1"},
            "groups.workers.hyperpod.deep-health-checks": [],
            "hyperpod.task-governance": {"teams": {"research": research, "product": product}, **more},
        }
    )


def queue(blueprint: Blueprint, name: str) -> dict[str, Any]:
    """A ClusterQueue, its quotas by resource."""
    (found,) = [
        each for each in team_objects(blueprint) if (each["kind"], each["metadata"]["name"]) == ("ClusterQueue", name)
    ]
    (group,) = found["spec"]["resourceGroups"]
    (flavor,) = group["flavors"]
    assert flavor["name"] == "ml.p5.48xlarge"
    return {each.pop("name"): each for each in flavor["resources"]}


def test_the_queue_of_a_team() -> None:
    """Whole instances with all that they have; half of that may be borrowed."""
    assert queue(governed(TWO), "hyperpod-ns-research-clusterqueue") == {
        "cpu": {"nominalQuota": "384000m", "borrowingLimit": "192000m"},
        "memory": {"nominalQuota": "4194304Mi", "borrowingLimit": "2097152Mi"},
        "nvidia.com/gpu": {"nominalQuota": "16", "borrowingLimit": "8"},
        "aws.amazon.com/neurondevice": {"nominalQuota": "0", "borrowingLimit": "0"},
        "vpc.amazonaws.com/efa": {"nominalQuota": "64", "borrowingLimit": "32"},
    }


@pytest.mark.parametrize(
    ("sharing", "limits"),
    [
        ({"sharing": "lend"}, {"nominalQuota": "16", "borrowingLimit": "0"}),
        ({"sharing": "none"}, {"nominalQuota": "16", "borrowingLimit": "0", "lendingLimit": "0"}),
        ({"borrow-percent": 500}, {"nominalQuota": "16", "borrowingLimit": "80"}),
        ({"borrow-limits": {"p5.48xlarge": {"accelerators": 4}}}, {"nominalQuota": "16", "borrowingLimit": "4"}),
    ],
)
def test_how_a_team_shares(sharing: dict[str, Any], limits: dict[str, str]) -> None:
    """Kueue's limits of borrowing and of lending."""
    assert queue(governed({**TWO, **sharing}), "hyperpod-ns-research-clusterqueue")["nvidia.com/gpu"] == limits


def test_what_is_in_no_quota_can_be_borrowed() -> None:
    """If the cluster policy shares it."""
    one = {"quota": {"p5.48xlarge": {"instances": 1}}}
    shared = governed(one, TWO, **{"share-unallocated": True})
    found = queue(shared, "hyperpod-ns-idle-resource-sharing-cq-1")["nvidia.com/gpu"]
    assert found == {"nominalQuota": "8", "borrowingLimit": "0"}


def test_without_teams_the_queues_are_not_known() -> None:
    """Nor does Kueue run for them."""
    blueprint = a_hyperpod_blueprint({"addons.hyperpod-task-governance": {}})
    assert team_objects(blueprint) == ()
    assert not kueue.runs_on(blueprint, ())
    assert kueue.runs_on(governed(TWO), ())


def test_a_job_of_a_team_sets_a_queue() -> None:
    """The add-on denies pods without one, in the namespaces of teams only."""
    blueprint = governed(TWO)
    cause = unqueued_cause(blueprint, "hyperpod-ns-research", None)
    assert cause is not None
    assert "queue-name: hyperpod-ns-research-localqueue" in cause.remedy
    assert unqueued_cause(blueprint, "hyperpod-ns-research", "any") is None
    assert unqueued_cause(blueprint, "default", None) is None


def rehearsed(blueprint: Blueprint, nodes: int) -> Outcome:
    """The reference job of team research."""
    job = manifest_of(
        JOBS["pytorch-fsdp"],
        blueprint,
        JobOptions(queue="research", nodes=nodes, beyond_the_group=True, priority="training"),
    )
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job), ()))


@pytest.mark.rehearsal
@pytest.mark.parametrize(("nodes", "starts"), [(3, True), (4, False)])
def test_a_team_borrows_up_to_its_limit(nodes: int, *, starts: bool) -> None:
    """AWS's example: two instances of its own and one of the other team's; a fourth is beyond 50 percent."""
    outcome = rehearsed(governed(TWO, priorities={"training": 70}), nodes)
    assert outcome.verdict is (Verdict.STARTS if starts else Verdict.DOES_NOT_START)
    if starts:
        assert any("ClusterQueue hyperpod-ns-research-clusterqueue" in each for each in outcome.notes)
    else:
        (cause,) = {(each.cause.id, each.cause.where) for each in outcome.waiting}
        assert cause == ("queue-quota", "hyperpod.task-governance.teams.research.quota")
    assert "queues of task governance" in {each.name for each in outcome.simulated_parts}
