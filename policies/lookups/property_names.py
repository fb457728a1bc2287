"""The names of properties in remedies for a program."""

from muster.fleet.resources import ComputeNodeGroup, ComputeResource, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import AnyGroup


def property_of(group: AnyGroup, path: str) -> str:
    """The path of an EC2 property where a program sets it: in PascalCase in a ParallelCluster configuration, else in
    camelCase."""
    if not isinstance(group, ComputeResource):
        return path
    return ".".join(each[0].upper() + each[1:] for each in path.split("."))


def subnets_property(group: AnyGroup) -> str:
    """The property of a group, or of its queue, that lists its subnets."""
    if isinstance(group, ComputeResource):
        return "Networking.SubnetIds"
    if isinstance(group, InstanceGroup):
        return "overrideVpcConfig.subnets"
    if isinstance(group, ComputeNodeGroup):
        return "subnetIds"
    assert isinstance(group, NodeGroup)
    return "subnetIds" if group.managed else "vpcZoneIdentifiers"


def count_properties(group: AnyGroup) -> tuple[str, str, str]:
    """The properties of a group with its minimum, its start and its maximum number of nodes."""
    if isinstance(group, ComputeResource):
        return "MinCount", "MinCount", "MaxCount"
    if isinstance(group, InstanceGroup):
        return "minInstanceCount", "instanceCount", "instanceCount"
    if isinstance(group, ComputeNodeGroup):
        least, most = ("scalingConfiguration.minInstanceCount", "scalingConfiguration.maxInstanceCount")
        return least, least, most
    if group.managed:
        return "scalingConfig.minSize", "scalingConfig.desiredSize", "scalingConfig.maxSize"
    return "minSize", "desiredCapacity", "maxSize"


def type_property(group: AnyGroup) -> str:
    """The property of a group, or of its launch template, with its instance type; the values of a requirement of a
    NodePool."""
    if isinstance(group, NodeGroup) and group.pool is not None:
        return "the values of node.kubernetes.io/instance-type"
    return "InstanceType" if isinstance(group, ComputeResource) else "instanceType"


_ADDED = {"to": "an egress rule", "from": "an ingress rule"}


def self_rule_remedy(lacking: str, group: str = "") -> str:
    """The remedy for a security group that does not allow all protocols from or to itself.

    Args:
        lacking: the missing directions, ``from or to``.
        group: the group, if the finding is about another resource.
    """
    rules = _ADDED.get(lacking, "an ingress rule and an egress rule")
    return f"add {rules} with protocol -1 and self: true{f' to {group}' if group else ''}"
