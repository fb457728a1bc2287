"""Causes of gang scheduling: the scheduler starts all pods of a job or none, and has no room for all."""

from collections.abc import Mapping, Sequence
from math import ceil

from muster.jobs.pod_requests import PodRequests
from muster.jobs.pod_roles import JobRoles
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod
from muster.rehearsal.kubernetes.causes.resources import more_nodes
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.outcome import Cause, count_by_group
from muster.scheduling.resources import copies_that_fit, left, times


def gang_cause(
    pods: Sequence[PendingPod], running: Mapping[str, int], job: JobRoles, snapshot: ClusterSnapshot, scheduler: str
) -> Cause | None:
    """The cause if the nodes have no room for all pods that the job needs at once; None if they have.

    Args:
        pods: one of each role, in the order of the roles.
        running: role -> how many of its pods run.
        job: the job.
        snapshot: the nodes, with what all running pods use.
        scheduler: what starts the gang.
    """
    free = {node.name: {name: node.free(name) for name in node.amounts} for node in snapshot.nodes}
    placed = dict(running)
    for role, pod in zip(job.roles, pods, strict=True):
        there = running.get(role.name, 0)
        placed[role.name] = there + _place(role.pods - there, pod, snapshot.nodes, free)
    if job.goes_on(placed):
        return None
    short, pod = next((role, pod) for role, pod in zip(job.roles, pods, strict=True) if placed[role.name] < role.pods)
    nodes = [node for node in snapshot.nodes if pod.suits(node)]
    missing = job.needed - sum(placed.values()) if short.needed == 0 else short.needed - placed[short.name]
    most = max((pod.fits(node) for node in nodes), default=1)
    remedy, where = more_nodes(pod, nodes, snapshot, ceil(max(1, missing) / max(1, most)))
    room = sum(placed.values())
    return Cause(
        "gang-does-not-fit",
        f"{scheduler} starts {job.needed} pods of the job together or none, but {count_by_group(nodes)} "
        f"{'has' if len(nodes) == 1 else 'have'} room for {f'only {room}' if room else 'none'} of them",
        f"{remedy}, or reduce the number of the job's pods",
        where,
    )


def _place(number: int, pod: PendingPod, nodes: Sequence[LiveNode], free: dict[str, PodRequests]) -> int:
    """Places pods on the nodes while they have room. Returns the number of placed pods."""
    placed = 0
    for node in nodes:
        if pod.suits(node) and placed < number:
            here = min(number - placed, copies_that_fit(pod.requests, free[node.name]))
            free[node.name] = left(free[node.name], times(here, pod.requests))
            placed += here
    return placed
