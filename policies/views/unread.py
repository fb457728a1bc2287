"""Resources that a program registers and no view reads: no rule judges them, so they have not passed."""

from collections import Counter
from collections.abc import Iterable, Mapping

from muster.finding import NOT_MODELLED, NotEvaluated
from muster.fleet.registration import Registration
from muster.policies.views.fleet import READ
from muster.policies.views.karpenter import is_of_another_provider

_MODULES = frozenset(
    {
        "alb",
        "autoscaling",
        "batch",
        "ebs",
        "ec2",
        "ecs",
        "efs",
        "eks",
        "elasticloadbalancingv2",
        "elb",
        "emr",
        "emrcontainers",
        "emrserverless",
        "fsx",
        "lb",
        "lightsail",
        "pcs",
        "sagemaker",
        "vpc",
    }
)
"""The modules of AWS that run jobs, or have their networks and file systems; not functions, databases and queues."""
_NOTHING_TO_ASK = frozenset(
    {
        "AccessEntry",
        "DefaultRouteTable",
        "EgressOnlyInternetGateway",
        "Eip",
        "EipAssociation",
        "FlowLog",
        "InternetGateway",
        "InternetGatewayAttachment",
        "KeyPair",
        "MainRouteTableAssociation",
        "NatGateway",
        "Route",
        "RouteTable",
        "RouteTableAssociation",
        "SubnetRouteTableAssociation",
        "Tag",
        "Vpc",
        "VPC",
        "VPCEndpoint",
        "VPCGatewayAttachment",
        "VpcDhcpOptions",
        "VpcDhcpOptionsAssociation",
        "VpcEndpoint",
        "VpcEndpointRouteTableAssociation",
        "VpcEndpointSubnetAssociation",
        "VpcIpv4CidrBlockAssociation",
        "VpcIpv6CidrBlockAssociation",
    }
)
"""Kinds in these modules that no rule needs to judge, in all their spellings."""
_NODE_MAKERS = ("kubernetes:karpenter.", "kubernetes:cluster.x-k8s.io/", "kubernetes:infrastructure.cluster.x-k8s.io/")
"""API groups of custom resources that create nodes."""
_CREATES_NO_NODES = "kubernetes:karpenter.sh/v1alpha1:NodeOverlay"
"""It changes only what Karpenter assumes about an instance type."""
_EKS = "eks:"
_OLD_NODE_GROUP = "eks:index:NodeGroup"
"""The offline monitor reports each resource of this type as a gap, by its URN."""


def unread(registrations: Iterable[Registration]) -> Mapping[str, int]:
    """Types that no rule reads, and the number of resources of each, sorted.

    A component of pulumi-eks is read through its children: if it has none, no rule reads it.
    """
    listed = list(registrations)
    parents = {each.parent for each in listed}
    kinds = (
        each.type
        for each in listed
        if _is_unread(each.type) or _is_hollow(each, parents) or is_of_another_provider(each)
    )
    return dict(sorted(Counter(kinds).items()))


def unread_lines(registrations: Iterable[Registration]) -> tuple[NotEvaluated, ...]:
    """One result for each type that no view reads, which has not passed."""
    return tuple(
        NotEvaluated(
            NOT_MODELLED,
            type_,
            f"no rule reads this type: {number} {'resource is' if number == 1 else 'resources are'} not judged",
        )
        for type_, number in unread(registrations).items()
    )


def _is_unread(type_: str) -> bool:
    if type_.startswith(_NODE_MAKERS):
        return type_ not in READ and type_ != _CREATES_NO_NODES
    package, _, below = type_.partition(":")
    module, _, kind = below.partition(":")
    if package not in ("aws", "aws-native") or type_ in READ or kind in _NOTHING_TO_ASK:
        return False
    return module.partition("/")[0] in _MODULES


def _is_hollow(resource: Registration, parents: set[str]) -> bool:
    if resource.type == _OLD_NODE_GROUP:
        return False
    return resource.type.startswith(_EKS) and not resource.custom and resource.urn not in parents
