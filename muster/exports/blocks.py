"""Blocks of the outputs that every backend's stacks have (`muster.contract.blocks`)."""

from typing import TYPE_CHECKING, Any

import pulumi

from muster.blueprint.cluster import ClusterBlueprint, Storage
from muster.config.description.capacity import Capacity
from muster.config.description.node_group import Tier
from muster.config.description.storage import Lustre as LustreDescription
from muster.infra.lustre import Lustre
from muster.infra.network import Foundation

if TYPE_CHECKING:
    from muster.blueprint.cluster import SlurmBlueprint
    from muster.blueprint.group import SlurmGroup
    from muster.blueprint.slurm import SlurmQueue


def network_output(
    blueprint: ClusterBlueprint, around: Foundation, security_groups: dict[str, pulumi.Input[str] | None]
) -> dict[str, Any]:
    """The cluster's network."""
    subnets = {tier: {zone: around.id(subnet) for zone, subnet in blueprint.network.of(tier).items()} for tier in Tier}
    return {
        "vpc": around.vpc,
        "privateSubnets": subnets[Tier.PRIVATE],
        "publicSubnets": subnets[Tier.PUBLIC],
        "securityGroups": security_groups,
        "cidr": blueprint.network.cidr,
        "zoneIds": blueprint.network.zone_ids,
        "privateRouteTables": around.private_route_tables,
        "natAddresses": around.nat_addresses,
    }


def slurm_group_output(group: "SlurmGroup", blueprint: "SlurmBlueprint") -> dict[str, Any]:
    """A group of compute nodes of Slurm, without its capacity."""
    described, node, nodes = group.described, group.node, group.described.nodes_now
    return {
        "purpose": described.purpose.value,
        "queue": group.queue,
        "instanceType": described.instance_type,
        "zones": list(blueprint.zones(group)),
        "count": {"min": nodes.min, "start": nodes.start, "max": nodes.max},
        "cpus": node.cpus,
        "memoryMib": node.memory_mib,
        "gpus": node.gpus,
        "efa": node.efa,
        "offers": node.offers,
    }


def slurm_queue_output(queue: "SlurmQueue", blueprint: "SlurmBlueprint") -> dict[str, Any]:
    """A queue of Slurm. The first one is the default."""
    return {
        "groups": [group.name for group in queue.groups],
        "zones": sorted({zone for group in queue.groups for zone in blueprint.zones(group)}),
        "exclusive": queue.exclusive,
        "default": queue is blueprint.queues[0],
    }


def capacity_output(
    described: Capacity,
    *,
    reservation: pulumi.Input[str] | None,
    reservation_group: pulumi.Input[str] | None,
    placement_group: pulumi.Input[str] | None,
) -> dict[str, Any]:
    """Where a group's instances come from: the description, and the ids that AWS gave."""
    held, block = described.held, described.capacity_block
    return {
        "kind": described.chosen,
        "reservation": reservation,
        "reservationGroup": reservation_group,
        "zone": held.zone if held else None,
        "count": held.count if held else None,
        "starts": block.starts.isoformat() if block else None,
        "ends": block.ends.isoformat() if block else None,
        "placementGroup": placement_group,
    }


def storage_output(storage: Storage, registered: Lustre | None, **more: Any) -> dict[str, Any]:
    """A file system, with what the backend adds; of one that exists, what the description gives."""
    derived, described = storage.file_system, storage.described
    if registered is None or not isinstance(described, LustreDescription):
        known = {"fileSystem": derived.id, "dnsName": derived.dns_name, "mountName": derived.mount_name}
        return {**known, **more, "zone": storage.zone}
    return {
        "fileSystem": registered.id,
        "dnsName": registered.dns_name,
        "mountName": registered.mount_name,
        **more,
        "capacity": f"{described.size.gib}Gi",
        "type": derived.deployment,
        "disk": derived.disk,
        "throughput": derived.throughput,
        "version": derived.version,
        "zone": storage.zone,
        "securityGroup": registered.security_group,
        "efa": described.efa,
    }
