"""What HyperPod does to nodes and jobs: deep health checks, replacement, auto-resume, task governance.

SageMaker publishes neither the queues of task governance nor the configuration of its Kueue: a rehearsal runs jobs as
if admitted.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from muster.blueprint.cluster import Blueprint
from muster.blueprint.hyperpod.auto_resume import (
    API_VERSION,
    ENABLED,
    KIND,
    NAMESPACE,
    NAMESPACE_PREFIX,
    RESTART_POLICY,
    RETRIES,
    SUPPORTED_RELEASES,
    is_supported,
    resumes_in,
)
from muster.blueprint.hyperpod.node_labels import (
    CHECKS_TAKE,
    DEEP_CHECKS,
    NODE_HEALTH,
    TAINT,
    DeepChecks,
    Health,
)
from muster.blueprint.hyperpod.task_governance import governance_of, team_namespace, team_queue
from muster.config.description.hyperpod_settings import NodeRecovery
from muster.jobs.pod_roles import JobRoles
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.outcome import Cause, SimulatedPart, group_names
from muster.scheduling.taints import taints_of
from muster.whole_number import whole_number


def has_checks(node: PlannedNode) -> bool:
    """Whether its group has deep health checks, which run on it before any job."""
    return DEEP_CHECKS in _labels(node)


def is_checked(node: PlannedNode) -> bool:
    """Whether deep health checks run on it now."""
    return _labels(node).get(DEEP_CHECKS) == DeepChecks.IN_PROGRESS


def under_checks(node: PlannedNode) -> PlannedNode:
    """The node while its deep health checks run: it has a taint."""
    return _in(node, {NODE_HEALTH: Health.CHECKED, DEEP_CHECKS: DeepChecks.IN_PROGRESS}, tainted=True)


def after_checks(node: PlannedNode) -> PlannedNode:
    """The node after its deep health checks have passed."""
    return _in(node, {NODE_HEALTH: Health.SCHEDULABLE, DEEP_CHECKS: DeepChecks.PASSED}, tainted=False)


def _labels(node: PlannedNode) -> Mapping[str, str]:
    found: Mapping[str, str] = node.manifest["metadata"]["labels"]
    return found


def _in(node: PlannedNode, labels: Mapping[str, str], *, tainted: bool) -> PlannedNode:
    metadata, spec = node.manifest["metadata"], node.manifest["spec"]
    others = [each for each in taints_of(spec) if each != TAINT]
    texts = {key: str(value) for key, value in labels.items()}
    manifest = {
        **node.manifest,
        "metadata": {**metadata, "labels": {**metadata["labels"], **texts}},
        "spec": {**spec, "taints": [each.manifest for each in (*others, *([TAINT] if tainted else []))]},
    }
    return replace(node, manifest=manifest)


def simulated_checks(nodes: Iterable[PlannedNode]) -> SimulatedPart:
    """The simulated deep health checks of these nodes' groups."""
    return SimulatedPart(
        f"HyperPod's deep health checks of {group_names(dict.fromkeys(node.group for node in nodes))}",
        "the nodes get the labels and the taint of running checks, then those of passed checks",
        f"the checks are AWS's code on real hardware, and take {CHECKS_TAKE} on every new instance",
    )


def no_auto_resume(job: JsonObject, shape: JobRoles, operator: str = "") -> str:
    """Why HyperPod does not restart a job after it has replaced a node; empty if it does.

    Args:
        job: its manifest.
        shape: the parsed manifest.
        operator: the training operator's release; empty if HyperPod's chart contains its own.
    """
    if unsupported := _unsupported(shape, operator):
        return unsupported
    annotations = job["metadata"].get("annotations") or {}
    if str(annotations.get(ENABLED, "")).lower() != "true":
        return f'the job lacks the annotation {ENABLED}: "true"'
    if whole_number(annotations.get(RETRIES), 1) is None:
        return f'the job does not set the number of restarts: add the annotation {RETRIES}: "2"'
    for name, replica in job["spec"]["pytorchReplicaSpecs"].items():
        if (policy := replica.get("restartPolicy", RESTART_POLICY)) != RESTART_POLICY:
            return f"restartPolicy of {name} is {policy}, but must be {RESTART_POLICY}"
    return ""


def _unsupported(shape: JobRoles, operator: str) -> str:
    """Why AWS does not document auto-resume for such a job, regardless of its annotations; empty if AWS does."""
    if (shape.api_version, shape.kind) != (API_VERSION, KIND):
        return f"auto-resume supports only PyTorchJobs of the Kubeflow training operator, not {shape.kind}"
    if operator and not is_supported(operator):
        stated = f"{', '.join(SUPPORTED_RELEASES[:-1])} and {SUPPORTED_RELEASES[-1]}"
        return f"AWS documents auto-resume for training-operator {stated}, but the cluster has {operator}"
    if not resumes_in(shape.namespace):
        where = f"'{NAMESPACE}' or one that begins with '{NAMESPACE_PREFIX}'"
        return f"the job is in the namespace '{shape.namespace}', but must be in {where}"
    return ""


def replaces_nodes(blueprint: Blueprint) -> bool:
    """Whether HyperPod replaces nodes by itself."""
    own = blueprint.described.hyperpod
    return own is not None and own.node_recovery is NodeRecovery.AUTOMATIC


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
