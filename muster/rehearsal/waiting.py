"""Who of a job waits, and why: the words that were said, and the cause behind them."""

import re
from collections.abc import Sequence
from dataclasses import replace

from muster.fleet.matching import Json, terms
from muster.jobs.asks import asks
from muster.jobs.kinds import hyperpod_job
from muster.jobs.shape import Role
from muster.rehearsal import resource_claims
from muster.rehearsal.causes import CLAIM_MISSING, Asking, cause_of
from muster.rehearsal.claims import lacking
from muster.rehearsal.installed import runners
from muster.rehearsal.outcome import Cause, Waiting
from muster.rehearsal.planned_cluster import PlannedCluster
from muster.rehearsal.pods import Pod
from muster.rehearsal.sent_job import SentJob
from muster.words import listed

_NOT_FOUND = re.compile(r"\bnot found\b|\bno \w+ with name \S+ was found\b")
"""How the API server's admission speaks of a service account, a RuntimeClass, a PriorityClass that is not there."""

OPERATOR_WAITS = "operator-{}"
"""The id of a cause that keeps the job's operator waiting, of the cause's own."""


def waiting_pods(cluster: PlannedCluster, job: SentJob) -> tuple[Waiting, ...]:
    """Every pod that is there and does not run, then those that nobody makes, by name."""
    # Of pods that are being deleted nobody waits for a place.
    stuck = [pod for pod in job.now if not pod.running and not pod.ending]
    if not stuck and not job.refusal:
        return ()
    scene = cluster.scene()
    # A thousand pods of one role have one cause: it is looked for once.
    known: dict[tuple[str, str], Cause] = {}
    found = []
    for pod in stuck:
        if job.unclaimed and resource_claims.held(pod.spec):
            found.append(Waiting(pod.name, "", job.unclaimed))
            continue
        key = (pod.role, pod.said)
        if key not in known:
            asking = _asking(pod.spec, pod.role, alike(pod, job.shape.roles) or len(stuck))
            known[key] = _with_claims(cause_of(asking, scene, pod.said), pod, job)
        found.append(Waiting(pod.name, pod.said, known[key]))
    if job.refusal:
        found.append(Waiting(job.shape.name, job.refusal.said, _refused(job)))
    return tuple(found)


def _with_claims(cause: Cause, pod: Pod, job: SentJob) -> Cause:
    """With every claim that the pod lacks: the scheduler names the first."""
    if cause.id != CLAIM_MISSING:
        return cause
    names = lacking(job.plane, job.shape.namespace, (pod.spec,))
    return replace(cause, said=f"{cause.said}: {listed(map(repr, names))}") if names else cause


def alike(pod: Pod, roles: Sequence[Role]) -> int:
    """How many pods of the job ask the same of nodes as this one, whatever their role; 0 where its role is not known.

    A PyTorchJob's master and nine workers that ask the same are ten such pods: they need room together. Pods that
    Kubernetes' own controllers make carry no role, and their jobs have one.
    """
    own = next((role for role in roles if len(roles) == 1 or role.name.lower() == pod.role.lower()), None)
    if own is None:
        own = next((role for role in roles if _made_from(pod.spec, role)), None)
    return sum(role.pods for role in roles if _demand(role.spec) == _demand(own.spec)) if own else 0


def _demand(spec: Json) -> tuple[object, ...]:
    """What a template asks of nodes: amounts, labels, tolerations in any order."""
    tolerations = sorted(repr(sorted(each.items())) for each in spec.get("tolerations") or ())
    return (asks(spec), spec.get("nodeSelector") or {}, terms(spec), tolerations)


def _made_from(spec: Json, role: Role) -> bool:
    """Whether a pod may be one of a role: the API server adds tolerations to what the template says, and takes none."""
    amounts, selector, required, _ = _demand(role.spec)
    tolerations = spec.get("tolerations") or ()
    return (amounts, selector, required) == _demand(spec)[:3] and all(
        each in tolerations for each in role.spec.get("tolerations") or ()
    )


def no_names(cluster: PlannedCluster) -> str:
    """Why pods would not find each other by name: CoreDNS waits; empty where it runs."""
    waits = cluster.dns_waits()
    if waits is None:
        return ""
    said, spec = waits
    cause = cause_of(_asking(spec, "dns", 1), cluster.scene(), said)
    return f"CoreDNS runs nowhere, so that no pod finds another by its name: {cause.said}; {cause.remedy}"


def _asking(spec: Json, role: str, alike: int) -> Asking:
    asked = {resource: number for resource, number in asks(spec).items() if number}
    return Asking(spec, {**asked, "pods": 1}, role, alike)


def _refused(job: SentJob) -> Cause:
    assert job.refusal is not None
    kind, who = job.shape.kind, job.refusal.who
    if _NOT_FOUND.search(job.refusal.said):
        return Cause(
            "refused",
            f"{who} refuses the {kind} or its pods: what they name is not there",
            "put it into the job's file, if the cluster has it; a cluster without it would refuse the job too",
        )
    if job.refusal.said:
        return Cause(
            "refused",
            f"{who} refuses the {kind} or its pods",
            "mend the job as those words say; a live cluster would refuse it too",
        )
    return Cause(
        "pods-not-made",
        f"{who} made fewer pods than the {kind} asks for, and said nothing of it",
        f"look at the {kind}'s own settings: suspend, parallelism, replicas",
    )


def no_runner(cluster: PlannedCluster, job: SentJob) -> Cause | None:
    """Why nothing would make the job's pods on the cluster: its operator is no add-on of it, or does not run.

    None where all is well, or where the catalogue has no such operator.
    """
    version, kind = job.shape.api_version, job.shape.kind
    known = runners(version, kind)
    if not known:
        return None
    runner = cluster.installed.runner(version, kind)
    if runner is None and kind == hyperpod_job.KIND and cluster.blueprint.hyperpod is None:
        return Cause(
            "no-operator",
            f"{kind}s run on SageMaker HyperPod alone, by an operator of its own",
            "rehearse it on a stack with `backend: hyperpod`, or write it as a PyTorchJob",
        )
    if runner is None:
        return Cause(
            "no-operator",
            f"no add-on of the description runs {kind}s: nothing would make the job's pods",
            f"add `{known[0]}: {{}}` below addons:",
            "addons",
        )
    waits = next(filter(None, map(cluster.deployment_waits, runner.operators)), None)
    if waits is None:
        return None
    said, spec = waits
    cause = cause_of(_asking(spec, "operator", 1), cluster.scene(), said)
    return Cause(
        OPERATOR_WAITS.format(cause.id),
        f"the {runner.addon.name} that makes the job's pods waits itself: {cause.said}",
        cause.remedy,
        cause.where or f"addons.{runner.addon.name}",
        cause.sums,
    )
