"""Blocks of the outputs that several backends share. The models of `muster.contract` declare every name."""

from collections.abc import Mapping
from typing import Any

import pulumi

from muster.blueprint.cluster import ClusterBlueprint, SlurmBlueprint, Storage
from muster.blueprint.group import Group, SlurmGroup
from muster.blueprint.slurm import SlurmQueue
from muster.config.description.capacity import Capacity
from muster.config.description.node_group import Tier
from muster.contract import (
    CONTRACT,
    CapacityOutput,
    ComputeResourceOutput,
    CountOutput,
    QueueOutput,
    StorageOutput,
)
from muster.contract.blocks import NetworkCore, Output, Stack
from muster.fleet.resources import SharedFileSystem
from muster.infra.file_system import FileSystem
from muster.infra.network import Foundation
from muster.infra.registry import Registry


def stack_output(
    form: type[Stack],
    blueprint: ClusterBlueprint[Any, Any],
    around: Foundation,
    security_groups: Mapping[str, pulumi.Input[str] | None],
    registry: Registry | None,
    **values: Any,
) -> dict[str, Any]:
    """A stack's outputs: what every stack with a cluster has, and the values of its backend."""
    network: Any = form.model_fields["network"].annotation
    return form.written(
        contract=CONTRACT,
        backend=blueprint.backend,
        region=blueprint.region,
        network=_network(network, blueprint, around, security_groups),
        registry=registry.url if registry else None,
        **values,
    )


def slurm_output(
    form: type[Stack],
    blueprint: SlurmBlueprint,
    around: Foundation,
    security_groups: Mapping[str, pulumi.Input[str] | None],
    registry: Registry | None,
    storage: Mapping[str, FileSystem],
    **values: Any,
) -> dict[str, Any]:
    """The outputs of a stack with Slurm, which mounts file systems itself."""
    mounted = {
        each.name: storage_output(each, storage.get(each.name), mount_directory=f"/{each.name}")
        for each in blueprint.storage
    }
    values = {"queues": {each.name: queue_output(each, blueprint) for each in blueprint.queues}} | values
    return stack_output(form, blueprint, around, security_groups, registry, storage=mounted, **values)


def _network(
    form: type[NetworkCore],
    blueprint: ClusterBlueprint[Any, Any],
    around: Foundation,
    security_groups: Mapping[str, pulumi.Input[str] | None],
) -> dict[str, Any]:
    subnets = {tier: {zone: around.id(subnet) for zone, subnet in blueprint.network.of(tier).items()} for tier in Tier}
    groups = form.model_fields["security_groups"].annotation
    assert groups is not None
    return form.written(
        around,
        blueprint.network,
        private_subnets=subnets[Tier.PRIVATE],
        public_subnets=subnets[Tier.PUBLIC],
        security_groups=groups.written(**security_groups),
    )


def group_output(
    group: SlurmGroup, blueprint: SlurmBlueprint, form: type[Output] = ComputeResourceOutput, **values: Any
) -> dict[str, Any]:
    """A group of compute nodes of Slurm."""
    return form.written(group.node, **values, queue=group.queue, **nodes_of(group, blueprint))


def nodes_of(group: Group, blueprint: ClusterBlueprint[Any, Any]) -> dict[str, Any]:
    """What every group of nodes has, on any backend, by field."""
    described = group.described
    return {
        "purpose": described.purpose.value,
        "instance_type": described.instance_type,
        "zones": list(blueprint.zones(group)),
        "count": CountOutput.written(described.nodes_now),
    }


def queue_output(
    queue: SlurmQueue, blueprint: SlurmBlueprint, form: type[Output] = QueueOutput, **values: Any
) -> dict[str, Any]:
    """A queue of Slurm. The first one is the default."""
    return form.written(
        queue,
        **values,
        groups=[group.name for group in queue.groups],
        zones=sorted({zone for group in queue.groups for zone in blueprint.zones(group)}),
        default=queue is blueprint.queues[0],
    )


def capacity_output(described: Capacity, made: object = None, **values: Any) -> dict[str, Any]:
    """Where a group's instances come from: the description, and the ids that AWS gave, as attributes or values."""
    held, block = described.held, described.capacity_block
    return CapacityOutput.written(
        made,
        kind=described.chosen,
        zone=held.zone if held else None,
        count=held.count if held else None,
        starts=block.starts.isoformat() if block else None,
        ends=block.ends.isoformat() if block else None,
        **values,
    )


def plan_output(described: Capacity) -> dict[str, Any]:
    """Where the instances of a group on HyperPod come from."""
    plan = described.training_plan
    return CapacityOutput.written(
        kind=described.chosen,
        training_plan=plan.arn if plan else None,
        zone=plan.zone if plan else None,
        count=plan.count if plan else None,
    )


def storage_output(storage: Storage, registered: FileSystem | None, **values: Any) -> dict[str, Any]:
    """A file system, with the values of the backend; of one that exists, what the description gives."""
    derived = storage.file_system
    values |= {"kind": storage.kind.word, "zone": derived.zone}
    if isinstance(derived, SharedFileSystem) and not storage.kind.service:
        values |= {"write": derived.writes}
    if registered is None:
        known = {"file_system": derived.id, "dns_name": derived.dns_name or "", "mount_name": derived.mount_name or ""}
        return StorageOutput.written(**known, **values)
    return StorageOutput.written(
        registered,
        derived,
        file_system=registered.id,
        capacity=f"{derived.size}Gi" if derived.size else None,
        type=derived.deployment,
        **values,
    )
