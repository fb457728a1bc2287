"""Simulates what HyperPod does to nodes and jobs: health checks, replacement, auto-resume."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

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
from muster.blueprint.hyperpod.commands import REPLACE_NODES
from muster.blueprint.hyperpod.node_labels import (
    CHECKS_TAKE,
    COMPUTE_TYPE,
    DEEP_CHECKS,
    HYPERPOD,
    NODE_HEALTH,
    TAINT,
    DeepChecks,
    Health,
)
from muster.blueprint.kubernetes import Blueprint
from muster.config.description.hyperpod_settings import NodeRecovery
from muster.jobs.pod_roles import JobRoles
from muster.kubernetes_quantity import is_device
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.outcome import SimulatedPart, group_names
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.taints import taints_of, untolerated
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


def marked_for_replacement(node: PlannedNode) -> PlannedNode:
    """The node once the health monitoring agent has found a hardware fault. Pods on it continue to run."""
    return _in(node, {NODE_HEALTH: Health.TO_REPLACE}, tainted=True)


def without_faults(node: PlannedNode) -> PlannedNode:
    """The node without marks of faults: a node that its group could have again."""
    if NODE_HEALTH not in _labels(node):
        return node
    return after_checks(node) if has_checks(node) else _in(node, {NODE_HEALTH: Health.SCHEDULABLE}, tainted=False)


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


class DeepHealthChecks(StrEnum):
    """The state of the deep health checks when the job is submitted."""

    SIMULATED = "simulated"
    """They run and the job waits; then they end, and the job continues."""
    IN_PROGRESS = "in-progress"
    """They run, and do not end."""
    PASSED = "passed"
    """They have passed on the existing nodes. A new node is still checked."""


def simulated_health_checks(nodes: Iterable[PlannedNode], checks: DeepHealthChecks) -> Iterator[SimulatedPart]:
    """The simulated deep health checks; none if no group has them."""
    groups = dict.fromkeys(node.group for node in nodes if has_checks(node))
    if groups:
        how = {
            DeepHealthChecks.SIMULATED: "the nodes get the labels and the taint of running checks, then those of "
            "passed checks",
            DeepHealthChecks.IN_PROGRESS: "the nodes get the labels and the taint of running checks",
            DeepHealthChecks.PASSED: "the nodes get the labels of passed checks",
        }[checks]
        yield _simulated_checks(groups, how)


def simulated_checks_of_new_nodes(nodes: Iterable[PlannedNode]) -> SimulatedPart:
    """The simulated deep health checks on nodes that join later."""
    how = "a new node gets the labels and the taint of running checks, then those of passed checks"
    return _simulated_checks(dict.fromkeys(node.group for node in nodes), how)


def _simulated_checks(groups: Iterable[str], how: str) -> SimulatedPart:
    why = f"the checks are AWS's code on real hardware, and take {CHECKS_TAKE} on every new instance"
    return SimulatedPart(f"HyperPod's deep health checks of {group_names(groups)}", how, why)


def health_check_notes(nodes: Iterable[PlannedNode], checks: DeepHealthChecks) -> Iterator[str]:
    """Notes on what the verdict does not include of them."""
    groups = dict.fromkeys(node.group for node in nodes if has_checks(node))
    if not groups or checks is DeepHealthChecks.IN_PROGRESS:
        return
    when = (
        "the job first waits for them"
        if checks is DeepHealthChecks.SIMULATED
        else "the verdict assumes that they passed"
    )
    yield f"HyperPod's deep health checks take {CHECKS_TAKE} on every new node of {group_names(groups)}: {when}"


@dataclass(frozen=True, slots=True)
class AutoResume:
    """What HyperPod would do for a job."""

    retries: int = 0
    """How often it restarts the job."""
    why_not: str = ""
    """Why it never restarts the job; empty if it does."""


def auto_resume(job: JsonObject, shape: JobRoles, operator: str = "") -> AutoResume:
    """What HyperPod would do for this job.

    Args:
        job: its manifest.
        shape: the parsed manifest.
        operator: the training operator's release; empty if HyperPod's chart contains its own.
    """
    if why_not := _unsupported(shape, operator):
        return AutoResume(why_not=why_not)
    annotations = job["metadata"].get("annotations") or {}
    if str(annotations.get(ENABLED, "")).lower() != "true":
        return AutoResume(why_not=f'the job lacks the annotation {ENABLED}: "true"')
    retries = whole_number(annotations.get(RETRIES), 1)
    if retries is None:
        return AutoResume(why_not=f'the job does not set the number of restarts: add the annotation {RETRIES}: "2"')
    for name, replica in job["spec"]["pytorchReplicaSpecs"].items():
        if (policy := replica.get("restartPolicy", RESTART_POLICY)) != RESTART_POLICY:
            return AutoResume(why_not=f"restartPolicy of {name} is {policy}, but must be {RESTART_POLICY}")
    return AutoResume(retries)


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


def recovery_remedy(blueprint: Blueprint, group: str, nodes: int) -> str:
    """The remedy for lost nodes of a group.

    Args:
        blueprint: the cluster, on HyperPod.
        group: the group's name.
        nodes: how many are lost.
    """
    it = "it" if nodes == 1 else "them"
    if not replaces_nodes(blueprint):
        return f"replace {it} (`{REPLACE_NODES}`), or set hyperpod.node-recovery: automatic"
    described = blueprint.group(group).described
    checks = getattr(getattr(described, "hyperpod", None), "deep_health_checks", ())
    more = f" and the new nodes have passed their deep health checks ({CHECKS_TAKE})" if checks else ""
    return f"wait until HyperPod has replaced {it}{more}; to avoid the wait, add a spare node to the group"


def node_selection_notes(shape: JobRoles, nodes: Iterable[PlannedNode]) -> Iterator[str]:
    """Notes on roles whose pods may also start on nodes that they should not use.

    AWS recommends that a job selects nodes by `NODE_HEALTH` (SageMaker AI guide, "Running jobs using kubectl").
    """
    if not any(node.manifest["metadata"]["labels"].get(COMPUTE_TYPE) == HYPERPOD for node in nodes):
        return
    for role in shape.roles:
        if not any(is_device(resource) and number for resource, number in role.asks.items()):
            continue
        constraints = PodConstraints.of(role.spec)
        if not untolerated(constraints.tolerations, [TAINT]):
            yield (
                f"pods of '{role.name}' tolerate the taint {TAINT}, so they may start on a node that HyperPod is "
                "checking or is about to replace; remove the toleration from the job"
            )
        elif NODE_HEALTH not in constraints.keys:
            yield (
                f"pods of '{role.name}' do not select healthy nodes; add {NODE_HEALTH}: {Health.SCHEDULABLE} to their "
                "nodeSelector, as AWS recommends for jobs on HyperPod"
            )
