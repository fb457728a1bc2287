"""Kueue's queues, derived from the groups: nobody has to say anything. Pure.

Objects of kueue.x-k8s.io/v1beta2, which 0.19.2 serves and stores:

- A ResourceFlavor for each group, the system's among them: an MPIJob's launcher is one workload with its workers, and
  is let in only where there is a flavor for it. It has all labels of its nodes, as far as they are known (Kueue looks
  at those of a job's selectors that the flavor has, and adds the flavor's to the pods: one that is left out might send
  them to nodes that their own selector excludes). Eight at most: the group's name, purpose and instance type first.
- Of taints, a flavor has the group's. That of a device which the group's nodes have it tolerates, and Kueue hands the
  toleration on to the pods: users leave it out because EKS adds it to pods that ask for the device (the admission
  plugin `ExtendedResourceToleration`: EKS user guide, "platform versions"), and Kueue judges the job, before there are
  pods. So that a pod which asks for no device does not take a node from those that do, their flavors come last.
- One ClusterQueue has everything. Not one for each group: a job's pods may be on several, and two queues would have to
  share the system's quota. Which group a pod goes to its selectors say, or the flavors' order.
- Quotas: the group's nodes at most, times what one of them has for pods: CPU, memory, devices, huge pages. `pods` are
  not counted, the kubelet does. What a node's own DaemonSets take is not left out: a job that fits beside them is let
  in. `aws.amazon.com/neuroncore` is not covered: those are the same devices, counted otherwise.
- `queues:` divides it: a ClusterQueue and a LocalQueue for each, in one cohort, so that what one leaves idle the others
  may borrow; what was lent is taken back (`reclaimWithinCohort`), or lenders would wait for weeks.

Topology-aware scheduling is not set up: it would freeze the flavors' labels, and `muster.jobs.kueue`, which counts
these quotas before anything is paid for, does not know it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from addons.namespaces import namespace, of_queues
from addons.site import Nodes, Site
from muster.fleet.amounts import MIB, amount, counted, is_bytes
from muster.fleet.description.addons import KueueOptions
from muster.fleet.description.group_core import Purpose
from muster.fleet.description.queues import ONLY_QUEUE, WHOLE, KueueQueue
from muster.fleet.kubernetes_quantity import Quantity
from muster.fleet.labels import GROUP, INSTANCE_TYPE, PURPOSE

Json = dict[str, Any]
Queues = Mapping[str, KueueQueue]

VERSION = "kueue.x-k8s.io/v1beta2"
COHORT = "cluster"
_NAMESPACE_NAME = "kubernetes.io/metadata.name"
_MOST_LABELS = 8


def queues(site: Site) -> tuple[Json, ...]:
    """All of Kueue's objects for a cluster, and the namespaces that its queues are in, each after what it needs."""
    options = site.chosen["kueue"]
    divided = options.queues if isinstance(options, KueueOptions) else {ONLY_QUEUE: KueueQueue()}
    nodes = sorted(site.nodes, key=_turn)
    covered = _covered(nodes)
    return (
        *(namespace(each) for each in sorted(of_queues(site))),
        *(_flavor(each) for each in nodes),
        *(_cluster_queue(name, divided, nodes, covered) for name in divided),
        *(_local_queue(name, queue) for name, queue in divided.items()),
    )


def _turn(nodes: Nodes) -> tuple[bool, bool]:
    """Who asks for no device goes to the system's nodes first, and to those with devices last."""
    return bool(nodes.offers), nodes.purpose != Purpose.SYSTEM.value


def _covered(nodes: Iterable[Nodes]) -> list[str]:
    """Every resource that some node has: CPU and memory, then the others by name."""
    every = {resource for each in nodes for resource in each.amounts}
    return [*(each for each in ("cpu", "memory") if each in every), *sorted(every - {"cpu", "memory"})]


def _flavor(nodes: Nodes) -> Json:
    first = {key: nodes.labels[key] for key in (GROUP, PURPOSE) if key in nodes.labels}
    labels = {**first, INSTANCE_TYPE: nodes.instance, **nodes.labels}
    taints = sorted(nodes.taints)
    spec: Json = {"nodeLabels": dict(list(labels.items())[:_MOST_LABELS])}
    if taints:
        spec["nodeTaints"] = [{"key": each.key, "value": each.value, "effect": each.effect} for each in taints]
    if own := sorted({each.key for each in taints if each.key in nodes.offers}):
        spec["tolerations"] = [{"key": key, "operator": "Exists"} for key in own]
    return {"apiVersion": VERSION, "kind": "ResourceFlavor", "metadata": {"name": nodes.group}, "spec": spec}


def _cluster_queue(name: str, divided: Queues, nodes: Iterable[Nodes], covered: list[str]) -> Json:
    alone = len(divided) == 1
    limits = {} if alone or divided[name].borrow else {"borrowingLimit": "0"}
    flavors = [
        {
            "name": each.group,
            "resources": [
                {"name": resource, "nominalQuota": amount(resource, quota), **limits}
                for resource, quota in zip(covered, _quotas(name, divided, each, covered), strict=True)
            ],
        }
        for each in nodes
    ]
    whose = {} if alone else {"matchLabels": {_NAMESPACE_NAME: divided[name].namespace}}
    shared = {} if alone else {"cohortName": COHORT, "preemption": {"reclaimWithinCohort": "Any"}}
    spec = {**shared, "namespaceSelector": whose, "resourceGroups": [{"coveredResources": covered, "flavors": flavors}]}
    return {"apiVersion": VERSION, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec}


def _local_queue(name: str, queue: KueueQueue) -> Json:
    metadata = {"name": name, "namespace": queue.namespace}
    return {"apiVersion": VERSION, "kind": "LocalQueue", "metadata": metadata, "spec": {"clusterQueue": name}}


def _quotas(name: str, divided: Queues, nodes: Nodes, covered: list[str]) -> list[int]:
    """What a queue has of a group, by resource, in its base unit."""
    of_node = {resource: counted(resource, Quantity.parse(said)) for resource, said in nodes.amounts.items()}
    return [_parts(divided, nodes, resource, of_node.get(resource, 0))[name] for resource in covered]


def _parts(divided: Queues, nodes: Nodes, resource: str, of_node: int) -> dict[str, int]:
    """Queue -> its part of one resource: so many nodes, or a share, or an equal part of what those leave.

    What does not divide goes one by one to those who lack most of one more, so that all there is is promised: a job on
    all nodes of an idle cluster is let in.
    """
    every, unit = nodes.most * of_node, MIB if is_bytes(resource) else 1
    fixed = {name: queue.nodes[nodes.group] * of_node for name, queue in divided.items() if nodes.group in queue.nodes}
    shares = {name: queue.share for name, queue in divided.items() if name not in fixed and queue.share is not None}
    equal = [name for name in divided if name not in fixed and name not in shares]
    shared = _divided(every * sum(shares.values()) // WHOLE // unit, shares)
    given = sum(fixed.values()) + unit * sum(shared.values())
    rest = _divided(max(0, every - given) // unit, dict.fromkeys(equal, 1))
    return fixed | {name: unit * number for name, number in {**shared, **rest}.items()}


def _divided(number: int, weights: Mapping[str, int]) -> dict[str, int]:
    """A whole number by weights, by the largest remainder; the first of equals comes first."""
    whole = sum(weights.values())
    if not whole:
        return dict.fromkeys(weights, 0)
    parts = {name: number * weight // whole for name, weight in weights.items()}
    lacking = sorted(weights, key=lambda name: -(number * weights[name] % whole))
    for name in lacking[: number - sum(parts.values())]:
        parts[name] += 1
    return parts
