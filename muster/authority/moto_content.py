"""The content of the account that moto simulates, from the description and the facts.

Resources have Muster's identifiers: their ids, or their names if the stack creates them. The worker replaces them by
ids in AWS's format. If a fact is missing, the description is assumed to be true; Muster's rules report the missing
fact.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muster.blueprint.cluster import Storage
from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint, ParallelClusterGroup
from muster.config.description.capacity import NO_PLACEMENT_GROUP, CapacityBlock
from muster.fleet.facts import FileSystemFacts, ImageFacts, KeyPairFacts, ReservationFacts, ReservationGroupFacts
from muster.fleet.resources import Reference, SecurityGroupRule
from muster.fleet.resources.ec2 import EGRESS, EVERY_PROTOCOL, EVERYWHERE, GENERIC, INGRESS, POOL, all_traffic, tcp
from muster.hardware.catalogue import architecture_of
from muster.hardware.lustre import PORTS

Json = dict[str, Any]

_SOME_NETWORK = "10.0.0.0/16"
"""The CIDR of a VPC whose CIDR is unknown. No validator compares it with anything outside the VPC."""

_BLOCK, _DEFAULT = "capacity-block", "default"


def moto_content(blueprint: ParallelClusterBlueprint) -> Json:
    """All resources that validators may query."""
    around = blueprint.network
    types = sorted({*blueprint.other_instances, *(group.described.instance for group in blueprint.groups)})
    architecture = architecture_of(blueprint.described.head.instance) or blueprint.groups[0].node.hardware.architecture
    return {
        "region": blueprint.region,
        "os": blueprint.described.os.value,
        "vpc": {"name": placeholder_id(around.vpc), "cidr": around.cidr or _SOME_NETWORK, "dns": True},
        "subnets": {each.id: {"zone": each.zone, "cidr": each.cidr} for each in around.subnets.values()},
        "security_groups": dict(_security_groups(blueprint)),
        "reservations": dict(_reservations(blueprint)),
        "reservation_groups": dict(_reservation_groups(blueprint)),
        "images": dict(_images(blueprint, architecture)),
        "file_systems": {_id(each): _file_system(blueprint, each) for each in blueprint.storage},
        "key_pairs": dict(_key_pairs(blueprint)),
        "placement_groups": {name: {} for name in _placement_groups(blueprint)},
        "instance_types": types,
    }


def placeholder_id(reference: Reference) -> str:
    """The identifier of a resource in the validated configuration: its id, or its name if the program creates it."""
    return str(reference)


def _images(blueprint: ParallelClusterBlueprint, architecture: str) -> Iterator[tuple[str, Json]]:
    image, facts = blueprint.described.image, blueprint.facts
    if image:
        known = (facts.images.get(image) if facts else None) or ImageFacts()
        yield (
            image,
            {
                "os": known.os or blueprint.described.os.value,
                "architecture": architecture,
                "version": known.parallelcluster_version or blueprint.described.version,
                "root_gib": known.root_gib,
            },
        )


def _carried(blueprint: ParallelClusterBlueprint) -> Iterator[tuple[Reference, ...]]:
    """The security groups of each kind of node."""
    yield blueprint.head.security_groups
    yield from (each.security_groups for each in blueprint.login_pools)
    yield from (each.queue.security_groups for each in blueprint.queues)


def _security_groups(blueprint: ParallelClusterBlueprint) -> Iterator[tuple[str, Json]]:
    own = (blueprint.nodes_security_group, *(each.security_group for each in blueprint.storage))
    made = {placeholder_id(each.ref): _rules(each.allows) for each in own if each}
    yield from made.items()
    carried = tuple(_carried(blueprint))
    for name in {placeholder_id(each) for groups in carried for each in groups} - set(made):
        facts = blueprint.facts.security_groups.get(name) if blueprint.facts else None
        ingress = [all_traffic(INGRESS, name)] if facts is None or facts.self_ingress else []
        egress = [all_traffic(EGRESS, name)] if facts is None or facts.self_egress else []
        yield name, _rules([*ingress, *egress])
    for each in blueprint.storage:
        if each.security_group is None:
            yield _group_of(each), _rules(_into(blueprint, each))


def _rules(allows: Iterable[SecurityGroupRule]) -> Json:
    by_direction: dict[str, list[Json]] = {INGRESS: [], EGRESS: []}
    for each in sorted(allows, key=str):
        network = isinstance(each.peer, str) and "/" in each.peer
        peer = placeholder_id(each.peer) if isinstance(each.peer, Reference) else EVERYWHERE
        by_direction[each.direction].append(
            {
                "protocol": each.protocol,
                "from": each.first,
                "to": each.last,
                "cidrs": [peer] if network else [],
                "groups": [] if network else [peer],
            }
        )
    return by_direction


def _into(blueprint: ParallelClusterBlueprint, storage: Storage) -> Iterator[SecurityGroupRule]:
    """The rules of the security group of an existing file system; without facts, the rules that mounting it needs."""
    known = _facts_of(blueprint, storage)
    stated = known.ports_open_to_vpc is not None or known.ports_open_to is not None
    network = blueprint.network.cidr or _SOME_NETWORK
    nodes = placeholder_id(blueprint.nodes_security_group.ref)
    carried = {nodes, *(placeholder_id(each) for each in _carried_by_all(blueprint))}
    peers = [network] if known.ports_open_to_vpc or not stated else []
    peers += [each for each in known.ports_open_to or () if each in carried]
    for peer in peers:
        yield from (tcp(INGRESS, first, last, peer) for first, last in PORTS)
    yield SecurityGroupRule(EGRESS, EVERY_PROTOCOL, None, None, EVERYWHERE)


def _carried_by_all(blueprint: ParallelClusterBlueprint) -> set[Reference]:
    carried = tuple(_carried(blueprint))
    return set.intersection(*map(set, carried))


def _file_system(blueprint: ParallelClusterBlueprint, storage: Storage) -> Json:
    subnets = storage.file_system.subnets
    by_zone = blueprint.network.private or blueprint.network.public
    somewhere = by_zone.get(storage.zone or "") or next(iter(by_zone.values()))
    vpc = _facts_of(blueprint, storage).vpc
    return {
        "subnet": placeholder_id(subnets[0]) if isinstance(subnets, tuple) and subnets else placeholder_id(somewhere),
        "security_groups": [
            placeholder_id(storage.security_group.ref) if storage.security_group else _group_of(storage)
        ],
        "in_vpc": vpc is None or vpc == blueprint.network.vpc,
    }


def _facts_of(blueprint: ParallelClusterBlueprint, storage: Storage) -> FileSystemFacts:
    known = blueprint.facts.file_systems if blueprint.facts else {}
    return known.get(storage.file_system.id or "", FileSystemFacts())


def _id(storage: Storage) -> str:
    return placeholder_id(storage.file_system.id or storage.file_system.ref)


def _group_of(storage: Storage) -> str:
    return f"the security group of {_id(storage)}"


def _reservations(blueprint: ParallelClusterBlueprint) -> Iterator[tuple[str, Json]]:
    for group in blueprint.groups:
        target = group.compute_resource.target
        if target.reservation is not None:
            yield placeholder_id(target.reservation), _reservation(blueprint, group, placeholder_id(target.reservation))
        for each in _members(blueprint, group):
            yield each, _reservation(blueprint, group, each)


def _reservation(blueprint: ParallelClusterBlueprint, group: ParallelClusterGroup, name: str) -> Json:
    capacity, facts = group.described.capacity.held, blueprint.facts
    known = (facts.reservations.get(name) if facts else None) or ReservationFacts()
    assert capacity is not None, "a target is held by something"
    count = known.total_instances if known.total_instances is not None else capacity.count
    entry = {
        "InstanceType": known.instance_type or group.described.instance,
        "AvailabilityZone": known.zone or capacity.zone,
        "TotalInstanceCount": count,
        "AvailableInstanceCount": count if known.available_instances is None else known.available_instances,
        "State": known.state.value if known.state else "active",
        "ReservationType": known.reservation_type or (_BLOCK if isinstance(capacity, CapacityBlock) else _DEFAULT),
        "InstancePlatform": known.platform,
        "Tenancy": known.tenancy or "default",
        "PlacementGroup": None if known.placement_group == NO_PLACEMENT_GROUP else known.placement_group,
    }
    return {key: value for key, value in entry.items() if value is not None}


def _reservation_groups(blueprint: ParallelClusterBlueprint) -> Iterator[tuple[str, Json]]:
    for group in blueprint.groups:
        target = group.compute_resource.target
        if target.group is not None:
            known = _group_facts(blueprint, group)
            configurations = known.configurations if known.configurations is not None else (POOL, GENERIC)
            members = list(_members(blueprint, group))
            yield placeholder_id(target.group), {"configurations": list(configurations), "reservations": members}


def _members(blueprint: ParallelClusterBlueprint, group: ParallelClusterGroup) -> tuple[str, ...]:
    """The reservations in the resource group of a group; one placeholder for all of them if they are unknown."""
    group_ = group.described.capacity.reservation_group
    if group_ is None:
        return ()
    if group_.create:
        return tuple(arn.rpartition("/")[2] for arn in group_.create)
    known = _group_facts(blueprint, group).reservations
    return known if known is not None else (f"the reservation in {group_.arn}",)


def _group_facts(blueprint: ParallelClusterBlueprint, group: ParallelClusterGroup) -> ReservationGroupFacts:
    group_ = group.described.capacity.reservation_group
    known: Mapping[str, ReservationGroupFacts] = blueprint.facts.reservation_groups if blueprint.facts else {}
    return known.get(group_.arn or "" if group_ else "", ReservationGroupFacts())


def _key_pairs(blueprint: ParallelClusterBlueprint) -> Iterator[tuple[str, Json]]:
    """The key pair. If its type is unknown, it is assumed to be ed25519, which Ubuntu also accepts."""
    pair, key, facts = blueprint.head.key_pair, blueprint.described.head.login.public_key, blueprint.facts
    if isinstance(pair, Reference):
        known = (facts.key_pairs.get(placeholder_id(pair)) if facts else None) or KeyPairFacts()
        yield placeholder_id(pair), {"type": "rsa" if key and key.startswith("ssh-rsa") else known.type or "ed25519"}


def _placement_groups(blueprint: ParallelClusterBlueprint) -> Iterator[str]:
    for group in blueprint.groups:
        placement = group.compute_resource.placement
        if isinstance(placement.name, str):
            yield placement.name
