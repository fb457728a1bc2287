"""The network a cluster stands in, created or existing, as its resources name it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pulumi

from infra.network import Network
from muster.fleet.blueprint import Blueprint
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
    def of(cls, blueprint: Blueprint) -> "Surroundings":
        """Makes the network where the description says so."""
        if not blueprint.network.created:
            return cls(str(blueprint.network.vpc), {})
        network = Network(blueprint)
        return cls(
            network.vpc,
            network.subnets,
            tuple(network.ready),
            network.private_route_tables,
            network.nat_addresses,
        )

    def id(self, reference: Reference) -> pulumi.Input[str]:
        """The id of one subnet."""
        return self.known.get(reference, str(reference))

    def ids(self, references: Iterable[Reference]) -> list[pulumi.Input[str]]:
        """The ids of subnets, in their order."""
        return [self.id(each) for each in references]
