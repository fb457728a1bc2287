"""The HyperPod cluster: SageMaker's instances, as nodes of an EKS cluster."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pulumi

from infra.component import Component
from infra.efa_security_group import EfaSecurityGroup
from infra.hyperpod.lifecycle import LifecycleScripts
from infra.hyperpod.provider import native_provider
from infra.hyperpod.role import autoscaler_role, instance_role
from infra.joined import Joined
from infra.surroundings import Surroundings
from muster.fleet.blueprint import Blueprint
from muster.fleet.derive.refs import CLUSTER_REF, EFA_GROUP_REF
from muster.fleet.hyperpod.definition import Given, definition
from muster.fleet.hyperpod.operation import id_of, log_group
from muster.fleet.resources import Reference


class HyperPod(Component):
    """One cluster with all of its instance groups, its roles and its scripts.

    SageMaker calls it made when every group has come or given up. Cloud Control waits for that, for twelve hours at
    most, and no timeout of ours makes that longer or shorter. Another name, network or EKS cluster makes it anew, the
    old one first: an EKS cluster takes one HyperPod cluster. Its groups change in place; what SageMaker changes in no
    group (its type, network, threads, keys) it refuses, and a group of another name has it.

    Numbers are the description's, with Karpenter, too: an `up` that changes any group sends all of them. The engine
    could leave a number alone by its place in the list only, and there another group's name decides who stands where.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        cluster: Joined,
        around: Surroundings,
        efa: EfaSecurityGroup | None,
        needed: Sequence[pulumi.Resource],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Registers it.

        Args:
            blueprint: of a cluster on HyperPod.
            cluster: the control plane that its nodes join.
            around: the network.
            efa: the group in which its instances speak with each other.
            needed: what stands before the first instance comes.
            opts: resource options.
        """
        hyperpod = blueprint.hyperpod
        assert hyperpod is not None, "only a cluster on HyperPod has one"
        assert efa is not None, "HyperPod's instances have a group of their own, EFA or not"
        name = hyperpod.cluster.ref.name
        super().__init__(name, opts)
        ids: dict[Reference, pulumi.Input[str]] = {CLUSTER_REF: cluster.security_group, EFA_GROUP_REF: efa.id}
        scripts = LifecycleScripts(hyperpod.bundle, blueprint, self.below()) if hyperpod.bundle else None
        role = instance_role(blueprint, cluster, around, ids, scripts, self.below())
        scaler = autoscaler_role(blueprint, cluster, self.below()) if hyperpod.cluster.has_cluster_role else None
        given = Given(
            cluster_arn=cluster.arn,
            execution_role=role.arn,
            bundle=lambda group: scripts.folder(group) if scripts else None,
            id=lambda reference: ids.get(reference, around.id(reference)),
            cluster_role=scaler.arn if scaler else None,
        )
        import pulumi_aws_native as native  # noqa: PLC0415 - a stack without HyperPod never loads it

        made = native.sagemaker.Cluster(
            name,
            **snake_case(definition(blueprint, given)),
            opts=self.below(
                provider=native_provider(blueprint, self.below()),
                depends_on=[
                    *needed,
                    *efa.rules,
                    *role.attachments,
                    *(scaler.attachments if scaler else ()),
                    *(scripts.ready if scripts else ()),
                ],
            ),
        )
        self.name: pulumi.Output[str] = pulumi.Output.from_input(str(hyperpod.cluster.name))
        self.arn: pulumi.Output[str] = made.cluster_arn
        self.role_arn: pulumi.Output[str] = role.arn
        self.bucket: pulumi.Output[str] | None = scripts.bucket if scripts else None
        self.register_outputs({"arn": self.arn})

    @property
    def cluster_id(self) -> pulumi.Output[str]:
        """The last part of its ARN."""
        return self.arn.apply(id_of)

    @property
    def log_group(self) -> pulumi.Output[str]:
        """The name of its CloudWatch log group, which HyperPod makes itself."""
        return pulumi.Output.all(self.name, self.cluster_id).apply(lambda known: log_group(*known))


def snake_case(value: Any) -> Any:
    """A request in the API's words as the SDK's arguments: keys of structures renamed, those of maps left alone."""
    if isinstance(value, Mapping):
        return {_renamed(key): inner if key in _MAPS else snake_case(inner) for key, inner in value.items()}
    return [snake_case(each) for each in value] if isinstance(value, list) else value


_MAPS = frozenset({"Labels"})
"""Whose keys are people's."""
_WORD_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _renamed(key: str) -> str:
    return _WORD_BEGINS.sub("_", key).lower()
