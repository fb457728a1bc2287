"""The security group that all nodes of a Slurm cluster carry."""

import pulumi
import pulumi_aws as aws

from infra.component import Component, tags
from infra.surroundings import Surroundings
from muster.fleet.slurm_blueprint import SlurmBlueprint


class NodesSecurityGroup(Component):
    """A group by which others let a cluster's nodes in: file systems, a database.

    It has no rules of its own but those that file systems add. What nodes need among themselves, ParallelCluster's own
    groups allow, which it makes with the cluster, and attaches beside this one. This one is there before the cluster,
    and outlives it.
    """

    def __init__(
        self, blueprint: SlurmBlueprint, around: Surroundings, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        name = blueprint.nodes_security_group.ref.name
        super().__init__(name, opts)
        group = aws.ec2.SecurityGroup(
            name,
            name_prefix=f"{blueprint.name_stem}-{name}-",
            description="Carried by all nodes of the Slurm cluster",
            vpc_id=around.vpc,
            tags=tags(blueprint, name),
            opts=self.below(),
        )
        self.id = group.id
        self.register_outputs({"id": self.id})
