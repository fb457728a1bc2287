"""The description that makes the cluster of a request, or of the HyperPod CLI's configuration.

A request is of a cluster with Slurm, or names an EKS cluster that exists. The HyperPod CLI creates an EKS cluster,
unless its configuration turns that off.
"""

from collections.abc import Mapping
from typing import Any

from muster.config.identifiers import PLACEHOLDER, ExistingClusterName, RoleArn, SecurityGroupId, VpcCidr
from muster.finding import KeyPath
from muster.plain_data import as_list, value_at
from muster.policies.lookups.versions import hyperpod_supports
from muster.sources import forms
from muster.sources.described_parts import add_tags
from muster.sources.draft import Draft, is_valid, known, text
from muster.sources.hyperpod import cli_config, slurm_description
from muster.sources.hyperpod.described_groups import add_group
from muster.sources.hyperpod.described_network import Network
from muster.sources.hyperpod.described_settings import name_of_cluster, provisioning_of
from muster.sources.hyperpod.keys import REQUEST
from muster.sources.hyperpod.reader import document_of, region_of
from muster.sources.placeholders import without_placeholders
from muster.sources.source import DEFAULT_REGION, ImportedDescription, InputFile
from muster.sources.version_text import text_of_version
from muster.unknown import UNKNOWN
from muster.versions import HYPERPOD_KUBERNETES

BACKEND = "hyperpod"
_ON = "Enable"
_REASONS: Mapping[str, str] = {
    "RestrictedInstanceGroups": "Muster has no restricted instance groups",
    "RestrictedInstanceGroupsConfig": "Muster has no restricted instance groups",
    "SlurmConfig": "the cluster is on EKS",
    "KubernetesConfig": "a cluster with Slurm has no Kubernetes",
    "ClusterRole": "only an autoscaler uses it",
    "InstanceRequirements": "a group has one instance type",
    "FsxLustreConfig": "pods mount file systems through the FSx CSI driver (storage)",
    "FsxOpenZfsConfig": "Muster supports FSx for Lustre only",
    "VolumeSizeInGB": "HyperPod sets the size of root volumes",
    "RollbackMaximumBatchSize": "Muster does not configure rollbacks of image updates",
    "AutoRollbackConfiguration": "Muster does not configure rollbacks of image updates",
    "InstanceGroupsToDelete": "Muster deletes the groups that a description no longer has",
    "rig_settings": "Muster has no restricted instance groups",
    "rig_s3_bucket_name": "Muster has no restricted instance groups",
    "namespace": "Muster installs HyperPod's chart in its own namespace",
    "helm_operators": "write them as addons",
    "helm_release": "write addons.hyperpod",
    "helm_repo_url": "write addons.hyperpod",
    "helm_repo_path": "write addons.hyperpod",
    "enable_hp_inference_feature": "Muster does not install the inference operator",
    "TargetAvailabilityZoneId": "a description has the names of zones",
    "availability_zone_ids": "a description has the names of zones",
    "resource_name_prefix": "Muster names resources after the cluster",
    "eks_cluster_name": "a description names the EKS cluster in name",
    "s3_bucket_name": "Muster creates the bucket of the lifecycle scripts",
    "on_create_path": "Muster creates the lifecycle scripts, or write lifecycle: {own: ...}",
    "sagemaker_iam_role_name": "Muster creates the role of the instances",
    "fsx_subnet_id": "a file system is in the zone of the first training group",
    "fsx_availability_zone_id": "a file system is in the zone of the first training group",
}
_NAME_TAG = {"Name": "Muster gives each resource a name"}
_NO_KEY = "a description has no key for it"
_STATES = frozenset(
    {"ClusterArn", "ClusterStatus", "CreationTime", "FailureMessage", "CurrentCount", "TargetCount", "Status"}
)
"""What `describe-cluster` prints about the present state."""


def describe(file: InputFile, region: str | None = None) -> ImportedDescription:
    """The description of the file's cluster.

    Args:
        file: the file.
        region: its Region, instead of the one that the file has.

    Raises:
        InvalidFile: the file has errors, or has no instance group that a description can have.
    """
    raw = document_of(file)
    document = without_placeholders(raw)
    if cli_config.is_cli_config(document):
        return _of_cli(file, raw, document, region)
    forms.check_form(file, document, REQUEST)
    region = region or region_of(document)
    draft = Draft(file)
    if slurm_description.is_slurm(document):
        network = Network(draft, raw, region or DEFAULT_REGION, zones=1)
        slurm_description.add_cluster(draft, document, raw, network)
        _instance_roles(draft, as_list(document.get("InstanceGroups")))
        add_tags(draft, document, without=_NAME_TAG)
        return _finished(draft, document, network, region, slurm_description.BACKEND)
    draft.cluster = {"backend": BACKEND, "kubernetes": HYPERPOD_KUBERNETES[1]}
    draft.placeholder("kubernetes")
    _control_plane(draft, document)
    network = Network(draft, raw, region or DEFAULT_REGION)
    network.add_cluster(value_at(document, "VpcConfig", "Subnets"), ("VpcConfig", "Subnets"))
    shared = network.security_groups(document.get("VpcConfig"), ("VpcConfig",))
    draft.cluster |= {"network": {}, "groups": {}}
    groups = document.get("InstanceGroups")
    for index, group in enumerate(groups if isinstance(groups, list) else []):
        if isinstance(group, Mapping):
            path = ("InstanceGroups", index)
            add_group(draft, group, raw["InstanceGroups"][index], path, network, shared)
    _settings(draft, document, ("ClusterName",))
    _instance_roles(draft, groups if isinstance(groups, list) else [])
    add_tags(draft, document, without=_NAME_TAG)
    return _finished(draft, document, network, region)


def _finished(
    draft: Draft, document: Mapping[str, Any], network: Network, region: str | None, backend: str = BACKEND
) -> ImportedDescription:
    if not draft.cluster["groups"]:
        raise draft.nothing("no instance group can be described")
    draft.cluster["network"] = draft.cluster["network"] or {"existing": network.described()}
    name = text(document.get("ClusterName")) or text(document.get("hyperpod_cluster_name")) or ""
    return draft.finished(backend, region, document, _reason, name)


def _reason(path: KeyPath) -> str:
    names = [each for each in path if isinstance(each, str)]
    if names and names[-1] in _STATES:
        return "it is a present state, and not a setting"
    return next((_REASONS[each] for each in reversed(names) if each in _REASONS), _NO_KEY)


def _control_plane(draft: Draft, document: Mapping[str, Any]) -> None:
    """The EKS cluster, which exists. A request without one is for Slurm, or changes a cluster."""
    arn = text(value_at(document, "Orchestrator", "Eks", "ClusterArn"))
    name = arn.rpartition("/")[2] if arn else ""
    draft.take(("Orchestrator", "Eks", "ClusterArn"))
    _add_existing(draft, name or None, ("Orchestrator", "Eks", "ClusterArn"))
    if value_at(document, "Orchestrator", "Eks") is None:
        draft.leave(
            ("Orchestrator", "Slurm") if value_at(document, "Orchestrator", "Slurm") is not None else ("Orchestrator",),
            "the file names no EKS cluster, on which Muster's HyperPod clusters are; it may use Slurm",
        )


def _add_existing(draft: Draft, name: str | None, path: KeyPath) -> None:
    """An EKS cluster that exists."""
    good = draft.accepted(ExistingClusterName, name, path)
    existing = {
        "name": name if good else f"eks-{PLACEHOLDER}",
        "security-group": f"sg-{PLACEHOLDER}-cluster",
        "authentication": "api-and-config-map",
    }
    for key in ("security-group", "authentication") if good else existing:
        draft.placeholder("control-plane", "existing", key)
    draft.cluster["control-plane"] = {"existing": existing}


def _settings(draft: Draft, document: Mapping[str, Any], where_name: KeyPath) -> None:
    made = {**name_of_cluster(draft, document, where_name), **provisioning_of(draft, document)}
    draft.origin(("hyperpod", "name"), where_name)
    scaling = document.get("AutoScaling")
    if isinstance(scaling, Mapping):
        draft.take(("AutoScaling", "Mode"), ("AutoScaling", "AutoScalerType"))
        if scaling.get("Mode") == _ON:
            made["autoscaling"] = "karpenter"
    tiers = document.get("TieredStorageConfig")
    if isinstance(tiers, Mapping):
        draft.take(("TieredStorageConfig", "Mode"))
        percent = tiers.get("InstanceMemoryAllocationPercentage")
        if tiers.get("Mode") == _ON and isinstance(percent, int):
            made["tiered-storage"] = {"memory-percent": percent}
            draft.take(("TieredStorageConfig", "InstanceMemoryAllocationPercentage"))
    role = document.get("ClusterRole")
    if role is not None and (role is UNKNOWN or "autoscaling" in made):
        draft.take(("ClusterRole",))
        made |= {"cluster-role": role} if draft.accepted(RoleArn, role, ("ClusterRole",)) else {}
    draft.cluster["hyperpod"] = made


def _instance_roles(draft: Draft, groups: list[Any]) -> None:
    """The role of the instances, if all groups have the same one. Without one, Muster creates a role."""
    roles = {
        str(each["ExecutionRole"])
        for each in groups
        if isinstance(each, Mapping) and each.get("ExecutionRole") is not None
    }
    for index, each in enumerate(groups):
        role = each.get("ExecutionRole") if isinstance(each, Mapping) else None
        at = ("InstanceGroups", index, "ExecutionRole")
        if role is None or role is UNKNOWN:
            draft.take(at)
        elif len(roles) == 1 and is_valid(RoleArn, role):
            draft.cluster["hyperpod"]["execution-role"] = role
            draft.take(at)
        else:
            why = "all groups have one role" if len(roles) > 1 else "it is not the ARN of a role"
            draft.leave(at, f"{why}: Muster creates it")


def _of_cli(
    file: InputFile, raw: Mapping[str, Any], document: Mapping[str, Any], region: str | None
) -> ImportedDescription:
    """The description of the HyperPod CLI's configuration."""
    groups = cli_config.checked_groups(file, document)
    draft = Draft(file)
    draft.cluster = {"backend": BACKEND, "kubernetes": _version_of_cli(draft, document.get("kubernetes_version"))}
    _control_plane_of_cli(draft, document)
    network = Network(draft, raw, region or DEFAULT_REGION)
    network.add_cluster(document.get("private_subnet_ids"), ("private_subnet_ids",))
    draft.cluster |= {"network": _network_of_cli(draft, document, region or DEFAULT_REGION), "groups": {}}
    shared = _groups_of_cli(draft, document)
    for each in groups:
        values = {"LifeCycleConfig": {}, **each.values}
        add_group(draft, values, values, each.path, network, shared)
    settings = {"ClusterName": document.get("hyperpod_cluster_name"), "NodeRecovery": document.get("node_recovery")}
    settings |= {"NodeProvisioningMode": document.get("node_provisioning_mode")}
    _settings(draft, settings, ("hyperpod_cluster_name",))
    _storage_of_cli(draft, document)
    if cli_config.creates(document, "helm_chart"):
        draft.cluster["addons"] = {"hyperpod": {"repository": "oci://registry.example.com/charts"}}
        draft.placeholder("addons", "hyperpod", "repository")
    draft.take(*((key,) for key in document if key in _OF_CLI or key.startswith("create_")))
    return _finished(draft, document, network, region)


def _version_of_cli(draft: Draft, given: Any) -> str:
    """The version of Kubernetes; the newest that HyperPod supports, as a placeholder for any other one."""
    version = text_of_version(given)
    if isinstance(version, str) and hyperpod_supports(version):
        return version
    draft.placeholder("kubernetes")
    if isinstance(version, str):
        draft.leave(("kubernetes_version",), f"HyperPod does not support Kubernetes {version}")
    elif known(given) is not None:
        draft.leave(("kubernetes_version",), "YAML reads 1.30 without quotes as 1.3; write the version in quotes")
    return HYPERPOD_KUBERNETES[1]


_OF_CLI = frozenset(
    {
        "template",
        "version",
        "kubernetes_version",
        "hyperpod_cluster_name",
        "node_recovery",
        "node_provisioning_mode",
        "eks_cluster_name",
        "private_subnet_ids",
        "eks_private_subnet_ids",
        "security_group_id",
        "security_group_ids",
        "vpc_id",
        "vpc_cidr",
        "nat_gateway_ids",
        "private_route_table_ids",
        "stage",
        "custom_bucket_name",
        "github_raw_url",
        "storage_capacity",
        "per_unit_storage_throughput",
        "data_compression_type",
        "file_system_type_version",
        "fsx_file_system_id",
    }
)
"""Keys that the description has, or that only the CLI needs."""


def _control_plane_of_cli(draft: Draft, document: Mapping[str, Any]) -> None:
    name = text(document.get("eks_cluster_name"))
    if cli_config.creates(document, "eks_cluster"):
        draft.cluster |= {"name": name} if name else {}
        draft.origin(("name",), ("eks_cluster_name",))
        draft.cluster |= {"control-plane": "create", "api": {"public": ["203.0.113.0/24"]}}
        draft.placeholder("api", "public")
        return
    _add_existing(draft, name, ("eks_cluster_name",))


def _network_of_cli(draft: Draft, document: Mapping[str, Any], region: str) -> dict[str, Any]:
    if not cli_config.creates(document, "vpc"):
        return {}
    cidr = document.get("vpc_cidr")
    draft.placeholder("network", "create", "zones")
    own = {"cidr": cidr} if draft.accepted(VpcCidr, cidr, ("vpc_cidr",)) else {}
    return {"create": {**own, "zones": [f"{region}a", f"{region}b"]}}


def _groups_of_cli(draft: Draft, document: Mapping[str, Any]) -> list[str]:
    if cli_config.creates(document, "security_group"):
        return []
    listed: list[tuple[KeyPath, Any]] = []
    for index, each in enumerate(as_list(document.get("security_group_ids"))):
        listed.append((("security_group_ids", index), each))
    listed += [(("security_group_id",), each) for each in as_list(document.get("security_group_id"))]
    return [each for path, each in listed if draft.accepted(SecurityGroupId, each, path)]


def _storage_of_cli(draft: Draft, document: Mapping[str, Any]) -> None:
    if existing := text(document.get("fsx_file_system_id")):
        draft.cluster["storage"] = {"fsx": {"existing-lustre": {"id": existing, "mount-name": PLACEHOLDER}}}
        draft.placeholder("storage", "fsx", "existing-lustre", "mount-name")
        draft.origin(("storage", "fsx"), ("fsx_file_system_id",))
        return
    size = document.get("storage_capacity")
    if not cli_config.creates(document, "fsx") or not isinstance(size, int):
        return
    made: dict[str, Any] = {"size": f"{size}GiB"}
    if isinstance(throughput := document.get("per_unit_storage_throughput"), int):
        made["throughput"] = throughput
    made["compression"] = "lz4" if document.get("data_compression_type") == "LZ4" else "none"
    draft.cluster["storage"] = {"fsx": {"lustre": made}}
    draft.origin(("storage", "fsx", "lustre", "size"), ("storage_capacity",))
