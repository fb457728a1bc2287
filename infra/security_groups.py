"""Security groups of nodes: of EFA traffic, and those that all nodes of a Slurm cluster carry."""

from typing import Any

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.logical_names import EFA_GROUP_REF, NODES_GROUP_REF, PCS_GROUP_REF
from muster.fleet.resources.ec2 import EVERY_PROTOCOL, EVERYWHERE
from muster.infra.component import Component, tags
from muster.infra.network import Foundation


class SecurityGroup(Component):
    """A security group with the rules that its class describes."""

    logical_name: str
    description: str
    inbound = outbound = ""
    """The descriptions of the rules for everything from the group itself, and to it; empty without such rules.

    EFA traffic is not IP. A rule for 0.0.0.0/0 does not cover it; a rule that names the group does. EFA needs such a
    rule in each direction (EKS user guide, "device-management-efa"; gardener-extension-provider-aws#1832).
    """
    everywhere = ""
    """The description of the rule for all IPv4 traffic out; empty without it."""

    def __init__(self, blueprint: ClusterBlueprint, around: Foundation) -> None:
        name = self.logical_name
        super().__init__(name)
        group = aws.ec2.SecurityGroup(
            name,
            name_prefix=f"{blueprint.name_stem}-{name}-",
            description=self.description,
            vpc_id=around.vpc,
            tags=tags(blueprint, name),
            opts=self.below(),
        )
        self.id = group.id
        self.rules: list[pulumi.Resource] = []
        if self.inbound:
            self.rules.append(
                aws.vpc.SecurityGroupIngressRule(
                    f"{name}-from-itself",
                    description=self.inbound,
                    security_group_id=group.id,
                    referenced_security_group_id=group.id,
                    ip_protocol=EVERY_PROTOCOL,
                    opts=self.below(),
                )
            )
        if self.outbound:
            self.rules.append(self._out("itself", self.outbound, referenced_security_group_id=group.id))
        if self.everywhere:
            self.rules.append(self._out("everywhere", self.everywhere, cidr_ipv4=EVERYWHERE))
        self.register_outputs({"id": self.id})

    def _out(self, where: str, description: str, **to: Any) -> pulumi.Resource:
        return aws.vpc.SecurityGroupEgressRule(
            f"{self._name}-to-{where}",
            description=description,
            security_group_id=self.id,
            ip_protocol=EVERY_PROTOCOL,
            opts=self.below(),
            **to,
        )


class EfaSecurityGroup(SecurityGroup):
    """A group that allows everything to and from itself, and nothing else."""

    logical_name = EFA_GROUP_REF.name
    description = "EFA traffic between nodes: everything to and from itself"
    inbound = "EFA traffic from nodes with this group"
    outbound = "EFA traffic to nodes with this group"


class NodesSecurityGroup(SecurityGroup):
    """The group of ParallelCluster's nodes that rules of file systems and databases name as their source.

    It has only the rules that file systems add. ParallelCluster creates its own groups with the cluster, attaches
    them in addition, and they allow the traffic between nodes. This group exists before the cluster and after it.
    """

    logical_name = NODES_GROUP_REF.name
    description = "Carried by all nodes of the Slurm cluster"


class SlurmNodesSecurityGroup(SecurityGroup):
    """The group of all nodes of HyperPod with Slurm: everything from and to itself, and out to everywhere.

    Slurm's daemons use many ports (SageMaker guide, sagemaker-hyperpod-prerequisites). Instances download packages and
    images.
    """

    logical_name = NODES_GROUP_REF.name
    description = "All traffic between the nodes of the Slurm cluster, and out of them"
    inbound = "All traffic from nodes with this group"
    outbound = "All traffic to nodes with this group"
    everywhere = "All traffic out"


class PcsSecurityGroup(SecurityGroup):
    """The group of the network interface of PCS's controller and of all nodes.

    Its rules are those that PCS requires: everything from itself, everything to itself and to the network (PCS API
    reference, Networking, securityGroupIds).
    """

    logical_name = PCS_GROUP_REF.name
    description = "Carried by the controller and all nodes of the Slurm cluster"
    inbound = "Slurm and EFA traffic from the controller and nodes"
    outbound = "Slurm and EFA traffic to the controller and nodes"
    everywhere = "AWS services and downloads"
