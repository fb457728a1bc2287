"""Kueue: its configuration, and the queues that follow from the groups. See `kueue.toml`."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.addons.addon import Json
from muster.addons.catalogue import hyperpod, training_operator
from muster.addons.context import AddonContext, GroupNodes, system_tolerations
from muster.addons.namespaces import namespace, of_queues
from muster.addons.sheet import addon, sheet
from muster.addons.values import runs_of, values_of
from muster.blueprint.labels import GROUP, INSTANCE_TYPE, PURPOSE
from muster.blueprint.node import DEVICE_CLASSES
from muster.config.description.addon_queues import ONLY_QUEUE, WHOLE, KueueQueue
from muster.config.description.addons import KueueOptions
from muster.config.description.node_group import Purpose
from muster.kubernetes_quantity import MIB, Quantity, base_units, format_amount, is_bytes

# The configuration, after `charts/kueue/values.yaml` of kubernetes-sigs/kueue v0.19.2 (8eab687): the chart takes it as
# one text, so it is restated whole. Since 0.19.0 it leaves out the jobs of the training operator (6cdcd38, "kubeflow
# training v1 is being deprecated"): a PyTorchJob with a queue's label would run without a quota and without a message.
# They are added where that operator is installed. The other kinds stay: Kueue waits for a kind that no CRD defines yet
# (`pkg/controller/jobframework/setup.go`).
#
# Devices that pods claim count as the extended resource of their device plugin (`deviceClassMappings`): a queue has one
# quota for both. Without the mapping, Kueue admits no job with such claims ("DeviceClass ... is not mapped in DRA
# configuration"). It counts only claims from templates with a number of devices, without selectors and constraints
# (kueue.sigs.k8s.io, "Dynamic Resource Allocation", Limitations).

_RUNNING_THEM = (training_operator.ADDON, hyperpod.ADDON)

FRAMEWORKS: tuple[str, ...] = tuple(sheet("kueue")["frameworks"]["all"])
"""The kinds of jobs that Kueue knows."""


def frameworks(context: AddonContext) -> list[str]:
    """The kinds of jobs that Kueue manages on a cluster, as its configuration names them."""
    known = sheet("kueue")["frameworks"]
    there = (addon for addon in _RUNNING_THEM if context.has(addon.name))
    run = {kind.kind for addon in there for kind in runs_of(addon, values_of(addon, context))}
    return [*known["always"], *(f"kubeflow.org/{kind.lower()}" for kind in known["left-out"] if kind in run)]


def configuration(context: AddonContext) -> str:
    """The chart's value `managerConfig.controllerManagerConfigYaml`."""
    driven = sorted({resource for each in context.nodes for resource in each.driven})
    mapped = "".join(f"  - name: {each}\n    deviceClassNames:\n    - {DEVICE_CLASSES[each]}\n" for each in driven)
    mappings = f"  deviceClassMappings:\n{mapped}" if mapped else ""
    kinds = "".join(f"  - {each}\n" for each in frameworks(context))
    text = sheet("kueue")["configuration"]
    return f"{text}{mappings}integrations:\n  frameworks:\n{kinds}"


# The queues, derived from the groups. Objects of kueue.x-k8s.io/v1beta2, which 0.19.2 serves and stores:
#
# - A ResourceFlavor for each group, also for the system's: an MPIJob's launcher is one workload with its workers, and
#   is admitted only where there is a flavor for it. It has the labels of its nodes that are known, at most eight, the
#   group's name, purpose and instance type first. (Kueue compares those of a job's selectors that the flavor has, and
#   adds the flavor's to the pods: without a label the pods might go to nodes that their selector excludes.)
# - A flavor has the group's taints. It tolerates that of a device which the group's nodes have, and Kueue adds the
#   toleration to the pods: users leave it out because EKS adds it to pods that request the device (the admission plugin
#   `ExtendedResourceToleration`: EKS user guide, "platform versions"), and Kueue checks the job before there are pods.
#   Flavors with devices come last, so that a pod without devices does not take their nodes.
# - One ClusterQueue has everything. With one for each group the queues would have to share the quota of the system's
#   group, since a job's pods may be on several groups. Selectors, or the flavors' order, decide a pod's group.
# - Quotas: the most nodes of the group, times what a node has for pods: CPU, memory, devices, huge pages. `pods` are
#   not covered: the kubelet limits them. What DaemonSets use is not subtracted, so that a job that fits beside them is
#   admitted. `aws.amazon.com/neuroncore` is not covered: it counts the same devices a second time.
# - `queues:` divides it: a ClusterQueue and a LocalQueue for each, in one cohort, so that a queue may borrow what
#   another leaves idle; lent quota is reclaimed (`reclaimWithinCohort`), or lenders would wait for weeks.
#
# Topology-aware scheduling is not set up: the flavors' labels could not change any more.

QueueObject = dict[str, Any]
Queues = Mapping[str, KueueQueue]

VERSION = "kueue.x-k8s.io/v1beta2"
COHORT = "cluster"
_NAMESPACE_NAME = "kubernetes.io/metadata.name"
_MOST_LABELS = 8


def queues(context: AddonContext) -> tuple[QueueObject, ...]:
    """All of Kueue's objects for a cluster, and the namespaces of its queues, each after what it needs."""
    options = context.chosen["kueue"]
    divided = options.queues if isinstance(options, KueueOptions) else {ONLY_QUEUE: KueueQueue()}
    nodes = sorted(context.nodes, key=_flavor_order)
    covered = _covered(nodes)
    return (
        *(namespace(each) for each in sorted(of_queues(context))),
        *(_flavor(each) for each in nodes),
        *(_cluster_queue(name, divided, nodes, covered) for name in divided),
        *(_local_queue(name, queue) for name, queue in divided.items()),
    )


def _flavor_order(nodes: GroupNodes) -> tuple[bool, bool]:
    """The system's nodes first, nodes with devices last."""
    return bool(nodes.offers), nodes.purpose != Purpose.SYSTEM.value


def _covered(nodes: Iterable[GroupNodes]) -> list[str]:
    """Every resource that some node has: CPU and memory, then the others by name."""
    every = {resource for each in nodes for resource in (*each.amounts, *each.claims)}
    return [*(each for each in ("cpu", "memory") if each in every), *sorted(every - {"cpu", "memory"})]


def _flavor(nodes: GroupNodes) -> QueueObject:
    first = {key: nodes.labels[key] for key in (GROUP, PURPOSE) if key in nodes.labels}
    labels = {**first, INSTANCE_TYPE: nodes.instance, **nodes.labels}
    taints = sorted(nodes.taints)
    spec: QueueObject = {"nodeLabels": dict(list(labels.items())[:_MOST_LABELS])}
    if taints:
        spec["nodeTaints"] = [each.manifest for each in taints]
    if own := sorted({each.key for each in taints if each.key in nodes.offers}):
        spec["tolerations"] = [{"key": key, "operator": "Exists"} for key in own]
    return {"apiVersion": VERSION, "kind": "ResourceFlavor", "metadata": {"name": nodes.group}, "spec": spec}


def _cluster_queue(name: str, divided: Queues, nodes: Iterable[GroupNodes], covered: list[str]) -> QueueObject:
    alone = len(divided) == 1
    limits = {} if alone or divided[name].borrow else {"borrowingLimit": "0"}
    flavors = [
        {
            "name": each.group,
            "resources": [
                {"name": resource, "nominalQuota": format_amount(resource, quota), **limits}
                for resource, quota in zip(covered, _quotas(name, divided, each, covered), strict=True)
            ],
        }
        for each in nodes
    ]
    whose = {} if alone else {"matchLabels": {_NAMESPACE_NAME: divided[name].namespace}}
    shared = {} if alone else {"cohortName": COHORT, "preemption": {"reclaimWithinCohort": "Any"}}
    spec = {**shared, "namespaceSelector": whose, "resourceGroups": [{"coveredResources": covered, "flavors": flavors}]}
    return {"apiVersion": VERSION, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": spec}


def _local_queue(name: str, queue: KueueQueue) -> QueueObject:
    metadata = {"name": name, "namespace": queue.namespace}
    return {"apiVersion": VERSION, "kind": "LocalQueue", "metadata": metadata, "spec": {"clusterQueue": name}}


def _quotas(name: str, divided: Queues, nodes: GroupNodes, covered: list[str]) -> list[int]:
    """The quotas of a queue in a group, by resource, in base units."""
    amounts = {**nodes.amounts, **nodes.claims}
    of_node = {resource: base_units(resource, Quantity.parse(amount)) for resource, amount in amounts.items()}
    return [_parts(divided, nodes, resource, of_node.get(resource, 0))[name] for resource in covered]


def _parts(divided: Queues, nodes: GroupNodes, resource: str, of_node: int) -> dict[str, int]:
    """Queue -> its part of one resource: a number of nodes, or a share, or an equal part of the rest.

    The remainder is distributed, so that the parts add up to everything: a job on all nodes of an idle cluster is
    admitted.
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
    """A whole number divided by weights, by the largest remainder; of equal remainders the first comes first."""
    whole = sum(weights.values())
    if not whole:
        return dict.fromkeys(weights, 0)
    parts = {name: number * weight // whole for name, weight in weights.items()}
    lacking = sorted(weights, key=lambda name: -(number * weights[name] % whole))
    for name in lacking[: number - sum(parts.values())]:
        parts[name] += 1
    return parts


_CHART = "kueue"


def _values(context: AddonContext) -> Json:
    return {
        "controllerManager": {"tolerations": system_tolerations(context)},
        "managerConfig": {"controllerManagerConfigYaml": configuration(context)},
    }


ADDON = addon(_CHART, values=_values, objects=queues)
