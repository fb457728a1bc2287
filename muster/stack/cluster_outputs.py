"""A description and a blueprint of a cluster known by its stack outputs alone, for stacks with add-ons for it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from muster import backends
from muster.backends.backend import Backend
from muster.blueprint import labels
from muster.blueprint.cluster import Blueprint
from muster.blueprint.derive.cluster import derive
from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE, HUGE_PAGES_RESOURCE, Node
from muster.config.description.addons import KnownChart, of_options, options_of
from muster.config.description.kubernetes_cluster import KubernetesCluster
from muster.config.validation import validate
from muster.contract import Cluster, NodeGroupOutput, StorageOutput
from muster.finding import Finding, KeyPath
from muster.fleet.resources import EksAddon, Place, Ref
from muster.fleet.resources import ref as types
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import Layout, slots
from muster.plain_data import drop_none
from muster.size import Size
from muster.versions import EKS_ADDONS


def to_description(outputs: Cluster) -> tuple[KubernetesCluster | None, list[tuple[KeyPath, Finding]]]:
    """The description that the outputs correspond to, or the faults, such as hardware that this Muster does not
    know."""
    model = _backend(outputs).description.load()
    assert issubclass(model, KubernetesCluster), "the output contract is that of a cluster with Kubernetes"
    made, faults = validate(model, to_raw_description(outputs))
    chosen = of_options(options_of({name: each.version for name, each in outputs.addons.items()}))
    charts = {
        name: KnownChart(chart=each.chart, version=each.version, namespace=each.namespace)
        for name, each in outputs.charts.items()
    }
    return made and made.model_copy(update={"addons": chosen.model_copy(update={"charts": charts})}), faults


def to_blueprint(outputs: Cluster, cluster: KubernetesCluster, stack: str) -> Blueprint:
    """The blueprint of such a description (`described`), with the EKS add-ons that the cluster has."""
    # Outputs have no order: first those that Muster pins, in its order.
    ours = EKS_ADDONS.get(outputs.cluster.version, {})
    names = dict.fromkeys(name for name in (*ours, *sorted(outputs.eks_addons)) if name in outputs.eks_addons)
    eks_addons: tuple[EksAddon, ...] = tuple(
        EksAddon(Ref(types.ADDON, name), name, outputs.eks_addons[name] or None, Place("")) for name in names
    )
    return replace(derive(cluster, stack, outputs.region), eks_addons=eks_addons, by_outputs=True)


def _backend(outputs: Cluster) -> Backend:
    """The backend of outputs; EKS for a value that no record has, and the validation of `backend` reports it."""
    return backends.RECORDS[outputs.backend if outputs.backend in backends.RECORDS else "eks"]


def to_raw_description(outputs: Cluster) -> dict[str, Any]:
    """The plain values of such a description, for checks on a document's plain values."""
    network, own = outputs.network, _backend(outputs)
    assert own.group_of_output is not None, "the output contract is that of a cluster with Kubernetes"
    to_group = own.group_of_output.load()
    return {
        "backend": outputs.backend,
        "kubernetes": outputs.cluster.version,
        "control-plane": {
            "existing": {
                "name": outputs.cluster.name,
                "security-group": network.security_groups.cluster,
                "authentication": "api",
            }
        },
        "network": {
            "existing": {
                "vpc": network.vpc,
                "private": network.private_subnets,
                "public": network.public_subnets,
                "zone-ids": network.zone_ids,
            }
        },
        "groups": {name: to_group(group) for name, group in outputs.node_groups.items()},
        "storage": {name: _described_storage(each) for name, each in outputs.storage.items()},
    }


def _described_storage(each: StorageOutput) -> dict[str, Any]:
    """An exported file system, as a description has it."""
    if each.kind == "s3":
        return {"s3": {"location": f"s3://{each.file_system}/{each.mount_name}".rstrip("/"), "write": bool(each.write)}}
    lustre, efs = each.kind == "lustre", each.kind == "efs"
    known = {
        "id": each.file_system,
        "mount-name": each.mount_name if lustre else None,
        "dns-name": None if efs else each.dns_name,
        "zone": None if efs else each.zone,
    }
    return {f"existing-{each.kind}": drop_none(known)}


def eks_group(group: NodeGroupOutput) -> dict[str, Any]:
    """An exported node group, as a description on EKS has it."""
    return {
        **dict(_core(group)),
        "nodes": {**group.count.model_dump(), "scaled-by": "you"},
        "self-managed": group.managed is False,
        "image": group.image_family or "al2023",
        "interfaces": _layout(group),
        "kubelet": group.kubelet or {},
    }


def hyperpod_group(group: NodeGroupOutput) -> dict[str, Any]:
    """An exported node group, as a description on HyperPod has it."""
    least, start = group.count.min, group.count.start
    threads = {"threads-per-core": group.threads_per_core} if group.threads_per_core else {}
    interface = {"interface": "efa-only"} if group.interfaces == Layout.AWS.value else {}
    return {
        **dict(_core(group)),
        "nodes": {"count": start, **({"minimum": least} if least != start else {})},
        "hyperpod": {**threads, **interface},
    }


def _core(group: NodeGroupOutput) -> Iterator[tuple[str, Any]]:
    yield "for", group.purpose
    yield "instance", group.instance_type.removeprefix(ML)
    yield "huge-pages", str(group.offers.get(HUGE_PAGES_RESOURCE, "0MiB"))
    if len(group.zones) == 1:
        yield "zone", group.zones[0]
    yield "labels", {key: value for key, value in group.labels.items() if key not in (labels.GROUP, labels.PURPOSE)}
    devices = {*group.offers, *(device for device, name in DEVICE_CLASSES.items() if name in group.claims)}
    yield "taints", {taint.key: taint.effect for taint in group.taints if taint.key not in devices}


def _layout(group: NodeGroupOutput) -> str:
    """The group's interface layout. Outputs of an older Muster do not have it: then AWS's current layout, if that gives
    as many pods, else the classic one."""
    if group.interfaces is not None:
        return group.interfaces
    if EFA_RESOURCE not in group.offers and DEVICE_CLASSES[EFA_RESOURCE] not in group.claims:
        return Layout.PLAIN.value
    try:
        machine = hardware(group.instance_type)
    except UnknownInstance:
        return Layout.AWS.value
    current = Node.of(machine, slots(machine, Layout.AWS), Size(0))
    return (Layout.AWS if current.allocatable.pods == group.pods else Layout.CLASSIC).value
