"""A cluster's configuration before anything it needs is made: what only AWS knows is a name to fill in. Pure.

The names are written as a shell reads them, and `envsubst`: ``${NODES_SECURITY_GROUP}``.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from muster.fleet.parallelcluster.configuration import configuration
from muster.fleet.resources import Ref, Reference
from muster.fleet.resources import place as types
from muster.fleet.slurm_blueprint import SlurmBlueprint

_NOT_IN_A_NAME = re.compile(r"[^A-Z0-9]+")


def left_open(blueprint: SlurmBlueprint) -> tuple[dict[str, Any], dict[str, str]]:
    """The configuration with names in it, and each name with where its value comes from, in the order they are met."""
    names = _Names(blueprint)
    return configuration(blueprint, names.id), names.sources


@dataclass(frozen=True, slots=True)
class _Names:
    """What has been left open so far."""

    blueprint: SlurmBlueprint
    sources: dict[str, str] = field(default_factory=dict)

    def id(self, reference: Reference) -> str:
        """What stands for a thing: its id where it has one by now, else a name to fill in.

        Raises:
            KeyError: a thing of a kind that no configuration refers to.
        """
        if not isinstance(reference, Ref):
            return reference
        kind, source = {
            types.SUBNET: ("SUBNET", self.subnet),
            types.SECURITY_GROUP: ("SECURITY_GROUP", self.security_group),
            types.LUSTRE: ("FILE_SYSTEM", self.file_system),
            types.KEY_PAIR: ("KEY_PAIR", self.key_pair),
            types.CAPACITY_BLOCK: ("CAPACITY_BLOCK", self.capacity_block),
            types.RESOURCE_GROUP: ("RESERVATION_GROUP", self.reservation_group),
        }[reference.type]
        name = f"{kind}_{_NOT_IN_A_NAME.sub('_', reference.name.upper()).strip('_')}"
        self.sources[name] = source(reference)
        return f"${{{name}}}"

    def subnet(self, reference: Ref) -> str:
        subnet = self.blueprint.subnets[str(reference)]
        tier = "public" if subnet.public else "private"
        return (
            f"a {tier} subnet in {subnet.zone}, in a VPC with DNS support and DNS hostnames; `pulumi up` makes one: "
            f"output network.{tier}Subnets.{subnet.zone}"
        )

    def security_group(self, reference: Ref) -> str:
        which = "that file systems let in, and that lets them in" if self.blueprint.storage else "for all nodes"
        return f"a security group {which}; `pulumi up` makes one: output network.securityGroups.{reference.name}"

    def file_system(self, reference: Ref) -> str:
        stored = next(each for each in self.blueprint.storage if each.file_system.ref == reference)
        system = stored.file_system
        return (
            f"the id of an FSx for Lustre file system for /{stored.name}, of {system.size} GiB; `pulumi up` makes "
            f"one: output storage.{stored.name}.fileSystem"
        )

    def key_pair(self, reference: Ref) -> str:  # noqa: ARG002  (there is one)
        return (
            "the name of the EC2 key pair with head.login.public-key "
            f"(aws ec2 import-key-pair --region {self.blueprint.region}); `pulumi up` makes one"
        )

    def capacity_block(self, reference: Ref) -> str:  # noqa: ARG002  (each is told alike)
        return (
            "the reservation id of the Capacity Block, once it is bought "
            f"(aws ec2 describe-capacity-reservations --region {self.blueprint.region}); `pulumi up` buys one"
        )

    def reservation_group(self, reference: Ref) -> str:
        return (
            f"the ARN of a resource group with the reservations of group {reference.name} "
            "(aws resource-groups create-group); `pulumi up` makes one"
        )
