"""The controller of a cluster on AWS PCS, its security group, the role of its nodes, and its queues."""

from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
import pulumi_aws_native as native

from muster.blueprint.cluster import PcsBlueprint
from muster.blueprint.derive.pcs import NODES
from muster.blueprint.iam import PCS_PATH, PCS_POLICIES, PCS_STATEMENT, is_profile, trust
from muster.blueprint.logical_names import PCS_GROUP_REF
from muster.config.description.base import OnDestroy
from muster.fleet.resources import Reference
from muster.infra.component import Component, tags
from muster.infra.native_provider import native_provider
from muster.infra.network import Foundation
from muster.infra.pcs.node_groups import PcsNodeGroup, custom_settings
from muster.infra.role import Role, instance_profile

CLUSTER_TYPE = "AWS::PCS::Cluster"
_CREATE_ONLY = ("Name", "Networking", "Size")
"""Properties whose change replaces a cluster (CloudFormation, AWS::PCS::Cluster)."""


class PcsNodeRole(Component):
    """The role and the instance profile of all nodes."""

    def __init__(self, blueprint: PcsBlueprint) -> None:
        super().__init__(NODES)
        iam = blueprint.described.iam
        self.ready: list[pulumi.Resource] = []
        self.profile_arn: pulumi.Output[str]
        if is_profile(iam.roles.nodes):
            self.profile_arn = pulumi.Output.from_input(str(iam.roles.nodes))
        else:
            role = Role(
                NODES,
                blueprint,
                trust("ec2.amazonaws.com", "sts:AssumeRole"),
                PCS_POLICIES,
                self.below(),
                inline=PCS_STATEMENT,
                path=PCS_PATH,
                more=iam.node_policies,
                given=iam.roles.nodes,
            )
            profile = instance_profile(NODES, blueprint, role, self.below(), PCS_PATH)
            self.ready = [*role.attachments, profile]
            self.profile_arn = profile.arn
        self.register_outputs({"profileArn": self.profile_arn})


class PcsController(Component):
    """The cluster of PCS: Slurm's controller, in an account of AWS, with a network interface in the VPC.

    It is registered as a resource of Cloud Control with the properties of CloudFormation: the class `pcs.Cluster` of
    AWS's native provider 1.84 has the type of a queue's settings in place of its own, and its provider sends neither
    accounting nor the idle time. PCS creates one cluster of an account and a Region at a time.
    """

    def __init__(self, blueprint: PcsBlueprint, around: Foundation) -> None:
        name = blueprint.cluster.ref.name
        super().__init__(name)
        self.provider = native_provider(blueprint, self.below())
        """The provider, which also creates the groups and queues."""
        keep = blueprint.described.on_destroy is OnDestroy.KEEP
        made = native.ExtensionResource(
            name,
            type=CLUSTER_TYPE,
            properties=_properties(blueprint, around),
            create_only=list(_CREATE_ONLY),
            opts=self.below(
                provider=self.provider,
                depends_on=[*around.ready],
                protect=keep or None,
                # Names are unique in an account and a Region.
                delete_before_replace=True,
                replace_on_changes=[f"properties.{each}" for each in _CREATE_ONLY],
            ),
        )
        self.id: pulumi.Output[str] = made.outputs.apply(lambda known: str(known["Id"]))
        self.arn: pulumi.Output[str] = made.outputs.apply(lambda known: str(known["Arn"]))
        self.endpoints: pulumi.Output[Any] = made.outputs.apply(lambda known: known.get("Endpoints") or [])
        self.register_outputs({"id": self.id})


def _properties(blueprint: PcsBlueprint, around: Foundation) -> dict[str, Any]:
    """The properties of `AWS::PCS::Cluster`."""
    derived = blueprint.cluster
    accounting: dict[str, Any] = {"Mode": "STANDARD"} if derived.accounting else {}
    if derived.keep_days is not None:
        accounting["DefaultPurgeTimeInDays"] = derived.keep_days
    return {
        "Name": derived.name,
        "Size": derived.size,
        "Scheduler": {"Type": "SLURM", "Version": derived.version},
        "Networking": {"SubnetIds": around.ids(derived.subnets), "SecurityGroupIds": [around.id(PCS_GROUP_REF)]},
        "SlurmConfiguration": {
            "ScaleDownIdleTimeInSeconds": derived.idle_seconds,
            **({"Accounting": accounting} if accounting else {}),
            **(
                {
                    "SlurmCustomSettings": [
                        {"ParameterName": key, "ParameterValue": value} for key, value in derived.settings
                    ]
                }
                if derived.settings
                else {}
            ),
        },
        "Tags": tags(blueprint, blueprint.cluster.ref.name),
    }


def queues(
    blueprint: PcsBlueprint,
    controller: PcsController,
    groups: Mapping[str, PcsNodeGroup],
    needed: Sequence[pulumi.Resource],
) -> dict[str, native.pcs.Queue]:
    """Registers the queues, by name."""
    by_ref: dict[Reference, pulumi.Output[str]] = {
        group.resource.ref: groups[group.name].id for group in blueprint.groups
    }
    return {
        each.name: native.pcs.Queue(
            each.name,
            name=each.name,
            cluster_id=controller.id,
            compute_node_group_configurations=[
                native.pcs.QueueComputeNodeGroupConfigurationArgs(compute_node_group_id=by_ref[ref])
                for ref in each.resource.groups
            ],
            slurm_configuration=custom_settings(each.resource.settings),
            tags=tags(blueprint, each.name),
            opts=pulumi.ResourceOptions(
                parent=controller, provider=controller.provider, depends_on=list(needed), delete_before_replace=True
            ),
        )
        for each in blueprint.queues
    }
