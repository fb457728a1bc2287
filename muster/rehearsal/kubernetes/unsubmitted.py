"""Why a job cannot start, as far as its file and the description tell: nothing is built, and nothing runs."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from muster.config.description.addons import addon_entry
from muster.jobs.kinds import hyperpod_job
from muster.jobs.pod_roles import BY_DEFAULT_SCHEDULER
from muster.rehearsal.kubernetes import hyperpod, kueue, resource_claims
from muster.rehearsal.kubernetes.addons import InstalledAddons, addons_that_run
from muster.rehearsal.kubernetes.causes import NO_PLUGIN, cause_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.kubernetes.nodes import planned_nodes
from muster.rehearsal.kubernetes.operators import SCHEDULERS
from muster.rehearsal.kubernetes.pending_pods import no_pods_cause, pending_pod
from muster.rehearsal.kubernetes.planned_cluster import live_node
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Cause, Moment, Outcome, Tone, Verdict, Waiting, pods_not_created


def unsubmitted(request: RehearsalRequest, installed: InstalledAddons) -> Outcome | None:
    """The outcome if the job cannot start whatever a control plane would say; None if one must decide.

    Args:
        request: the cluster and the job.
        installed: the add-ons of the cluster.
    """
    shape = request.shape
    cause = _cause(request, installed)
    if cause is None:
        return None
    return Outcome(
        stack=request.blueprint.stack,
        job=shape.name,
        kind=shape.kind,
        kubernetes=request.blueprint.described.kubernetes,
        programs=(),
        verdict=Verdict.DOES_NOT_START,
        nodes=(),
        pods=tuple(pod for role in shape.roles for pod in pods_not_created(shape.name, role.name, role.pods)),
        waiting=(Waiting(shape.name, "", cause),),
        simulated_parts=(),
        moments=(Moment(0.0, f"{shape.name} is not submitted: {cause.said}", Tone.BAD),),
        notes=request.notes,
        requests_at=request.requests_at,
    )


def _cause(request: RehearsalRequest, installed: InstalledAddons) -> Cause | None:
    queue = kueue.queue_of(request.shape, request.queues)
    return (
        no_pods_cause(request.job, request.shape, request.resumer, queue)
        or hyperpod.unqueued_cause(request.blueprint, request.shape.namespace, queue)
        or _absent_operator(request, installed)
        or resource_claims.missing_claims_cause(request.claims, request.beside)
        or _absent_scheduler(request)
        or next(_absent_plugins(request, installed), None)
    )


def _absent_operator(request: RehearsalRequest, installed: InstalledAddons) -> Cause | None:
    """The cause if no add-on of the cluster runs such jobs; None if Muster has no such add-on either."""
    version, kind = request.shape.api_version, request.shape.kind
    known = addons_that_run(version, kind)
    if not known or installed.runner(version, kind):
        return None
    if kind == hyperpod_job.KIND and request.blueprint.hyperpod is None:
        return Cause(
            "no-operator",
            f"a {kind} runs only on SageMaker HyperPod, which has its operator",
            "rehearse the job on a stack with `backend: hyperpod`, or rewrite it as a PyTorchJob",
        )
    said = f"no add-on of the description runs {kind}s of {version}, so the cluster would not create the job's pods"
    return Cause("no-operator", said, f"add `{addon_entry(known[0])}` below addons:", "addons")


def _absent_scheduler(request: RehearsalRequest) -> Cause | None:
    """The cause if pods set a scheduler of an add-on that the cluster does not have."""
    if request.shape.controller in BY_DEFAULT_SCHEDULER:
        return None
    absent = (name for name in request.shape.schedulers if name in SCHEDULERS and name not in request.schedulers)
    for name in absent:
        said = f"pods set the scheduler '{name}', which no add-on of the description installs"
        remedy = f"add `{addon_entry(SCHEDULERS[name].addon)}` below addons:, or remove schedulerName from the pods"
        return Cause("no-scheduler", said, remedy, "addons")
    return None


def _absent_plugins(request: RehearsalRequest, installed: InstalledAddons) -> Iterator[Cause]:
    """The causes of pods whose devices no add-on of the cluster offers, on nodes that could otherwise run them."""
    servers = installed.servers
    nodes = tuple(_offering(live_node(each, each.manifest), servers) for each in planned_nodes(request.blueprint))
    snapshot = ClusterSnapshot(request.blueprint, nodes, servers=servers)
    for role in request.shape.roles:
        cause = cause_of(pending_pod(role.spec, role.name, role.pods), snapshot, "not submitted")
        if role.pods and cause.id == NO_PLUGIN:
            yield cause


def _offering(node: LiveNode, served: Collection[str]) -> LiveNode:
    """A node on which every plugin of the cluster runs."""
    offered = {name: replace(each, offered=each.planned) for name, each in node.amounts.items() if name in served}
    return replace(node, amounts={**node.amounts, **offered})
