"""The launch template of a node group.

From pkg/cfn/builder: managed_launch_template.go, nodegroup.go (`newLaunchTemplateData`), network_interfaces.go, vpc.go
(`addEFASecurityGroup`).
"""

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from muster.blueprint.user_data import NODE_CONFIG, SCRIPT, mime, toml_lines
from muster.config.description.node_settings import BOTTLEROCKET_DATA
from muster.fleet.resources.ref import LAUNCH_TEMPLATE, PLACEMENT_GROUP, SECURITY_GROUP
from muster.hardware.ami import Family, image_of
from muster.plain_data import as_list, drop_none, merged, value_at
from muster.sources.eksctl.group import AL2023, BOTTLEROCKET, Group
from muster.sources.eksctl.network import Network
from muster.sources.eksctl.resources import (
    CONTROL_PLANE,
    FROM_AND_TO_ITSELF,
    SHARED_NODES,
    TO_EVERYWHERE,
    Resources,
    block,
    first,
    is_given,
    is_on,
    items,
)
from muster.unknown import UNKNOWN, has_unknown

EFA_IN_CLUSTER_GROUP = (1, 33)
"""The first Kubernetes version whose cluster security group allows EFA (`EFABuiltInSupportVersion`)."""
_FAMILIES = {AL2023: Family.AL2023, BOTTLEROCKET: Family.BOTTLEROCKET}
_NAMES = {
    "capacityReservationID": "capacityReservationId",
    "capacityReservationResourceGroupARN": "capacityReservationResourceGroupArn",
}
"""eksctl's key in `capacityReservation` -> Pulumi's, where they differ."""


class Templates:
    """Makes the launch templates of the node groups, and the resources beside them."""

    def __init__(self, resources: Resources, network: Network, kubernetes: tuple[int, int] | None) -> None:
        self._resources, self._network, self._kubernetes = resources, network, kubernetes

    def add(self, group: Group) -> str:
        """Adds the template of a group and returns its URN."""
        inputs: dict[str, Any] = {
            "metadataOptions": _metadata(group),
            "userData": _user_data(group),
            "blockDeviceMappings": list(_volumes(group)),
            "imageId": _image(group, self._kubernetes),
            "keyName": _key(group),
            "tagSpecifications": [{"resourceType": "instance", "tags": group.get("tags", {})}],
            **_capacity(group),
        }
        if not group.managed or group.on_capacity_block:
            inputs["instanceType"] = group.types[0]
        if not group.managed:
            inputs["iamInstanceProfile"] = {"arn": UNKNOWN}
        inputs |= _interfaces(group, self._security_groups(group))
        if (placement := self._placement(group)) is not None:
            inputs["placement"] = {"groupName": placement}
        return self._resources.add(LAUNCH_TEMPLATE, group.name, inputs, group.path, id_=group.template)

    def _security_groups(self, group: Group) -> Any:
        """The ids of the security groups on the nodes. They are unknown for a managed group with EFA whose Kubernetes
        version is unknown: before `EFA_IN_CLUSTER_GROUP`, eksctl adds a group for EFA."""
        own, kubernetes = group.block("securityGroups"), self._kubernetes
        if own.get("attachIDs") is UNKNOWN:
            return UNKNOWN
        attached = items(own, "attachIDs")
        if not group.managed:
            made = [*attached, *self._of_self_managed(group, own)]
            efa = is_on(group.efa) and own.get("withLocal", True) is not False
            return [*made, self._efa_group(group)] if efa else made
        ids = [self._resources.cluster_group, *attached]
        if _key(group) is not None:
            ids.append(self._ssh_group(group))
        if is_on(group.efa):
            if kubernetes is None:
                return UNKNOWN
            if kubernetes < EFA_IN_CLUSTER_GROUP:
                ids.append(self._efa_group(group))
        return ids

    def _of_self_managed(self, group: Group, own: Mapping[str, Any]) -> list[Any]:
        """The group that all nodes share, and the group's own (`addResourcesForSecurityGroups`)."""
        found: list[Any] = []
        if own.get("withShared", True) is not False:
            found.append(first(block(self._resources.config, "vpc").get("sharedNodeSecurityGroup"), SHARED_NODES))
        if own.get("withLocal", True) is not False:
            rules = [
                {"protocol": "tcp", "fromPort": begin, "toPort": last, "securityGroups": [CONTROL_PLANE]}
                for begin, last in ((1025, 65535), (443, 443))
            ]
            name = f"{group.name} nodes"
            found.append(self._add_group(group, name, f"group {name}", ingress=rules, egress=TO_EVERYWHERE))
        return found

    def _ssh_group(self, group: Group) -> str:
        """The group for SSH (`makeSSHIngressRules`)."""
        sources = group.block("ssh").get("sourceSecurityGroupIds")
        if is_given(sources):
            ranges: list[dict[str, Any]] = [{"securityGroups": sources}]
        elif is_given(group.get("privateNetworking")):
            ranges = [{"cidrBlocks": UNKNOWN}]
        else:
            ranges = [{"cidrBlocks": ["0.0.0.0/0"]}, {"ipv6CidrBlocks": ["::/0"]}]
        rules = [{"protocol": "tcp", "fromPort": 22, "toPort": 22, **each} for each in ranges]
        return self._add_group(group, f"{group.name} SSH", f"{group.name} SSH", ingress=rules)

    def _efa_group(self, group: Group) -> str:
        """The group for EFA, which allows everything from and to itself."""
        name = f"{group.name} EFA"
        return self._add_group(group, name, f"group {name}", ingress=FROM_AND_TO_ITSELF, egress=FROM_AND_TO_ITSELF)

    def _add_group(self, group: Group, name: str, id_: str, **rules: Any) -> str:
        self._resources.add(SECURITY_GROUP, name, {"vpcId": self._network.vpc, **rules}, group.path, id_=id_)
        return id_

    def _placement(self, group: Group) -> Any:
        """The placement group. With EFA, eksctl creates one; for a managed group only without a reservation."""
        if group.get("placement") is not None:
            return group.block("placement").get("groupName")
        if group.managed and group.get("capacityReservation") is not None:
            return None
        if not is_on(group.efa):
            return UNKNOWN if group.efa is UNKNOWN else None
        name = f"{group.name} placement"
        self._resources.add(PLACEMENT_GROUP, name, {"strategy": "cluster"}, group.path, id_=name)
        return name


_OF_VOLUME = {
    "volumeSize": "volumeSize",
    "volumeType": "volumeType",
    "volumeIOPS": "iops",
    "volumeThroughput": "throughput",
}


def _volumes(group: Group) -> Iterator[dict[str, Any]]:
    """The volumes (`makeBlockDeviceMappings`). Without a name, the first is that of the image's files."""
    default = BOTTLEROCKET_DATA if str(group.family).startswith(BOTTLEROCKET) else "/dev/xvda"
    for each in ({"volumeName": default, **group.values}, *items(group.values, "additionalVolumes")):
        ebs = {name: value_at(each, key) for key, name in _OF_VOLUME.items()}
        yield {"deviceName": value_at(each, "volumeName"), "ebs": drop_none(ebs)}


def _metadata(group: Group) -> dict[str, Any]:
    blocked = group.get("disablePodIMDS", False)
    switches = (group.get("disableIMDSv1", True), blocked)
    tokens = "required" if True in switches else UNKNOWN if UNKNOWN in switches else "optional"
    return {
        "httpTokens": tokens,
        "httpPutResponseHopLimit": UNKNOWN if blocked is UNKNOWN else 1 if blocked else 2,
    }


def _image(group: Group, kubernetes: tuple[int, int] | None) -> Any:
    """The AMI. For a self-managed group, eksctl looks up EKS's newest one for the type (`MakeSSMParameterName`)."""
    given = group.get("ami")
    if given is None and group.managed and not str(group.family).startswith("Ubuntu"):
        return None
    family, machine = _FAMILIES.get(str(group.family)), group.machines[0]
    if given is None and family and machine and kubernetes:
        return image_of(machine, family, ".".join(map(str, kubernetes)), newest=True)
    return given if isinstance(given, str) and given.startswith("ami-") else UNKNOWN


def _key(group: Group) -> Any:
    """The EC2 key pair. eksctl imports a public key, or its default one if `ssh.allow` is true."""
    ssh = group.block("ssh")
    if ssh.get("allow") is False:
        return None
    imported = any(is_given(ssh.get(key)) for key in ("allow", "publicKey", "publicKeyPath"))
    return first(ssh.get("publicKeyName"), UNKNOWN if imported else None)


def _capacity(group: Group) -> dict[str, Any]:
    if group.get("capacityReservation") is None:
        return {}
    return {
        "capacityReservationSpecification": _renamed(group.get("capacityReservation")),
        "instanceMarketOptions": group.get("instanceMarketOptions"),
    }


def _renamed(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {_NAMES.get(key, key): _renamed(each) for key, each in value.items()}


def _interfaces(group: Group, groups: Any) -> dict[str, Any]:
    """The interfaces (`buildNetworkInterfaces`): with EFA, one EFA interface on each network card."""
    if group.efa is UNKNOWN:
        return {"networkInterfaces": UNKNOWN, "vpcSecurityGroupIds": UNKNOWN}
    if not group.efa and group.managed:
        return {"vpcSecurityGroupIds": groups}
    cards = [max(1, each.network_cards) if each else None for each in group.machines]
    if group.efa and None in cards:
        return {"networkInterfaces": UNKNOWN}
    number = min(each for each in cards if each) if group.efa else 1
    kind = {"interfaceType": "efa"} if group.efa else {}
    return {
        "networkInterfaces": [
            {"deviceIndex": min(card, 1), "networkCardIndex": card, "securityGroups": groups, **kind}
            for card in range(number)
        ]
    }


def _user_data(group: Group) -> Any:
    """The user data, as far as rules read it, after pkg/nodebootstrap (al2023.go, bottlerocket.go). None for a managed
    group without settings. eksctl's other families have their own forms."""
    pods = group.get("maxPodsPerNode", 0)
    own = [group.get(key) for key in ("preBootstrapCommands", "overrideBootstrapCommand", "kubeletExtraConfig")]
    settings = group.block("bottlerocket").get("settings")
    if has_unknown([pods, own, settings]) or not isinstance(pods, int):
        return UNKNOWN
    if str(group.family).startswith(BOTTLEROCKET):
        kubernetes = {"kubernetes": {"max-pods": pods}} if pods > 0 else {}
        text = "\n".join(toml_lines("settings", merged(settings if isinstance(settings, dict) else {}, kubernetes)))
    elif group.family == AL2023:
        text = mime(list(_parts(group, pods)))
    else:
        return UNKNOWN
    if not text and group.managed and not is_given(group.get("ami")):
        return None
    return base64.b64encode(text.encode()).decode()


def _parts(group: Group, pods: int) -> Iterator[tuple[str, str]]:
    config = {**group.block("kubeletExtraConfig"), **({"maxPods": pods} if pods > 0 else {})}
    if config:
        yield NODE_CONFIG, json.dumps({"kind": "NodeConfig", "spec": {"kubelet": {"config": config}}})
    yield from ((SCRIPT, f"#!/bin/bash\n{each}\n") for each in as_list(group.get("preBootstrapCommands")))
    if (override := group.get("overrideBootstrapCommand")) is not None:
        yield NODE_CONFIG, f"{override}\n"
