"""Lost nodes, broken devices, and the source of new nodes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from muster.blueprint.kubernetes import Blueprint
from muster.config.description.capacity import AnyCapacity, CapacityBlock, TrainingPlan
from muster.message_text import list_names
from muster.rehearsal.kubernetes.drills.loss import DrillLog, Loss, count_pods, recreate_lost_pods
from muster.rehearsal.kubernetes.job_run import JobPod, JobRun
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.outcome import Drill, Tone


def break_devices(loss: Loss, cluster: PlannedCluster, job: JobRun, log: DrillLog) -> Drill:
    """Breaks devices of a node that the job uses, and restarts a pod there."""
    before = job.running()
    pod, node = _user_of(loss.resource, cluster, job)
    has = cluster.node(node).has(loss.resource)
    cluster.degrade(node, loss.resource, loss.broken)
    log.add(f"{node} offers {has - loss.broken} of its {has} {loss.resource}", Tone.BAD)
    if pod is None:
        cluster.degrade(node, loss.resource, 0)
        text = f"the job continues: none of its pods uses {loss.resource}"
        return Drill(str(loss), tuple(log.moments), before, before, before, text)
    log.add(f"{pod.name} continues to run: Kubernetes does not evict it")
    if cluster.hyperpod:
        text = (
            "HyperPod's health monitoring agent may mark the node for reboot or replacement; this drill does not "
            "simulate it"
        )
        log.add(f"{text} (--lose-nodes does)")
    _end(pod, cluster, job)
    log.add(f"{pod.name} is deleted, as an administrator would do to restart it")
    waiting = recreate_lost_pods(cluster, job, log, 1)
    after = job.running()
    failed = log.failed()
    job.pods.restart_quiet()
    cluster.degrade(node, loss.resource, 0)
    if failed:
        text = "the job fails when the first of its pods is deleted, and does not restart"
        return Drill(str(loss), tuple(log.moments), before, after, after, text, waiting)
    log.add(f"{node} is repaired or replaced, and offers all {has} devices")
    job.settle(cluster.timeout)
    text = (
        "the job continues until one of its pods must be created again; that pod waits until the node is replaced"
        if waiting
        else "the job continues: the remaining devices are enough"
    )
    return Drill(str(loss), tuple(log.moments), before, after, log.count(before), text, waiting)


def _user_of(resource: str, cluster: PlannedCluster, job: JobRun) -> tuple[JobPod | None, str]:
    """A pod of the job that uses the devices, and its node; if there is none, any node that has such devices."""
    having = [node.name for node in cluster.nodes if node.has(resource)]
    for pod in job.now:
        if pod.running and pod.node in having and pod.asks.get(resource):
            return pod, pod.node
    return None, having[0]


def _end(pod: JobPod, cluster: PlannedCluster, job: JobRun) -> None:
    job.pods.restart_quiet()
    cluster.delete_pod(job.shape.namespace, pod.name, pod.uid)
    job.plane.wait_until(lambda: pod.uid not in {each.uid for each in job.now}, f"{pod.name} was not deleted")


_EC2 = "(`aws ec2 describe-capacity-reservations`: AvailableInstanceCount)"
_PLAN = "(`aws sagemaker describe-training-plan`: AvailableSpareInstanceCount)"


@dataclass(frozen=True, slots=True)
class ReplacementSource:
    """The source of new nodes."""

    text: str
    """``from its reservation, which holds 4 (1 unused)``."""
    assumes: str
    """The condition for their capacity, as a clause; empty if the description states that the capacity exists."""


def replacement_source(
    blueprint: Blueprint, new: Mapping[str, int], nodes: Mapping[str, int], without: str = ""
) -> ReplacementSource:
    """Where the new nodes of these groups come from.

    Args:
        blueprint: the cluster.
        new: group -> the number of nodes that replace lost ones.
        nodes: group -> how many it had before the loss.
        without: a zone that is lost.
    """
    found = [_of_group(blueprint, name, number, nodes, without) for name, number in new.items()]
    return ReplacementSource(
        _joined(each.text for each in found), _joined((each.assumes for each in found), ", and that ")
    )


def with_assumptions(text: str, assumes: str) -> str:
    """The result of a drill, with its assumptions."""
    return f"{text}; this assumes that {assumes}" if assumes else text


def _of_group(blueprint: Blueprint, name: str, new: int, nodes: Mapping[str, int], without: str) -> ReplacementSource:
    group = blueprint.group(name)
    capacity = group.described.capacity
    reserved = capacity.held
    if reserved is None:
        zones = tuple(zone for zone in blueprint.zones(group) if zone != without)
        return _bought(capacity, group.described.instance_type, zones)
    sharing = (each.name for each in blueprint.groups if each.described.capacity.held == reserved)
    unused = max(0, reserved.count - sum(nodes.get(each, 0) for each in sharing))
    what = _name(reserved)
    if unused >= new:
        return ReplacementSource(f"from its {what}, which holds {reserved.count} ({unused} unused)", "")
    text = f"from its {what}, which holds {reserved.count} ({unused or 'none'} unused)"
    if isinstance(reserved, TrainingPlan):
        return ReplacementSource(text, f"SageMaker has spare instances for the {what} {_PLAN}")
    return ReplacementSource(
        text, f"AWS replaces the hardware of the {what}, which has no unused instances for them {_EC2}"
    )


def _bought(capacity: AnyCapacity, instance: str, zones: tuple[str, ...]) -> ReplacementSource:
    """The source of instances without a reservation."""
    kind = "Spot" if capacity.spot else "on-demand"
    where = f" in {list_names(zones)}" if zones else ""
    return ReplacementSource(
        f"{kind} capacity, without a reservation", f"AWS has {kind} capacity for {instance}{where}"
    )


def _name(reserved: object) -> str:
    if isinstance(reserved, TrainingPlan):
        return "training plan"
    return "Capacity Block" if isinstance(reserved, CapacityBlock) else "reservation"


def _joined(words: Iterable[str], between: str = "; ") -> str:
    return between.join(dict.fromkeys(each for each in words if each))


_IN_LIFE = "on a real cluster, 1 to 6 minutes after the node stops responding"
"""50 s until the controllers mark the node unreachable (`--node-monitor-grace-period`), and about a minute until the
pod garbage collector removes the pods of a Node that the cloud controller has deleted; 300 s (the toleration that every
pod gets) if the instance still exists."""


def lose_nodes(loss: Loss, cluster: PlannedCluster, job: JobRun, log: DrillLog) -> Drill:
    """Removes a number of nodes, or all nodes of a zone."""
    before = job.running()
    names = nodes_of_zone(loss.zone, cluster) if loss.zone else busiest_nodes(loss.nodes, cluster, job)
    nodes = cluster.by_group()
    lost = _take_away(names, loss.zone, cluster, job, log)
    waiting = recreate_lost_pods(cluster, job, log, lost)
    after = job.running()

    def drill(last: int, text: str, assumes: str = "") -> Drill:
        words = with_assumptions(text, assumes)
        return Drill(str(loss), tuple(log.moments), before, after, last, words, waiting, assumes=assumes)

    if log.failed():
        return drill(after, "the job fails and does not restart; raise its backoffLimit, or submit it again")
    new = cluster.replace(without=loss.zone)
    source = replacement_source(cluster.blueprint, cluster.by_group(new), nodes, without=loss.zone)
    job.pods.restart_quiet()  # not before: pods may not change for a long time until the new nodes offer their devices
    if new:
        place = "replaces the lost node" if len(new) == 1 else "replace the lost nodes"
        where = ", ".join(dict.fromkeys(cluster.node(name).zone for name in new if cluster.node(name).zone))
        groups = [cluster.blueprint.group(cluster.node(name).group).described for name in new]
        who = " and ".join(dict.fromkeys(each.node_creator for each in groups))
        log.add(f"{list_names(new)} {place}{f' in {where}' if where else ''} ({who}: {source.text})")
    job.settle(cluster.timeout)
    last = log.count(before) if new else after
    waited = after < before <= last
    return drill(last, _meaning(before, after, last, loss.zone), source.assumes if waited else "")


def _take_away(names: tuple[str, ...], zone: str, cluster: PlannedCluster, job: JobRun, log: DrillLog) -> int:
    """Removes nodes. Returns the number of the job's pods that were on them."""
    hit, one = tuple(pod for pod in job.now if pod.node in names), len(names) == 1
    log.add(f"{list_names(names)} {'is' if one else 'are'} lost, with {count_pods(hit)} of the job", Tone.BAD)
    job.pods.restart_quiet()
    cluster.remove_nodes(names, zone)
    gone = {pod.uid for pod in hit}
    job.plane.wait_until(lambda: gone.isdisjoint(pod.uid for pod in job.now), "pods of a lost node were not deleted")
    if hit:
        log.add(f"{list_names(pod.name for pod in hit)} deleted ({_IN_LIFE})")
    return len(hit)


def busiest_nodes(number: int, cluster: PlannedCluster, job: JobRun) -> tuple[str, ...]:
    """Nodes that run pods of the job, those with devices first; then other nodes."""
    busy = {pod.node for pod in job.now}
    ranked = sorted(cluster.nodes, key=lambda node: (node.name not in busy, not node.devices, node.number))
    return tuple(node.name for node in ranked[:number])


def nodes_of_zone(zone: str, cluster: PlannedCluster) -> tuple[str, ...]:
    """The nodes of a zone."""
    return tuple(node.name for node in cluster.nodes if node.zone == zone)


def _meaning(before: int, after: int, last: int, zone: str) -> str:
    if after >= before:
        return "the job continues: its pods run on the remaining nodes"
    if last >= before:
        return "the job waits for the replacement, then all its pods run again"
    if zone:
        return f"the job does not recover until {zone} does: it needs nodes that exist only in this zone"
    return "the job does not recover, even after its nodes are replaced"
