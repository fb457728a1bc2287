"""What a pod itself says that keeps every scheduler, or the rehearsal's, from placing it."""

from muster.fleet.matching import Json
from muster.fleet.near_miss import did_you_mean
from muster.jobs.shape import DEFAULT_SCHEDULER
from muster.rehearsal.outcome import Cause
from muster.rehearsal.scene import Scene


def own_setting(pod: Json, scene: Scene) -> Cause | None:
    """Another scheduler, a node that is not there, a gate; None where it leaves its place to the scheduler.

    Args:
        pod: the pod's spec.
        scene: the nodes.
    """
    scheduler = pod.get("schedulerName") or DEFAULT_SCHEDULER
    if scheduler != DEFAULT_SCHEDULER:
        return Cause(
            "no-such-scheduler",
            f"it asks for the scheduler '{scheduler}', which a rehearsal does not have, and no add-on of the "
            "description installs",
            "leave schedulerName out, or install that scheduler",
        )
    if gates := [str(each.get("name", "")) for each in pod.get("schedulingGates") or ()]:
        holds, them = ("gate {} holds", "it") if len(gates) == 1 else ("gates {} hold", "them")
        return Cause(
            "scheduling-gated",
            f"its scheduling {holds.format(' and '.join(gates))} it back from every scheduler",
            f"take {them} out of schedulingGates, or have whoever opens {them} in the cluster; a rehearsal opens none",
        )
    return _named_node(str(pod.get("nodeName") or ""), scene)


def _named_node(name: str, scene: Scene) -> Cause | None:
    """The scheduler does not see a pod that names its node: the node's kubelet takes it, where there is one."""
    there = [node.name for node in scene.nodes]
    if not name or name in there or name in {node.name for node in scene.lost}:
        return None
    return Cause(
        "no-such-node",
        f"it names the node '{name}' itself, and the cluster has no such node{did_you_mean(name, there)}",
        "leave nodeName out, and choose nodes by their labels: what a node is called is known only once it is there",
    )
