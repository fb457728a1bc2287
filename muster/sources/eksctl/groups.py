"""Node groups: managed ones, and Auto Scaling groups.

From pkg/cfn/builder (managed_nodegroup.go, nodegroup.go, iam_helper.go) and the defaults in `ValidateManagedNodeGroup`
and `NodeGroupResourceSet.AddAllResources`.
"""

import json
from collections.abc import Mapping
from typing import Any

from muster.fleet.resources.eks import EKS_EFFECTS, ROLE_OF_NODES
from muster.fleet.resources.ref import AUTO_SCALING_GROUP, NODE_GROUP
from muster.sources.eksctl.group import MANAGED, SELF_MANAGED, Group, groups_of
from muster.sources.eksctl.network import Network
from muster.sources.eksctl.resources import Resources, block, first, is_given, is_on, items
from muster.sources.eksctl.templates import Templates
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
_MANAGED_POLICIES = {
    "cloudWatch": "CloudWatchAgentServerPolicy",
    "ebs": "service-role/AmazonEBSCSIDriverPolicy",
    "imageBuilder": "AmazonEC2ContainerRegistryPowerUser",
}
_SCALER = ("autoscaling:SetDesiredCapacity", "autoscaling:TerminateInstanceInAutoScalingGroup")
"""What the policy of `autoScaler` allows beside reading."""


def add_groups(resources: Resources, network: Network, kubernetes: tuple[int, int] | None, cluster: str) -> None:
    """Adds the node groups of a file.

    Args:
        resources: receives the resources.
        network: the network of the cluster.
        kubernetes: the Kubernetes version; None if it is unknown.
        cluster: the URN of the cluster.

    Raises:
        InvalidFile: two groups have one name.
    """
    for kind in (MANAGED, SELF_MANAGED):
        listed = resources.config.get(kind, [])
        if listed is UNKNOWN:
            resources.missing((kind,), "its groups, because the file has a placeholder")
            continue
        for index, each in enumerate(listed):
            if each is UNKNOWN:
                resources.missing((kind, index), "the group, because the file has a placeholder")
    templates, names = Templates(resources, network, kubernetes), set[str]()
    for group in groups_of(resources.config):
        if group.name in names:
            raise resources.fault(group.path, f"two node groups have the name {group.name}", "rename one")
        names.add(group.name)
        add = _add_managed if group.managed else _add_self_managed
        add(resources, network, templates, cluster, group)


def _add_managed(resources: Resources, network: Network, templates: Templates, cluster: str, group: Group) -> None:
    start, least, most = _sizes(group)
    chosen = network.of_group(group)
    uses = {"clusterName": (cluster,), "subnetIds": chosen.urns}
    inputs: dict[str, Any] = {
        "clusterName": resources.name,
        "nodeGroupName": group.get("name"),
        "scalingConfig": {"minSize": least, "desiredSize": start, "maxSize": most},
        "labels": _labels(resources, group),
        "taints": _taints(group),
        "updateConfig": group.get("updateConfig"),
        "nodeRepairConfig": group.get("nodeRepairConfig"),
        "releaseVersion": group.get("releaseVersion"),
        "capacityType": _capacity_type(group),
        "nodeRoleArn": _role(resources, group),
        "subnetIds": chosen.ids,
    }
    given = group.get("launchTemplate")
    if given is None:
        uses["launchTemplate"] = (templates.add(group),)
        inputs["launchTemplate"] = {"id": group.template, "version": UNKNOWN}
        if group.get("ami") is None:
            inputs["amiType"] = group.ami_type
    else:
        template = group.block("launchTemplate")
        inputs["launchTemplate"] = {key: template.get(key, UNKNOWN) for key in ("id", "version")}
        inputs["amiType"] = UNKNOWN
    if not group.on_capacity_block:
        inputs["instanceTypes"] = group.types if given is None or group.get("instanceTypes") is not None else UNKNOWN
    resources.add(NODE_GROUP, group.name, inputs, group.path, uses=uses, id_=f"group {group.name}")


def _add_self_managed(resources: Resources, network: Network, templates: Templates, cluster: str, group: Group) -> None:
    start, least, most = _sizes(group)
    chosen, template = network.of_group(group), templates.add(group)
    labels, taints = _labels(resources, group), group.get("taints", [])
    # A map of taints, the form of old files, is not read.
    unknown = labels is UNKNOWN or not isinstance(taints, list) or not all(map(_has_key, taints))
    tags = {f"{_CLUSTER_TAG}{resources.name}": "owned"}
    if not unknown:
        # The kubelet sets labels and taints. The view reads them where the cluster autoscaler does, in tags.
        tags |= {f"{_LABEL_TAG}{key}": value for key, value in labels.items()}
        tags |= {_TAINT_TAG + each["key"]: _taint(each) for each in taints}
    launched = "launchTemplate" if group.get("instancesDistribution") is None else "mixedInstancesPolicy"
    inputs = {
        "minSize": least,
        "maxSize": most,
        "desiredCapacity": start,
        "vpcZoneIdentifiers": chosen.ids,
        "tags": UNKNOWN
        if unknown
        else [{"key": key, "value": value, "propagateAtLaunch": True} for key, value in tags.items()],
        launched: _launched(group),
        ROLE_OF_NODES: _role(resources, group),
    }
    uses = {"tags": (cluster,), "vpcZoneIdentifiers": chosen.urns, launched: (template,)}
    resources.add(AUTO_SCALING_GROUP, group.name, inputs, group.path, uses=uses, id_=f"group {group.name}")


def _labels(resources: Resources, group: Group) -> Any:
    """The labels, with the two that eksctl adds (`setDefaultNodeLabels`)."""
    given = group.get("labels", {})
    own = {"alpha.eksctl.io/cluster-name": resources.name, "alpha.eksctl.io/nodegroup-name": group.name}
    return UNKNOWN if given is UNKNOWN else {**given, **own}


def _role(resources: Resources, group: Group) -> Any:
    """The role of the nodes (`createRole`, `makeManagedPolicies`)."""
    iam = group.block("iam")
    given = first(iam.get("instanceRoleARN"), iam.get("instanceProfileARN"))
    if given is not None:
        return given
    wanted, partition = block(iam, "withAddonPolicies"), "arn:aws:iam::aws:policy/"
    attached: list[Any] = [UNKNOWN] if iam.get("attachPolicyARNs") is UNKNOWN else items(iam, "attachPolicyARNs")[:]
    if not attached:
        names = ["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonSSMManagedInstanceCore"]
        names += [] if is_given(block(resources.config, "iam").get("withOIDC")) else ["AmazonEKS_CNI_Policy"]
        attached += [partition + each for each in names]
    attached += [partition + policy for key, policy in _MANAGED_POLICIES.items() if is_on(wanted.get(key))]
    services = [actions for key, actions in _WHOLE_SERVICES.items() if is_on(wanted.get(key))]
    allowed = [services, [*_SCALER] if is_on(wanted.get("autoScaler")) else []]
    statement = [{"Effect": "Allow", "Action": each, "Resource": "*"} for each in allowed if each]
    documents = [{"name": "addons", "policy": json.dumps({"Statement": statement})}]
    if iam.get("attachPolicy") is not None:
        documents.append({"name": "attachPolicy", "policy": _document(iam["attachPolicy"])})
    trust = {"Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}}]}
    inputs = {
        "assumeRolePolicy": json.dumps(trust),
        "managedPolicyArns": attached,
        "inlinePolicies": documents,
        "permissionsBoundary": iam.get("instanceRolePermissionsBoundary"),
    }
    where, id_ = (*group.path, "iam") if iam else group.path, f"role of {group.name}"
    resources.add(_ROLE, f"{group.name} nodes", inputs, where, id_=id_)
    return id_


def _document(policy: Any) -> Any:
    """A policy in the file, as JSON; unknown if it has a placeholder."""
    try:
        return json.dumps(policy)
    except (TypeError, ValueError):
        return UNKNOWN


def _sizes(group: Group) -> tuple[Any, Any, Any]:
    """The node counts of a group: at the start, the least and the most. None for the start of an Auto Scaling group
    that does not set it: then it is the least."""
    start, least, most = (group.get(key) for key in ("desiredCapacity", "minSize", "maxSize"))
    if least is None:
        least = _NODES if start is None else start
    if most is None:
        most = least if start is None else start
        most = 1 if group.managed and most == 0 else most
    return (least if start is None and group.managed else start), least, most


def _capacity_type(group: Group) -> Any:
    if group.on_capacity_block:
        return _BLOCK
    spot = group.get("spot", False)
    return UNKNOWN if spot is UNKNOWN else _SPOT if spot else None


def _taints(group: Group) -> Any:
    given = group.get("taints")
    if not isinstance(given, list):
        return given
    return [
        UNKNOWN
        if each is UNKNOWN
        else {"key": each.get("key"), "value": each.get("value"), "effect": _eks_effect(each.get("effect"))}
        for each in given
    ]


def _eks_effect(effect: Any) -> Any:
    return EKS_EFFECTS.get(effect, effect) if isinstance(effect, str) else UNKNOWN


def _has_key(taint: Any) -> bool:
    return isinstance(taint, Mapping) and isinstance(taint.get("key"), str)


def _taint(taint: Mapping[str, Any]) -> Any:
    values = taint.get("value", ""), taint.get("effect", "")
    return UNKNOWN if UNKNOWN in values else ":".join(values)


def _launched(group: Group) -> dict[str, Any]:
    """From what the instances of an Auto Scaling group are launched (`nodeGroupResource`, `mixedInstancesPolicy`)."""
    if group.get("instancesDistribution") is None:
        return {"id": group.template, "version": UNKNOWN}
    distribution = group.block("instancesDistribution")
    keys = ("onDemandBaseCapacity", "onDemandPercentageAboveBaseCapacity", "spotInstancePools")
    return {
        "launchTemplate": {
            "launchTemplateSpecification": {"launchTemplateId": group.template, "version": UNKNOWN},
            "overrides": [{"instanceType": each} for each in group.types],
        },
        "instancesDistribution": {key: distribution.get(key) for key in keys},
    }
