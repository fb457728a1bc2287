"""Ids and names of AWS resources, each its own type. A placeholder may replace an id until `pulumi up`."""

import re
from hashlib import sha256
from ipaddress import IPv4Network
from typing import Annotated

from pydantic import AfterValidator, Field

from muster.config.description.base import Form, TextOrList, unique_items
from muster.config.placeholders import PLACEHOLDER, is_documentation
from muster.secret_texts import mark

_HEX = rf"([0-9a-f]{{8}}|[0-9a-f]{{17}}|{PLACEHOLDER}[a-z0-9-]*)"


def _id(prefix: str, of: str) -> Form:
    example = f"{prefix}-0123456789abcdef0 (or {prefix}-{PLACEHOLDER} until you have it)"
    return Form(f"{prefix}-{_HEX}", f"the id of a {of}", example)


VpcId = Annotated[str, _id("vpc", "VPC")]
_SUBNET = _id("subnet", "subnet")
SubnetId = Annotated[str, _SUBNET]
SubnetList = Annotated[tuple[SubnetId, ...], Field(min_length=1), AfterValidator(unique_items)]
_ONE_SUBNET = {"type": "string", "pattern": f"^{_SUBNET.pattern}$"}
SubnetIds = Annotated[SubnetList, TextOrList(lambda value: (_SUBNET(value),), _ONE_SUBNET)]
"""One subnet, or several."""
SecurityGroupId = Annotated[str, _id("sg", "security group")]
ReservationId = Annotated[str, _id("cr", "capacity reservation")]
ImageId = Annotated[str, _id("ami", "machine image")]
FileSystemId = Annotated[str, _id("fs", "file system")]
VolumeId = Annotated[str, _id("vol", "volume of EBS")]
OpenZfsVolumeId = Annotated[str, _id("fsvol", "volume of FSx for OpenZFS")]


def _arn(service: str, rest: str, what: str, example: str) -> Form:
    """The ARN of a resource of a service; IAM's have no Region."""
    region, shown = ("", "") if service == "iam" else ("[a-z0-9-]+", "REGION")
    pattern = rf"arn:aws[a-z-]*:{service}:{region}:\d{{12}}:{rest}"
    return Form(pattern, f"the ARN of {what}", f"arn:aws:{service}:{shown}:ACCOUNT:{example}")


OfferingId = Annotated[
    str,
    Form(rf"cb-([0-9A-Za-z]{{8,40}}|{PLACEHOLDER}[a-z0-9-]*)", "a Capacity Block offering", "cb-0123456789abcdef0"),
]
_GROUP = _arn("resource-groups", r"group/[A-Za-z0-9_.-]{1,300}(/[a-z0-9]{26})?", "a resource group", "group/NAME")
ResourceGroupArn = Annotated[str, _GROUP]
_RESERVATION = _arn(
    "ec2", f"capacity-reservation/cr-{_HEX}", "a reservation", "capacity-reservation/cr-0123456789abcdef0"
)
ReservationArn = Annotated[str, _RESERVATION]
_PLAN = _arn("sagemaker", "training-plan/[A-Za-z0-9](-*[A-Za-z0-9]){0,63}", "a training plan", "training-plan/NAME")
TrainingPlanArn = Annotated[str, _PLAN]
_IN_IAM = r"/([!-~]{1,510}/)?[\w+=,.@-]{1,64}"
"""A path, if there is one, and a name (`pathType`, `roleNameType` and `userNameType` of IAM's API)."""
RoleArn = Annotated[str, _arn("iam", f"role{_IN_IAM}", "an IAM role", "role/NAME")]
RoleOrProfileArn = Annotated[
    str, _arn("iam", f"(role|instance-profile){_IN_IAM}", "an IAM role or instance profile", "role/NAME")
]
ManagedPolicyArn = Annotated[
    str,
    Form(
        r"arn:aws[a-z-]*:iam::(\d{12}|aws):policy/[\w+=,.@/-]{1,512}",
        "the ARN of a managed policy",
        "arn:aws:iam::ACCOUNT:policy/NAME, or arn:aws:iam::aws:policy/NAME of AWS",
    ),
]
IamPath = Annotated[
    str,
    Form(r"/([\w.,+@=-]+/)+", "a path in IAM", "/teams/ml/, with a slash at the beginning and at the end", 512),
]
"""The characters that ParallelCluster accepts too (`IAM_PATH_NAME_REGEX` of 3.16.1); IAM accepts more (`pathType`)."""
PolicyArn = Annotated[str, _arn("iam", r"policy/[\w+=,.@/-]{1,512}", "an IAM policy of your account", "policy/NAME")]
OidcProviderArn = Annotated[str, _arn("iam", r"oidc-provider/\S+", "an IAM OIDC provider", "oidc-provider/ISSUER")]
KmsKeyArn = Annotated[str, _arn("kms", "key/(mrk-[0-9a-f]{32}|[0-9a-f-]+)", "a KMS key", "key/ID")]
"""A multi-Region key's id begins with ``mrk-`` (KMS developer guide, "multi-Region keys")."""
SecretArn = Annotated[str, _arn("secretsmanager", "secret:[A-Za-z0-9/_+=.@-]+", "a secret", "secret:NAME")]
PrometheusArn = Annotated[str, _arn("aps", "workspace/ws-[0-9A-Za-z-]+", "a Prometheus workspace", "workspace/ws-ID")]


def _no_service_role(value: str) -> str:
    if ":role/aws-service-role/" in value:
        raise ValueError(
            f"'{value}' is a service-linked role, for which EKS does not allow an access entry; write another role"
        )
    return value


PrincipalArn = Annotated[
    str, _arn("iam", f"(role|user){_IN_IAM}", "an IAM role or user", "role/NAME"), AfterValidator(_no_service_role)
]
HyperPodName = Annotated[
    str,
    Form(
        r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}",
        "a HyperPod cluster's name",
        "ml-cluster, with at most 63 letters, digits and dashes",
    ),
]
LifecycleBucket = Annotated[
    str,
    Form(
        r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9!_.*'()/-]*)?",
        "a folder of lifecycle scripts in S3",
        "s3://sagemaker-my-bucket/lifecycle",
    ),
]
ScriptName = Annotated[str, Form(r"[A-Za-z0-9_.-]{1,128}", "a script's file name", "on_create.sh")]
AccountId = Annotated[str, Form(r"\d{12}", "an AWS account", "111122223333")]
ImageRelease = Annotated[str, Form(r"\d+\.\d+\.\d+", "a release of HyperPod's image", "1.2.3")]
ParameterPath = Annotated[
    str,
    Form(r"/?[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*", "the name of an SSM parameter", "/teams/ml/images/training-2026-11"),
]
KeyPairName = Annotated[str, Form(r"[!-~]([ -~]{0,253}[!-~])?", "the name of an EC2 key pair", "ml-admins")]
DnsName = Annotated[
    str,
    Form(
        r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+",
        "a DNS name",
        "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
    ),
]
DataPath = Annotated[
    str, Form(r"(/|(/[^/\s]+)+)", "a path in the file system", "/imagenet, without a slash at its end")
]
MountName = Annotated[str, Form(r"[A-Za-z0-9_-]+", "a mount name", "a1b2cdef")]
FullStackName = Annotated[
    str,
    Form(
        r"[A-Za-z0-9_-]+/[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}",
        "a stack's full name",
        "organization/muster/p5-odcr",
    ),
]
"""``organization/project/stack``: the argument of a stack reference. With a self-managed state backend, the
organization is `organization`."""
ExistingClusterName = Annotated[
    str,
    Form(
        r"[0-9A-Za-z][A-Za-z0-9_-]{0,99}",
        "the name of an EKS cluster",
        "ml-prod, with at most 100 letters, digits, dashes and underscores, and a letter or digit first",
    ),
]
"""The pattern of EKS (`ClusterName` of its API)."""
BucketName = Annotated[
    str,
    Form(
        r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]",
        "the name of a bucket",
        "my-bucket, without s3://, with 3 to 63 lower-case letters, digits, dashes and dots",
    ),
]
_S3 = Form(
    r"s3://[A-Za-z0-9._-]{3,255}(/[A-Za-z0-9!_.*'()/=+@:,;&~-]*)?", "a location in S3", "s3://my-bucket/datasets"
)
S3Path = Annotated[str, _S3]
"""In an existing bucket: older buckets in us-east-1 may have capitals, underscores and 255 characters (S3 user guide,
"General purpose bucket naming rules")."""
S3_FORM = f"^{_S3.pattern}$"

_S3_ADDRESS = re.compile(r"s3://(?P<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(/.*)?")
_FOUR_NUMBERS = re.compile(r"\d+\.\d+\.\d+\.\d+")
_RESERVED_STARTS = ("xn--", "sthree-", "amzn-s3-demo-")
_RESERVED_ENDS = ("-s3alias", "--ol-s3", ".mrap")


def names_bucket(address: str) -> bool:
    """Whether an address (``s3://my-bucket/datasets``) contains a name that S3 allows for new buckets (S3 user guide,
    "General purpose bucket naming rules")."""
    found = _S3_ADDRESS.fullmatch(address)
    if found is None:
        return False
    name = found["bucket"]
    odd = ".." in name or _FOUR_NUMBERS.fullmatch(name)
    return not odd and not name.startswith(_RESERVED_STARTS) and not name.endswith(_RESERVED_ENDS)


def _current_bucket(value: str) -> str:
    if not names_bucket(value):
        raise ValueError(
            f"'{value}' does not contain a valid bucket name; write s3:// and 3 to 63 lower-case letters, digits, "
            "dashes and dots"
        )
    return value


BucketPath = Annotated[str, _S3, AfterValidator(_current_bucket)]


def _network(value: str, example: str = "198.51.100.0/24") -> IPv4Network:
    try:
        return IPv4Network(value, strict=True)
    except ValueError as fault:
        raise ValueError(f"'{value}' is not an IPv4 network ({fault}); write one like {example}") from None


_WHOLE_WORLD = re.compile(r".*/0+")


def _any_cidr(value: str) -> str:
    if _WHOLE_WORLD.fullmatch(value) and value != "0.0.0.0/0":
        raise ValueError(
            f"'{value}' opens SSH to the whole internet: /0 is every address; write the network from which you log "
            "in, like 198.51.100.0/24"
        )
    return str(_network(value))


AnyCidr = Annotated[str, AfterValidator(_any_cidr)]
"""A network that may be private, because users may reach a head node over a VPN."""


def _cidr(value: str) -> str:
    network = _network(value)
    if network.is_private and not is_documentation(network):
        raise ValueError(
            f"'{value}' is a private network, but EKS allows only public ones here; remove it: the VPC always "
            "reaches the endpoint"
        )
    return str(network)


Cidr = Annotated[str, AfterValidator(_cidr)]

_NEVER_A_VPCS = {
    IPv4Network("0.0.0.0/8"): 'in "this network"',
    IPv4Network("127.0.0.0/8"): "a loopback network",
    IPv4Network("169.254.0.0/16"): "a link-local network",
    IPv4Network("224.0.0.0/4"): "a multicast network",
}
"""Networks that EC2 refuses for a VPC. It accepts public ones (Amazon VPC user guide, "VPC CIDR blocks")."""
_WIDEST, _NARROWEST = 16, 22
"""AWS accepts a VPC of /16 to /28. In a VPC smaller than /22, Muster's subnets have addresses for a few nodes only."""


def _vpc_cidr(value: str) -> str:
    network = _network(value, "10.0.0.0/16")
    for reserved, what in _NEVER_A_VPCS.items():
        if network.overlaps(reserved):
            raise ValueError(
                f"'{value}' is {what} ({reserved}), which EC2 does not allow for a VPC; write one like 10.0.0.0/16"
            )
    if "/" not in value:
        raise ValueError(f"'{value}' has no size; write {value}/{_WIDEST}")
    if not _WIDEST <= network.prefixlen <= _NARROWEST:
        raise ValueError(
            f"'{value}' has an unsupported size for a VPC; write a network from /{_WIDEST} to /{_NARROWEST}"
        )
    return str(network)


VpcCidr = Annotated[str, AfterValidator(_vpc_cidr)]

_NAME = r"[a-z]([a-z0-9-]*[a-z0-9])?"
LONGEST_CLUSTER_NAME = 40


def _name(longest: int, why: str = "") -> Form:
    example = f"ml-prod: lower-case letters, digits and dashes, at most {longest} characters, with a letter first{why}"
    return Form(_NAME, "a valid name", example, longest)


_CLUSTER_NAME = _name(
    LONGEST_CLUSTER_NAME,
    " (EKS allows longer names, but Muster adds suffixes for the names of roles, buckets, repositories and "
    "placement groups)",
)
ClusterName = Annotated[str, _CLUSTER_NAME]
GroupName = Annotated[str, _name(36)]
"""36: EKS allows 63 characters, and the provider's suffix needs a dash and 26 characters."""
StorageName = GroupName
"""The name of a file system: volumes and claims in Kubernetes carry it."""
SlurmName = Annotated[str, _name(60)]
"""The name of a cluster in ParallelCluster (`PCLUSTER_NAME_MAX_LENGTH`); with accounting at most 40 characters."""


def _not_default(value: str) -> str:
    if value == "default":
        raise ValueError("ParallelCluster does not allow the name 'default'; choose another name")
    return value


QueueName = Annotated[str, _name(25), AfterValidator(_not_default)]
"""The name of a queue, or of a compute resource, in ParallelCluster 3.16.1 (`NAME_MAX_LENGTH`, `NameValidator`)."""

is_cluster_name = _CLUSTER_NAME.fits

_SUBDOMAIN = r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*"
_LABEL_KEY = Form(
    rf"((?=[^/]{{1,253}}/){_SUBDOMAIN}/)?[A-Za-z0-9]([A-Za-z0-9_.-]{{0,61}}[A-Za-z0-9])?",
    "a Kubernetes label or taint key",
    "team or example.com/team",
    drawn=False,
)
"""Kubernetes' qualified names: a DNS subdomain of 253 characters at most, and a name of 63."""
LabelKey = Annotated[str, _LABEL_KEY]
LabelValue = Annotated[
    str,
    Form(
        r"([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?",
        "a valid label value",
        "research: at most 63 letters, digits, dashes, underscores and dots, with a letter or digit at either end",
        drawn=False,
    ),
]
Namespace = Annotated[
    str,
    Form(
        r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
        "a valid namespace",
        "team-a, with lower-case letters, digits and dashes",
        drawn=False,
    ),
]


def _no_credentials(value: str) -> str:
    """Hides what is no name, but what a Secret may contain: JSON, or its base64."""
    if not set('{}"=+/').isdisjoint(value) or (value != value.lower() and len(value) > _LONGEST_LABEL):
        mark(value)
        raise ValueError("this is no name of a Secret, but what a Secret may contain; write only its name")
    return value


_LONGEST_LABEL = 63
SecretName = Annotated[
    str,
    AfterValidator(_no_credentials),
    Form(
        r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*",
        "the name of a Secret",
        "registry-login",
        253,
        drawn=False,
    ),
]
KubernetesGroup = Annotated[
    str,
    Form(r"(?!(system|eks|aws|amazon|iam):)[^\s,]{1,253}", "a group that EKS accepts", "team-a", drawn=False),
]
"""A group of Kubernetes RBAC. EKS reserves these prefixes: CreateAccessEntry answers "The kubernetes group name
system:masters is invalid, it cannot start with system:"."""
NamespacePattern = Annotated[
    str,
    Form(
        r"[a-z0-9*]([a-z0-9*-]{0,61}[a-z0-9*])?",
        "a valid namespace pattern",
        "dev-*, with lower-case letters, digits and dashes, and * for any of them",
        drawn=False,
    ),
]
"""The namespaces of an access policy (EKS user guide, "Associate access policies with access entries")."""

_NOT_YOURS = re.compile(r"([a-z0-9.-]+\.)?(kubernetes|k8s)\.io/|eks:|muster:|(?i:aws:)")
"""Tags by which AWS, EKS, Kubernetes' controllers and Muster identify their resources: `kubernetes.io/cluster/NAME`,
`k8s.io/cluster-autoscaler/...`, `eks:nodegroup-name`, `muster:stack`."""


def _tag_key(value: str) -> str:
    if _NOT_YOURS.match(value):
        raise ValueError(f"only AWS, Kubernetes and Muster may set the tag '{value}'; choose another key")
    return value


def _node_label_key(value: str) -> str:
    prefix = value.partition("/")[0] if "/" in value else ""
    if prefix == "muster" or prefix.endswith(("kubernetes.io", "k8s.io")) or prefix == "eks.amazonaws.com":
        raise ValueError(f"only Kubernetes, EKS and Muster may set the label '{value}'; use another prefix, or none")
    return value


NodeLabelKey = Annotated[str, AfterValidator(_node_label_key), _LABEL_KEY]
TagKey = Annotated[str, AfterValidator(_tag_key)]


_DIGITS = 6


def aws_name_stem(cluster_name: str) -> str:
    """The cluster's name, or a name derived from it if buckets, repositories and similar resources do not allow it.

    The name of an existing EKS cluster may have capitals, underscores and 100 characters. The digits of the digest
    distinguish `ML_Prod` from `ml-prod`.
    """
    if is_cluster_name(cluster_name):
        return cluster_name
    plain = re.sub("[^a-z0-9]+", "-", cluster_name.lower()).strip("-")
    begins = plain if plain[:1].isalpha() else f"c-{plain}".rstrip("-")
    digest = sha256(cluster_name.encode()).hexdigest()[:_DIGITS]
    return f"{begins[: LONGEST_CLUSTER_NAME - _DIGITS - 1].rstrip('-')}-{digest}"


_GIVEN = re.compile(r"(?P<group>.+)-\d{18}[0-9a-f]{8}")
"""The requested prefix (`nodeGroupNamePrefix`), and the suffix that the provider adds: the time in tenths of a
millisecond, and a counter (terraform-plugin-sdk, `helper/id`, `PrefixedUniqueId`)."""


def group_of_generated_name(name: str) -> str | None:
    """The group of a generated name: ``workers`` for ``workers-2026112110304512340000000a``; None for a name of another
    format."""
    given = _GIVEN.fullmatch(name)
    return given["group"] if given else None
