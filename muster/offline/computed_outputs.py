"""The ids and computed properties that AWS would return, derived from a resource's URN: templates of texts in
`computed_outputs.json`, and functions for what depends on the inputs."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any

from muster.hardware.tables import read_text
from muster.hardware.zones import domain_of
from muster.unknown import UNKNOWN


def stack_outputs(token: str, inputs: Mapping[str, Any], region: str, account: str) -> dict[str, str]:
    """The outputs of a CloudFormation stack.

    Args:
        token: hexadecimal digits, unique for the stack.
        inputs: the inputs from the program.
        region: the stack's Region.
        account: the stack's account.
    """
    from muster.blueprint.parallelcluster import template as names

    number = int(token[:2], 16)
    known = {
        names.CLUSTER_STACK: f"arn:aws:cloudformation:{region}:{account}:stack/cluster/{token}",
        names.HEAD_NODE: f"i-{token}",
        names.PRIVATE_ADDRESS: f"10.0.0.{number}",
        names.PUBLIC_ADDRESS: f"198.51.100.{number}",
        names.MESSAGES: "[]",
        names.PROVIDERS_LOG_GROUP: f"/aws/lambda/pcluster-cfn-{token}",
    }
    return {name: known.get(name, f"{name}-{token[:7]}") for name in _template_outputs(inputs, known)}


def _template_outputs(inputs: Mapping[str, Any], known: Iterable[str]) -> tuple[str, ...]:
    """The names of a template's outputs. If the template is elsewhere or not JSON: the outputs of Muster's template."""
    try:
        document = json.loads(inputs["templateBody"])
    except (LookupError, TypeError, ValueError, RecursionError):
        return tuple(known)
    return tuple(document.get("Outputs", ())) if isinstance(document, dict) else ()


ACCOUNT = "000000000000"
_CLOUD_CONTROL = "aws-native:index:ExtensionResource"
_PCS_CLUSTER = "AWS::PCS::Cluster"
_PCS = {
    "aws-native:pcs:Cluster": "",
    "aws-native:pcs:ComputeNodeGroup": "/computenodegroup/",
    "aws-native:pcs:Queue": "/queue/",
}
"""Resources of PCS, and how their ARN goes on after that of the cluster."""
_CLUSTER = "aws:eks/cluster:Cluster"
_NODE_GROUP = "aws:eks/nodeGroup:NodeGroup"

_TABLE: Mapping[str, Mapping[str, Any]] = json.loads(read_text("computed_outputs.json", __package__))
"""`named`: type -> the input that is its id; `ids` and `outputs`: type -> templates, whose words are those of `_words`.
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
        "file_system": inputs.get("fileSystemId", ""),
        "pcs": _pcs_token(urn),
        "region": region,
        "account": ACCOUNT,
        "domain": domain_of(region),
        "digits": digits,
        "DIGITS": digits.upper(),
        "half": digits[:12],
        "HALF": digits[:12].upper(),
        "uuid": f"{digits[:8]}-{digits[8:12]}-4000-8000-{digits[:12]}",
        "byte": int(digits[:2], 16),
    }


def _filled(template: Any, words: Mapping[str, Any]) -> Any:
    """A template with its words."""
    if isinstance(template, str):
        return template.format_map(words)
    if isinstance(template, Mapping):
        return {key: _filled(each, words) for key, each in template.items()}
    return [_filled(each, words) for each in template] if isinstance(template, list) else template


def physical_id(urn: str, type_: str, name: str, inputs: Mapping[str, Any], region: str) -> str:
    """The id that the provider would give a resource."""
    short = id_digits(urn)[:7]
    if type_ in _TABLE["named"]:
        key = _TABLE["named"][type_]
        # The plans that are committed name what has a `namePrefix` by its name in the program.
        prefix = None if key == "name" else inputs.get(f"{key}Prefix")
        return str(inputs.get(key) or f"{prefix or f'{name}-'}{short}")
    if type_ in _TABLE["ids"]:
        return str(_filled(_TABLE["ids"][type_], _words(urn, name, inputs, region)))
    if type_ == _NODE_GROUP:
        return f"{inputs.get('clusterName', '')}:{name}-{short}"
    if type_ in _PCS:
        own = f"{inputs.get('clusterId')}{_PCS[type_]}{_pcs_token(urn)}" if _PCS[type_] else _pcs_token(urn)
        return f"arn:aws:pcs:{region}:{ACCOUNT}:cluster/{own}"
    if type_ == _CLOUD_CONTROL and inputs.get("type") == _PCS_CLUSTER:
        return f"arn:aws:pcs:{region}:{ACCOUNT}:cluster/{_pcs_token(urn)}"
    return f"{name}-{short}"


def _pcs_token(urn: str) -> str:
    return f"pcs_{id_digits(urn)[:10]}"


def computed_properties(urn: str, type_: str, name: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The properties that only the provider knows; the monitor repeats the inputs. An unknown input counts as not set:
    a preview hides the properties that depend on it (`_default_if_unset` in `monitor.py`)."""
    inputs = {key: value for key, value in inputs.items() if value is not UNKNOWN}
    id_ = physical_id(urn, type_, name, inputs, region)
    service = type_.partition(":")[2].partition("/")[0]
    arn = iam_arn(type_, inputs, ACCOUNT, id_) if service == "iam" else f"arn:aws:{service}:{region}:{ACCOUNT}:{id_}"
    base = {"arn": arn} if type_.startswith("aws:") else {}
    known = _filled(_TABLE["outputs"].get(type_, {}), _words(urn, name, inputs, region, id_))
    more = _OF_INPUTS.get(type_)
    return {**base, **known, **(more(urn, id_, inputs, region) if more else {})}


def iam_arn(type_: str, inputs: Mapping[str, Any], account: str, name: str) -> str:
    """The ARN of a role, a policy or an instance profile: without a Region, with its path."""
    kind = re.sub(r"\B(?=[A-Z])", "-", type_.rpartition(":")[2]).lower()
    return f"arn:aws:iam::{account}:{kind}{inputs.get('path', '/')}{name}"


def _cluster(urn: str, _id: str, inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    network = inputs.get("vpcConfig")
    given = network if isinstance(network, Mapping) else {}
    return {"vpcConfig": {**given, "clusterSecurityGroupId": f"sg-{id_digits(urn)}"}}


def _node_group(_urn: str, id_: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    cluster, _, name = id_.partition(":")
    return {
        "arn": f"arn:aws:eks:{region}:{ACCOUNT}:nodegroup/{cluster}/{name}",
        "nodeGroupName": inputs.get("nodeGroupName", name),
        "resources": [{"autoscalingGroups": [{"name": f"eks-{name}"}]}],
        "status": "ACTIVE",
    }


def _lustre(urn: str, _id: str, inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    """The mount name of SCRATCH_1 is always ``fsx``; all others have a mount name of 8 characters."""
    scratch_1 = inputs.get("deploymentType", "SCRATCH_1") == "SCRATCH_1"
    return {"mountName": "fsx" if scratch_1 else id_digits(urn)[:8]}


def _stack(urn: str, _id: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The outputs of a CloudFormation stack."""
    return {"outputs": stack_outputs(id_digits(urn), inputs, region, ACCOUNT)}


def _cloud_control(urn: str, id_: str, inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    """The outputs of a resource in Cloud Control, with the names of CloudFormation."""
    if inputs.get("type") != _PCS_CLUSTER:
        return {"outputs": {}}
    address = f"10.0.0.{int(id_digits(urn)[:2], 16)}"
    endpoint = {"Type": "SLURMCTLD", "PrivateIpAddress": address, "Port": "6817"}
    return {"outputs": {"Id": _pcs_token(urn), "Arn": id_, "Status": "ACTIVE", "Endpoints": [endpoint]}}


_OF_INPUTS: Mapping[str, Callable[[str, str, Mapping[str, Any], str], dict[str, Any]]] = {
    _CLUSTER: _cluster,
    _NODE_GROUP: _node_group,
    _CLOUD_CONTROL: _cloud_control,
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
