"""The description of the cluster among the resources of a file, whatever its format: on EKS, HyperPod or
ParallelCluster."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from muster.config.document import Position
from muster.finding import Finding, Level
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import CLOUDFORMATION_STACK, CLUSTER, HYPERPOD
from muster.sources.eks_description import describe_cluster
from muster.sources.hyperpod import description as hyperpod
from muster.sources.parallelcluster import description as parallelcluster
from muster.sources.source import ImportedDescription, InputFile, LeftOut, Source

_REGION = "us-west-2"
"""The Region of placeholders, if the file has none."""
_CONFIGURATION = "ClusterConfiguration"


def describe_source(file: InputFile, source: Source, region: str | None = None) -> ImportedDescription:
    """The description of the file's cluster.

    A cluster on HyperPod or ParallelCluster comes first: the EKS cluster beside HyperPod is then an existing one.

    Args:
        file: the file.
        source: its resources.
        region: its Region, instead of the one that the file has.

    Raises:
        CannotBeRead: there is no cluster that a description can have.
    """
    source = replace(source, region=region or source.region)
    for each in source.registrations:
        if each.type == HYPERPOD:
            found = hyperpod.describe(_as_file(file, _pascal_case(each.inputs)), source.region)
            return _placed(found, source, each.urn, _left_clusters(source))
    for each in source.registrations:
        if each.type == CLOUDFORMATION_STACK and (configuration := _configuration(each)):
            found = parallelcluster.describe(_as_file(file, configuration), source.region)
            return _placed(found, source, each.urn, ())
    return _on_eks(source)


def _on_eks(source: Source) -> ImportedDescription:
    found = describe_cluster(source.registrations, region=source.region or _REGION)
    left = (
        LeftOut(_path(source, each.urn, each.property), _position(source, each.urn), source.words(each.why))
        for each in found.left_out
    )
    return ImportedDescription(
        "eks", source.region, found.cluster, tuple(sorted(set(left))), source.name, placeholders=found.placeholders
    )


def _as_file(file: InputFile, document: Mapping[str, Any]) -> InputFile:
    """A part of a file as a file of its own. Unknown values are texts in it, which have no positions."""
    return InputFile(file.path, json.dumps(document, default=str), (document,), is_json=True)


def _placed(found: ImportedDescription, source: Source, urn: str, more: tuple[LeftOut, ...]) -> ImportedDescription:
    """The description with the places of the whole file."""
    at = _position(source, urn)
    left = (*(replace(each, position=at) for each in found.left_out), *more)
    return replace(found, left_out=left)


def _left_clusters(source: Source) -> tuple[LeftOut, ...]:
    why = (
        "the description names the EKS cluster as an existing one; keep it in this file, or write control-plane: create"
    )
    return tuple(
        LeftOut(_path(source, each.urn, ""), _position(source, each.urn), why)
        for each in source.registrations
        if each.type == CLUSTER
    )


def _path(source: Source, urn: str, property_: str) -> str:
    resource = source.label(urn) if urn else ""
    return ".".join(filter(None, (resource, source.words(property_))))


def _position(source: Source, urn: str) -> Position:
    return source.place(Finding(urn, "", Level.ADVISORY, "", "", urn)) or Position(1, 1)


def _configuration(stack: Registration) -> Mapping[str, Any] | None:
    """The configuration of the cluster in a stack's template."""
    body = stack.inputs.get("templateBody")
    resources = body.get("Resources") if isinstance(body, Mapping) else None
    for each in resources.values() if isinstance(resources, Mapping) else ():
        properties = each.get("Properties") if isinstance(each, Mapping) else None
        configuration = properties.get(_CONFIGURATION) if isinstance(properties, Mapping) else None
        if isinstance(configuration, Mapping):
            return configuration
    return None


_MAPS = frozenset({"labels"})
"""Properties whose keys users choose."""


def _pascal_case(value: Any) -> Any:
    """Inputs of a resource with the API's keys: ``instanceGroups`` is ``InstanceGroups``."""
    if isinstance(value, Mapping):
        return dict(_renamed(value))
    return [_pascal_case(each) for each in value] if isinstance(value, list) else value


def _renamed(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        yield f"{key[:1].upper()}{key[1:]}", value if key in _MAPS else _pascal_case(value)
