"""The HyperPod cluster with Slurm as a request of `CreateCluster`, with the API's keys.

Slurm's topology is in the request (`SlurmConfig`, `Orchestrator.Slurm`): AWS recommends that for new clusters, and
HyperPod refuses it together with a `provisioning_parameters.json` (SageMaker guide, sagemaker-hyperpod-ref and
sagemaker-hyperpod-slurm-api-config-migration). As in `create_cluster`, the caller gives values that only AWS knows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from muster.blueprint.hyperpod.create_cluster import Json, RuntimeValues, instance_group, network
from muster.blueprint.hyperpod.slurm import HyperPodSlurmBlueprint
from muster.blueprint.tags import tags
from muster.config.description.hyperpod_settings import ConfigStrategy, Provisioning
from muster.config.description.instance_group import InstanceSettings
from muster.config.description.slurm_settings import Accounting
from muster.fleet.resources import FileSystemMount, Ref, Reference
from muster.fleet.resources import InstanceGroup as DerivedGroup
from muster.fleet.resources.hyperpod import LUSTRE_MOUNT
from muster.fleet.resources.ref import SUBNET
from muster.plain_data import drop_none


@dataclass(frozen=True, slots=True)
class SlurmRuntimeValues:
    """Values that only AWS or the program knows. Each may be an output of Pulumi."""

    execution_role: Any
    """The ARN of the role of the instances."""
    id: Callable[[Reference], Any]
    """The id of a subnet or security group."""
    lustre: Callable[[Reference], tuple[Any, Any]]
    """The DNS name and the mount name of a file system that the program creates."""


def slurm_definition(blueprint: HyperPodSlurmBlueprint, given: SlurmRuntimeValues) -> Json:
    """The request.

    Args:
        blueprint: of a cluster on HyperPod with Slurm.
        given: the values that the blueprint does not have.
    """
    cluster = blueprint.cluster
    values = RuntimeValues(cluster_arn=None, execution_role=given.execution_role, bundle=lambda _: None, id=given.id)
    nodes = [(each.described.name, each.instance_group, each.described.hyperpod) for each in blueprint.service_nodes]
    ordered = sorted(blueprint.groups, key=lambda group: group.name)
    nodes += [(group.name, group.instance_group, group.described.hyperpod) for group in ordered]
    request: Json = {
        "ClusterName": cluster.name,
        "Orchestrator": {"Slurm": _slurm(blueprint)},
        "InstanceGroups": [_group(name, derived, own, values, given) for name, derived, own in nodes],
        "VpcConfig": network(cluster, values),
        "NodeRecovery": cluster.node_recovery,
        "NodeProvisioningMode": cluster.provisioning,
        "Tags": [{"Key": key, "Value": value} for key, value in sorted(tags(blueprint, cluster.ref.name).items())],
    }
    return drop_none(request)


def _slurm(blueprint: HyperPodSlurmBlueprint) -> Json:
    own, accounting = blueprint.described.hyperpod, blueprint.described.accounting
    continuous = own.provisioning is Provisioning.CONTINUOUS
    strategy = None if continuous else (own.config_strategy or ConfigStrategy.MANAGED)
    return drop_none(
        {
            "SlurmConfigStrategy": strategy.value.capitalize() if strategy else None,
            "Accounting": _database(accounting) if accounting else None,
        }
    )


def _database(accounting: Accounting) -> Json:
    return drop_none(
        {
            "Endpoint": accounting.endpoint,
            "Port": accounting.port,
            "Name": accounting.database,
            "SecretArn": accounting.secret,
        }
    )


def _group(
    name: str,
    derived: DerivedGroup,
    own: InstanceSettings,
    values: RuntimeValues,
    given: SlurmRuntimeValues,
) -> Json:
    written = instance_group(name, derived, own, values)
    assert isinstance(derived.mounts, tuple)
    written["InstanceStorageConfigs"] = [
        *({each.kind: _mount(each, given)} for each in derived.mounts),
        *written["InstanceStorageConfigs"],
    ]
    slurm = {"NodeType": derived.node_type, "PartitionNames": [*derived.partitions] or None}
    return {**written, "SlurmConfig": drop_none(slurm)}


def _mount(mount: FileSystemMount, given: SlurmRuntimeValues) -> Json:
    system = mount.file_system
    assert system is not None, "every mount has a file system"
    dns, name = given.lustre(system) if isinstance(system, Ref) else (system, mount.mount_name)
    return drop_none(
        {"DnsName": dns, "MountName": name if mount.kind == LUSTRE_MOUNT else None, "MountPath": mount.directory}
    )


def slurm_definition_with_placeholders(blueprint: HyperPodSlurmBlueprint) -> tuple[dict[str, Any], dict[str, str]]:
    """The request with placeholders, as a shell and `envsubst` read them: ``${EXECUTION_ROLE}``; and the placeholders
    with the sources of their values.

    Args:
        blueprint: of a cluster on HyperPod with Slurm.
    """
    sources: dict[str, str] = {}

    def name(variable: str, source: str) -> str:
        sources[variable] = source
        return f"${{{variable}}}"

    def id_of(reference: Reference) -> str:
        if not isinstance(reference, Ref):
            return reference
        variable = reference.name.upper().replace("-", "_")
        if reference.type == SUBNET:
            zone = blueprint.subnets[str(reference)].zone
            source = f"a private subnet in {zone}; `pulumi up` creates one: output network.privateSubnets.{zone}"
            return name(f"SUBNET_{variable}", source)
        source = (
            "a security group that allows all traffic from and to itself, and to everywhere; `pulumi up` creates one: "
            f"output network.securityGroups.{reference.name}"
        )
        return name(f"SECURITY_GROUP_{variable}", source)

    def lustre(reference: Reference) -> tuple[str, str]:
        file_system = reference.name if isinstance(reference, Ref) else reference
        variable = file_system.upper().replace("-", "_")
        of = f"of the file system {file_system}; `pulumi up` creates one: output storage.{file_system}"
        return (
            name(f"{variable}_DNS_NAME", f"the DNS name {of}.dnsName"),
            name(f"{variable}_MOUNT_NAME", f"the mount name {of}.mountName"),
        )

    role = blueprint.described.hyperpod.execution_role or name(
        "EXECUTION_ROLE",
        "the ARN of the role of the instances (SageMaker guide, IAM role for SageMaker HyperPod); `pulumi up` creates "
        "one: output cluster.roleArn",
    )
    return slurm_definition(blueprint, SlurmRuntimeValues(role, id_of, lustre)), sources
