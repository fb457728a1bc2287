"""Dynamic resource allocation: claims of pods that no driver here would serve, and those that cannot be made.

The scheduler does not look at a pod before its claim exists, and reports nothing (kube-scheduler's plugin
DynamicResources, `PreEnqueue`). A rehearsal runs no DRA driver, so nothing creates the claim. Pods are sent without
their claims, so that the rest of them is judged. A claim or a template that is missing is a cause of its own.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from muster.fleet.near_miss import did_you_mean
from muster.jobs.home import DEFAULT
from muster.rehearsal.client import Json
from muster.rehearsal.outcome import Cause, StandIn

_TEMPLATE, _CLAIM = "ResourceClaimTemplate", "ResourceClaim"


class Named(NamedTuple):
    """A claim, or a template of claims."""

    kind: str
    name: str
    namespace: str = DEFAULT
    """A pod takes those of its own namespace only."""


def named(documents: Iterable[Json], home: str = DEFAULT) -> frozenset[Named]:
    """What the pods of documents name.

    Args:
        documents: with pod templates in them.
        home: the namespace of the pods that a runtime of the whole cluster describes.
    """
    return frozenset(found for each in documents for found in _named(each, home))


def _named(document: Json, home: str) -> Iterator[Named]:
    namespace = home if document.get("kind") in _OF_THE_CLUSTER else _namespace(document)
    for spec in _pod_specs(document):
        for each in spec["resourceClaims"]:
            if isinstance(each, dict):
                for key, kind in (("resourceClaimTemplateName", _TEMPLATE), ("resourceClaimName", _CLAIM)):
                    if isinstance(each.get(key), str):
                        yield Named(kind, each[key], namespace)


_OF_THE_CLUSTER = frozenset({"ClusterTrainingRuntime"})
"""Kinds with pod templates that are in no namespace."""


def _namespace(document: Json) -> str:
    return str((document.get("metadata") or {}).get("namespace") or DEFAULT)


def _pod_specs(value: Any) -> Iterator[Json]:
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            if isinstance(here.get("containers"), list) and isinstance(here.get("resourceClaims"), list):
                yield here
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here


def without(value: Any) -> Any:
    """The same document, its pods without their claims."""
    if isinstance(value, list):
        return [without(each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {key: without(each) for key, each in value.items()}
    if isinstance(kept.get("containers"), list) and isinstance(kept.get("resourceClaims"), list):
        del kept["resourceClaims"]
        for key in ("containers", "initContainers"):
            for container in kept.get(key) or ():
                if isinstance(container, dict) and isinstance(container.get("resources"), dict):
                    container["resources"].pop("claims", None)
    return kept


def _given(beside: Iterable[Json]) -> Iterator[Named]:
    for each in beside:
        if each["kind"] in {_TEMPLATE, _CLAIM}:
            yield Named(each["kind"], str(each["metadata"].get("name")), _namespace(each))
        elif each["kind"] == "ComputeDomain":  # NVIDIA's DRA driver makes the template it names
            template: Any = each
            for key in ("spec", "channel", "resourceClaimTemplate"):
                template = template.get(key) if isinstance(template, dict) else None
            if isinstance(template, dict):
                yield Named(_TEMPLATE, str(template.get("name")), _namespace(each))


def missing(wanted: Iterable[Named], beside: Iterable[Json]) -> Cause | None:
    """Why pods with claims would wait for ever; None where all of those are given, in the namespaces of the pods."""
    given = set(_given(beside))
    lacking = sorted(each for each in wanted if each not in given)
    if not lacking:
        return None
    listed = ", ".join(f"{each.kind} '{each.name}'" for each in lacking)
    first = lacking[0]
    elsewhere = sorted(each.namespace for each in given if each[:2] == first[:2])
    known = [each.name for each in given if (each.kind, each.namespace) == (first.kind, first.namespace)]
    hint = (
        f"; one of that name is in namespace '{elsewhere[0]}', and the pods are in '{first.namespace}'"
        if elsewhere
        else did_you_mean(first.name, known)
    )
    return Cause(
        "resource-claim-missing",
        f"it names what is not there for its devices: {listed}{hint}",
        "create it before the job, in the job's namespace; in a rehearsal put it into the job's file",
    )


def stand_ins(wanted: Iterable[Named]) -> Iterator[StandIn]:
    """That claims are left out of the pods."""
    for each in sorted(wanted):
        why = "no DRA driver runs here, so the devices it asks for are not counted"
        yield StandIn(f"{each.kind} {each.name}", "left out of the pods that name it", why)
