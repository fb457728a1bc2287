"""Dynamic resource allocation: claims of pods that no driver here would serve, and those that cannot be made.

The scheduler does not look at a pod before its claim exists, and reports nothing (kube-scheduler's plugin
DynamicResources, `PreEnqueue`). A rehearsal runs no DRA driver, so nothing creates the claim. Pods are sent without
their claims, so that the rest of them is judged. A claim or a template that is missing is a cause of its own: a pod
that names one is sent with a scheduling gate in its stead, and waits as it would in life.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from muster.fleet.near_miss import did_you_mean
from muster.jobs.home import DEFAULT
from muster.rehearsal.client import Json
from muster.rehearsal.outcome import Cause, StandIn

RESOURCE_CLAIM_MISSING = "resource-claim-missing"

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
    for spec in _pod_specs(document):
        yield from _of_pod(spec, _home(document, home))


def _of_pod(spec: Json, namespace: str) -> Iterator[Named]:
    for each in spec["resourceClaims"]:
        if isinstance(each, dict):
            for key, kind in (("resourceClaimTemplateName", _TEMPLATE), ("resourceClaimName", _CLAIM)):
                if isinstance(each.get(key), str):
                    yield Named(kind, each[key], namespace)


def _home(document: Json, home: str) -> str:
    return home if document.get("kind") in _OF_THE_CLUSTER else _namespace(document)


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


GATE = "muster/resource-claim"
"""The scheduling gate of pods that name a claim or a template that is not there."""


def held(pod: Mapping[str, Any]) -> bool:
    """Whether a pod waits for a claim, or a template, that is not there.

    Args:
        pod: its spec.
    """
    return any(each.get("name") == GATE for each in pod.get("schedulingGates") or ())


def without(document: Json, absent: Collection[Named] = (), home: str = DEFAULT) -> Json:
    """The same document, its pods without their claims; those that name one of the absent are held by a gate.

    Args:
        document: with pod templates in it.
        absent: claims and templates that are not there.
        home: the namespace of the pods that a runtime of the whole cluster describes.
    """
    kept: Json = _without(document, absent, _home(document, home))
    return kept


def _without(value: Any, absent: Collection[Named], namespace: str) -> Any:
    if isinstance(value, list):
        return [_without(each, absent, namespace) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {key: _without(each, absent, namespace) for key, each in value.items()}
    if isinstance(kept.get("containers"), list) and isinstance(kept.get("resourceClaims"), list):
        # The API server takes no gate on a pod that names its node itself.
        if not kept.get("nodeName") and not set(_of_pod(kept, namespace)).isdisjoint(absent):
            kept["schedulingGates"] = [*(kept.get("schedulingGates") or ()), {"name": GATE}]
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


def lacking(wanted: Iterable[Named], beside: Iterable[Json]) -> tuple[Named, ...]:
    """Those that are not given in the namespaces of the pods."""
    given = set(_given(beside))
    return tuple(sorted(each for each in wanted if each not in given))


def missing(wanted: Iterable[Named], beside: Iterable[Json]) -> Cause | None:
    """Why pods with claims would wait for ever; None where all of those are given, in the namespaces of the pods."""
    given, absent = set(_given(beside)), lacking(wanted, beside)
    if not absent:
        return None
    listed = ", ".join(f"{each.kind} '{each.name}'" for each in absent)
    first = absent[0]
    elsewhere = sorted(each.namespace for each in given if each[:2] == first[:2])
    known = [each.name for each in given if (each.kind, each.namespace) == (first.kind, first.namespace)]
    hint = (
        f"; one of that name is in namespace '{elsewhere[0]}', and the pods are in '{first.namespace}'"
        if elsewhere
        else did_you_mean(first.name, known)
    )
    return Cause(
        RESOURCE_CLAIM_MISSING,
        f"it names what is not there for its devices: {listed}{hint}",
        "create it before the job, in the job's namespace; in a rehearsal put it into the job's file",
    )


def stand_ins(wanted: Iterable[Named], absent: Collection[Named] = ()) -> Iterator[StandIn]:
    """That claims are left out of the pods, and that a gate holds those that name what is not there."""
    for each in sorted(wanted):
        why = "no DRA driver runs here, so the devices it asks for are not counted"
        name, left_out = f"{each.kind} {each.name}", "left out of the pods that name it"
        if each in absent:
            yield StandIn(name, "a scheduling gate of the pods that name it", "it is not there, so they wait for it")
        else:
            yield StandIn(name, left_out, why)
