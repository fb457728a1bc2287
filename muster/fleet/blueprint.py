"""The blueprint: everything a description comes to, derived once, complete, and pure data.

`infra/` and `addons/` translate it into resources, rules judge it, jobs are sized by it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from muster.fleet.description import EksCluster
from muster.fleet.description.group import Group as GroupDescription
from muster.fleet.facts import Facts
from muster.fleet.node import Node
from muster.fleet.resources import (
    Addon,
    ControlPlane,
    EksAddon,
    Fleet,
    LaunchTemplate,
    NodeGroup,
    SecurityGroup,
    Subnet,
)


@dataclass(frozen=True, slots=True)
class PlacementGroup:
    """A cluster placement group."""

    name: str
    """Its name in AWS."""
    create: bool
    """False: it exists, the reservation was created in it."""


@dataclass(frozen=True, slots=True)
class Group:
    """One node group with everything it needs."""

    name: str
    described: GroupDescription
    node_group: NodeGroup
    template: LaunchTemplate
    node: Node
    placement_group: PlacementGroup | None


@dataclass(frozen=True, slots=True)
class Blueprint:
    """One cluster, derived."""

    stack: str
    region: str
    cluster_name: str
    described: EksCluster
    control_plane: ControlPlane
    efa_security_group: SecurityGroup | None
    """None where no group has EFA interfaces."""
    eks_addons: tuple[EksAddon, ...]
    groups: tuple[Group, ...]
    addons: tuple[Addon, ...]
    subnets: Mapping[str, Subnet]
    facts: Facts | None
    facts_file: str

    def group(self, name: str) -> Group:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    def fleet(self, as_of: date) -> Fleet:
        """The blueprint as rules see it."""
        security_groups = (self.efa_security_group,) if self.efa_security_group else ()
        parts = ((group.template, group.node_group) for group in self.groups)
        return Fleet(
            objects=(
                self.control_plane,
                *security_groups,
                *self.eks_addons,
                *(thing for pair in parts for thing in pair),
                *self.addons,
            ),
            subnets=self.subnets,
            facts=self.facts,
            facts_file=self.facts_file,
            region=self.region,
            as_of=as_of,
        )
