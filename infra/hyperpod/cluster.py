"""The HyperPod cluster: SageMaker's instances, as nodes of an EKS cluster or of Slurm; and its task governance."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pulumi
import pulumi_aws_native as native

from muster.blueprint.cluster import Blueprint, ClusterBlueprint, HyperPodSlurmBlueprint
from muster.blueprint.hyperpod.commands import id_of, log_group
from muster.blueprint.hyperpod.create_cluster import RuntimeValues, definition
from muster.blueprint.hyperpod.task_governance import compute_quota_request
from muster.blueprint.logical_names import HYPERPOD_REF
from muster.fleet.resources import Reference
from muster.hardware.zones import partition_of
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import Component
from muster.infra.file_system import FileSystem
from muster.infra.hyperpod.lifecycle import LifecycleScripts
from muster.infra.hyperpod.roles import autoscaler_role, instance_role
from muster.infra.native_provider import native_provider
from muster.infra.network import Foundation


class SageMakerCluster(Component):
    """A HyperPod cluster with all of its instance groups, with either orchestrator."""

    native: pulumi.ProviderResource
    """AWS's native provider."""
    arn: pulumi.Output[str]
    role_arn: pulumi.Output[str]
    """Of the role of its instances."""

    def register(self, blueprint: ClusterBlueprint, given: RuntimeValues, needed: Sequence[pulumi.Resource]) -> None:
        """Registers it.

        Args:
            blueprint: of a cluster on HyperPod.
            given: the values that the blueprint does not have.
            needed: the resources that must exist before the first instance starts.
        """
        self.native = native_provider(blueprint, self.below())
        made = native.sagemaker.Cluster(
            HYPERPOD_REF.name,
            **snake_case(definition(blueprint, given)),
            # It has a fixed name.
            opts=self.below(provider=self.native, depends_on=list(needed), delete_before_replace=True),
        )
        cluster = blueprint.hyperpod_cluster
        assert cluster is not None, "only a cluster on HyperPod has one"
        self.name = str(cluster.name)
        self.arn, self.role_arn = made.cluster_arn, pulumi.Output.from_input(given.execution_role)
        self.register_outputs({"arn": self.arn})

    @property
    def cluster_id(self) -> pulumi.Output[str]:
        """The last part of its ARN."""
        return self.arn.apply(id_of)

    @property
    def log_group(self) -> pulumi.Output[str]:
        """The name of its CloudWatch log group, which HyperPod creates."""
        return self.cluster_id.apply(lambda id_: log_group(self.name, id_))


class HyperPod(SageMakerCluster):
    """One cluster with all of its instance groups, its roles and its scripts.

    SageMaker reports the cluster as created when every group has started or failed. Cloud Control waits for that, at
    most twelve hours; Pulumi's timeouts do not change that. A change of its name, network or EKS cluster replaces it;
    the old one is deleted first, because an EKS cluster supports only one HyperPod cluster. Groups change in place.
    SageMaker refuses to change a group's type, network, threads or keys; a group with a new name can have others.

    Node counts are the description's, also with Karpenter: an `up` that changes any group sends all counts. The engine
    could ignore a count only by its index in the list, and the index depends on the names of the other groups.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        cluster: ControlPlaneConnection,
        around: Foundation,
        needed: Sequence[pulumi.Resource],
    ) -> None:
        """Registers it.

        Args:
            blueprint: of a cluster on HyperPod.
            cluster: the control plane that its nodes join.
            around: the network, and the security groups of its instances.
            needed: the resources that must exist before the first instance starts.
        """
        hyperpod = blueprint.hyperpod
        assert hyperpod is not None, "only a cluster on HyperPod has one"
        name = hyperpod.cluster.ref.name
        super().__init__(name)
        own = blueprint.described.hyperpod
        scripts = LifecycleScripts(hyperpod.bundle, blueprint, self.below()) if hyperpod.bundle else None
        role = None if own.execution_role else instance_role(blueprint, cluster.arn, around, self.below(), scripts)
        creates_scaler = hyperpod.cluster.has_cluster_role and not own.cluster_role
        scaler = autoscaler_role(blueprint, cluster, self.below()) if creates_scaler else None
        given = RuntimeValues(
            cluster_arn=cluster.arn,
            execution_role=role.arn if role else own.execution_role,
            bundle=lambda group: scripts.folder(group) if scripts else None,
            id=around.id,
            cluster_role=scaler.arn if scaler else own.cluster_role,
        )
        self.bucket: pulumi.Output[str] | None = scripts.bucket if scripts else None
        attached = [policy for each in (role, scaler) if each for policy in each.attachments]
        self.register(blueprint, given, [*needed, *attached, *(scripts.ready if scripts else ())])


class HyperPodSlurm(SageMakerCluster):
    """One cluster with Slurm: all of its instance groups and their role.

    A change of its name or network replaces it. Groups change in place. SageMaker refuses to change a group's type,
    network, threads or keys, and its role in Slurm; a group with a new name can have others.
    """

    def __init__(
        self,
        blueprint: HyperPodSlurmBlueprint,
        around: Foundation,
        storage: Mapping[str, FileSystem],
    ) -> None:
        """Registers it.

        Args:
            blueprint: of a cluster on HyperPod with Slurm.
            around: the network, and the security group of all nodes.
            storage: the file systems that Muster creates, by name: nodes mount them when they start.
        """
        super().__init__(blueprint.cluster.ref.name)
        existing = blueprint.described.hyperpod.execution_role
        clusters = f"arn:{partition_of(blueprint.region)}:sagemaker:{blueprint.region}:*:cluster/*"
        role = None if existing else instance_role(blueprint, clusters, around, self.below())
        made_by: Mapping[Reference, FileSystem] = {
            each.file_system.ref: storage[each.name] for each in blueprint.storage if each.name in storage
        }
        given = RuntimeValues(
            execution_role=role.arn if role else existing,
            id=around.id,
            lustre=lambda reference: (made_by[reference].dns_name, made_by[reference].mount_name),
        )
        attached = role.attachments if role else ()
        self.register(blueprint, given, [*around.ready, *storage.values(), *attached])


def snake_case(value: Any) -> Any:
    """A request with the API's keys as arguments of the SDK: keys of structures are renamed, keys of maps are kept."""
    if isinstance(value, Mapping):
        return {_renamed(key): inner if key in _MAPS else snake_case(inner) for key, inner in value.items()}
    return [snake_case(each) for each in value] if isinstance(value, list) else value


_MAPS = frozenset({"Labels"})
"""Fields that are maps: users choose their keys."""
_WORD_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _renamed(key: str) -> str:
    return _WORD_BEGINS.sub("_", key).lower()


class TaskGovernance(Component):
    """The quotas of teams in HyperPod's task governance: a `ComputeQuota` for each team.

    They come after the add-on `amazon-sagemaker-hyperpod-taskgovernance`: a policy that is created before the add-on is
    complete fails with `CreateFailed` (aws/sagemaker-hyperpod-cli at 011ca92, `examples/end_to_end_walkthrough`,
    `00-setup.md`).
    """

    def __init__(
        self,
        blueprint: Blueprint,
        cluster: HyperPod,
        needed: Sequence[pulumi.Resource],
    ) -> None:
        """Registers them.

        Args:
            blueprint: of a cluster on HyperPod with quotas.
            cluster: the HyperPod cluster.
            needed: the add-on of task governance, if the stack installs it.
        """
        assert blueprint.hyperpod is not None, "only a cluster on HyperPod has quotas"
        super().__init__("task-governance")
        for quota in blueprint.hyperpod.quotas:
            native.sagemaker.ComputeQuota(
                quota.ref.name,
                **snake_case(compute_quota_request(quota, blueprint, cluster.arn)),
                # Its name is unique in the cluster: there are never two of it.
                opts=self.below(provider=cluster.native, depends_on=[*needed], delete_before_replace=True),
            )
        self.register_outputs({})
