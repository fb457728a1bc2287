"""From CloudFormation's form of a resource to Pulumi's, as the views of the rules read it: a table of names
(`names.json`), and a function for each type that becomes several resources, or that has another structure. What only
CloudFormation knows is unknown.

The property names are those of the CloudFormation template reference, and of Pulumi's AWS provider 7. The types
`Custom::AWSCDK-EKS-*` are written by the EKS library of AWS CDK (`cluster-resource.ts`, `helm-chart.ts` and
`k8s-manifest.ts` of `aws-eks`).
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from muster import json_text
from muster.cloudformation.values import Inside, Named
from muster.fleet.resources.ref import (
    BUCKET,
    CLUSTER,
    LAUNCH_TEMPLATE,
    LUSTRE,
    NODE_GROUP,
    RESOURCE_GROUP,
    SECURITY_GROUP,
)
from muster.hardware.tables import read_text
from muster.plain_data import as_list, mappings_at, scalar_text
from muster.policies.views.addons import RELEASE
from muster.policies.views.capacity import MEMBER
from muster.policies.views.iam import POLICY
from muster.sources.placeholders import is_placeholder, text_of_version
from muster.sources.registrations import object_type
from muster.unknown import UNKNOWN

Properties = Mapping[str, Any]
"""The evaluated properties of a resource, with CloudFormation's names. A missing value is `UNKNOWN`."""


@dataclass(frozen=True, slots=True)
class Converted:
    """One resource in Pulumi's form."""

    type: str
    inputs: Mapping[str, Any]
    part: str = ""
    """The rest of its name, if a resource of CloudFormation becomes several: ``SecurityGroupIngress``."""
    outputs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Form:
    """How a type of CloudFormation is written in Pulumi."""

    type: str
    """Pulumi's type."""
    names: Mapping[str, str] = field(default_factory=dict)
    """CloudFormation's property -> Pulumi's, where they differ by more than the case of the first letters:
    ``LaunchTemplate.LaunchTemplateId`` for one in a block."""
    opened: str = ""
    """A block whose properties Pulumi has at the top."""
    required: str = ""
    """An input that is unknown if the template does not set it."""


OTHER_FILE_SYSTEM = "aws-native:fsx:FileSystem"
_ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
_OF_ROLE = "aws:iam/rolePolicy:RolePolicy"
_PROFILE = "aws:iam/instanceProfile:InstanceProfile"
_OBJECT = "aws:s3/bucketObject:BucketObject"
_MANIFEST = "kubernetes"

TABLE: Mapping[str, Form] = {
    type_: Form(**form) for type_, form in json.loads(read_text("names.json", __package__)).items()
}
"""CloudFormation's type -> its form in Pulumi."""

_LEADING = re.compile(r"\A(?:[A-Z]+(?![a-z])|[A-Z])")
_FREE = frozenset({"Labels", "Tags", "PolicyDocument", "AssumeRolePolicyDocument", "UserData", "ConfigurationValues"})
"""Properties with keys that the author chooses, or that have other rules."""


def camel(name: str) -> str:
    """``VPCZoneIdentifier`` -> ``vpcZoneIdentifier``; ``SubnetIds`` -> ``subnetIds``."""
    return _LEADING.sub(lambda found: found[0].lower(), name, count=1)


def camelized(value: Any, names: Mapping[str, str] | None = None, path: str = "") -> Any:
    """Properties with Pulumi's names.

    Args:
        value: a property, or all of them.
        names: those whose names differ by more than their case, as in `Form`.
        path: where the value is, with a point at the end.
    """
    if isinstance(value, Mapping):
        return {
            (names or {}).get(f"{path}{key}", camel(str(key))): each
            if key in _FREE and f"{path}{key}" != "Tags"
            else camelized(each, names, f"{path}{key}.")
            for key, each in value.items()
        }
    return [camelized(each, names, path) for each in value] if isinstance(value, list) else value


def converted(type_: str, properties: Properties, name: str) -> list[Converted] | None:
    """The resources that one of CloudFormation becomes in Pulumi; None if its properties are not known.

    Args:
        type_: CloudFormation's type, which is in `TABLE`.
        properties: its properties.
        name: the resource's name, which is also the id that `Ref` returns. The first resource has this id.
    """
    form = TABLE[type_]
    inputs = camelized(properties, form.names)
    for key in {"Tags", "Labels"}.intersection(properties).difference(form.names):
        inputs[camel(key)] = _texts(properties[key])
    if form.opened:
        block = inputs.pop(camel(form.opened), {})
        if not isinstance(block, Mapping):
            return None
        inputs |= block
    if form.required:
        inputs.setdefault(form.required, UNKNOWN)
    more = _MORE.get(form.type)
    return list(more(inputs, name)) if more else [Converted(form.type, inputs)]


def _texts(value: Any) -> Any:
    """Tags or labels as a map of texts, also from a list of `Key` and `Value`."""
    if isinstance(value, Mapping):
        return {str(key): each if each is UNKNOWN else scalar_text(each) for key, each in value.items()}
    listed = mappings_at({"": value}, "")
    if not isinstance(value, list) or len(listed) < len(value) or any(each.get("Key") is UNKNOWN for each in listed):
        return UNKNOWN
    return {str(each.get("Key")): each.get("Value", UNKNOWN) for each in listed}


Inputs = dict[str, Any]


def _launch_template(inputs: Inputs, _: str) -> Iterable[Converted]:
    yield Converted(LAUNCH_TEMPLATE, _without_empty(inputs))


def _without_empty(value: Any) -> Any:
    """Settings without empty blocks: EC2's query protocol has no words for them, so EC2 never sees them."""
    if isinstance(value, Mapping):
        found = {key: _without_empty(each) for key, each in value.items()}
        return {key: each for key, each in found.items() if each not in ({}, [])}
    return [_without_empty(each) for each in value] if isinstance(value, list) else value


_ALL_OUT = {"protocol": "-1", "cidrBlocks": ["0.0.0.0/0"], "ipv6CidrBlocks": ["::/0"]}
"""The rule of a group without egress rules: "if you do not add egress rules, we add egress rules that allow all
outbound IPv4 and IPv6 traffic" (template reference, AWS::EC2::SecurityGroup)."""
_LISTS = {
    "cidrIp": "cidrBlocks",
    "cidrIpv6": "ipv6CidrBlocks",
    "sourceSecurityGroupId": "securityGroups",
    "destinationSecurityGroupId": "securityGroups",
    "sourcePrefixListId": "prefixListIds",
    "destinationPrefixListId": "prefixListIds",
}
"""The property of a rule in a group -> Pulumi's, which is a list."""


def _security_group(inputs: Inputs, _: str) -> Iterable[Converted]:
    ingress, egress = inputs.pop("securityGroupIngress", []), inputs.pop("securityGroupEgress", [])
    out = _rules(egress)
    rules = {"ingress": _rules(ingress), "egress": [_ALL_OUT] if out == [] else out}
    yield Converted(SECURITY_GROUP, {**inputs, **rules})


def _rules(listed: Any) -> Any:
    return UNKNOWN if listed is UNKNOWN else [_rule(each) for each in as_list(listed)]


def _rule(rule: Any) -> Any:
    if not isinstance(rule, Mapping):
        return UNKNOWN
    made: Inputs = {"protocol": rule.get("ipProtocol"), "fromPort": rule.get("fromPort"), "toPort": rule.get("toPort")}
    for key, name in _LISTS.items():
        if key in rule:
            made[name] = [*made.get(name, []), rule[key]]
    return {key: each for key, each in made.items() if each is not None}


def _cluster(inputs: Inputs, name: str) -> Iterable[Converted]:
    """EKS also creates a security group."""
    network = inputs.get("vpcConfig")
    group = {"clusterSecurityGroupId": f"{name}.ClusterSecurityGroupId"}
    outputs = {"vpcConfig": {**(network if isinstance(network, Mapping) else {}), **group}}
    yield Converted(CLUSTER, _with_version(inputs), outputs=outputs)


def _node_group(inputs: Inputs, _: str) -> Iterable[Converted]:
    yield Converted(NODE_GROUP, _with_version(inputs))


def _with_version(inputs: Inputs) -> Inputs:
    return {**inputs, "version": text_of_version(inputs["version"])} if "version" in inputs else inputs


def _file_system(inputs: Inputs, _: str) -> Iterable[Converted]:
    yield Converted(LUSTRE if inputs.pop("fileSystemType", None) == "LUSTRE" else OTHER_FILE_SYSTEM, inputs)


def _instance_profile(inputs: Inputs, _: str) -> Iterable[Converted]:
    """It has exactly one role."""
    roles = as_list(inputs["role"])
    yield Converted(_PROFILE, {**inputs, "role": roles[0] if roles else UNKNOWN})


def _managed_policy(inputs: Inputs, name: str) -> Iterable[Converted]:
    """It also attaches itself to roles. `Ref` returns its ARN."""
    yield Converted(POLICY, inputs)
    for index, each in enumerate(as_list(inputs.pop("roles", None))):
        yield Converted(_ATTACHMENT, {"role": each, "policyArn": name}, f"Roles[{index}]")


def _role_policy(inputs: Inputs, _: str) -> Iterable[Converted]:
    """One policy of each role."""
    roles = as_list(inputs.get("roles", inputs.get("roleName")))
    for index, each in enumerate(roles):
        part = f"Roles[{index}]" if index else ""
        yield Converted(_OF_ROLE, {"role": each, "policy": inputs.get("policy", UNKNOWN)}, part)


def _resource_group(inputs: Inputs, name: str) -> Iterable[Converted]:
    """It also lists its members."""
    members = as_list(inputs.pop("resources", None))
    yield Converted(RESOURCE_GROUP, inputs)
    for index, each in enumerate(members):
        yield Converted(MEMBER, {"groupArn": name, "resourceArn": each}, f"Resources[{index}]")


def _bucket(inputs: Inputs, name: str) -> Iterable[Converted]:
    """CloudFormation has no type for the objects in a bucket: something else puts them there."""
    yield Converted(BUCKET, {"bucket": inputs["bucket"]})
    yield Converted(_OBJECT, {"bucket": name, "key": UNKNOWN}, "objects")


def _helm_chart(inputs: Inputs, _: str) -> Iterable[Converted]:
    """Its values are JSON."""
    values = _json(inputs.get("values", "{}"))
    yield Converted(RELEASE, {**inputs, "values": values if isinstance(values, Mapping) else UNKNOWN})


def _manifest(inputs: Inputs, _: str) -> Iterable[Converted]:
    """JSON with a list of objects. Nothing is read of a manifest that has values which only CloudFormation knows."""
    listed = _json(inputs.get("manifest", "[]"))
    for index, each in enumerate(listed if isinstance(listed, list) else []):
        if type_ := object_type(each):
            yield Converted(type_, each, f"Manifest[{index}]")


def _json(text: Any) -> Any:
    try:
        return json_text.load(text) if isinstance(text, str) else UNKNOWN
    except json_text.NotJson:
        return UNKNOWN


_MORE: Mapping[str, Callable[[Inputs, str], Iterable[Converted]]] = {
    LAUNCH_TEMPLATE: _launch_template,
    SECURITY_GROUP: _security_group,
    CLUSTER: _cluster,
    NODE_GROUP: _node_group,
    LUSTRE: _file_system,
    _PROFILE: _instance_profile,
    POLICY: _managed_policy,
    _OF_ROLE: _role_policy,
    RESOURCE_GROUP: _resource_group,
    BUCKET: _bucket,
    RELEASE: _helm_chart,
    _MANIFEST: _manifest,
}
"""Pulumi's type -> what makes its resources from the inputs."""


_OF_CLUSTERS = ("kubernetes.io/cluster/", "k8s.io/cluster-autoscaler/")
"""Beginnings of the tag keys that rules read: they matter even if the rest is not known."""
_ADDRESS = "s3://"
_TEXTS = frozenset({"UserData", "PolicyDocument", "AssumeRolePolicyDocument", "Description"})
"""Texts and documents that may contain what elsewhere is a placeholder."""


def settled(value: Any, key: str = "") -> Any:
    """An evaluated value in which everything that only CloudFormation knows is `UNKNOWN`. Null, which CloudFormation
    refuses, is unknown."""
    if isinstance(value, Mapping):
        return {str(name): settled(each, key if key in _TEXTS else str(name)) for name, each in value.items()}
    if isinstance(value, list):
        return [settled(each, key) for each in value]
    if isinstance(value, Inside):
        return value.shape if key == "Key" and value.shape.startswith(_OF_CLUSTERS) else UNKNOWN
    if value is None:
        return UNKNOWN
    if isinstance(value, str) and not isinstance(value, Named) and key not in _TEXTS and is_placeholder(value):
        return UNKNOWN
    return value


def finished(
    inputs: Mapping[str, Any], others: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], dict[str, frozenset[str]]]:
    """Inputs with the names of resources as plain texts, and for each input the resources that its unknown values
    come from.

    A text that has more than the name of a resource (``my-${Vpc}``) is unknown, but for an address in a bucket, the key
    of a tag and the documents of policies: there, the rest of the text is enough.

    Args:
        inputs: the inputs.
        others: other texts that name a resource (its ARN, made of its name) -> the text that stands for it.
    """
    made: dict[str, Any] = {}
    uses: dict[str, frozenset[str]] = {}
    for name, value in inputs.items():
        found: set[str] = set()
        made[name] = _plain(value, name, found, others or {}, keep=name in _POLICIES)
        if found:
            uses[name] = frozenset(found)
    return made, uses


_POLICIES = frozenset({"policy", "assumeRolePolicy", "inlinePolicies"})


def _plain(value: Any, key: str, found: set[str], others: Mapping[str, str], *, keep: bool) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(each, str(name), found, others, keep=keep) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, key, found, others, keep=keep) for each in value]
    if not isinstance(value, Named):
        return value
    if (known := _in_other_words(value, others)) is not None:
        return known
    if keep or key == "key":
        return str(value)
    found |= value.resources
    return UNKNOWN


def _in_other_words(value: Named, others: Mapping[str, str]) -> str | None:
    """The text of a value that certainly names a resource; None for others."""
    if value in others:
        return others[value]
    if not value.parts:
        return str(value) if value.resource else None
    if not value.startswith(_ADDRESS):
        return None
    bucket, slash, rest = value.removeprefix(_ADDRESS).partition("/")
    if f"{_ADDRESS}{bucket}" in others:
        return f"{_ADDRESS}{others[f'{_ADDRESS}{bucket}']}{slash}{rest}"
    return str(value) if "" not in value.resources else None
