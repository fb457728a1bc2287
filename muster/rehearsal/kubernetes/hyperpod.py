"""What HyperPod does to nodes and jobs, as a rehearsal plays it: health checks, replacement, auto-resume."""

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
from muster.rehearsal.outcome import StandIn, group_names
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.taints import taints_of, untolerated


def has_checks(node: PlannedNode) -> bool:
    """Whether deep health checks run on it before any job does: its group has them."""
    return DEEP_CHECKS in _labels(node)


def is_checked(node: PlannedNode) -> bool:
    """Whether they run on it now."""
    return _labels(node).get(DEEP_CHECKS) == DeepChecks.IN_PROGRESS


def under_checks(node: PlannedNode) -> PlannedNode:
    """The node while its deep health checks run: its taint keeps off pods that do not tolerate it."""
    return _in(node, {NODE_HEALTH: Health.CHECKED, DEEP_CHECKS: DeepChecks.IN_PROGRESS}, tainted=True)


def after_checks(node: PlannedNode) -> PlannedNode:
    """The node once they have ended well."""
    return _in(node, {NODE_HEALTH: Health.SCHEDULABLE, DEEP_CHECKS: DeepChecks.PASSED}, tainted=False)


def marked_for_replacement(node: PlannedNode) -> PlannedNode:
    """The node once the health monitoring agent has found a hardware fault. Pods on it continue to run."""
    return _in(node, {NODE_HEALTH: Health.TO_REPLACE}, tainted=True)


def without_faults(node: PlannedNode) -> PlannedNode:
    """The node as it was before anything was found on it: what its group could have again."""
    if NODE_HEALTH not in _labels(node):
        return node
    return after_checks(node) if has_checks(node) else _in(node, {NODE_HEALTH: Health.SCHEDULABLE}, tainted=False)


def _labels(node: PlannedNode) -> Mapping[str, str]:
    found: Mapping[str, str] = node.manifest["metadata"]["labels"]
    return found


def _in(node: PlannedNode, labels: Mapping[str, str], *, tainted: bool) -> PlannedNode:
    metadata, spec = node.manifest["metadata"], node.manifest["spec"]
    others = [each for each in taints_of(spec) if each != TAINT]
    said = {key: str(value) for key, value in labels.items()}
    manifest = {
        **node.manifest,
        "metadata": {**metadata, "labels": {**metadata["labels"], **said}},
        "spec": {**spec, "taints": [each.manifest for each in (*others, *([TAINT] if tainted else []))]},
    }
    return replace(node, manifest=manifest)


class DeepHealthChecks(StrEnum):
    """How far they are when the job comes."""

    PLAYED = "played"
    """They run, the job waits; then they end, and it goes on."""
    IN_PROGRESS = "in-progress"
    """They run, and do not end."""
    PASSED = "passed"
    """They are over on the nodes that are there when it comes. A new node is checked all the same."""


def health_check_stand_ins(nodes: Iterable[PlannedNode], checks: DeepHealthChecks) -> Iterator[StandIn]:
    """The stand-ins for the deep health checks; none where no group has any."""
    groups = dict.fromkeys(node.group for node in nodes if has_checks(node))
    if groups:
        how = {
            DeepHealthChecks.PLAYED: "the nodes' labels and taint, first as while they run, then as once they have "
            "passed",
            DeepHealthChecks.IN_PROGRESS: "the nodes' labels and taint, as while they run",
            DeepHealthChecks.PASSED: "the nodes' labels, as once they have passed",
        }[checks]
        yield _stand_in(groups, how)


def stand_in_for_new_nodes(nodes: Iterable[PlannedNode]) -> StandIn:
    """The stand-ins for the deep health checks on nodes that join later."""
    how = "a new node's labels and taint, first as while they run, then as once they have passed"
    return _stand_in(dict.fromkeys(node.group for node in nodes), how)


def _stand_in(groups: Iterable[str], how: str) -> StandIn:
    why = f"AWS's own code on real hardware, {CHECKS_TAKE} for every new instance"
    return StandIn(f"HyperPod's deep health checks of {group_names(groups)}", how, why)


def health_check_notes(nodes: Iterable[PlannedNode], checks: DeepHealthChecks) -> Iterator[str]:
    """What the verdict leaves out of them."""
    groups = dict.fromkeys(node.group for node in nodes if has_checks(node))
    if not groups or checks is DeepHealthChecks.IN_PROGRESS:
        return
    when = (
        "the job waits for them first" if checks is DeepHealthChecks.PLAYED else "the verdict is for nodes that passed"
    )
    yield f"HyperPod's deep health checks take {CHECKS_TAKE} on every new node of {group_names(groups)}: {when}"


@dataclass(frozen=True, slots=True)
class AutoResume:
    """What HyperPod would do for a job."""

    retries: int = 0
    """How often it starts the job again."""
    why_not: str = ""
    """Why it never does; empty where it does."""


def auto_resume(job: JsonObject, shape: JobRoles, operator: str = "") -> AutoResume:
    """What HyperPod would do for this job.

    Args:
        job: its manifest.
        shape: the same, read.
        operator: the training operator's release; empty where HyperPod's chart brings its own.
    """
    if why_not := _not_taken(shape, operator):
        return AutoResume(why_not=why_not)
    annotations = job["metadata"].get("annotations") or {}
    if str(annotations.get(ENABLED, "")).lower() != "true":
        return AutoResume(why_not=f'the job lacks the annotation {ENABLED}: "true"')
    retries = str(annotations.get(RETRIES, ""))
    if not retries.isdecimal() or not int(retries):
        return AutoResume(why_not=f'the job does not say how often: {RETRIES}: "2"')
    for name, replica in job["spec"]["pytorchReplicaSpecs"].items():
        if (policy := replica.get("restartPolicy", RESTART_POLICY)) != RESTART_POLICY:
            return AutoResume(why_not=f"restartPolicy of {name} is {policy}, and would have to be {RESTART_POLICY}")
    return AutoResume(int(retries))


def _not_taken(shape: JobRoles, operator: str) -> str:
    """Why AWS does not document auto-resume for such a job, whatever its annotations; empty where AWS does."""
    if (shape.api_version, shape.kind) != (API_VERSION, KIND):
        return f"auto-resume is for PyTorchJobs of the Kubeflow training operator, and not for this kind, {shape.kind}"
    if operator and not is_supported(operator):
        stated = f"{', '.join(SUPPORTED_RELEASES[:-1])} and {SUPPORTED_RELEASES[-1]}"
        return f"AWS states it for training-operator {stated}, and the cluster's is {operator}"
    if not resumes_in(shape.namespace):
        where = f"'{NAMESPACE}' or one that begins with '{NAMESPACE_PREFIX}'"
        return f"the job is in the namespace '{shape.namespace}', and would have to be in {where}"
    return ""


def replaces_nodes(blueprint: Blueprint) -> bool:
    """Whether HyperPod replaces nodes by itself."""
    own = blueprint.described.hyperpod
    return own is not None and own.node_recovery is NodeRecovery.AUTOMATIC


def recovery_remedy(blueprint: Blueprint, group: str, nodes: int) -> str:
    """What to do about lost nodes of a group.

    Args:
        blueprint: the cluster, on HyperPod.
        group: the group's name.
        nodes: how many are lost.
    """
    it = "it" if nodes == 1 else "them"
    if not replaces_nodes(blueprint):
        return f"replace {it} (`{REPLACE_NODES}`), or say hyperpod.node-recovery: automatic"
    described = blueprint.group(group).described
    checks = getattr(getattr(described, "hyperpod", None), "deep_health_checks", ())
    more = f", and what is new has passed its deep health checks, {CHECKS_TAKE}" if checks else ""
    return f"wait until HyperPod has replaced {it}{more}; with a node more than the job needs, nobody waits"


def node_selection_notes(shape: JobRoles, nodes: Iterable[PlannedNode]) -> Iterator[str]:
    """Notes on roles whose pods may also start on nodes that they should not use.

    AWS asks that a job selects nodes by `NODE_HEALTH` (SageMaker AI guide, "Running jobs using kubectl").
    """
    if not any(node.manifest["metadata"]["labels"].get(COMPUTE_TYPE) == HYPERPOD for node in nodes):
        return
    for role in shape.roles:
        if not any(is_device(resource) and number for resource, number in role.asks.items()):
            continue
        constraints = PodConstraints.of(role.spec)
        if not untolerated(constraints.tolerations, [TAINT]):
            yield (
                f"pods of '{role.name}' tolerate the taint {TAINT}: they may start on a node that HyperPod checks, "
                "or is about to replace; take the toleration out of the job"
            )
        elif NODE_HEALTH not in constraints.keys:
            yield (
                f"pods of '{role.name}' go to nodes of any health, as far as the taint lets them; add "
                f"{NODE_HEALTH}: {Health.SCHEDULABLE} to their nodeSelector, as AWS asks of jobs on HyperPod"
            )
