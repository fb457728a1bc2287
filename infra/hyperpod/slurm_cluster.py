"""The HyperPod cluster with Slurm: SageMaker's instances, and the security group of all nodes."""

from collections.abc import Mapping

import pulumi

from muster.blueprint.cluster import HyperPodSlurmBlueprint
from muster.blueprint.hyperpod.commands import id_of, log_group
from muster.blueprint.hyperpod.create_cluster import RuntimeValues, definition
from muster.blueprint.logical_names import NODES_GROUP_REF
from muster.fleet.resources import Reference
from muster.infra.component import Component
from muster.infra.hyperpod.cluster import snake_case
from muster.infra.hyperpod.roles import slurm_instance_role
from muster.infra.lustre import Lustre
from muster.infra.native_provider import native_provider
from muster.infra.network import Foundation
from muster.infra.security_groups import SlurmNodesSecurityGroup


class HyperPodSlurm(Component):
    """One cluster with all of its instance groups and their role.

    A change of its name or network replaces it. Groups change in place. SageMaker refuses to change a group's type,
    network, threads or keys, and its role in Slurm; a group with a new name can have others.
    """

    def __init__(
        self,
        blueprint: HyperPodSlurmBlueprint,
        around: Foundation,
        nodes: SlurmNodesSecurityGroup,
        storage: Mapping[str, Lustre],
    ) -> None:
        """Registers it.

        Args:
            blueprint: of a cluster on HyperPod with Slurm.
            around: the network.
            nodes: the security group of all nodes.
            storage: the file systems that Muster creates, by name: nodes mount them when they start.
        """
        name = blueprint.cluster.ref.name
        super().__init__(name)
        existing = blueprint.described.hyperpod.execution_role
        role = None if existing else slurm_instance_role(blueprint, around, nodes.id, self.below())
        made_by: Mapping[Reference, Lustre] = {
            each.file_system.ref: storage[each.name] for each in blueprint.storage if each.name in storage
        }
        ids: Mapping[Reference, pulumi.Input[str]] = {NODES_GROUP_REF: nodes.id}
        self.role_arn: pulumi.Output[str] = role.arn if role else pulumi.Output.from_input(str(existing))
        given = RuntimeValues(
            execution_role=self.role_arn,
            id=lambda reference: ids.get(reference, around.id(reference)),
            lustre=lambda reference: (made_by[reference].dns_name, made_by[reference].mount_name),
        )
        import pulumi_aws_native as native  # noqa: PLC0415 - a stack without HyperPod never loads it

        made = native.sagemaker.Cluster(
            name,
            **snake_case(definition(blueprint, given)),
            opts=self.below(
                provider=native_provider(blueprint, self.below()),
                depends_on=[
                    *around.ready,
                    *nodes.rules,
                    *storage.values(),
                    *(role.attachments if role else ()),
                ],
                # It has a fixed name.
                delete_before_replace=True,
            ),
        )
        self.name = str(blueprint.cluster.name)
        self.arn: pulumi.Output[str] = made.cluster_arn
        self.register_outputs({"arn": self.arn})

    @property
    def cluster_id(self) -> pulumi.Output[str]:
        """The last part of its ARN."""
        return self.arn.apply(id_of)

    @property
    def log_group(self) -> pulumi.Output[str]:
        """The name of its CloudWatch log group, which HyperPod creates."""
        return self.cluster_id.apply(lambda id_: log_group(self.name, id_))
