"""The configuration of the HyperPod CLI: the `config.yaml` that `hyp init cluster-stack` writes.

The CLI creates a CloudFormation stack with it: an EKS cluster, HyperPod's chart, the HyperPod cluster and a Lustre file
system. Each has a key that turns it off.

Sources: aws/sagemaker-hyperpod-cli, `hyperpod_cluster_stack_template/v1_0/model.py`; of
aws/sagemaker-hyperpod-cluster-setup,
`eks-template.yaml`, `fsx-template.yaml` and `hyperpod-cluster-creator/lambda_function.py`, which makes the request.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.finding import KeyPath, dotted_path
from muster.fleet.resources.ref import CLUSTER, HYPERPOD, LUSTRE
from muster.message_text import show_value
from muster.sources import forms
from muster.sources.forms import ANY, SCALAR, SCALARS, Form, Key, unread
from muster.sources.hyperpod.keys import INSTANCE_GROUP, MOST_GROUPS
from muster.sources.hyperpod.request import camel_group
from muster.sources.program import Program
from muster.sources.source import Gap, InputFile
from muster.sources.version_text import text_of_version
from muster.unknown import UNKNOWN

TOOL = "the HyperPod CLI"
GROUPS = "instance_group_settings"
_ZONE = "TargetAvailabilityZoneId"
_KEYS: Mapping[str, Key] = {
    **dict.fromkeys(
        (
            "template",
            "version",
            "resource_name_prefix",
            "create_hyperpod_cluster_stack",
            "hyperpod_cluster_name",
            "create_eks_cluster_stack",
            "kubernetes_version",
            "eks_cluster_name",
            "create_helm_chart_stack",
            "namespace",
            "helm_repo_url",
            "helm_repo_path",
            "helm_operators",
            "helm_release",
            "node_provisioning_mode",
            "node_recovery",
            "rig_s3_bucket_name",
            "create_vpc_stack",
            "vpc_id",
            "vpc_cidr",
            "create_security_group_stack",
            "security_group_id",
            "create_s3_endpoint_stack",
            "stage",
            "custom_bucket_name",
            "create_life_cycle_script_stack",
            "create_s3_bucket_stack",
            "s3_bucket_name",
            "github_raw_url",
            "on_create_path",
            "create_sagemaker_iam_role_stack",
            "sagemaker_iam_role_name",
            "create_fsx_stack",
            "fsx_subnet_id",
            "fsx_availability_zone_id",
            "per_unit_storage_throughput",
            "data_compression_type",
            "file_system_type_version",
            "storage_capacity",
            "fsx_file_system_id",
        ),
        SCALAR,
    ),
    **dict.fromkeys(
        (
            "availability_zone_ids",
            "security_group_ids",
            "private_subnet_ids",
            "eks_private_subnet_ids",
            "nat_gateway_ids",
            "private_route_table_ids",
        ),
        SCALARS,
    ),
    GROUPS: ANY,
    "tags": ANY,
    "rig_settings": unread(Form.ANY, "no rule evaluates restricted instance groups"),
    "enable_hp_inference_feature": SCALAR,
}
_GROUP = {**INSTANCE_GROUP, _ZONE: SCALAR, "InstanceGroupType": SCALAR}
_LOGS = ["api", "audit", "authenticator", "controllerManager", "scheduler"]
"""Of the control plane that the CLI's template creates."""
_CHART = "HyperPodHelmChart"
_RELEASE = "kubernetes:helm.sh/v3:Release"


def is_cli_config(document: Mapping[str, Any]) -> bool:
    """Whether a document is the CLI's configuration, and not a request."""
    return not {GROUPS, "hyperpod_cluster_name"}.isdisjoint(document)


@dataclass(frozen=True, slots=True)
class Group:
    """One instance group, and where it is in the file."""

    values: Mapping[str, Any]
    path: KeyPath


def groups_in(file: InputFile, document: Mapping[str, Any]) -> list[Group]:
    """The instance groups. The CLI takes a list of groups; an item may also be a list of groups, or a JSON text of
    either.

    Raises:
        InvalidFile: an item is none of these.
    """
    listed = document.get(GROUPS)
    if listed is None or listed is UNKNOWN:
        return []
    found = list(_groups(file, listed, (GROUPS,)))
    forms.refuse_more(file, len(found), MOST_GROUPS, (GROUPS,))
    return found


def _groups(file: InputFile, value: Any, path: KeyPath) -> Iterator[Group]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            got = f"{dotted_path(path)} is {show_value(value)}, which is not the JSON of an instance group"
            raise file.fault(path, got, "write a list of instance groups") from None
        if isinstance(value, list):
            for each in value:
                yield from _group(file, each, path)
            return
    if isinstance(value, list):
        for index, each in enumerate(value):
            if each is not UNKNOWN and each is not None:
                yield from _groups(file, each, (*path, index))
        return
    yield from _group(file, value, path)


def _group(file: InputFile, value: Any, path: KeyPath) -> Iterator[Group]:
    forms.check_item(file, value, _GROUP, path)
    if isinstance(value, Mapping):
        yield Group(value, path)


def checked_groups(file: InputFile, document: Mapping[str, Any]) -> list[Group]:
    """The instance groups of a configuration, whose form is checked.

    Raises:
        InvalidFile: a key has a value of another form.
    """
    forms.check_form(file, document, _KEYS)
    return groups_in(file, document)


def creates(document: Mapping[str, Any], what: str) -> bool:
    """Whether the CLI creates a part: it does, unless the key is false."""
    return document.get(f"create_{what}_stack", True) is not False


def add_cluster(program: Program, file: InputFile, document: Mapping[str, Any], name: str) -> list[Group]:
    """Adds the resources that the CLI creates, and returns the instance groups.

    Raises:
        InvalidFile: a key has a value of another form.
    """
    groups = checked_groups(file, document)
    uses = []
    if creates(document, "eks_cluster"):
        uses.append(_add_control_plane(program, file, document, name))
    if creates(document, "helm_chart"):
        at = file.position(("create_helm_chart_stack",))
        uses.append(
            program.add(_RELEASE, "HyperPod chart", {"chart": _CHART, "values": _chart_values(document)}, at=at)
        )
    if creates(document, "fsx") and document.get("fsx_file_system_id") in (None, ""):
        _add_file_system(program, file, document, name)
    if creates(document, "hyperpod_cluster"):
        inputs = _inputs(document, groups, own_network=not creates(document, "vpc"))
        program.add(HYPERPOD, name, inputs, at=file.position(()), uses={"orchestrator": tuple(uses)})
    return groups


def gaps(document: Mapping[str, Any], groups: list[Group]) -> Iterator[Gap]:
    """The parts that no rule evaluates."""
    yield from forms.gaps_of(document, _KEYS, TOOL)
    for each in groups:
        yield from forms.gaps_of(each.values, _GROUP, TOOL, each.path)
    if document.get("enable_hp_inference_feature") is True:
        yield Gap("enable_hp_inference_feature", "no rule evaluates the inference operator")


def _chart_values(document: Mapping[str, Any]) -> Any:
    """The values of the chart, which `helm_operators` has as Helm does: ``a.enabled=true,b.enabled=false``."""
    given = document.get("helm_operators")
    if given is None:
        return {}
    if not isinstance(given, str):
        return UNKNOWN
    made: dict[str, Any] = {}
    for each in filter(None, given.split(",")):
        path, equals, value = each.partition("=")
        *around, last = path.strip().split(".")
        block = made
        for name in around:
            block = block.setdefault(name, {})
            if not isinstance(block, dict):
                return UNKNOWN
        if not equals or not last:
            return UNKNOWN
        block[last] = {"true": True, "false": False}.get(value.strip(), value.strip())
    return made


def _add_control_plane(program: Program, file: InputFile, document: Mapping[str, Any], name: str) -> str:
    inputs = {
        "name": UNKNOWN,  # the CLI adds four random characters to its prefix
        "version": _version(document, "kubernetes_version"),
        "accessConfig": {"authenticationMode": "API_AND_CONFIG_MAP"},
        "enabledClusterLogTypes": list(_LOGS),
        "vpcConfig": UNKNOWN,
        "encryptionConfig": UNKNOWN,
    }
    return program.add(CLUSTER, name, inputs, at=file.position(("kubernetes_version",)))


def _version(document: Mapping[str, Any], key: str) -> Any:
    given = document.get(key)
    return UNKNOWN if given is None else text_of_version(given)


def _add_file_system(program: Program, file: InputFile, document: Mapping[str, Any], name: str) -> None:
    inputs = {
        "deploymentType": "PERSISTENT_2",
        "storageType": "SSD",
        "storageCapacity": document.get("storage_capacity", UNKNOWN),
        "perUnitStorageThroughput": document.get("per_unit_storage_throughput", UNKNOWN),
        "dataCompressionType": document.get("data_compression_type", UNKNOWN),
        "fileSystemTypeVersion": _version(document, "file_system_type_version"),
        "subnetIds": UNKNOWN,
        "securityGroupIds": UNKNOWN,
    }
    program.add(LUSTRE, name, inputs, at=file.position(("storage_capacity",)))


def _inputs(document: Mapping[str, Any], groups: list[Group], *, own_network: bool) -> dict[str, Any]:
    made: dict[str, Any] = {
        "clusterName": document.get("hyperpod_cluster_name", UNKNOWN),
        "orchestrator": {"eks": {"clusterArn": UNKNOWN}},
        "vpcConfig": _network(document) if own_network else UNKNOWN,
        "nodeRecovery": document.get("node_recovery", UNKNOWN),
        "nodeProvisioningMode": mode if (mode := document.get("node_provisioning_mode", UNKNOWN)) != "" else None,
        "instanceGroups": UNKNOWN if document.get(GROUPS) in (None, UNKNOWN) else [_of_cli(each) for each in groups],
    }
    return made


def _network(document: Mapping[str, Any]) -> dict[str, Any]:
    groups = _given(document, "security_group_ids", "security_group_id")
    return {
        "subnets": _given(document, "private_subnet_ids"),
        "securityGroupIds": UNKNOWN if creates(document, "security_group") else groups,
    }


def _given(document: Mapping[str, Any], *names: str) -> Any:
    """The first of some keys that has a value; unknown if none has."""
    return next((value for name in names if (value := document.get(name)) not in (None, "", [])), UNKNOWN)


def _of_cli(group: Group) -> dict[str, Any]:
    """A group as the CLI requests it. It has the CLI's scripts, and in a zone the subnet and the security groups that
    the CLI creates."""
    values = {key: value for key, value in group.values.items() if key not in (_ZONE, "InstanceGroupType")}
    made = camel_group(values)
    made.setdefault("lifeCycleConfig", UNKNOWN)
    if group.values.get(_ZONE) is not None:
        made["overrideVpcConfig"] = {"subnets": [UNKNOWN], "securityGroupIds": UNKNOWN}
    return made
