"""HyperPod's task governance in a rehearsal: the namespaces of teams, where pods need a queue.

SageMaker publishes neither its queues nor the configuration of its Kueue: a rehearsal runs jobs as if admitted.
"""

from muster.blueprint.hyperpod.task_governance import governance_of, team_namespace, team_queue
from muster.blueprint.kubernetes import Blueprint
from muster.rehearsal.outcome import Cause

ADDON = "hyperpod-task-governance"


def team_namespaces(blueprint: Blueprint) -> dict[str, str]:
    """The namespaces that HyperPod creates for the teams -> the queue of each; none without the add-on."""
    described = governance_of(blueprint) if ADDON in blueprint.described.addons.chosen else None
    return {team_namespace(team): team_queue(team) for team in described.teams} if described else {}


def unqueued_cause(blueprint: Blueprint, namespace: str, queue: str | None) -> Cause | None:
    """Why the add-on denies the job's pods on AWS; None if it accepts them (docs/facts/addons.md#task-governance)."""
    own = team_namespaces(blueprint).get(namespace)
    if queue or own is None:
        return None
    return Cause(
        "queue-not-set",
        f"task governance denies pods in namespace {namespace} without a queue, and the job sets none",
        f"set the job's label kueue.x-k8s.io/queue-name: {own}",
        "hyperpod.task-governance",
    )
