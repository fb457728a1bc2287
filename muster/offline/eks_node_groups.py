"""The children of pulumi-eks's groups of nodes that are no managed ones, and of the security group for nodes.

Read in pulumi-eks `nodejs/eks` (4.3, whose logic 4.4's SDK drives): `nodes/nodegroup.ts`, `nodes/securitygroup.ts`.
"""

from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.unknown import UNKNOWN
from muster.offline.eks_making import Core, Making, core_of, given_or, id_of, is_given, reference, rule
from muster.offline.eks_root_volume import ROOT_VOLUME, root_volume

DEFAULT_TYPE = "t3.medium"
"""The instance type of nodes that are given none."""


def nodes_group(making: Making, core: Core) -> tuple[Registration, Registration]:
    """The nodes' group and its rules, and the rule that lets it into the control plane."""
    name, plane = making.name, core.group or core.cluster
    group = making.child(
        "aws:ec2/securityGroup:SecurityGroup",
        f"{name}-nodeSecurityGroup",
        {"vpcId": core.vpc, "revokeRulesOnDelete": True},
        {"vpcId": core.uses.get("vpcId", ())},
    )
    everything: dict[str, Any] = {"fromPort": 0, "toPort": 0, "protocol": "-1"}
    https: dict[str, Any] = {"fromPort": 443, "toPort": 443, "protocol": "tcp"}
    kubelet: dict[str, Any] = {"fromPort": 1025, "toPort": 65535, "protocol": "tcp"}
    rule(making, f"{name}-eksNodeIngressRule", group, type="ingress", self=True, **everything)
    rule(making, f"{name}-eksNodeClusterIngressRule", group, type="ingress", source=plane, **kubelet)
    rule(making, f"{name}-eksExtApiServerClusterIngressRule", group, type="ingress", source=plane, **https)
    rule(making, f"{name}-eksNodeInternetEgressRule", group, type="egress", cidrBlocks=["0.0.0.0/0"], **everything)
    return group, rule(making, f"{name}-eksClusterIngressRule", plane, type="ingress", source=group, **https)


OF_NODE_GROUP = frozenset(
    {
        *ROOT_VOLUME,
        "amiId",
        "amiType",
        "autoScalingGroupTags",
        "bootstrapExtraArgs",
        "bottlerocketSettings",
        "cloudFormationTags",
        "cluster",
        "clusterIngressRule",
        "clusterIngressRuleId",
        "desiredCapacity",
        "extraNodeSecurityGroups",
        "gpu",
        "instanceProfile",
        "instanceProfileName",
        "instanceType",
        "keyName",
        "kubeletExtraArgs",
        "labels",
        "launchTemplateTagSpecifications",
        "maxSize",
        "metadataOptions",
        "minSize",
        "nodeAssociatePublicIpAddress",
        "nodePublicKey",
        "nodeSecurityGroup",
        "nodeSecurityGroupId",
        "nodeSubnetIds",
        "nodeUserData",
        "nodeUserDataOverride",
        "nodeadmExtraOptions",
        "operatingSystem",
        "spotPrice",
        "taints",
        "version",
    }
)
"""The arguments of `eks.NodeGroupV2`, and of a cluster's own group, that are read, or that only go into its image and
user data, which are unknown here, or into the order of things."""


def auto_scaling(making: Making, core: Core, args: Mapping[str, Any], ingress: Registration | None) -> Registration:
    """`createNodeGroupV2`: a launch template and an Auto Scaling group of nodes."""
    making.untold(OF_NODE_GROUP, args)
    name, eks = making.name, core.cluster
    given = args.get("nodeSecurityGroup")
    own = making.monitor.known(given) if isinstance(given, str) and given else None
    nodes: Any = own
    if own is None and ingress is not None:
        nodes = core.node_group
    elif own is None and given is not UNKNOWN and "nodeSecurityGroupId" not in args:
        nodes, ingress = nodes_group(making, core)
    extra = given_or(args.get("extraNodeSecurityGroups"), [])
    groups = [id_of(nodes) if nodes else args.get("nodeSecurityGroupId", UNKNOWN)]
    behind = [nodes.urn] if nodes else list(making.uses.get("nodeSecurityGroupId", ()))
    for each in extra if isinstance(extra, list) else [UNKNOWN]:
        found = making.monitor.known(each) if isinstance(each, str) else None
        groups.append(id_of(found) if found else UNKNOWN)
        behind += [found.urn] if found else []
    key = args.get("keyName")
    if is_given(args.get("nodePublicKey")):
        pair = making.child("aws:ec2/keyPair:KeyPair", f"{name}-keyPair", {"publicKey": args["nodePublicKey"]})
        key = pair.outputs.get("keyName", UNKNOWN)
    public = args.get("nodeAssociatePublicIpAddress", True)
    spot = args.get("spotPrice")
    options: Any = {"marketType": "spot", "spotOptions": {"maxPrice": spot}} if is_given(spot) else None
    inputs: dict[str, Any] = {
        "imageId": given_or(args.get("amiId"), UNKNOWN),
        "instanceType": given_or(args.get("instanceType"), DEFAULT_TYPE),
        "iamInstanceProfile": {"name": UNKNOWN},
        "keyName": key,
        "instanceMarketOptions": options,
        "blockDeviceMappings": root_volume(args),
        "networkInterfaces": [
            {
                "associatePublicIpAddress": UNKNOWN if public is UNKNOWN else str(public).lower(),
                "securityGroups": groups,
            }
        ],
        "metadataOptions": args.get("metadataOptions"),
        "userData": UNKNOWN,
        "tagSpecifications": args.get("launchTemplateTagSpecifications"),
    }
    template = making.child(
        "aws:ec2/launchTemplate:LaunchTemplate",
        f"{name}-launchTemplate",
        inputs,
        {
            "networkInterfaces": [*behind, *([ingress.urn] if ingress else [])],
            "userData": [eks.urn],
            "iamInstanceProfile": making.uses.get("instanceProfile", [core.profile.urn] if core.profile else ()),
        },
    )
    subnets, subnet_uses = args.get("nodeSubnetIds"), making.uses.get("nodeSubnetIds", ())
    if subnets is None:
        chosen = next((each for each in ("privateSubnetIds", "publicSubnetIds") if each in core.args), None)
        # Of other subnets the private ones: which those are only their route tables say.
        subnets = core.args[chosen] if chosen else UNKNOWN
        subnet_uses = core.uses.get(chosen, ()) if chosen else core.subnet_uses()
    tags = args.get("autoScalingGroupTags")
    own_tags: Mapping[str, Any] = tags if isinstance(tags, Mapping) else {}
    listed: Any = [
        *({"key": one, "value": value, "propagateAtLaunch": True} for one, value in own_tags.items()),
        {"key": UNKNOWN, "value": "owned", "propagateAtLaunch": True},
        {"key": "Name", "value": UNKNOWN, "propagateAtLaunch": True},
    ]
    return making.child(
        "aws:autoscaling/group:Group",
        name,
        {
            "minSize": args.get("minSize", 1),
            "maxSize": args.get("maxSize", 2),
            "desiredCapacity": args.get("desiredCapacity", 2),
            "launchTemplate": {"name": UNKNOWN, "version": UNKNOWN},
            "vpcZoneIdentifiers": subnets,
            "tags": UNKNOWN if tags is UNKNOWN else listed,
        },
        {"launchTemplate": [template.urn], "vpcZoneIdentifiers": subnet_uses, "tags": [eks.urn]},
        after=core.access,
    )


def node_group_v2(making: Making) -> dict[str, Any]:
    """`eks.NodeGroupV2`."""
    core = core_of(making)
    if core is None:
        return {}
    group = auto_scaling(making, core, making.args, None)
    return {"autoScalingGroup": reference(group), "extraNodeSecurityGroups": []}


def node_group(making: Making) -> dict[str, Any]:
    """`eks.NodeGroup`, the old one: a launch configuration, and CloudFormation that makes the Auto Scaling group."""
    missing = "its nodes are made by CloudFormation of a launch configuration, and not seen; use NodeGroupV2"
    making.monitor.not_modelled(making.urn, missing)
    return {}


OF_NODE_GROUP_SECURITY_GROUP = frozenset({"clusterSecurityGroup", "eksCluster", "vpcId"})


def node_security_group(making: Making) -> dict[str, Any]:
    """`eks.NodeGroupSecurityGroup`."""
    making.untold(OF_NODE_GROUP_SECURITY_GROUP)
    given = making.monitor.known(str(making.args.get("eksCluster", "")))
    core = next((each for each in making.monitor.eks.values() if given and each.cluster.urn == given.urn), None)
    group = making.monitor.known(str(making.args.get("clusterSecurityGroup", "")))
    if given is None:
        making.monitor.not_modelled(making.urn, "which cluster it is for is not known, so nothing it makes is seen")
        return {}
    vpc = making.args.get("vpcId", UNKNOWN)
    of = core.group if core else None
    made, ingress = nodes_group(making, Core("", {}, making.uses, vpc, UNKNOWN, given, group or of, None, None, ()))
    return {"securityGroup": reference(made), "securityGroupRule": reference(ingress)}
