"""A cluster's configuration, inside a CloudFormation template of a program."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from muster.cloudformation.template import Template
from muster.cloudformation.values import Inside
from muster.fleet.registration import Registration
from muster.fleet.resources import Ref
from muster.policies.views.references import References
from muster.policies.views.view import Properties
from muster.unknown import UNKNOWN, UnknownType

_CLUSTER = "Custom::PclusterCluster"
_CUSTOM = ("Custom::", "AWS::CloudFormation::CustomResource")
_NESTED = "AWS::CloudFormation::Stack"
CONFIGURATION = "ClusterConfiguration"
_VERSION = re.compile(r"/parallelcluster/([^/]+)/templates/custom_resource/")
_ANYWHERE = {"AWS::Region": "region", "AWS::URLSuffix": "suffix", "AWS::Partition": "aws"}
"""Values for the address of AWS's template: they do not affect its version."""

_IDS = frozenset(
    {
        "AdditionalSecurityGroups",
        "CapacityReservationId",
        "CapacityReservationResourceGroupArn",
        "CustomAmi",
        "FileCacheId",
        "FileSystemId",
        "Id",
        "KeyName",
        "KmsKeyId",
        "PlacementGroup",
        "SecurityGroups",
        "SubnetId",
        "SubnetIds",
        "VolumeId",
    }
)
"""Keys whose values are ids. A value that only CloudFormation will know is represented there by its name."""

PARAMETERS = "parameters"
QUEUES, POOLS = "Scheduling.SlurmQueues", "LoginNodes.Pools"


@dataclass(frozen=True)
class ClusterConfiguration:
    """One cluster of a template."""

    logical: str
    own: Properties
    """The properties of the custom resource. Of what only CloudFormation will know, ids have names, and everything else
    is unknown."""
    version: str | None | UnknownType
    alone: bool
    """Whether it is the only cluster of its stack."""

    @property
    def configuration(self) -> Mapping[str, Any] | UnknownType | None:
        """None if it is not a mapping."""
        found = self.own.raw(CONFIGURATION)
        return found if found is UNKNOWN or isinstance(found, Mapping) else None

    @property
    def values(self) -> Properties:
        """What is in it. If it is no mapping, all of that is unknown."""
        values = UNKNOWN if self.configuration is None else self.configuration
        return Properties(self.own.resource, self.own.references, values=values, within=PARAMETERS)


def configurations_in(
    stack: Registration, template: Template, references: References
) -> tuple[ClusterConfiguration, ...]:
    """The clusters of a template.

    Raises:
        TooMany: the templates of the program make more values than Muster reads.
    """
    return references.once("clusters", stack, lambda: _configurations(stack, template, references))


def _configurations(
    stack: Registration, template: Template, references: References
) -> tuple[ClusterConfiguration, ...]:
    providers = _providers(template)
    found = list(_clusters(template, providers))
    return tuple(
        ClusterConfiguration(
            logical,
            Properties(stack, references, values=values, within=PARAMETERS),
            _version(declared, providers),
            alone=len(found) == 1,
        )
        for logical, declared, values in found
    )


def may_hold_one(text: object) -> bool:
    """Whether a text that is not a template appears to contain a cluster."""
    return _CLUSTER in str(text)


_Providers = Mapping[str, str | UnknownType]
"""Logical id of a nested stack with AWS's provider -> the version in its template."""


def _clusters(template: Template, providers: _Providers) -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """Logical id, properties as written, properties evaluated."""
    for logical, resource in template.resources.items():
        if not isinstance(resource, Mapping):
            continue
        declared = resource.get("Properties")
        if isinstance(declared, Mapping) and is_cluster(str(resource.get("Type")), declared, providers):
            found = template.worked_out(declared)
            yield str(logical), declared, _settled(found) if isinstance(found, Mapping) else UNKNOWN


def is_cluster(kind: str, declared: Mapping[str, Any], providers: _Providers) -> bool:
    """Whether a resource is a cluster: by its type, or for another custom resource by its properties or its
    provider."""
    if kind == _CLUSTER:
        return True
    return kind.startswith(_CUSTOM) and (CONFIGURATION in declared or bool(_named(declared) & providers.keys()))


def _named(declared: Mapping[str, Any]) -> set[str]:
    """The identifiers in a service token."""
    return set(re.findall(r"[A-Za-z0-9]+", json.dumps(declared.get("ServiceToken"), default=str)))


def _providers(template: Template) -> _Providers:
    anywhere = replace(template, pseudo={**template.pseudo, **_ANYWHERE})
    found: dict[str, str | UnknownType] = {}
    for logical, resource in template.resources.items():
        if not isinstance(resource, Mapping) or resource.get("Type") != _NESTED:
            continue
        properties = resource.get("Properties")
        url = anywhere.worked_out(properties.get("TemplateURL")) if isinstance(properties, Mapping) else None
        version = _VERSION.search(url) if isinstance(url, str) else None
        if version or (url is not None and not isinstance(url, str)):
            found[str(logical)] = version[1] if version else UNKNOWN
    return found


def _version(declared: Mapping[str, Any], providers: _Providers) -> str | None | UnknownType:
    """The version of the cluster's provider, which determines the version of the cluster. If the service token names no
    provider, it is that of the template's only provider, because a function of the program may call it. Unknown for a
    provider outside the template; None if there is no service token."""
    if declared.get("ServiceToken") is None:
        return None
    named = {version for logical, version in providers.items() if logical in _named(declared)}
    versions = named or set(providers.values())
    return versions.pop() if len(versions) == 1 else UNKNOWN


def _settled(value: Any, key: str = "") -> Any:
    """The value with every `Inside` replaced: by its name below a key of `_IDS`, else by `UNKNOWN`."""
    if isinstance(value, Inside):
        return value.name if key in _IDS else UNKNOWN
    if isinstance(value, Mapping):
        inside = key == "PlacementGroup"
        return {name: _settled(each, key if inside and name == "Name" else name) for name, each in value.items()}
    return [_settled(each, key) for each in value] if isinstance(value, list) else value


@dataclass(frozen=True)
class Names:
    """How often a program has each name of a queue, of a compute resource and of a pool of login nodes, and how many
    clusters it has."""

    queues: Mapping[str, int]
    resources: Mapping[str, int]
    pools: Mapping[str, int]
    clusters: int


def ref_of(kind: str, name: object, counted: Mapping[str, int], otherwise: str) -> Ref:
    """A reference by name; by place, if the name is not known or not unique."""
    return Ref(kind, name if isinstance(name, str) and counted.get(name) == 1 else otherwise)
