"""What the outcome tells of nodes and pods, of what was played, and of what nobody looked at."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from muster.jobs.shape import Controller, Shape
from muster.rehearsal.beside import unknown
from muster.rehearsal.client import Json
from muster.rehearsal.control_plane import ControlPlane
from muster.rehearsal.installed import Installed, runners
from muster.rehearsal.outcome import NodeSeen, NodeState, PodSeen, PodState, StandIn
from muster.rehearsal.planned_cluster import PlannedCluster
from muster.rehearsal.sent_job import SentJob


def nodes(cluster: PlannedCluster, job: SentJob) -> tuple[NodeSeen, ...]:
    """Every node, with the job's pods that run there."""
    on: dict[str, list[str]] = {}
    for pod in job.now:
        if pod.node and pod.running:
            on.setdefault(pod.node, []).append(pod.name)
    zones = {node.name: node.zone for node in cluster.nodes}
    seen = {
        node.name: NodeSeen(
            node.name,
            node.group,
            node.instance,
            zones[node.name],
            NodeState.READY,
            node.amounts,
            tuple(on.get(node.name, ())),
        )
        for node in cluster.live()
    }
    return tuple(seen[node.name] for node in cluster.nodes if node.name in seen)


def pods(job: SentJob) -> tuple[PodSeen, ...]:
    """Every pod of the job, those included that nobody has made."""
    there = tuple(
        PodSeen(
            pod.name,
            job.role_of(pod),
            PodState.RUNNING if pod.running else PodState.WAITING,
            pod.node,
            pod.asks,
        )
        for pod in job.now
    )
    never = tuple(
        PodSeen(f"{job.shape.name} ({role.name} {number + 1})", role.name, PodState.NOT_CREATED, None, {})
        for role, missing in job.missing()
        for number in range(missing)
    )
    return (*there, *never)


def played(shape: Shape) -> Iterator[StandIn]:
    """Who makes the pods of a job whose controller does not run."""
    if shape.controller is Controller.STAND_IN:
        yield StandIn(
            shape.runs_by,
            "exactly the pods it would make, made by the rehearsal",
            "it is in no package registry, so it is not run",
        )


def notes(shape: Shape, beside: Iterable[Json], ran: str, asked: str) -> Iterator[str]:
    """What the reader should know beside the verdict.

    Args:
        shape: the job.
        beside: what goes with it.
        ran: the Kubernetes version that ran.
        asked: the stack's.
    """
    yield from shape.notes
    if ran != asked:
        yield f"the stack is for Kubernetes {asked}; the programs here are {ran}, and that ran"
    if shape.controller is not Controller.KUBERNETES and not runners(shape.api_version, shape.kind):
        what = f"{shape.kind}s ({shape.api_version})"
        yield f"no add-on of ours runs {what}: they start only where {shape.runs_by} is on the cluster"
    yield from unknown(shape, beside)


def operator_notes(shape: Shape, plane: ControlPlane, installed: Installed) -> Iterator[str]:
    """That another release of the training operator ran than the description names."""
    named = installed.training_operator if shape.controller is Controller.TRAINING_OPERATOR else ""
    if named and named.removeprefix("v") != (ran := plane.binaries["training-operator"].version.removeprefix("v")):
        yield f"the description's training-operator is {named}; the program here is v{ran}, and that ran"


def together(stand_ins: Iterable[StandIn]) -> tuple[StandIn, ...]:
    """Each name once, with everything that was played of it."""
    found: dict[str, StandIn] = {}
    for each in stand_ins:
        known = found.setdefault(each.name, each)
        if each.played_by not in known.played_by.split("; "):
            found[each.name] = replace(known, played_by=f"{known.played_by}; {each.played_by}")
    return tuple(found.values())
