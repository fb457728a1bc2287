"""What Karpenter needs in AWS, and the NodePools of its groups."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import EksGroup
from muster.blueprint.iam import pod_trust
from muster.blueprint.karpenter import (
    EVENTS,
    NAMESPACE,
    SERVICE_ACCOUNT,
    controller_policy,
    node_class,
    node_overlays,
    node_pool,
    queue_policy,
)
from muster.infra.capacity import group_capacity
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import Component, tags
from muster.infra.network import Foundation
from muster.infra.node_groups import NodeGroup, SelfManagedNodeGroup
from muster.infra.role import Role, node_identity

_DELETION = pulumi.CustomTimeouts(delete="45m")
"""An EC2NodeClass is deleted once the last of its instances is, and large instances shut down slowly."""


class LaunchedNodes(Component):
    """What nodes need that no node group of EKS launches: their role with its access, and their capacity."""

    def __init__(
        self,
        group: EksGroup,
        blueprint: Blueprint,
        cluster: ControlPlaneConnection,
        around: Foundation,
    ) -> None:
        super().__init__(group.made_as)
        identity = node_identity(group, blueprint, cluster, self.below())
        self.role_arn = identity.role.arn
        self.identity = identity.name
        self.capacity = group_capacity(group, blueprint, around, self.below())
        self.auto_scaling_group: None = None
        self.ready: list[pulumi.Resource] = [*identity.resources, *self.capacity.ready]
        """What must exist before a node is launched, and as long as one runs."""
        self.register_outputs({"roleArn": self.role_arn})


class KarpenterNodes(LaunchedNodes):
    """Those of one group of Karpenter."""


class AutoModeNodes(LaunchedNodes):
    """Those of one group of EKS Auto Mode."""


NodesOfGroup = NodeGroup | SelfManagedNodeGroup | LaunchedNodes
"""The component of a node group of EKS, by who creates its nodes."""


class Karpenter(Component):
    """The role of Karpenter's controller, and the queue from which it learns that EC2 will stop an instance."""

    def __init__(
        self,
        blueprint: Blueprint,
        cluster: ControlPlaneConnection,
        nodes: Sequence[KarpenterNodes],
    ) -> None:
        super().__init__("karpenter")
        queue = aws.sqs.Queue(
            "karpenter",
            # The chart's values contain it, so it is known before the queue exists.
            name=blueprint.cluster_name,
            message_retention_seconds=300,
            sqs_managed_sse_enabled=True,
            tags=tags(blueprint, "karpenter"),
            opts=self.below(),
        )
        rules = {
            name: aws.cloudwatch.EventRule(
                f"karpenter-{name}",
                event_pattern=json.dumps({"source": [source], "detail-type": [detail]}),
                tags=tags(blueprint, f"karpenter-{name}"),
                opts=self.below(),
            )
            for name, (source, detail) in EVENTS.items()
        }
        policy = aws.sqs.QueuePolicy(
            "karpenter",
            queue_url=queue.id,
            policy=pulumi.Output.all(queue.arn, *(each.arn for each in rules.values())).apply(
                lambda arns: queue_policy(arns[0], arns[1:])
            ),
            opts=self.below(),
        )
        for name, rule in rules.items():
            aws.cloudwatch.EventTarget(
                f"karpenter-{name}", rule=rule.name, arn=queue.arn, opts=self.below(depends_on=[policy])
            )
        allowed = pulumi.Output.all(queue.arn, *(each.role_arn for each in nodes)).apply(
            lambda arns: controller_policy(blueprint, cluster.account, arns[1:], arns[0])
        )
        trusted = pod_trust(NAMESPACE, SERVICE_ACCOUNT, cluster.account)
        given = blueprint.described.iam.roles.addons.get("karpenter")
        role = Role("karpenter", blueprint, trusted, (), self.below(), inline=allowed, given=given)
        self.association = aws.eks.PodIdentityAssociation(
            "karpenter",
            cluster_name=cluster.name,
            namespace=NAMESPACE,
            service_account=SERVICE_ACCOUNT,
            role_arn=role.arn,
            tags=tags(blueprint, "karpenter"),
            opts=self.below(depends_on=role.attachments),
        )
        self.register_outputs({"roleArn": role.arn})


class NodePools(Component):
    """The NodePools and node classes of all groups, and the huge pages of their instance types.

    Those of Karpenter come after its chart, which has their CRDs; those of EKS Auto Mode after the cluster. Before
    them, `destroy` deletes nothing that Karpenter needs to terminate instances: the deletion of a node class waits
    until its last instance is terminated.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        around: Foundation,
        nodes: Mapping[str, LaunchedNodes],
        provider: pulumi.ProviderResource,
        after: Sequence[pulumi.Resource],
    ) -> None:
        super().__init__("karpenter-node-pools")
        self._provider = provider
        overlays = [self._object(each, str(each["metadata"]["name"]), list(after)) for each in node_overlays(blueprint)]
        for group in blueprint.karpenter_groups:
            own, template = nodes[group.name], group.template
            carried = template.interfaces[0].security_groups if template.interfaces else template.security_groups
            manifest = node_class(
                group,
                tags(blueprint, group.made_as),
                identity=own.identity,
                subnets=around.ids(group.resource.subnets),
                security_groups=around.ids(carried),
                reservation=own.capacity.reservation,
                placement_group=own.capacity.placement_group,
            )
            chart = () if group.described.by_auto_mode else after
            needed = [*own.ready, *around.ready, *chart]
            made = self._object(manifest, group.made_as, needed, custom_timeouts=_DELETION)
            self._object(node_pool(group), group.made_as, [made, *overlays])
        self.register_outputs({})

    def _object(
        self, manifest: dict[str, Any], name: str, depends_on: list[pulumi.Resource], **options: Any
    ) -> pulumi.CustomResource:
        kind = f"kubernetes:{manifest['apiVersion']}:{manifest['kind']}"
        opts = self.below(provider=self._provider, depends_on=depends_on, **options)
        return pulumi.CustomResource(kind, name, manifest, opts)
