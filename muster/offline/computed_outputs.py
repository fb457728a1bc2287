"""The ids and computed properties that AWS would return, derived from a resource's URN: templates of texts in
`computed_outputs.json`, and functions for what depends on the inputs."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any

from muster.hardware.tables import read_text
from muster.hardware.zones import domain_of
from muster.plain_data import with_texts
from muster.unknown import UNKNOWN

ACCOUNT = "000000000000"
_CLOUD_CONTROL = "aws-native:index:ExtensionResource"
_CLUSTER = "aws:eks/cluster:Cluster"

_TABLE: Mapping[str, Mapping[str, Any]] = json.loads(read_text("computed_outputs.json", __package__))
"""`named`: type -> the input that is its id; `ids` and `outputs`: type, of Cloud Control also CloudFormation's ->
templates, whose words are those of `_words`.
The service CIDR of a cluster is the one that EKS assigns in a VPC inside 10.0.0.0/8. The name of an MLflow app is no
part of its ARN (SageMaker API reference, CreateMlflowApp). The id of a HyperPod cluster is the last part of its ARN; in
Cloud Control the id is the whole ARN."""


def id_digits(urn: str) -> str:
    """17 hexadecimal digits derived from a URN, as in the ids of AWS."""
    return sha256(urn.encode()).hexdigest()[:17]


def _words(urn: str, name: str, inputs: Mapping[str, Any], region: str, id_: str = "") -> dict[str, Any]:
    """The words of a template."""
    digits = id_digits(urn)
    return {
        "id": id_,
        "last": id_.rpartition("/")[2],
        "given": inputs.get("name", name),
        "name": inputs.get("name", id_),
        "logical": name,
        "cluster": inputs.get("clusterName", ""),
        "node_group": inputs.get("nodeGroupName", f"{name}-{digits[:7]}"),
        "file_system": inputs.get("fileSystemId", ""),
        "pcs": f"pcs_{digits[:10]}",
        "pcs_cluster": inputs.get("clusterId"),
        "region": region,
        "account": ACCOUNT,
        "domain": domain_of(region),
        "digits": digits,
        "short": digits[:7],
        "DIGITS": digits.upper(),
        "half": digits[:12],
        "HALF": digits[:12].upper(),
        "uuid": f"{digits[:8]}-{digits[8:12]}-4000-8000-{digits[:12]}",
        "byte": int(digits[:2], 16),
    }


def physical_id(urn: str, type_: str, name: str, inputs: Mapping[str, Any], region: str) -> str:
    """The id that the provider would give a resource."""
    if type_ in _TABLE["named"]:
        key = _TABLE["named"][type_]
        # The plans that are committed name what has a `namePrefix` by its name in the program.
        prefix = None if key == "name" else inputs.get(f"{key}Prefix")
        return str(inputs.get(key) or f"{prefix or f'{name}-'}{id_digits(urn)[:7]}")
    template = _TABLE["ids"].get(_kind(type_, inputs), "{logical}-{short}")
    return str(template.format_map(_words(urn, name, inputs, region)))


def _kind(type_: str, inputs: Mapping[str, Any]) -> Any:
    """The type of a resource; in Cloud Control, that of CloudFormation."""
    return inputs.get("type") if type_ == _CLOUD_CONTROL else type_


def computed_properties(urn: str, type_: str, name: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The properties that only the provider knows; the monitor repeats the inputs. An unknown input counts as not set:
    a preview hides the properties that depend on it (`_default_if_unset` in `monitor.py`)."""
    inputs = {key: value for key, value in inputs.items() if value is not UNKNOWN}
    id_ = physical_id(urn, type_, name, inputs, region)
    service = type_.partition(":")[2].partition("/")[0]
    arn = _iam_arn(type_, inputs, id_) if service == "iam" else f"arn:aws:{service}:{region}:{ACCOUNT}:{id_}"
    base = {"arn": arn} if type_.startswith("aws:") else {}
    words = _words(urn, name, inputs, region, id_)
    outputs, more = _TABLE["outputs"], _OF_INPUTS.get(type_)
    template = outputs.get(_kind(type_, inputs), outputs.get(type_, {}))
    known = with_texts(template, lambda text: text.format_map(words))
    return {**base, **known, **(more(urn, id_, inputs, region) if more else {})}


def _iam_arn(type_: str, inputs: Mapping[str, Any], name: str) -> str:
    """The ARN of a role, a policy or an instance profile: without a Region, with its path."""
    kind = re.sub(r"\B(?=[A-Z])", "-", type_.rpartition(":")[2]).lower()
    return f"arn:aws:iam::{ACCOUNT}:{kind}{inputs.get('path', '/')}{name}"


def _cluster(urn: str, _id: str, inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    network = inputs.get("vpcConfig")
    given = network if isinstance(network, Mapping) else {}
    return {"vpcConfig": {**given, "clusterSecurityGroupId": f"sg-{id_digits(urn)}"}}


def _lustre(urn: str, _id: str, inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    """The mount name of SCRATCH_1 is always ``fsx``; all others have a mount name of 8 characters."""
    scratch_1 = inputs.get("deploymentType", "SCRATCH_1") == "SCRATCH_1"
    return {"mountName": "fsx" if scratch_1 else id_digits(urn)[:8]}


def _stack(urn: str, _id: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The outputs of a CloudFormation stack."""
    from muster.blueprint.parallelcluster import template as names

    token = id_digits(urn)
    number = int(token[:2], 16)
    known = {
        names.CLUSTER_STACK: f"arn:aws:cloudformation:{region}:{ACCOUNT}:stack/cluster/{token}",
        names.HEAD_NODE: f"i-{token}",
        names.PRIVATE_ADDRESS: f"10.0.0.{number}",
        names.PUBLIC_ADDRESS: f"198.51.100.{number}",
        names.MESSAGES: "[]",
        names.PROVIDERS_LOG_GROUP: f"/aws/lambda/pcluster-cfn-{token}",
    }
    return {"outputs": {name: known.get(name, f"{name}-{token[:7]}") for name in _template_outputs(inputs, known)}}


def _template_outputs(inputs: Mapping[str, Any], known: Iterable[str]) -> tuple[str, ...]:
    """The names of a template's outputs. If the template is elsewhere or not JSON: the outputs of Muster's template."""
    try:
        document = json.loads(inputs["templateBody"])
    except (LookupError, TypeError, ValueError, RecursionError):
        return tuple(known)
    return tuple(document.get("Outputs", ())) if isinstance(document, dict) else ()


_OF_INPUTS: Mapping[str, Callable[[str, str, Mapping[str, Any], str], dict[str, Any]]] = {
    _CLUSTER: _cluster,
    "aws:cloudformation/stack:Stack": _stack,
    "aws:fsx/lustreFileSystem:LustreFileSystem": _lustre,
}
"""Type -> its properties that depend on its inputs, or on parts of its id."""


def existing_cluster(name: str, region: str, described: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of `aws.eks.get_cluster` for a cluster that exists as described.

    Args:
        name: the cluster's name.
        region: the cluster's Region.
        described: ``version``, ``authenticationMode``, ``securityGroup`` and ``vpc``.
    """
    made = computed_properties(f"existing/{name}", _CLUSTER, name, {"name": name}, region)
    return {
        "id": name,
        "name": name,
        "arn": made["arn"],
        "endpoint": made["endpoint"],
        "certificateAuthorities": [made["certificateAuthority"]],
        "identities": made["identities"],
        "kubernetesNetworkConfigs": [made["kubernetesNetworkConfig"]],
        "version": described["version"],
        "accessConfigs": [{"authenticationMode": described["authenticationMode"]}],
        "vpcConfig": {
            "clusterSecurityGroupId": described["securityGroup"],
            "vpcId": described["vpc"],
            "endpointPrivateAccess": True,
            "endpointPublicAccess": False,
            "publicAccessCidrs": [],
            "securityGroupIds": [],
            "subnetIds": [],
        },
        "status": "ACTIVE",
    }
