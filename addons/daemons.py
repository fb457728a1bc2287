"""What DaemonSets take of the nodes of a group: those that EKS runs on every node, and those of the cluster's add-ons.

Pure. A DaemonSet lands where the labels and taints of the group let it (`muster.fleet.matching`). Labels that come to
be on live nodes only, as a feature discovery sets them, are not known, and whoever selects by them is left out. What
the user's values say of its requests counts. Pods of EKS's own DaemonSets ask for the same everywhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from addons.eks_daemons import DAEMONS
from addons.order import order
from addons.site import Site
from addons.values import values_of, workloads_of
from addons.workload import Workload
from muster.fleet.amounts import CPU, MIB, counted
from muster.fleet.blueprint import Blueprint, Group
from muster.fleet.kubernetes_quantity import Quantity
from muster.fleet.labels import INSTANCE_TYPE
from muster.fleet.matching import terms, unselected, untolerated

_ARCHITECTURES = {"x86_64": "amd64", "arm64": "arm64"}


@dataclass(frozen=True, slots=True)
class Taker:
    """One DaemonSet with a pod on every node of a group."""

    name: str
    takes: Mapping[str, int]
    """Resource -> how much, in its base unit (`muster.fleet.amounts`)."""


def takers(blueprint: Blueprint, group: Group) -> tuple[Taker, ...]:
    """The DaemonSets on the nodes of a group, EKS's own first."""
    return (*_of_eks(), *(_taker(each) for each in _of_addons(blueprint) if _lands(each, group)))


def taken(found: tuple[Taker, ...], resource: str) -> int:
    """What they take of a resource together."""
    return sum(each.takes.get(resource, 0) for each in found)


def _of_eks() -> Iterator[Taker]:
    for each in DAEMONS:
        yield Taker(each.name, {CPU: each.cpu_millicores, "memory": each.memory_mib * MIB, "pods": each.pods})


def _of_addons(blueprint: Blueprint) -> Iterator[Workload]:
    site = Site.of_blueprint(blueprint)
    for turn in order(site):
        yield from (each for each in workloads_of(turn.addon, values_of(turn.addon, site)) if each.kind == "DaemonSet")


def _taker(workload: Workload) -> Taker:
    """Its one container's requests; a limit stands in for a request that is missing."""
    asked = {**(workload.resources.get("limits") or {}), **(workload.resources.get("requests") or {})}
    takes = {resource: counted(resource, Quantity.parse(amount)) for resource, amount in asked.items()}
    return Taker(workload.name, {**takes, "pods": 1})


def _lands(workload: Workload, group: Group) -> bool:
    pod, machine = workload.placement.pod_spec, group.node.hardware
    labels = {
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": _ARCHITECTURES[machine.architecture],
        INSTANCE_TYPE: machine.instance,
        **dict(group.node_group.labels),
    }
    required = terms(pod)
    affine = required is None or any(not each.empty and each.unmet(labels, "").empty for each in required)
    return affine and not unselected(pod, labels) and not untolerated(pod, group.node_group.taints)
