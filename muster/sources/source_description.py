"""The description of the cluster among the resources of a file, whatever its format: on EKS, HyperPod or
ParallelCluster."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from muster.config.document import Position
from muster.finding import Finding, Level
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import CLOUDFORMATION_STACK, CLUSTER, HYPERPOD
from muster.secret_texts import without_marked
from muster.sources.eks_description import describe_cluster
from muster.sources.forms import Key
from muster.sources.hyperpod import description as hyperpod
from muster.sources.hyperpod.keys import REQUEST
from muster.sources.parallelcluster import description as parallelcluster
from muster.sources.source import DEFAULT_REGION, ImportedDescription, InputFile, InvalidFile, LeftOut, Source
from muster.whole_number import whole_number

_CONFIGURATION = "ClusterConfiguration"

Describe = Callable[[InputFile, str | None], ImportedDescription]
"""`describe` of a format."""


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
    # A marked value is in no file that Muster writes.
    known = tuple(replace(each, inputs=without_marked(each.inputs)) for each in source.registrations)
    source = replace(source, registrations=known, region=region or source.region)
    for each in source.registrations:
        if each.type == HYPERPOD:
            found = _described(hyperpod.describe, file, _request(each.inputs), source, each.urn)
            return replace(found, left_out=(*found.left_out, *_left_clusters(source)))
    for each in source.registrations:
        if each.type == CLOUDFORMATION_STACK and (configuration := _configuration(each)):
            return _described(parallelcluster.describe, file, configuration, source, each.urn)
    return _on_eks(source)


def _on_eks(source: Source) -> ImportedDescription:
    found = describe_cluster(source.registrations, region=source.region or DEFAULT_REGION)
    left = (
        LeftOut(_path(source, each.urn, each.property), _position(source, each.urn), source.words(each.why))
        for each in found.left_out
    )
    return ImportedDescription(
        "eks", source.region, found.cluster, tuple(sorted(set(left))), source.name, placeholders=found.placeholders
    )


def _described(
    describe: Describe, file: InputFile, document: Mapping[str, Any], source: Source, urn: str
) -> ImportedDescription:
    """The description of one resource, whose properties are a file of its own, with the places of the whole file.

    Unknown values are texts in that file, which have no positions.
    """
    at, label = _position(source, urn), source.label(urn)
    own = InputFile(file.path, json.dumps(document, default=str), (document,), is_json=True)
    try:
        found = describe(own, source.region)
    except InvalidFile as fault:
        raise InvalidFile(file.shown, at, f"{label}: {fault.got}", fault.remedy) from None
    left = (LeftOut(".".join(filter(None, (label, each.path))), at, each.why) for each in found.left_out)
    return replace(found, left_out=tuple(left))


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


def _request(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of a HyperPod cluster as a request. Some formats have the tags as a map."""
    tags = inputs.get("tags")
    listed = (
        {"tags": [{"Key": key, "Value": value} for key, value in tags.items()]} if isinstance(tags, Mapping) else {}
    )
    made: dict[str, Any] = _with_keys({**inputs, **listed}, REQUEST)
    return made


_NUMBERS = frozenset(
    {
        *("InstanceCount", "MinInstanceCount", "ThreadsPerCore", "VolumeSizeInGB"),
        *("WaitIntervalInSeconds", "InstanceMemoryAllocationPercentage"),
    }
)
"""Numbers of a request. In CloudFormation and Terraform they may be text."""


def _with_keys(value: Any, keys: Mapping[str, Key]) -> Any:
    """A block, or a list of blocks, with the API's keys: ``volumeSizeInGb`` is ``VolumeSizeInGB``. A block without a
    table has keys that users choose."""
    if not keys:
        return value
    if isinstance(value, list):
        return [_with_keys(each, keys) for each in value]
    if not isinstance(value, Mapping):
        return value
    known = {name.lower(): name for name in keys}
    named = {known.get(str(key).lower(), f"{str(key)[:1].upper()}{str(key)[1:]}"): each for key, each in value.items()}
    return {
        key: whole_number(each)
        if key in _NUMBERS and isinstance(each, str) and _DIGITS.fullmatch(each)
        else _with_keys(each, keys[key].below if key in keys else {})
        for key, each in named.items()
    }


_DIGITS = re.compile(r"[0-9]{1,9}")
