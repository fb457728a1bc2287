"""Node groups: managed ones, and Auto Scaling groups.

From pkg/cfn/builder (managed_nodegroup.go, nodegroup.go, iam_helper.go) and the defaults in `ValidateManagedNodeGroup`
and `NodeGroupResourceSet.AddAllResources`.
"""

import json
from collections.abc import Mapping
from typing import Any

from muster.finding import KeyPath
from muster.fleet.resources.eks import EKS_EFFECTS
from muster.fleet.resources.ref import AUTO_SCALING_GROUP, NODE_GROUP
from muster.hardware.default_types import EKSCTL_NODES
from muster.sources.eksctl.images import ami_type, family_of
from muster.sources.eksctl.network import Network
from muster.sources.eksctl.resources import Resources, block, first, is_given, is_on, items
from muster.sources.eksctl.templates import TemplateBuilder, is_on_capacity_block, name_of_group, template_id
from muster.unknown import UNKNOWN

_ROLE = "aws:iam/role:Role"
_NODES = 2
"""The number of nodes of a group that sets none (`DefaultNodeCount`)."""
_SPOT, _BLOCK = "SPOT", "CAPACITY_BLOCK"
_CLUSTER_TAG = "kubernetes.io/cluster/"
_LABEL_TAG = "k8s.io/cluster-autoscaler/node-template/label/"
_TAINT_TAG = "k8s.io/cluster-autoscaler/node-template/taint/"
_WHOLE_SERVICES = {"fsx": "fsx:*", "efs": "elasticfilesystem:*", "appMesh": "appmesh:*"}
"""Key of `withAddonPolicies` -> every action of a service, which its policy allows on all resources (statement.go)."""
_MANAGED_POLICIES = {"cloudWatch": "CloudWatchAgentServerPolicy", "ebs": "service-role/AmazonEBSCSIDriverPolicy"}
_REPAIR = (
    "enabled",
    "maxParallelNodesRepairedCount",
    "maxParallelNodesRepairedPercentage",
    "maxUnhealthyNodeThresholdCount",
    "maxUnhealthyNodeThresholdPercentage",
)
MANAGED, SELF_MANAGED = "managedNodeGroups", "nodeGroups"


def types_of(group: Mapping[str, Any]) -> list[Any]:
    """The instance types of a group; one unknown type if the file does not have them."""
    if block(group, "instanceSelector") or group.get("instanceSelector") is UNKNOWN:
        return [UNKNOWN]
    for listed in (group.get("instanceTypes"), block(group, "instancesDistribution").get("instanceTypes")):
        if listed is UNKNOWN:
            return [UNKNOWN]
        if listed:
            return list(listed)
    if group.get("instanceType") is None and group.get("launchTemplate") is not None:
        return [UNKNOWN]
    given = first(group.get("instanceType"), EKSCTL_NODES)
    return [UNKNOWN if given == "mixed" else given]


class GroupReader:
    """Adds the node groups of a file."""

    def __init__(
        self, resources: Resources, network: Network, kubernetes: tuple[int, int] | None, cluster: str, group: str
    ) -> None:
        """Takes what all groups share.

        Args:
            resources: receives the resources.
            network: the network of the cluster.
            kubernetes: the Kubernetes version; None if it is unknown.
            cluster: the URN of the cluster.
            group: the id of the security group that EKS creates.
        """
        self._resources, self._network, self._kubernetes = resources, network, kubernetes
        self._cluster, self._cluster_group = cluster, group

    def read(self) -> None:
        """Adds all groups.

        Raises:
            InvalidFile: two groups have one name.
        """
        names: set[str] = set()
        for kind in (MANAGED, SELF_MANAGED):
            listed = self._resources.config.get(kind, [])
            if listed is UNKNOWN:
                self._resources.missing((kind,), "its groups, because the file has a placeholder")
                continue
            for index, group in enumerate(listed):
                path: KeyPath = (kind, index)
                if group is UNKNOWN:
                    self._resources.missing(path, "the group, because the file has a placeholder")
                    continue
                name = name_of_group(group, path)
                if name in names:
                    raise self._resources.fault(path, f"two node groups have the name {name}", "rename one")
                names.add(name)
                add = self._managed if kind == MANAGED else self._self_managed
                add(group, path)

    def _template(self, group: Mapping[str, Any], path: KeyPath, *, managed: bool) -> str:
        builder = TemplateBuilder(
            self._resources,
            self._network,
            group=group,
            path=path,
            managed=managed,
            kubernetes=self._kubernetes,
            types=types_of(group),
            family=family_of(group),
        )
        return builder.build(self._cluster_group)

    def _managed(self, group: Mapping[str, Any], path: KeyPath) -> None:
        name, types = name_of_group(group, path), types_of(group)
        start, least, most = sizes(group, managed=True)
        uses: dict[str, tuple[str, ...]] = {"clusterName": (self._cluster,)}
        inputs: dict[str, Any] = {
            "clusterName": self._resources.name,
            "nodeGroupName": group.get("name"),
            "scalingConfig": {"minSize": least, "desiredSize": start, "maxSize": most},
            "labels": self._labels(group, name),
            "taints": _taints(group),
            "updateConfig": group.get("updateConfig"),
            "nodeRepairConfig": _repair(group),
            "releaseVersion": group.get("releaseVersion"),
            "capacityType": _capacity_type(group),
            **self._role(group, name, path, managed=True),
        }
        given = group.get("launchTemplate")
        if given is None:
            uses["launchTemplate"] = (self._template(group, path, managed=True),)
            inputs["launchTemplate"] = {"id": template_id(name), "version": UNKNOWN}
            if group.get("ami") is None:
                inputs["amiType"] = ami_type(family_of(group), types)
        else:
            template = block(group, "launchTemplate")
            inputs["launchTemplate"] = {"id": template.get("id", UNKNOWN), "version": template.get("version", UNKNOWN)}
            inputs["amiType"] = UNKNOWN
        if not is_on_capacity_block(group):
            inputs["instanceTypes"] = types if given is None or group.get("instanceTypes") is not None else UNKNOWN
        chosen = self._network.of_group(group, path, types)
        inputs["subnetIds"] = chosen.ids
        uses["subnetIds"] = chosen.urns
        self._resources.add(NODE_GROUP, name, inputs, path, uses=uses, id_=f"group {name}")

    def _self_managed(self, group: Mapping[str, Any], path: KeyPath) -> None:
        name, types = name_of_group(group, path), types_of(group)
        template = self._template(group, path, managed=False)
        start, least, most = sizes(group, managed=False)
        chosen = self._network.of_group(group, path, types)
        labels, taints = self._labels(group, name), group.get("taints", [])
        # A map of taints, the form of old files, is not read.
        unknown = labels is UNKNOWN or not isinstance(taints, list) or not all(map(_is_known, taints))
        tags = {f"{_CLUSTER_TAG}{self._resources.name}": "owned"}
        if not unknown:
            # The kubelet sets labels and taints. The view reads them where the cluster autoscaler does, in tags.
            tags |= {f"{_LABEL_TAG}{key}": value for key, value in labels.items()}
            tags |= {_TAINT_TAG + each["key"]: _taint(each) for each in taints}
        listed = [{"key": key, "value": value, "propagateAtLaunch": True} for key, value in tags.items()]
        inputs = {
            "minSize": least,
            "maxSize": most,
            "desiredCapacity": start,
            "vpcZoneIdentifiers": chosen.ids,
            "tags": UNKNOWN if unknown else listed,
            **_launched(group, name, types),
        }
        uses = {"tags": (self._cluster,), "vpcZoneIdentifiers": chosen.urns, _property(inputs): (template,)}
        self._resources.add(AUTO_SCALING_GROUP, name, inputs, path, uses=uses, id_=f"group {name}")
        self._role(group, name, path, managed=False)

    def _labels(self, group: Mapping[str, Any], name: str) -> Any:
        """The labels, with the two that eksctl adds (`setDefaultNodeLabels`)."""
        given = group.get("labels", {})
        if given is UNKNOWN:
            return UNKNOWN
        own = {"alpha.eksctl.io/cluster-name": self._resources.name, "alpha.eksctl.io/nodegroup-name": name}
        return {**given, **own}

    def _role(self, group: Mapping[str, Any], name: str, path: KeyPath, *, managed: bool) -> dict[str, Any]:
        """The role of the nodes, as the input of a managed group (`createRole`, `makeManagedPolicies`)."""
        iam = block(group, "iam")
        given = first(iam.get("instanceRoleARN"), iam.get("instanceProfileARN"))
        if given is not None:
            return {"nodeRoleArn": given} if managed else {}
        policies, wanted = iam.get("attachPolicyARNs"), block(iam, "withAddonPolicies")
        attached: list[Any] = [UNKNOWN] if policies is UNKNOWN else items(iam, "attachPolicyARNs")[:]
        partition = "arn:aws:iam::aws:policy/"
        if not attached:
            names = ["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonSSMManagedInstanceCore"]
            with_oidc = block(self._resources.config, "iam").get("withOIDC")
            names += [] if is_given(with_oidc) else ["AmazonEKS_CNI_Policy"]
            attached += [partition + each for each in names]
        attached += [partition + policy for key, policy in _MANAGED_POLICIES.items() if is_on(wanted.get(key))]
        services = [actions for key, actions in _WHOLE_SERVICES.items() if is_on(wanted.get(key))]
        statement = [{"Effect": "Allow", "Action": services, "Resource": "*"}] if services else []
        documents = [{"name": "addons", "policy": json.dumps({"Statement": statement})}]
        if iam.get("attachPolicy") is not None:
            documents.append({"name": "attachPolicy", "policy": _document(iam["attachPolicy"])})
        trust = {"Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}}]}
        inputs = {
            "assumeRolePolicy": json.dumps(trust),
            "managedPolicyArns": attached,
            "inlinePolicies": documents,
        }
        where = (*path, "iam") if iam else path
        self._resources.add(_ROLE, f"{name} nodes", inputs, where, id_=f"role of {name}")
        return {"nodeRoleArn": f"role of {name}"} if managed else {}


def _document(policy: Any) -> Any:
    """A policy in the file, as JSON; unknown if it has a placeholder."""
    try:
        return json.dumps(policy)
    except (TypeError, ValueError):
        return UNKNOWN


def sizes(group: Mapping[str, Any], *, managed: bool) -> tuple[Any, Any, Any]:
    """The node counts of a group: at the start, the least and the most. None for the start of an Auto Scaling group
    that does not set it: then it is the least."""
    start, least, most = (group.get(key) for key in ("desiredCapacity", "minSize", "maxSize"))
    if least is None:
        least = _NODES if start is None else start
    if most is None:
        most = least if start is None else start
        most = 1 if managed and most == 0 else most
    return (least if start is None and managed else start), least, most


def _capacity_type(group: Mapping[str, Any]) -> Any:
    if is_on_capacity_block(group):
        return _BLOCK
    spot = group.get("spot", False)
    return UNKNOWN if spot is UNKNOWN else _SPOT if spot else None


def _repair(group: Mapping[str, Any]) -> Any:
    if group.get("nodeRepairConfig") in (None, UNKNOWN):
        return group.get("nodeRepairConfig")
    given = block(group, "nodeRepairConfig")
    return {key: given[key] for key in _REPAIR if key in given}


def _taints(group: Mapping[str, Any]) -> Any:
    given = group.get("taints")
    if given is UNKNOWN or given is None:
        return given
    return [
        UNKNOWN
        if each is UNKNOWN
        else {"key": each.get("key"), "value": each.get("value"), "effect": _eks_effect(each.get("effect"))}
        for each in given
    ]


def _eks_effect(effect: Any) -> Any:
    return EKS_EFFECTS.get(effect, effect) if isinstance(effect, str) else UNKNOWN


def _is_known(taint: Any) -> bool:
    return isinstance(taint, Mapping) and isinstance(taint.get("key"), str)


def _taint(taint: Mapping[str, Any]) -> Any:
    values = taint.get("value", ""), taint.get("effect", "")
    return UNKNOWN if UNKNOWN in values else ":".join(values)


def _launched(group: Mapping[str, Any], name: str, types: list[Any]) -> dict[str, Any]:
    """From what the instances of an Auto Scaling group are launched (`nodeGroupResource`, `mixedInstancesPolicy`)."""
    template = {"id": template_id(name), "version": UNKNOWN}
    distribution = block(group, "instancesDistribution")
    if group.get("instancesDistribution") is None:
        return {"launchTemplate": template}
    keys = ("onDemandBaseCapacity", "onDemandPercentageAboveBaseCapacity", "spotInstancePools")
    return {
        "mixedInstancesPolicy": {
            "launchTemplate": {
                "launchTemplateSpecification": {"launchTemplateId": template["id"], "version": UNKNOWN},
                "overrides": [{"instanceType": each} for each in types],
            },
            "instancesDistribution": {key: distribution.get(key) for key in keys},
        }
    }


def _property(inputs: Mapping[str, Any]) -> str:
    return next(key for key in ("mixedInstancesPolicy", "launchTemplate") if key in inputs)
