"""The ids and computed properties that AWS would return, derived from a resource's URN; also a CloudFormation stack's
outputs."""

import json
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from muster.blueprint.parallelcluster import template as names
from muster.hardware.zones import domain_of
from muster.unknown import UNKNOWN

_UPLOADED = (
    names.CLUSTER_STACK,
    names.HEAD_NODE,
    names.PRIVATE_ADDRESS,
    names.PUBLIC_ADDRESS,
    names.MESSAGES,
    names.PROVIDERS_LOG_GROUP,
)
"""The outputs of a template that Muster cannot read."""


def stack_outputs(token: str, inputs: Mapping[str, Any], region: str, account: str) -> dict[str, str]:
    """The outputs of a CloudFormation stack.

    Args:
        token: hexadecimal digits, unique for the stack.
        inputs: the inputs from the program.
        region: the stack's Region.
        account: the stack's account.
    """
    number = int(token[:2], 16)
    known = {
        names.CLUSTER_STACK: f"arn:aws:cloudformation:{region}:{account}:stack/cluster/{token}",
        names.HEAD_NODE: f"i-{token}",
        names.PRIVATE_ADDRESS: f"10.0.0.{number}",
        names.PUBLIC_ADDRESS: f"198.51.100.{number}",
        names.MESSAGES: "[]",
        names.PROVIDERS_LOG_GROUP: f"/aws/lambda/pcluster-cfn-{token}",
    }
    return {name: known.get(name, f"{name}-{token[:7]}") for name in _template_outputs(inputs.get("templateBody"))}


def _template_outputs(body: Any) -> tuple[str, ...]:
    """The names of a template's outputs. If the template is elsewhere or not JSON: the outputs of Muster's template."""
    try:
        document = json.loads(body)
    except (TypeError, ValueError, RecursionError):
        return _UPLOADED
    return tuple(document.get("Outputs", ())) if isinstance(document, dict) else ()


ACCOUNT = "000000000000"
SERVICE_CIDR = "172.20.0.0/16"
"""The service CIDR that EKS assigns in a VPC inside 10.0.0.0/8."""

_ID_PREFIX = {
    "aws:ec2/securityGroup:SecurityGroup": "sg",
    "aws:ec2/launchTemplate:LaunchTemplate": "lt",
    "aws:ec2/subnet:Subnet": "subnet",
    "aws:ec2/vpc:Vpc": "vpc",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": "sgr",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": "sgr",
    "aws:ec2/securityGroupRule:SecurityGroupRule": "sgrule",
    "aws:ec2/capacityReservation:CapacityReservation": "cr",
    "aws:ec2/capacityBlockReservation:CapacityBlockReservation": "cr",
    "aws:ec2/eip:Eip": "eipalloc",
    "aws:ec2/internetGateway:InternetGateway": "igw",
    "aws:ec2/natGateway:NatGateway": "nat",
    "aws:ec2/routeTable:RouteTable": "rtb",
    "aws:ec2/routeTableAssociation:RouteTableAssociation": "rtbassoc",
    "aws:ec2/vpcEndpoint:VpcEndpoint": "vpce",
    "aws:fsx/lustreFileSystem:LustreFileSystem": "fs",
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": "dra",
}
_HYPERPOD = "aws-native:sagemaker:Cluster"
_CLOUD_CONTROL = "aws-native:index:ExtensionResource"
_PCS_CLUSTER = "AWS::PCS::Cluster"
_PCS = {
    "aws-native:pcs:Cluster": "",
    "aws-native:pcs:ComputeNodeGroup": "/computenodegroup/",
    "aws-native:pcs:Queue": "/queue/",
}
"""Resources of PCS, and how their ARN goes on after that of the cluster."""
_NAMED_BY = {
    "aws:iam/role:Role": "name",
    "aws:ec2/placementGroup:PlacementGroup": "name",
    "aws:cloudwatch/logGroup:LogGroup": "name",
    "aws:eks/cluster:Cluster": "name",
    "aws:ecr/repository:Repository": "name",
    "aws:iam/instanceProfile:InstanceProfile": "name",
    "aws:cloudwatch/eventRule:EventRule": "name",
    "aws:autoscaling/group:Group": "name",
    "aws:s3/bucket:Bucket": "bucket",
    "aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer": "trackingServerName",
    "aws:sagemaker/mlflowApp:MlflowApp": "name",
}
_STACK = "aws:cloudformation/stack:Stack"
_QUEUE = "aws:sqs/queue:Queue"
_KEY_PAIR = "aws:ec2/keyPair:KeyPair"


def id_digits(urn: str) -> str:
    """17 hexadecimal digits derived from a URN, as in the ids of AWS."""
    return sha256(urn.encode()).hexdigest()[:17]


def physical_id(urn: str, type_: str, name: str, inputs: Mapping[str, Any], region: str) -> str:
    """The id that the provider would give a resource."""
    if type_ in _NAMED_BY:
        return str(inputs.get(_NAMED_BY[type_]) or f"{inputs.get('bucketPrefix', f'{name}-')}{id_digits(urn)[:7]}")
    if type_ in _IDS:
        return _IDS[type_](urn, name, inputs, region)
    if type_ in _ID_PREFIX:
        return f"{_ID_PREFIX[type_]}-{id_digits(urn)}"
    return f"{name}-{id_digits(urn)[:7]}"


def _stack_arn(urn: str, name: str, inputs: Mapping[str, Any], region: str) -> str:
    """The id of a CloudFormation stack, which is its ARN."""
    digits = id_digits(urn)
    number = f"{digits[:8]}-{digits[8:12]}-4000-8000-{digits[:12]}"
    return f"arn:aws:cloudformation:{region}:{ACCOUNT}:stack/{inputs.get('name', name)}/{number}"


def _key_name(urn: str, name: str, inputs: Mapping[str, Any], _region: str) -> str:
    return str(inputs.get("keyName") or f"{inputs.get('keyNamePrefix', f'{name}-')}{id_digits(urn)[:7]}")


def _node_group_id(urn: str, name: str, inputs: Mapping[str, Any], _region: str) -> str:
    return f"{inputs.get('clusterName', '')}:{name}-{id_digits(urn)[:7]}"


def _hyperpod_id(urn: str, _name: str, _inputs: Mapping[str, Any], _region: str) -> str:
    return id_digits(urn)[:12]


def _pcs_token(urn: str) -> str:
    return f"pcs_{id_digits(urn)[:10]}"


def _cloud_control_id(urn: str, name: str, inputs: Mapping[str, Any], region: str) -> str:
    """The id of a resource in Cloud Control: for a cluster of PCS, its ARN."""
    of_pcs = inputs.get("type") == _PCS_CLUSTER
    return f"arn:aws:pcs:{region}:{ACCOUNT}:cluster/{_pcs_token(urn)}" if of_pcs else f"{name}-{id_digits(urn)[:7]}"


def _cloud_control(urn: str, id_: str, inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    """The outputs of a resource in Cloud Control, with the names of CloudFormation."""
    if inputs.get("type") != _PCS_CLUSTER:
        return {"outputs": {}}
    address = f"10.0.0.{int(id_digits(urn)[:2], 16)}"
    endpoint = {"Type": "SLURMCTLD", "PrivateIpAddress": address, "Port": "6817"}
    return {"outputs": {"Id": _pcs_token(urn), "Arn": id_, "Status": "ACTIVE", "Endpoints": [endpoint]}}


def _pcs_id(urn: str, _name: str, inputs: Mapping[str, Any], region: str) -> str:
    below = _PCS[urn.split("::")[2].rpartition("$")[2]]
    of = f"{inputs.get('clusterId')}{below}{_pcs_token(urn)}" if below else _pcs_token(urn)
    return f"arn:aws:pcs:{region}:{ACCOUNT}:cluster/{of}"


def _pcs_part(urn: str, id_: str, _inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    return {"arn": id_, "awsId": _pcs_token(urn), "status": "ACTIVE"}


def _queue_url(_urn: str, name: str, inputs: Mapping[str, Any], region: str) -> str:
    """The id of an SQS queue, which is its address."""
    return f"https://sqs.{region}.{domain_of(region)}/{ACCOUNT}/{inputs.get('name', name)}"


_IDS: Mapping[str, Callable[[str, str, Mapping[str, Any], str], str]] = {
    "aws:eks/nodeGroup:NodeGroup": _node_group_id,
    _HYPERPOD: _hyperpod_id,
    _CLOUD_CONTROL: _cloud_control_id,
    **dict.fromkeys(_PCS, _pcs_id),
    _KEY_PAIR: _key_name,
    _STACK: _stack_arn,
    _QUEUE: _queue_url,
}
"""Type -> its id, for types whose ids have a special format."""


def computed_properties(urn: str, type_: str, name: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The properties that only the provider knows; the monitor repeats the inputs. An unknown input counts as not set:
    a preview hides the properties that depend on it (`_default_if_unset` in `monitor.py`)."""
    inputs = {key: value for key, value in inputs.items() if value is not UNKNOWN}
    id_ = physical_id(urn, type_, name, inputs, region)
    service = type_.partition(":")[2].partition("/")[0]
    arn = iam_arn(type_, inputs, ACCOUNT, id_) if service == "iam" else f"arn:aws:{service}:{region}:{ACCOUNT}:{id_}"
    base = {"arn": arn} if type_.startswith("aws:") else {}
    more = _COMPUTED.get(type_)
    return {**base, **(more(urn, id_, inputs, region) if more else {})}


def iam_arn(type_: str, inputs: Mapping[str, Any], account: str, name: str) -> str:
    """The ARN of a role, a policy or an instance profile: without a Region, with its path."""
    kind = re.sub(r"\B(?=[A-Z])", "-", type_.rpartition(":")[2]).lower()
    return f"arn:aws:iam::{account}:{kind}{inputs.get('path', '/')}{name}"


def _role(urn: str, id_: str, _inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    return {"name": id_, "uniqueId": f"AROA{id_digits(urn).upper()}"}


def _cluster(urn: str, id_: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    issuer = f"https://oidc.eks.{region}.amazonaws.com/id/{id_digits(urn).upper()}"
    network = inputs.get("vpcConfig")
    return {
        "arn": f"arn:aws:eks:{region}:{ACCOUNT}:cluster/{id_}",
        "name": id_,
        "endpoint": f"https://{id_digits(urn).upper()}.gr7.{region}.eks.amazonaws.com",
        "certificateAuthority": {"data": "Q0VSVElGSUNBVEU="},
        "identities": [{"oidcs": [{"issuer": issuer}]}],
        "vpcConfig": {
            **(network if isinstance(network, Mapping) else {}),
            "clusterSecurityGroupId": f"sg-{id_digits(urn)}",
        },
        "kubernetesNetworkConfig": {"serviceIpv4Cidr": SERVICE_CIDR, "ipFamily": "ipv4"},
        "status": "ACTIVE",
        "platformVersion": "eks.1",
    }


def _template(_urn: str, id_: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    return {
        "arn": f"arn:aws:ec2:{region}:{ACCOUNT}:launch-template/{id_}",
        "name": id_,
        "latestVersion": 1,
        "defaultVersion": 1,
    }


def _node_group(_urn: str, id_: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    cluster, _, name = id_.partition(":")
    return {
        "arn": f"arn:aws:eks:{region}:{ACCOUNT}:nodegroup/{cluster}/{name}",
        "nodeGroupName": inputs.get("nodeGroupName", name),
        "resources": [{"autoscalingGroups": [{"name": f"eks-{name}"}]}],
        "status": "ACTIVE",
    }


def _address(urn: str, _id: str, _inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    return {"publicIp": f"198.51.100.{int(id_digits(urn)[:2], 16)}"}


def _key(urn: str, _id: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    digits = id_digits(urn)
    key = f"{digits[:8]}-{digits[8:12]}-4000-8000-{digits[:12]}"
    return {"arn": f"arn:aws:kms:{region}:{ACCOUNT}:key/{key}", "keyId": key}


def _log_group(_urn: str, id_: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    return {"arn": f"arn:aws:logs:{region}:{ACCOUNT}:log-group:{id_}"}


def _named(_urn: str, id_: str, _inputs: Mapping[str, Any], _region: str) -> dict[str, Any]:
    return {"name": id_}


def _event_rule(_urn: str, id_: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    return {"arn": f"arn:aws:events:{region}:{ACCOUNT}:rule/{id_}", "name": id_}


def _queue(_urn: str, id_: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    name = id_.rpartition("/")[2]
    return {"arn": f"arn:aws:sqs:{region}:{ACCOUNT}:{name}", "name": name, "url": id_}


def _repository(_urn: str, id_: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    return {
        "arn": f"arn:aws:ecr:{region}:{ACCOUNT}:repository/{id_}",
        "repositoryUrl": f"{ACCOUNT}.dkr.ecr.{region}.amazonaws.com/{id_}",
    }


def _resource_group(_urn: str, _id: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    return {"arn": f"arn:aws:resource-groups:{region}:{ACCOUNT}:group/{inputs.get('name', _id)}"}


def _lustre(urn: str, id_: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The mount name of SCRATCH_1 is always ``fsx``; all others have a mount name of 8 characters."""
    scratch_1 = inputs.get("deploymentType", "SCRATCH_1") == "SCRATCH_1"
    return {
        "arn": f"arn:aws:fsx:{region}:{ACCOUNT}:file-system/{id_}",
        "dnsName": f"{id_}.fsx.{region}.{domain_of(region)}",
        "mountName": "fsx" if scratch_1 else id_digits(urn)[:8],
        "networkInterfaceIds": [f"eni-{id_digits(urn)}"],
        "ownerId": ACCOUNT,
        "vpcId": f"vpc-{id_digits(urn)}",
    }


def _bucket(_urn: str, id_: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    domain = f"{id_}.s3.{region}.{domain_of(region)}"
    return {"arn": f"arn:aws:s3:::{id_}", "bucket": id_, "region": region, "bucketRegionalDomainName": domain}


def _key_pair(urn: str, id_: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    pair = f"key-{id_digits(urn)}"
    return {"arn": f"arn:aws:ec2:{region}:{ACCOUNT}:key-pair/{id_}", "keyName": id_, "keyPairId": pair}


def _cloudformation_stack(urn: str, _id: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The outputs of a CloudFormation stack."""
    return {"outputs": stack_outputs(id_digits(urn), inputs, region, ACCOUNT)}


def _tracking_server(urn: str, id_: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    return {
        "arn": f"arn:aws:sagemaker:{region}:{ACCOUNT}:mlflow-tracking-server/{id_}",
        "trackingServerUrl": f"https://t-{id_digits(urn)[:12]}.{region}.experiments.sagemaker.aws",
    }


def _mlflow_app(urn: str, _id: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    """Its name is no part of its ARN (SageMaker API reference, CreateMlflowApp)."""
    return {"arn": f"arn:aws:sagemaker:{region}:{ACCOUNT}:mlflow-app/app-{id_digits(urn)[:12].upper()}"}


def _hyperpod(_urn: str, id_: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The outputs of a HyperPod cluster. `id_` is the last part of its ARN; in Cloud Control the id is the whole
    ARN."""
    return {
        "clusterArn": f"arn:aws:sagemaker:{region}:{ACCOUNT}:cluster/{id_}",
        "clusterStatus": "InService",
        "creationTime": "2026-11-21T12:00:00Z",
        "failureMessage": "",
    }


def _compute_quota(urn: str, _id: str, _inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    id_ = id_digits(urn)[:12]
    return {
        "computeQuotaArn": f"arn:aws:sagemaker:{region}:{ACCOUNT}:compute-quota/{id_}",
        "computeQuotaId": id_,
        "computeQuotaVersion": 1,
        "creationTime": "2026-11-21T12:00:00Z",
        "lastModifiedTime": "2026-11-21T12:00:00Z",
        "status": "Created",
    }


def _association(_urn: str, id_: str, inputs: Mapping[str, Any], region: str) -> dict[str, Any]:
    owner = inputs.get("fileSystemId", "")
    return {"arn": f"arn:aws:fsx:{region}:{ACCOUNT}:association/{owner}/{id_}", "associationId": id_}


_COMPUTED: Mapping[str, Callable[[str, str, Mapping[str, Any], str], dict[str, Any]]] = {
    "aws:iam/role:Role": _role,
    "aws:eks/cluster:Cluster": _cluster,
    "aws:ec2/launchTemplate:LaunchTemplate": _template,
    "aws:eks/nodeGroup:NodeGroup": _node_group,
    "aws:ec2/eip:Eip": _address,
    "aws:kms/key:Key": _key,
    "aws:cloudwatch/logGroup:LogGroup": _log_group,
    "aws:iam/instanceProfile:InstanceProfile": _named,
    "aws:cloudwatch/eventRule:EventRule": _event_rule,
    _QUEUE: _queue,
    "aws:autoscaling/group:Group": _named,
    "aws:ecr/repository:Repository": _repository,
    "aws:fsx/lustreFileSystem:LustreFileSystem": _lustre,
    "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation": _association,
    "aws:resourcegroups/group:Group": _resource_group,
    _HYPERPOD: _hyperpod,
    _CLOUD_CONTROL: _cloud_control,
    **dict.fromkeys(_PCS, _pcs_part),
    "aws-native:sagemaker:ComputeQuota": _compute_quota,
    "aws:s3/bucket:Bucket": _bucket,
    _KEY_PAIR: _key_pair,
    _STACK: _cloudformation_stack,
    "aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer": _tracking_server,
    "aws:sagemaker/mlflowApp:MlflowApp": _mlflow_app,
}


def existing_cluster(name: str, region: str, described: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of `aws.eks.get_cluster` for a cluster that exists as described.

    Args:
        name: the cluster's name.
        region: the cluster's Region.
        described: ``version``, ``authenticationMode``, ``securityGroup`` and ``vpc``.
    """
    made = _cluster(f"existing/{name}", name, {}, region)
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
