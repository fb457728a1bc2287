"""Edits of a stack's text, and what the engine makes of them."""

from dataclasses import dataclass

from muster.config.description.base import Change, StrictModel
from tests.stack_files import filled_in

Changed = dict[tuple[str, str], str]
"""(type, logical name) -> the engine's operation."""

TEMPLATE, GROUP = "aws:ec2/launchTemplate:LaunchTemplate", "aws:eks/nodeGroup:NodeGroup"
OWN_GROUP, CLUSTER = "aws:autoscaling/group:Group", "aws:eks/cluster:Cluster"
BLOCK, PLACEMENT = "aws:ec2/capacityBlockReservation:CapacityBlockReservation", "aws:ec2/placementGroup:PlacementGroup"
FILES = "aws:fsx/lustreFileSystem:LustreFileSystem"
REPOSITORY, ROUTE, NAT = "aws:ecr/repository:Repository", "aws:ec2/route:Route", "aws:ec2/natGateway:NatGateway"
ENDPOINT, VPC, SUBNET = "aws:ec2/vpcEndpoint:VpcEndpoint", "aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet"
ENTRY_POLICY = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
MACHINES, SCRIPT = "aws-native:sagemaker:Cluster", "aws:s3/bucketObjectv2:BucketObjectv2"


CONTROL_PLANE: Changed = {(CLUSTER, "cluster-eksCluster"): "update"}
GROUP_UPDATE: Changed = {(GROUP, "workers"): "update"}
DRAINS: Changed = {(TEMPLATE, "workers"): "update", **GROUP_UPDATE}
REPLACED: Changed = {(GROUP, "workers"): "replace"}
NOTHING: Changed = {}


@dataclass(frozen=True)
class Row:
    """One edit of a field, and what the engine makes of it."""

    block: type[StrictModel]
    field: str
    edits: tuple[tuple[str, str], ...]
    """Text that stands there, its last place (workers stand after the system group) -> what is written instead."""
    expected: Changed
    """Operations there must be; with none of them, there is none at all."""
    cost: Change | None = None
    """What it costs here, where the field states what it costs at the dearest."""

    def applied(self, text: str) -> str:
        """The text with the edits."""
        for before, after in self.edits:
            head, found, tail = text.rpartition(before)
            assert found, before
            text = f"{head}{after}{tail}"
        return text


def row(
    block: type[StrictModel],
    field: str,
    before: str,
    after: str,
    expected: Changed,
    *more: tuple[str, str],
    cost: Change | None = None,
) -> Row:
    return Row(block, field, ((before, after), *more), expected, cost)


VOLUME = "        volume: {size: 300GiB}\n"


def beside(line: str) -> tuple[str, str]:
    """An edit that adds a line to the workers."""
    return VOLUME, f"{VOLUME}        {line}\n"


RESERVATION = filled_in("cr-fill-me-in")
ADDONS = "    addons:\n"
KEY = "arn:aws:kms:us-west-2:210987654321:key/01234567-89ab-cdef-0123-456789abcdef"
OTHER_ZONE = (("zone: us-west-2a # the zone", "zone: us-west-2b # the zone"),)
ZONE = "zone: us-west-2a\n            count"
