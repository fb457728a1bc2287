"""Reads a request of CreateCluster or UpdateCluster, the output of `describe-cluster`, or the HyperPod CLI's
configuration, as the cluster that a Pulumi program registers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from muster.edits import OF_FILE
from muster.finding import Finding
from muster.fleet.resources.ref import HYPERPOD
from muster.plain_data import value_at
from muster.position import Position
from muster.sources.cloudformation.converted import camel, camelized
from muster.sources.hyperpod import cli_config
from muster.sources.keys import Checked, only_document, table_of
from muster.sources.placeholders import without_placeholders
from muster.sources.registrations import Program, source_name
from muster.sources.source import InputFile, Source
from muster.unknown import UNKNOWN

_KEYS: Mapping[str, str] = {camel(name): name for name in table_of("hyperpod").names if name[0].isupper()}
_CLI = {
    "clusterName": "hyperpod_cluster_name",
    "dataCompressionType": "data_compression_type",
    "fileSystemTypeVersion": "file_system_type_version",
    "instanceGroups": "instance_group_settings",
    "nodeProvisioningMode": "node_provisioning_mode",
    "nodeRecovery": "node_recovery",
    "perUnitStorageThroughput": "per_unit_storage_throughput",
    "storageCapacity": "storage_capacity",
    "tags": "tags",
    "version": "kubernetes_version",
    "vpcConfig.securityGroupIds": "security_group_ids",
    "vpcConfig.subnets": "private_subnet_ids",
}
"""The property of a cluster, of its EKS cluster or of its file system -> the key of the HyperPod CLI's configuration,
whose instance groups have the API's keys."""


def _key_of_request(name: str) -> str:
    return ".".join(_KEYS.get(each, each) for each in name.split("."))


def _key_of_cli(name: str) -> str:
    return _CLI.get(name) or _key_of_request(name)


OF_REQUEST = replace(OF_FILE, key=_key_of_request)
OF_CLI = replace(OF_FILE, key=_key_of_cli)


FORMAT = "hyperpod"


def read(file: InputFile) -> Source:
    """The cluster that the file describes.

    Raises:
        InvalidFile: a key has a value of another form.
    """
    document = without_placeholders(only_document(file, "HyperPod cluster"))
    of_cli = cli_config.is_cli_config(document)
    request = "Description" if "ClusterStatus" in document else "Request"  # every description has its status
    form, tool = ("CliConfiguration", "the HyperPod CLI") if of_cli else (request, "SageMaker's API")
    checked = Checked(file, document, f"hyperpod.{form}", tool)
    document = checked.values
    name = name_of(document.get("hyperpod_cluster_name" if of_cli else "ClusterName"), file)
    program = Program(source_name(file), FORMAT)
    if of_cli:
        cli_config.add_cluster(program, file, document, name)
    else:
        program.add(HYPERPOD, name, inputs_of(document), at=file.position(()))

    def place(finding: Finding) -> Position | None:
        groups = cli_config.GROUPS if of_cli else "InstanceGroups"
        return file.position((groups, *finding.inside[1:])) if finding.inside else program.place(finding)

    return Source(
        name=source_name(file),
        registrations=program.registrations,
        gaps=tuple(checked.gaps),
        unknown_keys=checked.unknown_keys,
        region=region_of(document),
        place=place,
        terms=OF_CLI if of_cli else OF_REQUEST,
    )


def name_of(given: Any, file: InputFile) -> str:
    """The name of the cluster in reports."""
    return given if isinstance(given, str) and given.strip() else source_name(file)


def region_of(document: Mapping[str, Any]) -> str | None:
    """The Region in the ARN of the EKS cluster, or of the HyperPod cluster itself."""
    for arn in (value_at(document, "Orchestrator", "Eks", "ClusterArn"), document.get("ClusterArn")):
        parts = arn.split(":") if isinstance(arn, str) else []
        if len(parts) > _REGION_IN_ARN and parts[0] == "arn" and parts[_REGION_IN_ARN]:
            return parts[_REGION_IN_ARN]
    return None


_REGION_IN_ARN = 3
"""``arn:aws:eks:us-west-2:111122223333:cluster/name``."""


_NOT_INPUTS = frozenset({"InstanceGroupsToDelete", "ClusterArn", "ClusterStatus", "CreationTime", "FailureMessage"})


def inputs_of(request: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of the cluster.

    A request without `VpcConfig` that does not name an EKS cluster may be one of CreateCluster, for a cluster with
    Slurm in SageMaker's own network, or one of UpdateCluster: the network is then unknown, and so are the orchestrator
    and the provisioning mode if the request does not set them. A group that only changes its number of instances in
    UpdateCluster has no type: the type is unknown.
    """
    known = {name: value for name, value in request.items() if name not in _NOT_INPUTS}
    made: dict[str, Any] = camelized(known)
    if is_update(request):
        made |= {name: made.get(name, UNKNOWN) for name in ("orchestrator", "vpcConfig", "nodeProvisioningMode")}
    groups = made.get("instanceGroups")
    if isinstance(groups, list):
        made["instanceGroups"] = [each if each is UNKNOWN else _counted(each, request) for each in groups]
    return made


def is_update(request: Mapping[str, Any]) -> bool:
    """Whether a request may be one of UpdateCluster. Only CreateCluster has a network, or names an EKS cluster."""
    on_eks = value_at(request, "Orchestrator", "Eks") is not None
    return request.get("VpcConfig") is None and (not on_eks or request.get("InstanceGroupsToDelete") is not None)


def _counted(group: dict[str, Any], request: Mapping[str, Any]) -> dict[str, Any]:
    """`describe-cluster` prints a target and a current number of instances instead of the requested one."""
    made = dict(group)
    target = made.pop("targetCount", None)
    if made.get("instanceCount") is None and (target is not None or is_update(request)):
        made["instanceCount"] = UNKNOWN if target is None else target
    if is_update(request) and made.get("instanceType") is None and made.get("instanceRequirements") is None:
        made["instanceType"] = UNKNOWN
    return made
