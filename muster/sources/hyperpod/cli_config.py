"""The configuration of the HyperPod CLI: the `config.yaml` that `hyp init cluster-stack` writes.

The CLI creates a CloudFormation stack with it: an EKS cluster, HyperPod's chart, the HyperPod cluster and a Lustre file
system. Each has a key that turns it off.

Sources: aws/sagemaker-hyperpod-cli, `hyperpod_cluster_stack_template/v1_0/model.py`; of
aws/sagemaker-hyperpod-cluster-setup,
`eks-template.yaml`, `fsx-template.yaml` and `hyperpod-cluster-creator/lambda_function.py`, which makes the request.
"""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources.ref import CLUSTER, HYPERPOD, LUSTRE
from muster.sources.cloudformation.converted import camelized
from muster.sources.placeholders import text_of_version
from muster.sources.registrations import Program
from muster.sources.source import InputFile
from muster.sources.terraform.kubernetes import set_value
from muster.unknown import UNKNOWN

GROUPS = "instance_group_settings"
_ZONE = "targetAvailabilityZoneId"
_CHART = "HyperPodHelmChart"
_RELEASE = "kubernetes:helm.sh/v3:Release"


def is_cli_config(document: Mapping[str, Any]) -> bool:
    """Whether a document is the CLI's configuration, and not a request."""
    return not {GROUPS, "hyperpod_cluster_name"}.isdisjoint(document)


def creates(document: Mapping[str, Any], what: str) -> bool:
    """Whether the CLI creates a part: it does, unless the key is false."""
    return document.get(f"create_{what}_stack", True) is not False


def add_cluster(program: Program, file: InputFile, document: Mapping[str, Any], name: str) -> None:
    """Adds the resources that the CLI creates."""
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
        inputs = _inputs(document, own_network=not creates(document, "vpc"))
        program.add(HYPERPOD, name, inputs, at=file.position(()), uses={"orchestrator": tuple(uses)})


def _chart_values(document: Mapping[str, Any]) -> Any:
    """The values of the chart, which `helm_operators` has as Helm does: ``a.enabled=true,b.enabled=false``."""
    given = document.get("helm_operators", "")
    if not isinstance(given, str):
        return UNKNOWN
    made: dict[str, Any] = {}
    for each in filter(None, given.split(",")):
        path, equals, value = each.partition("=")
        if not equals or not set_value(made, path.strip(), value.strip()):
            return UNKNOWN
    return made


def _add_control_plane(program: Program, file: InputFile, document: Mapping[str, Any], name: str) -> str:
    inputs = {
        "name": UNKNOWN,  # the CLI adds four random characters to its prefix
        "version": text_of_version(document.get("kubernetes_version", UNKNOWN)),
        "accessConfig": {"authenticationMode": "API_AND_CONFIG_MAP"},
        "vpcConfig": UNKNOWN,
    }
    return program.add(CLUSTER, name, inputs, at=file.position(("kubernetes_version",)))


def _add_file_system(program: Program, file: InputFile, document: Mapping[str, Any], name: str) -> None:
    inputs = {
        "deploymentType": "PERSISTENT_2",
        "storageType": "SSD",
        "storageCapacity": document.get("storage_capacity", UNKNOWN),
        "perUnitStorageThroughput": document.get("per_unit_storage_throughput", UNKNOWN),
        "dataCompressionType": document.get("data_compression_type", UNKNOWN),
        "fileSystemTypeVersion": text_of_version(document.get("file_system_type_version", UNKNOWN)),
        "subnetIds": UNKNOWN,
        "securityGroupIds": UNKNOWN,
    }
    program.add(LUSTRE, name, inputs, at=file.position(("storage_capacity",)))


def _inputs(document: Mapping[str, Any], *, own_network: bool) -> dict[str, Any]:
    groups = document.get(GROUPS, UNKNOWN)
    return {
        "clusterName": document.get("hyperpod_cluster_name", UNKNOWN),
        "orchestrator": {"eks": {"clusterArn": UNKNOWN}},
        "vpcConfig": _network(document) if own_network else UNKNOWN,
        "nodeRecovery": document.get("node_recovery", UNKNOWN),
        "nodeProvisioningMode": mode if (mode := document.get("node_provisioning_mode", UNKNOWN)) != "" else None,
        "instanceGroups": UNKNOWN if groups is UNKNOWN else list(map(_of_cli, groups)),
    }


def _network(document: Mapping[str, Any]) -> dict[str, Any]:
    groups = _given(document, "security_group_ids", "security_group_id")
    return {
        "subnets": _given(document, "private_subnet_ids"),
        "securityGroupIds": UNKNOWN if creates(document, "security_group") else groups,
    }


def _given(document: Mapping[str, Any], *names: str) -> Any:
    """The first of some keys that has a value; unknown if none has."""
    return next((value for name in names if (value := document.get(name)) not in (None, "", [])), UNKNOWN)


def _of_cli(group: Any) -> Any:
    """A group as the CLI requests it. It has the CLI's scripts, and in a zone the subnet and the security groups that
    the CLI creates."""
    if group is UNKNOWN:
        return UNKNOWN
    made: dict[str, Any] = camelized(group)
    made.setdefault("lifeCycleConfig", UNKNOWN)
    if made.pop(_ZONE, None) is not None:
        made["overrideVpcConfig"] = {"subnets": [UNKNOWN], "securityGroupIds": UNKNOWN}
    return made
