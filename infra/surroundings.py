"""What a cluster stands in and on: its network, created or existing, and Capacity Blocks that are bought."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pulumi

from infra.capacity_block import capacity_blocks
from infra.network import Network
from muster.fleet.blueprint import ClusterBlueprint
from muster.fleet.resources import Reference


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Ids of what is around, and what must stand before a node can reach anything."""

    vpc: pulumi.Input[str]
    known: Mapping[Reference, pulumi.Input[str]]
    ready: tuple[pulumi.Resource, ...] = ()
    private_route_tables: Mapping[str, pulumi.Input[str]] = field(default_factory=dict)
    """By zone, where Muster made the network."""
    nat_addresses: Mapping[str, pulumi.Input[str]] = field(default_factory=dict)
    """By zone, where Muster made the network."""

    @classmethod
    def of(cls, blueprint: ClusterBlueprint) -> "Surroundings":
        """Makes the network, and buys the blocks, where the description says so."""
        bought = capacity_blocks(blueprint)
        if not blueprint.network.created:
            return cls(str(blueprint.network.vpc), bought)
        network = Network(blueprint)
        return cls(
            network.vpc,
            {**network.subnets, **bought},
            tuple(network.ready),
            network.private_route_tables,
            network.nat_addresses,
        )

    def id(self, reference: Reference) -> pulumi.Input[str]:
        """The id of a subnet, or of a reservation."""
        return self.known.get(reference, str(reference))

    def ids(self, references: Iterable[Reference]) -> list[pulumi.Input[str]]:
        """The ids of subnets, in their order."""
        return [self.id(each) for each in references]
