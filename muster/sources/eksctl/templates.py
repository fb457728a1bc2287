"""The launch template of a node group.

From pkg/cfn/builder: managed_launch_template.go, nodegroup.go (`newLaunchTemplateData`), network_interfaces.go, vpc.go
(`addEFASecurityGroup`).
"""

import base64
from collections.abc import Mapping
from typing import Any

from muster.finding import KeyPath
from muster.fleet.resources.ref import LAUNCH_TEMPLATE, PLACEMENT_GROUP, SECURITY_GROUP
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.sources.eksctl.images import AL2023
from muster.sources.eksctl.network import Network
from muster.sources.eksctl.resources import CONTROL_PLANE, SHARED_NODES, Resources, block, first, is_given, is_on, items
from muster.unknown import UNKNOWN

EFA_IN_CLUSTER_GROUP = (1, 33)
"""The first Kubernetes version whose cluster security group allows EFA (`EFABuiltInSupportVersion`)."""


class TemplateBuilder:
    """Makes the launch template of one node group, and the resources beside it."""

    def __init__(
        self,
        resources: Resources,
        network: Network,
        *,
        group: Mapping[str, Any],
        path: KeyPath,
        managed: bool,
        kubernetes: tuple[int, int] | None,
        types: list[Any],
        family: Any,
    ) -> None:
        """Takes what is known of the group.

        Args:
            resources: receives the resources.
            network: the network of the cluster.
            group: the group's block.
            path: its path in the file.
            managed: whether it is a managed node group.
            kubernetes: the Kubernetes version; None if it is unknown.
            types: its instance types.
            family: its image family.
        """
        self._resources, self._network = resources, network
        self._group, self._path, self._managed = group, path, managed
        self._kubernetes, self._types, self._family = kubernetes, types, family
        self.name = name_of_group(group, path)

    def build(self, cluster_group: str) -> str:
        """Adds the template and returns its URN.

        Args:
            cluster_group: the id of the security group that EKS creates for the cluster.
        """
        group = self._group
        metadata = {"httpTokens": self._tokens(), "httpPutResponseHopLimit": self._hop_limit()}
        inputs: dict[str, Any] = {
            "metadataOptions": metadata,
            "userData": self._user_data(),
            "imageId": self._image(),
            "keyName": self._key(),
            "tagSpecifications": [{"resourceType": "instance", "tags": group.get("tags", {})}],
            **self._capacity(),
        }
        if not self._managed or is_on_capacity_block(group):
            inputs["instanceType"] = self._types[0] if self._types else UNKNOWN
        if not self._managed:
            inputs["iamInstanceProfile"] = {"arn": UNKNOWN}
        inputs |= self._interfaces(self._security_groups(cluster_group))
        placement = self._placement()
        if placement is not None:
            inputs["placement"] = {"groupName": placement}
        return self._resources.add(LAUNCH_TEMPLATE, self.name, inputs, self._path, id_=template_id(self.name))

    def _tokens(self) -> Any:
        switches = (self._group.get("disableIMDSv1", True), self._group.get("disablePodIMDS", False))
        if any(is_on(each) for each in switches):
            return "required"
        return UNKNOWN if UNKNOWN in switches else "optional"

    def _hop_limit(self) -> Any:
        blocked = self._group.get("disablePodIMDS", False)
        return UNKNOWN if blocked is UNKNOWN else 1 if blocked else 2

    def _image(self) -> Any:
        """The AMI. For a self-managed group, and for Ubuntu, eksctl looks it up itself."""
        given = self._group.get("ami")
        if given is None and self._managed and not str(self._family).startswith("Ubuntu"):
            return None
        return given if isinstance(given, str) and given.startswith("ami-") else UNKNOWN

    def _key(self) -> Any:
        """The EC2 key pair. eksctl imports a public key, or its default one if `ssh.allow` is true."""
        ssh = block(self._group, "ssh")
        if ssh.get("allow") is False:
            return None
        if is_given(ssh.get("publicKeyName")):
            return ssh.get("publicKeyName")
        imported = any(is_given(ssh.get(key)) for key in ("allow", "publicKey", "publicKeyPath"))
        return UNKNOWN if imported else None

    def _capacity(self) -> dict[str, Any]:
        given = self._group.get("capacityReservation")
        if given is None:
            return {}
        found = block(self._group, "capacityReservation")
        target = found.get("capacityReservationTarget")
        inside = block(found, "capacityReservationTarget")
        specification = {
            "capacityReservationPreference": found.get("capacityReservationPreference"),
            "capacityReservationTarget": target
            if target is None or target is UNKNOWN
            else {
                "capacityReservationId": inside.get("capacityReservationID"),
                "capacityReservationResourceGroupArn": inside.get("capacityReservationResourceGroupARN"),
            },
        }
        market = block(self._group, "instanceMarketOptions").get("marketType")
        return {
            "capacityReservationSpecification": UNKNOWN if given is UNKNOWN else specification,
            "instanceMarketOptions": None if market is None else {"marketType": market},
        }

    def _security_groups(self, cluster_group: str) -> Any:
        """The ids of the security groups on the nodes. They are unknown for a managed group with EFA whose Kubernetes
        version is unknown: before `EFA_IN_CLUSTER_GROUP`, eksctl adds a group for EFA."""
        own = block(self._group, "securityGroups")
        attached = items(own, "attachIDs")
        groups: list[Any] = [cluster_group, *attached] if self._managed else list(attached)
        if own.get("attachIDs") is UNKNOWN:
            return UNKNOWN
        if not self._managed:
            groups += self._of_self_managed(own)
        elif self._key() is not None:
            groups.append(self._ssh_group())
        efa = self._group.get("efaEnabled", False)
        if is_on(efa) and (self._managed or own.get("withLocal", True) is not False):
            if self._managed and self._kubernetes is None:
                return UNKNOWN
            if not self._managed:
                # EFA needs one group that allows all traffic from and to itself, which eksctl adds. The rule about EFA
                # judges each group of the interface: the groups for IP traffic are unknown, so that it skips them.
                groups = [UNKNOWN if each in self._own_ids else each for each in groups]
                groups.append(self._efa_group())
            elif self._kubernetes is not None and self._kubernetes < EFA_IN_CLUSTER_GROUP:
                groups.append(self._efa_group())
        return groups

    @property
    def _own_ids(self) -> tuple[str, str]:
        """The groups that eksctl creates for the IP traffic of a self-managed group."""
        return SHARED_NODES, f"group {self.name} nodes"

    def _of_self_managed(self, own: Mapping[str, Any]) -> list[Any]:
        """The group that all nodes share, and the group's own (`addResourcesForSecurityGroups`)."""
        found: list[Any] = []
        if own.get("withShared", True) is not False:
            shared = block(self._resources.config, "vpc").get("sharedNodeSecurityGroup")
            found.append(first(shared, SHARED_NODES))
        if own.get("withLocal", True) is not False:
            name = f"{self.name} nodes"
            rules = [
                {"protocol": "tcp", "fromPort": begin, "toPort": last, "securityGroups": [CONTROL_PLANE]}
                for begin, last in ((1025, 65535), (443, 443))
            ]
            everything = [{"protocol": "-1", "fromPort": 0, "toPort": 0, "cidrBlocks": ["0.0.0.0/0"]}]
            inputs = {"vpcId": self._network.vpc, "ingress": rules, "egress": everything}
            self._resources.add(SECURITY_GROUP, name, inputs, self._path, id_=f"group {name}")
            found.append(f"group {name}")
        return found

    def _ssh_group(self) -> str:
        """The group for SSH (`makeSSHIngressRules`)."""
        name, ssh = f"{self.name} SSH", block(self._group, "ssh")
        port: dict[str, Any] = {"protocol": "tcp", "fromPort": 22, "toPort": 22}
        private = self._group.get("privateNetworking", False)
        if is_given(ssh.get("sourceSecurityGroupIds")):
            rules = [{**port, "securityGroups": ssh.get("sourceSecurityGroupIds")}]
        elif private is UNKNOWN or private:
            rules = [{**port, "cidrBlocks": UNKNOWN}]
        else:
            rules = [{**port, "cidrBlocks": ["0.0.0.0/0"]}, {**port, "ipv6CidrBlocks": ["::/0"]}]
        self._resources.add(SECURITY_GROUP, name, {"vpcId": self._network.vpc, "ingress": rules}, self._path, id_=name)
        return name

    def _efa_group(self) -> str:
        """The group for EFA, which allows everything from and to itself."""
        name = f"{self.name} EFA"
        itself = [{"protocol": "-1", "fromPort": 0, "toPort": 0, "self": True}]
        inputs = {"vpcId": self._network.vpc, "ingress": itself, "egress": itself}
        self._resources.add(SECURITY_GROUP, name, inputs, self._path, id_=f"group {name}")
        return f"group {name}"

    def _interfaces(self, groups: Any) -> dict[str, Any]:
        """The interfaces (`buildNetworkInterfaces`): with EFA, one EFA interface on each network card."""
        efa = self._group.get("efaEnabled", False)
        if efa is UNKNOWN:
            return {"networkInterfaces": UNKNOWN, "vpcSecurityGroupIds": UNKNOWN}
        if not efa:
            if self._managed:
                return {"vpcSecurityGroupIds": groups}
            return {"networkInterfaces": [_interface(0, 0, groups)]}
        cards = [network_cards(each) for each in self._types]
        if not cards or None in cards:
            return {"networkInterfaces": UNKNOWN}
        number = min(each for each in cards if each is not None)
        listed = [{**_interface(0, 0, groups), "interfaceType": "efa"}]
        listed += [{**_interface(1, card, groups), "interfaceType": "efa"} for card in range(1, number)]
        return {"networkInterfaces": listed}

    def _placement(self) -> Any:
        """The placement group. With EFA, eksctl creates one; for a managed group only without a reservation."""
        given = self._group.get("placement")
        if given is not None:
            return block(self._group, "placement").get("groupName")
        efa = self._group.get("efaEnabled", False)
        if self._managed and self._group.get("capacityReservation") is not None:
            return None
        if not is_on(efa):
            return UNKNOWN if efa is UNKNOWN else None
        name = f"{self.name} placement"
        self._resources.add(PLACEMENT_GROUP, name, {"strategy": "cluster", "name": name}, self._path, id_=name)
        return name

    def _user_data(self) -> Any:
        """The user data, as far as rules read it: a NodeConfig with the maximum of pods. eksctl writes none for a
        managed group without such settings (`AL2023.UserData`)."""
        group = self._group
        others = ("preBootstrapCommands", "overrideBootstrapCommand", "kubeletExtraConfig")
        if self._family != AL2023 or any(is_given(group.get(each)) for each in others):
            return UNKNOWN
        pods = group.get("maxPodsPerNode", 0)
        if not isinstance(pods, int):
            return UNKNOWN
        maximum = f"  kubelet:\n    config:\n      maxPods: {pods}\n" if pods > 0 else ""
        if not maximum and self._managed and not is_given(group.get("ami")):
            return None
        return base64.b64encode(f"kind: NodeConfig\nspec:\n{maximum}".encode()).decode()


def is_on_capacity_block(group: Mapping[str, Any]) -> bool:
    """Whether a group runs on a Capacity Block."""
    return block(group, "instanceMarketOptions").get("marketType") == "capacity-block"


def name_of_group(group: Mapping[str, Any], path: KeyPath) -> str:
    """The name of a group; its place, if the file has only a placeholder."""
    found = group.get("name")
    return found if isinstance(found, str) else f"{path[0]}[{path[1]}]"


def template_id(group: str) -> str:
    """The id of a group's launch template in the program."""
    return f"template of {group}"


def network_cards(instance: Any) -> int | None:
    """The number of network cards of a type; None if Muster does not know the type."""
    try:
        return max(1, hardware(instance).network_cards) if isinstance(instance, str) else None
    except UnknownInstance:
        return None


def _interface(device: int, card: int, groups: Any) -> dict[str, Any]:
    return {"deviceIndex": device, "networkCardIndex": card, "securityGroups": groups}
