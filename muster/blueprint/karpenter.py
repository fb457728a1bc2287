"""The objects of Karpenter for a group, the settings that all groups share, and the policy of its controller. Pure.

From Karpenter 1.14 (aws/karpenter-provider-aws at v1.14.1): `pkg/apis/v1/ec2nodeclass.go`, the pages NodePools,
NodeClasses, Disruption and NodeOverlays of its documentation, and the CloudFormation template of "Getting started".

- A NodePool lets no running node be replaced because a setting changed (`Drifted`), and no node expire: a training job
  would end. A node is removed 10 minutes after its last pod.
- Resources are selected by their ids, never by tags, which any other program may set.
- Karpenter does not know huge pages (karpenter-provider-aws#3315): it creates no node for a pod that requests them,
  unless a NodeOverlay adds them to the instance type.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from muster.blueprint.disks import disks
from muster.blueprint.iam import SOURCE_ARN, allow, policy
from muster.blueprint.labels import INSTANCE_TYPE
from muster.blueprint.node import HUGE_PAGES_RESOURCE
from muster.blueprint.user_data import user_data
from muster.config.description.group import Group
from muster.config.description.node_boot import MAX_PODS, RESERVATIONS
from muster.config.description.node_group import LocalStorage, Purpose
from muster.config.description.node_settings import Volume
from muster.fleet.resources import NetworkInterface
from muster.hardware.ami import RESOLVED_BY_EC2, Family
from muster.hardware.zones import partition_of
from muster.plain_data import drop_none

if TYPE_CHECKING:
    from muster.blueprint.cluster import Blueprint
    from muster.blueprint.group import EksGroup

Json = dict[str, Any]

CAPACITY_TYPE = "karpenter.sh/capacity-type"
NODE_POOL_LABEL = "karpenter.sh/nodepool"
NODE_CLASS_LABEL = "karpenter.k8s.aws/ec2nodeclass"
RESERVED, ON_DEMAND, SPOT = "reserved", "on-demand", "spot"
NEVER = "Never"
AUTO_MODE_EXPIRE_AFTER, AUTO_MODE_GRACE_PERIOD = "480h", "24h"
"""Together the 21 days that a node of EKS Auto Mode lives at most (EKS user guide, automode)."""
AUTO_MODE_MOST_PODS = 110
"""The limit of pods on a node of EKS Auto Mode (EKS user guide, create-node-class)."""
AUTO_MODE_PODS_WITH_EFA = 16
"""With interfaces in its NodeClass, a node gets no further address after its start: it has one prefix for its pods, as
in AWS's example (device-management-efa)."""
COMPUTE_TYPE = "eks.amazonaws.com/compute-type"
"""The label of nodes of EKS Auto Mode, with the value auto (create-node-pool)."""
CONSOLIDATE_AFTER = "10m"
"""How long Karpenter keeps a node without pods: the next job may want it, and a node of p5.48xlarge starts in
minutes."""

COUNTED = frozenset({MAX_PODS, *RESERVATIONS})
"""The fields of the kubelet's configuration that are in an EC2NodeClass, so that Karpenter counts with them. The others
are in user data."""

BUDGETS = ({"nodes": "10%"}, {"nodes": "0", "reasons": ["Drifted"]})
"""Karpenter's own budget, and none for nodes that a changed setting would replace."""


def capacity_type(described: Group) -> str:
    """The capacity type of a group's nodes, in Karpenter's word."""
    if described.capacity.held:
        return RESERVED
    return SPOT if described.capacity.spot else ON_DEMAND


def consolidation_policy(described: Group) -> str:
    """For training only empty nodes are removed: to move the pod of a job ends the job."""
    return "WhenEmpty" if described.purpose is Purpose.TRAINING else "WhenEmptyOrUnderutilized"


def node_pool(group: "EksGroup") -> Json:
    """The NodePool of a group."""
    derived, described = group.resource, group.described
    assert derived.pool is not None, "Karpenter creates the nodes of the group"
    spec = {
        "nodeClassRef": _class_reference(group),
        "requirements": [_one_of(key, *values) for key, _, values in derived.pool.requirements],
        "expireAfter": derived.pool.expire_after,
    }
    if described.by_auto_mode:
        spec["terminationGracePeriod"] = AUTO_MODE_GRACE_PERIOD
    if group.taints:
        spec["taints"] = [taint.manifest for taint in sorted(group.taints)]
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": group.made_as},
        "spec": {
            "template": {"metadata": {"labels": dict(sorted(group.labels.items()))}, "spec": spec},
            "disruption": {
                "consolidationPolicy": consolidation_policy(described),
                "consolidateAfter": CONSOLIDATE_AFTER,
                "budgets": [dict(each) for each in BUDGETS],
            },
            # The number of nodes, and the same in vCPUs: up to 1.13 Karpenter exceeded a limit of nodes in one round
            # (kubernetes-sigs/karpenter#2657).
            "limits": {
                "nodes": str(derived.nodes_max),
                "cpu": str(derived.nodes_max * group.node.hardware.vcpus),
            },
        },
    }


def _class_reference(group: "EksGroup") -> Json:
    if group.described.by_auto_mode:
        return {"group": "eks.amazonaws.com", "kind": "NodeClass", "name": group.made_as}
    return {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": group.made_as}


def _one_of(key: str, *values: str) -> Json:
    return {"key": key, "operator": "In", "values": list(values)}


def node_class(
    group: "EksGroup",
    tags: Mapping[str, str],
    *,
    identity: Any,
    subnets: Sequence[Any],
    security_groups: Sequence[Any],
    reservation: Any,
    placement_group: Any,
) -> Json:
    """The EC2NodeClass of a group, or its NodeClass of EKS Auto Mode (EKS user guide, create-node-class,
    device-management-efa and auto-odcr). Ids may be outputs of Pulumi.

    Args:
        group: the group.
        tags: of its instances, volumes and interfaces. A NodeClass of EKS Auto Mode sets none: for these, the cluster's
            role would need more permissions (auto-learn-iam).
        identity: the name of the instance profile of its nodes; of EKS Auto Mode, that of their role.
        subnets: the ids of its subnets.
        security_groups: the ids of the groups of all its interfaces.
        reservation: the id of its reservation or Capacity Block; None if it has none.
        placement_group: the name of its placement group; None if it has none.
    """
    spec = _auto_mode_settings(group, identity) if group.described.by_auto_mode else _settings(group, identity, tags)
    spec["subnetSelectorTerms"] = [{"id": each} for each in subnets]
    spec["securityGroupSelectorTerms"] = [{"id": each} for each in security_groups]
    if reservation is not None:
        spec["capacityReservationSelectorTerms"] = [{"id": reservation}]
    if placement_group is not None:
        spec["placementGroupSelector"] = {"name": placement_group}
    own = _class_reference(group)
    return {
        "apiVersion": f"{own['group']}/v1",
        "kind": own["kind"],
        "metadata": {"name": own["name"]},
        "spec": spec,
    }


def _auto_mode_settings(group: "EksGroup", role: Any) -> Json:
    volume = group.described.volume
    spec: Json = {"role": role, "ephemeralStorage": {"size": f"{volume.size.gib}Gi", **_speed(volume)}}
    if nics := group.template.interfaces:
        listed = _interfaces(nics)
        spec["advancedNetworking"] = {"networkInterfaces": [{**listed[0], "secondaryIPv4PrefixCount": 1}, *listed[1:]]}
    return spec


def _settings(group: "EksGroup", profile: Any, tags: Mapping[str, str]) -> Json:
    described, template = group.described, group.template
    assert group.boot is not None, "nodes of EKS have it"
    spec: Json = {
        "amiFamily": _FAMILIES[described.image.family],
        "amiSelectorTerms": [_image(str(template.image))] if template.image else [],
        "instanceProfile": profile,
        "networkInterfaces": _interfaces(template.interfaces),
        "metadataOptions": {
            "httpEndpoint": "enabled",
            "httpTokens": template.http_tokens,
            "httpPutResponseHopLimit": template.hop_limit,
        },
        "blockDeviceMappings": list(_volumes(described)),
        "tags": dict(tags),
    }
    if any(nic.public_ip is False for nic in template.interfaces):
        spec["associatePublicIPAddress"] = False
    if template.kubelet:
        spec["kubelet"] = dict(template.kubelet)
    if described.local_storage is LocalStorage.RAID0:
        spec["instanceStorePolicy"] = "RAID0"
    if at_boot := user_data(group.boot):
        spec["userData"] = at_boot
    return spec


def _speed(volume: Volume) -> Json:
    return drop_none({"throughput": volume.throughput, "iops": volume.iops})


def _interfaces(nics: Sequence[NetworkInterface]) -> list[Json]:
    return [{"networkCardIndex": nic.card, "deviceIndex": nic.device, "interfaceType": nic.type} for nic in nics]


_FAMILIES = {Family.AL2023: "AL2023", Family.BOTTLEROCKET: "Bottlerocket"}


def _image(image: str) -> Json:
    """The term that selects an image: by the name of an SSM parameter, or by its id."""
    if image.startswith(RESOLVED_BY_EC2):
        return {"ssmParameter": image.removeprefix(RESOLVED_BY_EC2)}
    return {"id": image}


def _volumes(described: Group) -> Iterator[Json]:
    """The volumes; of Bottlerocket, Karpenter's root volume is the one with images and logs."""
    for disk in disks(described):
        size = {"volumeType": "gp3", "volumeSize": f"{disk.gib}Gi", "encrypted": True, "deleteOnTermination": True}
        root = {"rootVolume": True} if disk.has_images else {}
        yield {"deviceName": disk.device, **root, "ebs": {**size, **(_speed(disk.volume) if disk.volume else {})}}


def node_overlays(blueprint: "Blueprint") -> tuple[Json, ...]:
    """The huge pages of Karpenter's groups, one NodeOverlay for each instance type, sorted by type.

    Without it, Karpenter creates no node for a pod that requests huge pages.
    """
    pages = {
        group.described.instance: group.node.huge_pages
        for group in blueprint.karpenter_groups
        if group.node.huge_pages.mib and not group.described.by_auto_mode
    }
    return tuple(
        {
            "apiVersion": "karpenter.sh/v1alpha1",
            "kind": "NodeOverlay",
            "metadata": {"name": f"huge-pages-{instance.replace('.', '-')}"},
            "spec": {
                "requirements": [_one_of(INSTANCE_TYPE, instance)],
                "capacity": {HUGE_PAGES_RESOURCE: amount.kubernetes},
            },
        }
        for instance, amount in sorted(pages.items())
    )


NAMESPACE, SERVICE_ACCOUNT = "kube-system", "karpenter"
"""Where the controller runs, and as whom."""

EVENTS: Mapping[str, tuple[str, str]] = {
    "health": ("aws.health", "AWS Health Event"),
    "spot": ("aws.ec2", "EC2 Spot Instance Interruption Warning"),
    "rebalance": ("aws.ec2", "EC2 Instance Rebalance Recommendation"),
    "state": ("aws.ec2", "EC2 Instance State-change Notification"),
    "reservation": ("aws.ec2", "EC2 Capacity Reservation Instance Interruption Warning"),
}
"""The events that the queue receives: name of the rule -> source and type (the template of "Getting started")."""


def queue_policy(queue_arn: str, rules: Sequence[str]) -> str:
    """The policy of the queue, as JSON: EventBridge may send to it for these rules, and only over TLS.

    The template of "Getting started" has no condition, and also lets SQS itself send. EventBridge sends the ARN of the
    rule as `aws:SourceArn` (EventBridge user guide, "eb-use-resource-based"). Its account is in that ARN.
    """
    return policy(
        {
            "Effect": "Allow",
            "Principal": {"Service": "events.amazonaws.com"},
            "Action": "sqs:SendMessage",
            "Resource": queue_arn,
            "Condition": {"ArnEquals": {SOURCE_ARN: sorted(rules)}},
        },
        {
            "Sid": "DenyHTTP",
            "Effect": "Deny",
            "Principal": "*",
            "Action": "sqs:*",
            "Resource": queue_arn,
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        },
    )


def controller_policy(blueprint: "Blueprint", account: str, node_roles: Sequence[str], queue_arn: str) -> str:
    """The policy of Karpenter's controller, as JSON: the template of "Getting started", without the instance profiles,
    which Muster creates.

    Args:
        blueprint: the cluster.
        account: its account.
        node_roles: the ARNs of the roles of its nodes.
        queue_arn: the ARN of the queue.
    """
    region, cluster = blueprint.region, blueprint.cluster_name
    partition = partition_of(region)
    ec2 = f"arn:{partition}:ec2:{region}"
    owned = f"kubernetes.io/cluster/{cluster}"
    launched = [
        f"{ec2}:*:{kind}/*"
        for kind in ("fleet", "instance", "volume", "network-interface", "launch-template", "spot-instances-request")
    ]
    of_ours = {
        "StringEquals": {f"aws:ResourceTag/{owned}": "owned"},
        "StringLike": {f"aws:ResourceTag/{NODE_POOL_LABEL}": "*"},
    }
    requested = {f"aws:RequestTag/{owned}": "owned", "aws:RequestTag/eks:eks-cluster-name": cluster}
    pool = {"StringLike": {f"aws:RequestTag/{NODE_POOL_LABEL}": "*"}}
    statements: list[Json] = [
        allow(
            ("ec2:RunInstances", "ec2:CreateFleet"),
            [
                *(f"{ec2}::{kind}/*" for kind in ("image", "snapshot")),
                *(
                    f"{ec2}:*:{kind}/*"
                    for kind in ("security-group", "subnet", "capacity-reservation", "placement-group")
                ),
            ],
        ),
        allow(("ec2:RunInstances", "ec2:CreateFleet"), [f"{ec2}:*:launch-template/*"], of_ours),
        allow(
            ("ec2:RunInstances", "ec2:CreateFleet", "ec2:CreateLaunchTemplate"),
            launched,
            {"StringEquals": requested, **pool},
        ),
        allow(
            ("ec2:CreateTags",),
            launched,
            {
                "StringEquals": {
                    **requested,
                    "ec2:CreateAction": ["RunInstances", "CreateFleet", "CreateLaunchTemplate"],
                },
                **pool,
            },
        ),
        allow(
            ("ec2:CreateTags",),
            [f"{ec2}:*:instance/*"],
            {
                **of_ours,
                "StringEqualsIfExists": {"aws:RequestTag/eks:eks-cluster-name": cluster},
                "ForAllValues:StringEquals": {
                    "aws:TagKeys": ["eks:eks-cluster-name", "karpenter.sh/nodeclaim", "Name"]
                },
            },
        ),
        allow(
            ("ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"),
            [f"{ec2}:*:instance/*", f"{ec2}:*:launch-template/*"],
            of_ours,
        ),
        allow(
            tuple(f"ec2:Describe{kind}" for kind in _DESCRIBED),
            ["*"],
            {"StringEquals": {"aws:RequestedRegion": region}},
        ),
        allow(("ssm:GetParameter",), list(_parameters(blueprint, partition, account))),
        allow(("pricing:GetProducts", "iam:ListInstanceProfiles"), ["*"]),
        allow(("iam:GetInstanceProfile",), [f"arn:{partition}:iam::{account}:instance-profile/*"]),
        allow(("eks:DescribeCluster",), [f"arn:{partition}:eks:{region}:{account}:cluster/{cluster}"]),
        allow(("sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"), [queue_arn]),
    ]
    if node_roles:
        to_ec2 = {"StringEquals": {"iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"]}}
        statements.append(allow(("iam:PassRole",), list(node_roles), to_ec2))
    return policy(*statements)


_DESCRIBED = (
    "CapacityReservations",
    "Images",
    "Instances",
    "InstanceStatus",
    "InstanceTypeOfferings",
    "InstanceTypes",
    "LaunchTemplates",
    "PlacementGroups",
    "SecurityGroups",
    "SpotPriceHistory",
    "Subnets",
)


def _parameters(blueprint: "Blueprint", partition: str, account: str) -> Iterator[str]:
    """The SSM parameters that name images: AWS's, and those of the description."""
    yield f"arn:{partition}:ssm:{blueprint.region}::parameter/aws/service/*"
    for group in blueprint.karpenter_groups:
        custom = group.described.image.custom
        if custom and custom.ssm:
            yield f"arn:{partition}:ssm:{blueprint.region}:{account}:parameter/{custom.ssm.removeprefix('/')}"
