"""Ids and names of AWS resources, each its own type, and the placeholders that may replace them until `pulumi up`."""

import re
from collections.abc import Callable
from hashlib import sha256
from ipaddress import IPv4Network
from typing import Annotated, Any

from pydantic import AfterValidator, Field

PLACEHOLDER = "fill-me-in"
"""What follows the dash in a placeholder id: ``subnet-fill-me-in-private-a``."""

_PLAIN_ID = re.compile(r"[a-z][a-z0-9-]*")
"""The format of ids."""

_DOCUMENTATION_ADDRESS = re.compile(r"((https|oci)://)?([a-z0-9-]+\.)*example\.(com|net|org)(:\d+)?(/.*)?")
"""RFC 2606: domains for documentation, with or without scheme and path, as in addresses of charts and images."""

DOCUMENTATION_ACCOUNTS = ("111122223333", "123456789012", "444455556666")
"""Account numbers that AWS's documentation uses; an ARN with one of them was copied, not filled in."""

_ECR = re.compile(r"(?:oci://)?(\d{12})\.dkr\.ecr\.")
"""A registry, with its account."""

DOCUMENTATION_NETWORK = "203.0.113.0/24"
"""A placeholder for a network, one of those below."""

_DOCUMENTATION_NETWORKS = tuple(IPv4Network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", DOCUMENTATION_NETWORK))
"""RFC 5737: addresses for documentation, which no real network has."""


def _id(prefix: str, example: str) -> tuple[Callable[[str], str], str]:
    form = f"{prefix}-([0-9a-f]{{8}}|[0-9a-f]{{17}}|{PLACEHOLDER}[a-z0-9-]*)"

    compiled = re.compile(form)  # pattern: no part of it is ambiguous

    def check(value: str) -> str:
        if not compiled.fullmatch(value):
            raise ValueError(
                f"'{value}' is not the id of a {example}; write {prefix}- and 17 hexadecimal digits (or "
                f"{prefix}-{PLACEHOLDER} until you have it)"
            )
        return value

    return check, f"^{form}$"


_vpc, _vpc_form = _id("vpc", "VPC")
_subnet, _subnet_form = _id("subnet", "subnet")
_group, _group_form = _id("sg", "security group")
_reservation, _reservation_form = _id("cr", "capacity reservation")
_image, _image_form = _id("ami", "machine image")
_file_system, _file_system_form = _id("fs", "file system")

VpcId = Annotated[str, AfterValidator(_vpc), Field(json_schema_extra={"pattern": _vpc_form})]
SubnetId = Annotated[str, AfterValidator(_subnet), Field(json_schema_extra={"pattern": _subnet_form})]
SecurityGroupId = Annotated[str, AfterValidator(_group), Field(json_schema_extra={"pattern": _group_form})]
ReservationId = Annotated[str, AfterValidator(_reservation), Field(json_schema_extra={"pattern": _reservation_form})]
ImageId = Annotated[str, AfterValidator(_image), Field(json_schema_extra={"pattern": _image_form})]
FileSystemId = Annotated[str, AfterValidator(_file_system), Field(json_schema_extra={"pattern": _file_system_form})]


def _matching(form: re.Pattern[str], what: str, example: str) -> tuple[Callable[[str], str], str]:
    def check(value: str) -> str:
        if not form.fullmatch(value):
            raise ValueError(f"'{value}' is not {what}; write one like {example}")
        return value

    return check, f"^{form.pattern}$"


_offering, _offering_form = _matching(
    re.compile(rf"cb-([0-9A-Za-z]{{8,40}}|{PLACEHOLDER}[a-z0-9-]*)"),
    "a Capacity Block offering",
    "cb-0123456789abcdef0",
)
_resource_group, _resource_group_form = _matching(
    re.compile(r"arn:aws[a-z-]*:resource-groups:[a-z0-9-]+:\d{12}:group/[A-Za-z0-9_.-]{1,300}(/[a-z0-9]{26})?"),
    "the ARN of a resource group",
    "arn:aws:resource-groups:REGION:ACCOUNT:group/NAME",
)
_reservation_arn, _reservation_arn_form = _matching(
    re.compile(
        rf"arn:aws[a-z-]*:ec2:[a-z0-9-]+:\d{{12}}:capacity-reservation/cr-([0-9a-f]{{8}}|[0-9a-f]{{17}}|{PLACEHOLDER}[a-z0-9-]*)"
    ),
    "the ARN of a capacity reservation",
    "arn:aws:ec2:REGION:ACCOUNT:capacity-reservation/cr-0123456789abcdef0",
)
_training_plan, _training_plan_form = _matching(
    re.compile(r"arn:aws[a-z-]*:sagemaker:[a-z0-9-]+:\d{12}:training-plan/[A-Za-z0-9](-*[A-Za-z0-9]){0,63}"),
    "the ARN of a training plan",
    "arn:aws:sagemaker:REGION:ACCOUNT:training-plan/NAME",
)
_hyperpod_name, _hyperpod_name_form = _matching(
    re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}"),
    "a HyperPod cluster's name",
    "ml-cluster, with at most 63 letters, digits and dashes",
)
_lifecycle_bucket, _lifecycle_bucket_form = _matching(
    re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9!_.*'()/-]*)?"),
    "a folder of lifecycle scripts in S3",
    "s3://sagemaker-my-bucket/lifecycle",
)
_script, _script_form = _matching(re.compile(r"[A-Za-z0-9_.-]{1,128}"), "a script's file name", "on_create.sh")
_account, _account_form = _matching(re.compile(r"\d{12}"), "an AWS account", "111122223333")
_release, _release_form = _matching(re.compile(r"\d+\.\d+\.\d+"), "a release of HyperPod's image", "1.2.3")
_parameter, _parameter_form = _matching(
    re.compile(r"/?[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*"),
    "the name of an SSM parameter",
    "/teams/ml/images/training-2026-11",
)
_key_pair, _key_pair_form = _matching(
    re.compile(r"[!-~]([ -~]{0,253}[!-~])?"), "the name of an EC2 key pair", "ml-admins"
)
_dns, _dns_form = _matching(
    re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+"),
    "a DNS name",
    "fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com",
)
_bucket, _bucket_form = _matching(
    re.compile(r"s3://[A-Za-z0-9._-]{3,255}(/[A-Za-z0-9!_.*'()/=+@:,;&~-]*)?"),
    "a location in S3",
    "s3://my-bucket/datasets",
)

S3_FORM = _bucket_form

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


_BUCKET_NAME = r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]"


def _bucket_name(value: str) -> str:
    if not re.fullmatch(_BUCKET_NAME, value):
        form = "use 3 to 63 lower-case letters, digits, dashes and dots"
        remedy = "write the name alone, without s3://" if value.startswith("s3:") else form
        raise ValueError(f"'{value}' is not the name of a bucket; {remedy}")
    return value


_data_path, _data_path_form = _matching(
    re.compile(r"(/|(/[^/\s]+)+)"), "a path in the file system", "/imagenet, without a slash at its end"
)
_mount_name, _mount_name_form = _matching(re.compile(r"[A-Za-z0-9_-]+"), "a mount name", "a1b2cdef")
_stack, _stack_form = _matching(
    re.compile(r"[A-Za-z0-9_-]+/[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}"),
    "a stack's full name",
    "organization/muster/p5-odcr",
)

AccountId = Annotated[str, AfterValidator(_account), Field(json_schema_extra={"pattern": _account_form})]
OfferingId = Annotated[str, AfterValidator(_offering), Field(json_schema_extra={"pattern": _offering_form})]
ResourceGroupArn = Annotated[
    str, AfterValidator(_resource_group), Field(json_schema_extra={"pattern": _resource_group_form})
]
ReservationArn = Annotated[
    str, AfterValidator(_reservation_arn), Field(json_schema_extra={"pattern": _reservation_arn_form})
]
TrainingPlanArn = Annotated[
    str, AfterValidator(_training_plan), Field(json_schema_extra={"pattern": _training_plan_form})
]
HyperPodName = Annotated[str, AfterValidator(_hyperpod_name), Field(json_schema_extra={"pattern": _hyperpod_name_form})]
LifecycleBucket = Annotated[
    str, AfterValidator(_lifecycle_bucket), Field(json_schema_extra={"pattern": _lifecycle_bucket_form})
]
ScriptName = Annotated[str, AfterValidator(_script), Field(json_schema_extra={"pattern": _script_form})]
ImageRelease = Annotated[str, AfterValidator(_release), Field(json_schema_extra={"pattern": _release_form})]
ParameterPath = Annotated[str, AfterValidator(_parameter), Field(json_schema_extra={"pattern": _parameter_form})]
KeyPairName = Annotated[str, AfterValidator(_key_pair), Field(json_schema_extra={"pattern": _key_pair_form})]
DnsName = Annotated[str, AfterValidator(_dns), Field(json_schema_extra={"pattern": _dns_form})]
BucketPath = Annotated[
    str, AfterValidator(_bucket), AfterValidator(_current_bucket), Field(json_schema_extra={"pattern": _bucket_form})
]
BucketName = Annotated[str, AfterValidator(_bucket_name), Field(json_schema_extra={"pattern": f"^{_BUCKET_NAME}$"})]
S3Path = Annotated[str, AfterValidator(_bucket), Field(json_schema_extra={"pattern": _bucket_form})]
"""In an existing bucket: older buckets in us-east-1 may have capitals, underscores and 255 characters (S3 user guide,
"General purpose bucket naming rules")."""
DataPath = Annotated[str, AfterValidator(_data_path), Field(json_schema_extra={"pattern": _data_path_form})]
MountName = Annotated[str, AfterValidator(_mount_name), Field(json_schema_extra={"pattern": _mount_name_form})]
FullStackName = Annotated[str, AfterValidator(_stack), Field(json_schema_extra={"pattern": _stack_form})]
"""``organization/project/stack``: the argument of a stack reference. With a self-managed state backend, the
organization is `organization`."""


def _network(value: str) -> IPv4Network:
    try:
        return IPv4Network(value, strict=True)
    except ValueError as fault:
        raise ValueError(f"'{value}' is not an IPv4 network ({fault}); write one like 198.51.100.0/24") from None


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
    if network.is_private and not any(network.subnet_of(documented) for documented in _DOCUMENTATION_NETWORKS):
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
    try:
        network = IPv4Network(value, strict=True)
    except ValueError as fault:
        raise ValueError(f"'{value}' is not an IPv4 network ({fault}); write one like 10.0.0.0/16") from None
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

_role, _role_form = _matching(
    re.compile(r"arn:aws[a-z-]*:iam::\d{12}:role/([!-~]{1,510}/)?[\w+=,.@-]{1,64}"),
    "the ARN of an IAM role",
    "arn:aws:iam::ACCOUNT:role/NAME",
)
RoleArn = Annotated[str, AfterValidator(_role), Field(json_schema_extra={"pattern": _role_form})]

_policy, _policy_form = _matching(
    re.compile(r"arn:aws[a-z-]*:iam::\d{12}:policy/[\w+=,.@/-]{1,512}"),
    "the ARN of an IAM policy of your account",
    "arn:aws:iam::111122223333:policy/AWSLoadBalancerControllerIAMPolicy",
)
PolicyArn = Annotated[str, AfterValidator(_policy), Field(json_schema_extra={"pattern": _policy_form})]

_oidc_provider, _oidc_provider_form = _matching(
    re.compile(r"arn:aws[a-z-]*:iam::\d{12}:oidc-provider/\S+"),
    "the ARN of an IAM OIDC provider",
    "arn:aws:iam::111122223333:oidc-provider/oidc.eks.us-west-2.amazonaws.com/id/0123456789ABCDEF",
)
OidcProviderArn = Annotated[
    str, AfterValidator(_oidc_provider), Field(json_schema_extra={"pattern": _oidc_provider_form})
]

_PRINCIPAL = re.compile(r"arn:aws[a-z-]*:iam::\d{12}:(role|user)/([!-~]{1,510}/)?[\w+=,.@-]{1,64}")
"""With a path or without (`pathType`, `roleNameType` and `userNameType` of IAM's API)."""


def _principal(value: str) -> str:
    if not _PRINCIPAL.fullmatch(value):
        raise ValueError(f"'{value}' is not the ARN of an IAM role or user; write arn:aws:iam::ACCOUNT:role/NAME")
    if ":role/aws-service-role/" in value:
        raise ValueError(
            f"'{value}' is a service-linked role, for which EKS does not allow an access entry; write another role"
        )
    return value


PrincipalArn = Annotated[
    str, AfterValidator(_principal), Field(json_schema_extra={"pattern": f"^{_PRINCIPAL.pattern}$"})
]

_key, _key_form = _matching(
    re.compile(r"arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key/(mrk-[0-9a-f]{32}|[0-9a-f-]+)"),
    "the ARN of a KMS key",
    "arn:aws:kms:REGION:ACCOUNT:key/ID",
)
KmsKeyArn = Annotated[str, AfterValidator(_key), Field(json_schema_extra={"pattern": _key_form})]
"""A multi-Region key's id begins with ``mrk-`` (KMS developer guide, "multi-Region keys")."""

_secret, _secret_form = _matching(
    re.compile(r"arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[A-Za-z0-9/_+=.@-]+"),
    "the ARN of a secret",
    "arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME",
)
SecretArn = Annotated[str, AfterValidator(_secret), Field(json_schema_extra={"pattern": _secret_form})]

_NAME = re.compile(r"[a-z]([a-z0-9-]*[a-z0-9])?")


def _name(longest: int, why: str = "") -> tuple[Callable[[str], str], dict[str, Any]]:
    def check(value: str) -> str:
        if not _NAME.fullmatch(value) or len(value) > longest:
            raise ValueError(
                f"'{value}' is not a valid name; use lower-case letters, digits and dashes, at most {longest} "
                f"characters, with a letter first{why}"
            )
        return value

    return check, {"pattern": f"^{_NAME.pattern}$", "maxLength": longest}


LONGEST_CLUSTER_NAME = 40

_cluster_name, _cluster_name_form = _name(
    LONGEST_CLUSTER_NAME,
    " (EKS allows longer names, but Muster adds suffixes for the names of roles, buckets, repositories and "
    "placement groups)",
)
_existing_cluster, _existing_cluster_form = _matching(
    re.compile(r"[0-9A-Za-z][A-Za-z0-9_-]{0,99}"),
    "the name of an EKS cluster",
    "ml-prod, with at most 100 letters, digits, dashes and underscores, and a letter or digit first",
)
ExistingClusterName = Annotated[
    str, AfterValidator(_existing_cluster), Field(json_schema_extra={"pattern": _existing_cluster_form})
]
"""The pattern of EKS (`ClusterName` of its API)."""

_group_name, _group_name_form = _name(36)

_slurm_name, _slurm_name_form = _name(60)
ClusterName = Annotated[str, AfterValidator(_cluster_name), Field(json_schema_extra=_cluster_name_form)]
GroupName = Annotated[str, AfterValidator(_group_name), Field(json_schema_extra=_group_name_form)]
"""36: EKS allows 63 characters, and the provider's suffix needs a dash and 26 characters."""


def _short_name(value: str) -> str:
    if value == "default":
        raise ValueError("ParallelCluster does not allow the name 'default'; choose another name")
    return _check_short_name(value)


_check_short_name, _short_name_form = _name(25)

QueueName = Annotated[str, AfterValidator(_short_name), Field(json_schema_extra=_short_name_form)]
"""The name of a queue, or of a compute resource, in ParallelCluster 3.16.1 (`NAME_MAX_LENGTH`, `NameValidator`)."""
SlurmName = Annotated[str, AfterValidator(_slurm_name), Field(json_schema_extra=_slurm_name_form)]
"""The name of a cluster in ParallelCluster (`PCLUSTER_NAME_MAX_LENGTH`); with accounting at most 40 characters."""
StorageName = GroupName
"""The name of a file system: volumes and claims in Kubernetes carry it."""


def is_cluster_name(value: str) -> bool:
    """Whether a text could be a cluster's name."""
    try:
        _cluster_name(value)
    except ValueError:
        return False
    return True


_SUBDOMAIN = r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*"
_QUALIFIED = re.compile(rf"((?=[^/]{{1,253}}/){_SUBDOMAIN}/)?[A-Za-z0-9]([A-Za-z0-9_.-]{{0,61}}[A-Za-z0-9])?")
"""Kubernetes' qualified names: a DNS subdomain of 253 characters at most, and a name of 63."""
_LABEL_VALUE = re.compile(r"([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?")
_NAMESPACE = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_NAMESPACE_PATTERN = re.compile(r"[a-z0-9*]([a-z0-9*-]{0,61}[a-z0-9*])?")
"""With wildcards (EKS user guide, "Associate access policies with access entries": `dev-*`)."""
_AWS_TAG_KEY = 128
_AWS_TAG_VALUE = 256


def _label_key(value: str) -> str:
    if not _QUALIFIED.fullmatch(value):
        raise ValueError(f"'{value}' is not a Kubernetes label or taint key; write one like team or example.com/team")
    return value


def _label_value(value: str) -> str:
    if not _LABEL_VALUE.fullmatch(value):
        raise ValueError(
            f"'{value}' is not a valid label value; use letters, digits, dashes, underscores and dots, at most 63 "
            "characters, with a letter or digit at either end"
        )
    return value


def _namespace(value: str) -> str:
    if not _NAMESPACE.fullmatch(value):
        raise ValueError(f"'{value}' is not a valid namespace; use lower-case letters, digits and dashes")
    return value


def _namespace_pattern(value: str) -> str:
    if not _NAMESPACE_PATTERN.fullmatch(value):
        raise ValueError(
            f"'{value}' is not a valid namespace pattern; use lower-case letters, digits and dashes, and * for any "
            "of them"
        )
    return value


_NOT_YOURS = re.compile(r"([a-z0-9.-]+\.)?(kubernetes|k8s)\.io/|eks:|muster:")
"""Tags by which EKS, Kubernetes' controllers and Muster identify their resources: `kubernetes.io/cluster/NAME`,
`k8s.io/cluster-autoscaler/...`, `eks:nodegroup-name`, `muster:stack`."""


def _tag_key(value: str) -> str:
    if not value or len(value) > _AWS_TAG_KEY or value.lower().startswith("aws:"):
        raise ValueError(
            f"'{value}' is not a tag key that AWS allows; write 1 to {_AWS_TAG_KEY} characters that do not begin "
            "with aws:"
        )
    if _NOT_YOURS.match(value):
        raise ValueError(f"only EKS, Kubernetes and Muster may set the tag '{value}'; choose another key")
    return value


def _tag_value(value: str) -> str:
    if len(value) > _AWS_TAG_VALUE:
        raise ValueError(f"the value of this tag has {len(value)} characters; write at most {_AWS_TAG_VALUE}")
    return value


def _node_label_key(value: str) -> str:
    prefix = value.partition("/")[0] if "/" in value else ""
    if prefix == "muster" or prefix.endswith(("kubernetes.io", "k8s.io")) or prefix == "eks.amazonaws.com":
        raise ValueError(f"only Kubernetes, EKS and Muster may set the label '{value}'; use another prefix, or none")
    return _label_key(value)


NodeLabelKey = Annotated[str, AfterValidator(_node_label_key)]
LabelKey = Annotated[str, AfterValidator(_label_key)]
LabelValue = Annotated[str, AfterValidator(_label_value)]
NamespacePattern = Annotated[str, AfterValidator(_namespace_pattern)]
"""The namespaces of an access policy."""
Namespace = Annotated[str, AfterValidator(_namespace)]
TagKey = Annotated[str, AfterValidator(_tag_key)]
TagValue = Annotated[str, AfterValidator(_tag_value)]


def is_placeholder(value: str) -> bool:
    """Whether a value was copied from documentation or marked to be filled in; AWS must never see it."""
    return bool(placeholder_reason(value))


def placeholder_reason(value: str) -> str:
    """Why a value counts as a placeholder; empty for one that does not."""
    # A real bucket with that name may belong to another account.
    if value.startswith(f"s3://{PLACEHOLDER}") or (f"-{PLACEHOLDER}" in value and _PLAIN_ID.fullmatch(value)):
        return f"contains {PLACEHOLDER}"
    if _DOCUMENTATION_ADDRESS.fullmatch(value):
        return "example domain, RFC 2606"
    registry = _ECR.match(value)
    for account in DOCUMENTATION_ACCOUNTS:
        if (value.startswith("arn:") and f":{account}:" in value) or (registry and registry[1] == account):
            return "example account of AWS's documentation"
    try:
        network = IPv4Network(value)
    except ValueError:
        return ""
    documented = any(network.subnet_of(each) for each in _DOCUMENTATION_NETWORKS)
    return "documentation range, RFC 5737" if documented else ""


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
