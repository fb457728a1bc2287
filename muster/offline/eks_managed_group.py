"""The children of pulumi-eks's managed node groups.

Read in pulumi-eks `nodejs/eks` (4.3, whose logic 4.4's SDK drives): `nodes/nodegroup.ts`.
"""

from collections.abc import Mapping
from typing import Any

from muster.fleet.hardware import UnknownInstance, hardware
from muster.fleet.registration import Registration
from muster.fleet.unknown import UNKNOWN
from muster.offline.eks_making import Core, Making, core_of, given_or, group_id, id_of, is_given, reference
from muster.offline.eks_node_groups import DEFAULT_TYPE
from muster.offline.eks_root_volume import device_of

_SUBNET = "aws:ec2/subnet:Subnet"
_WITH_USER_DATA = ("kubeletExtraArgs", "bootstrapExtraArgs", "bottlerocketSettings", "nodeadmExtraOptions", "userData")
_WITH_TEMPLATE = (*_WITH_USER_DATA, "enableIMDSv2", "amiId", "enableEfaSupport")
_PASSED_ON = (
    "amiType",
    "capacityType",
    "diskSize",
    "forceUpdateVersion",
    "instanceTypes",
    "labels",
    "nodeGroupName",
    "nodeGroupNamePrefix",
    "releaseVersion",
    "remoteAccess",
    "tags",
    "taints",
    "updateConfig",
    "version",
)


OF_MANAGED_NODE_GROUP = frozenset(
    {
        *_WITH_TEMPLATE,
        *_PASSED_ON,
        "cluster",
        "clusterName",
        "launchTemplate",
        "nodeRole",
        "nodeRoleArn",
        "placementGroupAvailabilityZone",
        "scalingConfig",
        "subnetIds",
    }
)
"""The arguments of `eks.ManagedNodeGroup` that are read. Which image an `operatingSystem` means is not."""


def managed_node_group(making: Making) -> dict[str, Any]:
    """`eks.ManagedNodeGroup`."""
    core, args, name = core_of(making), making.args, making.name
    if core is None:
        return {}
    subnets, uses = args.get("subnetIds"), making.uses.get("subnetIds", ())
    if subnets is None:
        subnets, uses = core.subnets, core.subnet_uses()
    placement = None
    if making.is_true("enableEfaSupport"):
        placement = making.child(
            "aws:ec2/placementGroup:PlacementGroup", name, {"strategy": "cluster", "tags": args.get("tags")}
        )
        subnets, uses = _in_zone(making, uses, args.get("placementGroupAvailabilityZone"))
    making.untold(OF_MANAGED_NODE_GROUP)
    inputs = {key: args[key] for key in _PASSED_ON if key in args}
    if is_given(args.get("operatingSystem")) and "amiType" not in args:
        inputs["amiType"] = UNKNOWN
    launch, launch_uses = args.get("launchTemplate"), making.uses.get("launchTemplate", ())
    if launch is None and "version" not in inputs:
        inputs["version"] = core.cluster.inputs.get("version", UNKNOWN)
    if any(key in args for key in _WITH_TEMPLATE):
        template = _managed_template(making, core, placement)
        inputs.pop("diskSize", None)
        launch, launch_uses = {"id": id_of(template), "version": UNKNOWN}, (template.urn,)
    if any(key in args for key in (*_WITH_USER_DATA, "amiId")):
        for key in ("version", "releaseVersion", "amiType"):
            inputs.pop(key, None)
    role_arn, role_uses = args.get("nodeRoleArn"), making.uses.get("nodeRoleArn", ())
    if role_arn is None:
        role = making.monitor.known(str(args.get("nodeRole", "")))
        role_arn = role.outputs.get("arn", UNKNOWN) if role else UNKNOWN
        role_uses = (role.urn,) if role else making.uses.get("nodeRole", ())
    scaling = args.get("scalingConfig")
    sizes: Any = {"desiredSize": 2, "minSize": 1, "maxSize": 2, **(scaling if isinstance(scaling, Mapping) else {})}
    group = making.child(
        "aws:eks/nodeGroup:NodeGroup",
        name,
        {
            **inputs,
            "clusterName": given_or(args.get("clusterName"), core.cluster.outputs.get("name", UNKNOWN)),
            "nodeRoleArn": role_arn,
            "scalingConfig": UNKNOWN if scaling is UNKNOWN else sizes,
            "subnetIds": subnets,
            "launchTemplate": launch,
        },
        {
            "clusterName": [core.cluster.urn],
            "nodeRoleArn": role_uses,
            "subnetIds": uses,
            "launchTemplate": launch_uses,
            **{key: making.uses.get(key, ()) for key in _PASSED_ON},
        },
        after=core.access,
    )
    return {"nodeGroup": reference(group), "placementGroupName": UNKNOWN if placement else ""}


def _in_zone(making: Making, uses: tuple[str, ...], zone: Any) -> tuple[Any, tuple[str, ...]]:
    """The subnets in a zone, of those that the program itself makes; of others only AWS knows where they are."""
    known = [making.monitor.known(urn) for urn in uses]
    subnets = [each for each in known if each is not None and each.type == _SUBNET]
    zones = {each.inputs.get("availabilityZone", UNKNOWN) for each in subnets}
    if not subnets or zone is UNKNOWN or UNKNOWN in zones:
        return UNKNOWN, uses
    there = [each for each in subnets if each.inputs["availabilityZone"] == zone]
    return [id_of(each) for each in there], tuple(each.urn for each in there)


def _managed_template(making: Making, core: Core, placement: Registration | None) -> Registration:
    """`createMNGCustomLaunchTemplate`."""
    args = making.args
    own_data = any(key in args for key in (*_WITH_USER_DATA, "amiId"))
    v2, disk = args.get("enableIMDSv2"), args.get("diskSize")
    device = device_of(args)
    tokens = "required" if v2 is True else "optional"
    metadata = {"httpTokens": tokens, "httpPutResponseHopLimit": 2, "httpEndpoint": "enabled"}
    return making.child(
        "aws:ec2/launchTemplate:LaunchTemplate",
        f"{making.name}-launchTemplate",
        {
            "blockDeviceMappings": [{"deviceName": device, "ebs": {"volumeSize": disk}}] if is_given(disk) else None,
            "userData": UNKNOWN if own_data else None,
            "metadataOptions": metadata if v2 is not None else None,
            "imageId": given_or(args.get("amiId"), UNKNOWN) if own_data else None,
            "placement": {"groupName": placement.outputs.get("name", UNKNOWN)} if placement else None,
            "networkInterfaces": _efa_interfaces(making, core) if placement else None,
        },
        {
            "networkInterfaces": [core.cluster.urn],
            "placement": [placement.urn] if placement else (),
            "userData": [core.cluster.urn],
        },
    )


def _efa_interfaces(making: Making, core: Core) -> Any:
    """EFA on the first card, efa-only at device 1 on each other."""
    types = making.args.get("instanceTypes")
    first = types[0] if isinstance(types, list) and types else DEFAULT_TYPE
    try:
        cards = hardware(first).network_cards if first is not UNKNOWN else None
    except UnknownInstance:
        cards = None
    if cards is None:
        making.monitor.not_modelled(making.urn, f"how many network cards {first} has: its interfaces are unknown")
        return UNKNOWN
    return [
        {
            "deleteOnTermination": "true",
            "networkCardIndex": card,
            "deviceIndex": 1 if card else 0,
            "interfaceType": "efa-only" if card else "efa",
            "securityGroups": [group_id(core.cluster)],
        }
        for card in range(max(cards, 1))
    ]
