"""The answers to the invokes of another team's program.

Computable answers are computed: partitions, policy documents, decoded manifests. Answers that only the account knows
are unknown, as in a preview without permissions, so that no rule evaluates an invented id. Two values are assumed, and
reported as gaps, because programs need them: the number of the account, and the names of a Region's zones.

Other invokes have no answer, such as the newest version of an add-on: an assumed version could pass or break the rules
on versions.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from string import ascii_lowercase
from typing import Any

from muster import json_text
from muster.fleet.facts import Facts
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.hardware.offerings import zones_of_region, zones_offering
from muster.hardware.zones import domain_of, partition_of
from muster.offline.computed_outputs import ACCOUNT
from muster.offline.eks_component import NotModelled
from muster.unknown import UNKNOWN
from muster.yaml_text import NotYaml, load_all

Args = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class InvokeAnswer:
    """The answer to an invoke."""

    values: Mapping[str, Any]
    made_up: str = ""
    """The part of the answer that only AWS knows, which is unknown or invented here, as a noun phrase; empty if the
    answer is complete and correct."""
    unseen: str = ""
    """Further results that only a provider knows."""


@dataclass(frozen=True, slots=True)
class InvokeAccount:
    """The Region of an invoke, and the known facts about the account."""

    region: str
    facts: Facts | None = None

    @property
    def partition(self) -> str:
        """The partition in ARNs."""
        return partition_of(self.region)

    def arn(self, service: str, name: str) -> str:
        """The ARN of something in the Region."""
        return f"arn:{self.partition}:{service}:{self.region}:{ACCOUNT}:{name}"


def answer_invoke(token: str, args: Args, account: InvokeAccount) -> InvokeAnswer | None:
    """The answer to an invoke of an AWS or Kubernetes SDK; None if there is none.

    Args:
        token: the function's type token, as in ``aws:ec2/getAmi:getAmi``.
        args: its arguments, all known.
        account: the Region of the provider, and the facts.
    """
    found = _ANSWERS.get(token)
    return found(args, account) if found else None


def _id(prefix: str, *about: Any) -> str:
    """An id in AWS's format, always the same for the same arguments."""
    return f"{prefix}-{sha256(json.dumps(about, sort_keys=True, default=str).encode()).hexdigest()[:17]}"


def _unknown(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, UNKNOWN)


def _given(args: Args, *names: str) -> dict[str, Any]:
    """The arguments that providers repeat in the result."""
    return {name: args[name] for name in names if args.get(name)}


def _zones(_args: Args, account: InvokeAccount) -> InvokeAnswer:
    """The zones in the facts; else the known number of zones of the Region, or three if the Region is unknown."""
    region, known = account.region, account.facts.zones if account.facts else {}
    if known:
        names = sorted(known)
        ids = [known[name] for name in names]
        return InvokeAnswer({"id": region, "names": names, "zoneIds": ids, "groupNames": [region], "azs": names})
    ids = sorted(zones_of_region(region))
    names = [f"{region}{letter}" for letter in ascii_lowercase[: len(ids) or 3]]
    assumed = f"the zones of the account; Muster assumes {', '.join(names)}"
    return InvokeAnswer({"id": region, "names": names, "zoneIds": ids, "groupNames": [region], "azs": names}, assumed)


def _region(args: Args, account: InvokeAccount) -> InvokeAnswer:
    name = str(args.get("name") or args.get("region") or account.region)
    endpoint = f"ec2.{name}.{domain_of(name)}"
    return InvokeAnswer({"id": name, "name": name, "region": name, "endpoint": endpoint, "description": name})


def _partition(_args: Args, account: InvokeAccount) -> InvokeAnswer:
    name, suffix = account.partition, domain_of(account.region)
    prefix = ".".join(reversed(suffix.split(".")))
    return InvokeAnswer({"id": name, "partition": name, "dnsSuffix": suffix, "reverseDnsPrefix": prefix})


def _caller(_args: Args, account: InvokeAccount) -> InvokeAnswer:
    arn = f"arn:{account.partition}:iam::{ACCOUNT}:user/judge"
    values = {"id": ACCOUNT, "accountId": ACCOUNT, "arn": arn, "userId": "AIDAEXAMPLE"}
    return InvokeAnswer(values, made_up=f"the number of the account; Muster assumes {ACCOUNT}")


def _account(_args: Args, _in: InvokeAccount) -> InvokeAnswer:
    return InvokeAnswer({"accountId": ACCOUNT}, made_up=f"the number of the account; Muster assumes {ACCOUNT}")


def _image(_args: Args, _account: InvokeAccount) -> InvokeAnswer:
    names = ("id", "imageId", "arn", "name", "architecture", "rootDeviceName", "ownerId")
    return InvokeAnswer(_unknown(*names), "which image this is")


def _parameter(args: Args, account: InvokeAccount) -> InvokeAnswer:
    name = str(args.get("name", ""))
    arn = account.arn("ssm", f"parameter/{name.lstrip('/')}")
    values = {"id": name, "name": name, "arn": arn, "withDecryption": True, **_unknown("type", "value", "version")}
    return InvokeAnswer({**values, "insecureValue": UNKNOWN}, f"the value of the parameter '{name}'")


def _vpc(args: Args, _account: InvokeAccount) -> InvokeAnswer:
    values = _unknown("id", "arn", "default", "cidrBlock", "mainRouteTableId", "tags") | _given(args, "id")
    return InvokeAnswer(values, "the VPC's addresses" if "id" in args else "which VPC this is, and its addresses")


def _subnets(_args: Args, account: InvokeAccount) -> InvokeAnswer:
    return InvokeAnswer({"id": account.region, **_unknown("ids")}, "which subnets these are, and how many")


def _subnet(args: Args, account: InvokeAccount) -> InvokeAnswer:
    fact = account.facts.subnets.get(str(args.get("id"))) if account.facts else None
    names = ("id", "arn", "vpcId", "availabilityZone", "cidrBlock", "mapPublicIpOnLaunch", "tags")
    values = _unknown(*names) | _given(args, "id", "vpcId", "availabilityZone")
    if fact and fact.zone:
        values["availabilityZone"] = fact.zone
    if fact and fact.map_public_ip_on_launch is not None:
        values["mapPublicIpOnLaunch"] = fact.map_public_ip_on_launch
    observed = fact and fact.zone
    missing = "the subnet's VPC and addresses" if observed else "which subnet this is, its zone and its addresses"
    return InvokeAnswer(values, missing)


def _security_group(args: Args, _account: InvokeAccount) -> InvokeAnswer:
    values = _unknown("id", "arn", "name", "vpcId", "tags") | _given(args, "id", "name", "vpcId")
    return InvokeAnswer(values, made_up="which security group this is, and its rules")


def _cluster(args: Args, account: InvokeAccount) -> InvokeAnswer:
    """Unknown: the rules on its version and network need its own stack, or facts."""
    name = str(args.get("name", ""))
    names = ("endpoint", "certificateAuthorities", "identities", "kubernetesNetworkConfigs", "version", "accessConfigs")
    known = {"id": name, "name": name, "arn": account.arn("eks", f"cluster/{name}")}
    values = {**known, **_unknown(*names, "vpcConfig", "status")}
    return InvokeAnswer(values, made_up=f"everything about the EKS cluster '{name}'")


def _token(args: Args, _account: InvokeAccount) -> InvokeAnswer:
    name = str(args.get("name", ""))
    return InvokeAnswer({"id": name, "name": name, "token": "k8s-aws-v1.no-token"})


def _instance_type(args: Args, _account: InvokeAccount) -> InvokeAnswer | None:
    try:
        of = hardware(str(args.get("instanceType", "")))
    except UnknownInstance:
        return None
    values = {
        "id": of.instance,
        "instanceType": of.instance,
        "defaultVcpus": of.vcpus,
        "memorySize": of.memory_mib,
        "efaSupported": bool(of.max_efa),
        "maximumNetworkCards": of.network_cards,
        "efaMaximumInterfaces": of.max_efa,
    }
    return InvokeAnswer(values)


def _offerings(args: Args, account: InvokeAccount) -> InvokeAnswer | None:
    """The zone ids from the hardware catalog. There is no answer for zone names and for other instance types."""
    type_filters = [each for each in args.get("filters") or [] if each.get("name") == "instance-type"]
    types = [value for each in type_filters for value in each.get("values", ())]
    zones = [zones_offering(each, account.region) for each in types]
    if args.get("locationType") != "availability-zone-id" or not types or any(each is None for each in zones):
        return None
    pairs = [(kind, zone) for kind, named in zip(types, zones, strict=True) for zone in sorted(named or ())]
    values = {
        "id": account.region,
        "instanceTypes": [kind for kind, _ in pairs],
        "locations": [zone for _, zone in pairs],
        "locationTypes": ["availability-zone-id" for _ in pairs],
    }
    return InvokeAnswer(values)


def _document(text: Any) -> Mapping[str, Any]:
    """A policy document that another document includes."""
    try:
        read = json_text.load(str(text))
    except json_text.NotJson as fault:
        raise NotModelled(f"a policy document that {fault}") from None
    return read if isinstance(read, Mapping) else {}


def _policy_document(args: Args, _account: InvokeAccount) -> InvokeAnswer:
    """The policy as JSON in IAM's format (terraform-provider-aws, `internal/service/iam/policy_model.go`)."""
    statements = [_statement(each) for each in args.get("statements") or []]
    given = [_document(each) for each in args.get("sourcePolicyDocuments") or () if each]
    after = [_document(each) for each in args.get("overridePolicyDocuments") or () if each]
    listed: list[dict[str, Any]] = []
    for each in (*(s for d in given for s in _listed(d)), *statements, *(s for d in after for s in _listed(d))):
        listed = [old for old in listed if "Sid" not in each or old.get("Sid") != each["Sid"]]
        listed.append(each)
    document: dict[str, Any] = {"Version": args.get("version") or "2012-10-17"}
    if args.get("policyId"):
        document["Id"] = args["policyId"]
    document["Statement"] = listed
    written = json.dumps(document, indent=2)
    compact = json.dumps(document, separators=(",", ":"))
    return InvokeAnswer({"id": _id("doc", document), "json": written, "minifiedJson": compact, **args})


def _listed(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    statements = document.get("Statement", [])
    return list(statements) if isinstance(statements, list) else [statements]


def _statement(given: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if given.get("sid"):
        made["Sid"] = given["sid"]
    made["Effect"] = given.get("effect") or "Allow"
    for key, name in (
        ("actions", "Action"),
        ("notActions", "NotAction"),
        ("resources", "Resource"),
        ("notResources", "NotResource"),
    ):
        if given.get(key):
            made[name] = _one_or_several(given[key])
    for key, name in (("principals", "Principal"), ("notPrincipals", "NotPrincipal")):
        if given.get(key):
            made[name] = _principals(given[key])
    for each in given.get("conditions") or []:
        below = made.setdefault("Condition", {}).setdefault(each["test"], {})
        below[each["variable"]] = _one_or_several(each.get("values") or [])
    return made


def _principals(given: list[Mapping[str, Any]]) -> Any:
    made: dict[str, Any] = {}
    for each in given:
        if each["type"] == "*" and each.get("identifiers") == ["*"]:
            return "*"
        made[each["type"]] = _one_or_several([*_as_list(made.get(each["type"], [])), *each.get("identifiers", [])])
    return made


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _one_or_several(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _managed_policy(args: Args, account: InvokeAccount) -> InvokeAnswer | None:
    name = args.get("name") or str(args.get("arn", "")).rpartition("/")[2]
    arn = args.get("arn") or f"arn:{account.partition}:iam::aws:policy/{name}"
    return InvokeAnswer({"id": arn, "arn": arn, "name": name, "path": "/"}, made_up=f"the policy '{name}'")


def _role(args: Args, account: InvokeAccount) -> InvokeAnswer:
    name = str(args.get("name", ""))
    arn = f"arn:{account.partition}:iam::{ACCOUNT}:role/{name}"
    return InvokeAnswer({"id": name, "name": name, "arn": arn, "path": "/"}, made_up=f"the role '{name}'")


def _bucket(args: Args, account: InvokeAccount) -> InvokeAnswer:
    name = str(args.get("bucket", ""))
    domain = f"{name}.s3.{account.region}.{domain_of(account.region)}"
    values = {"id": name, "bucket": name, "arn": f"arn:{account.partition}:s3:::{name}", "region": account.region}
    return InvokeAnswer({**values, "bucketRegionalDomainName": domain}, made_up=f"the bucket '{name}'")


def _manifests(args: Args, _account: InvokeAccount) -> InvokeAnswer:
    """The objects in a YAML text; older Kubernetes SDKs call this.

    Raises:
        NotModelled: the text is not YAML, or is too large.
    """
    try:
        objects = [each for each in load_all(str(args.get("text", ""))) if isinstance(each, dict)]
    except NotYaml as fault:
        raise NotModelled(f"the text {fault.problem}") from None
    spread = [item for each in objects for item in (each.get("items") or [] if each.get("kind") == "List" else [each])]
    return InvokeAnswer({"result": [json.loads(json.dumps(each, default=str)) for each in spread]})


def _rendered(args: Args, _account: InvokeAccount) -> InvokeAnswer:
    options = json.loads(str(args.get("jsonOpts") or "{}"))
    chart = options.get("chart") or options.get("path") or "a chart"
    return InvokeAnswer({"result": []}, unseen=f"the objects that Helm renders from {chart}")


def _kustomized(args: Args, _account: InvokeAccount) -> InvokeAnswer:
    return InvokeAnswer({"result": []}, unseen=f"the objects that Kustomize renders from {args.get('directory')}")


_ANSWERS: Mapping[str, Callable[[Args, InvokeAccount], InvokeAnswer | None]] = {
    "aws:index/getAvailabilityZones:getAvailabilityZones": _zones,
    "aws:index/getRegion:getRegion": _region,
    "aws:index/getPartition:getPartition": _partition,
    "aws:index/getCallerIdentity:getCallerIdentity": _caller,
    "aws:ec2/getAmi:getAmi": _image,
    "aws:ssm/getParameter:getParameter": _parameter,
    "aws:ec2/getVpc:getVpc": _vpc,
    "aws:ec2/getSubnets:getSubnets": _subnets,
    "aws:ec2/getSubnetIds:getSubnetIds": _subnets,
    "aws:ec2/getSubnet:getSubnet": _subnet,
    "aws:ec2/getSecurityGroup:getSecurityGroup": _security_group,
    "aws:ec2/getInstanceType:getInstanceType": _instance_type,
    "aws:ec2/getInstanceTypeOfferings:getInstanceTypeOfferings": _offerings,
    "aws:eks/getCluster:getCluster": _cluster,
    "aws:eks/getClusterAuth:getClusterAuth": _token,
    "aws:iam/getPolicyDocument:getPolicyDocument": _policy_document,
    "aws:iam/getPolicy:getPolicy": _managed_policy,
    "aws:iam/getRole:getRole": _role,
    "aws:s3/getBucket:getBucket": _bucket,
    "aws-native:index:getRegion": _region,
    "aws-native:index:getPartition": _partition,
    "aws-native:index:getAccountId": _account,
    "aws-native:index:getAzs": _zones,
    "kubernetes:yaml:decode": _manifests,
    "kubernetes:helm:template": _rendered,
    "kubernetes:kustomize:directory": _kustomized,
}
