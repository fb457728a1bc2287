"""The resources that a pod requests from its node, as the scheduler counts them.

After `PodRequests` and `AggregateContainerRequests` of k8s.io/component-helpers 1.35 (`resource/helpers.go`), on a pod
as the API server completes it (`SetDefaults_Pod`, `defaultPodRequests` of `pkg/apis/core/v1/defaults.go`): a limit
is also the request if there is none. Additions by a LimitRange or a RuntimeClass are unknown here.
"""

from collections.abc import Mapping
from typing import Any

from muster.finding import KeyPath
from muster.jobs.manifest import Field, MalformedJob
from muster.kubernetes_quantity import CPU, Quantity, base_units, is_huge_pages

_OF_PODS = frozenset({CPU, "memory"})
"""The resources that a pod may request as a whole, besides huge pages."""

PodRequests = dict[str, int]
"""Resource -> amount: CPU in millicores; memory, huge pages and storage in bytes; others as numbers. None is zero."""


def pod_requests(pod_spec: Mapping[str, Any], path: KeyPath = ("spec",)) -> PodRequests:
    """Resource -> the amount that a pod of this spec requests from its node.

    Args:
        pod_spec: the pod's spec, as written.
        path: the spec's path, for messages.

    Raises:
        MalformedJob: an amount or a list is malformed.
    """
    spec = Field(pod_spec, path)
    total: _Exact = {}
    for container in spec.at("containers").entries():
        _add(total, _requests(container.at("resources")))
    beside: _Exact = {}
    most: _Exact = {}
    for container in spec.at("initContainers").entries():
        now = _requests(container.at("resources"))
        if container.at("restartPolicy").value == "Always":  # a sidecar, which continues to run
            _add(total, now)
            _add(beside, now)
        else:
            _add(now, beside)
            _raise(most, now)
    _raise(total, most)
    total |= _of_the_pod(spec.at("resources"), total)
    _add(total, _amounts(spec.at("overhead")))
    return {resource: base_units(resource, Quantity(nano)) for resource, nano in total.items() if nano}


_Exact = dict[str, int]
"""Resource -> billionths: parts are added up before they are rounded."""


def _read(written: Field) -> Quantity:
    if not written.there:
        raise written.wrong("set a number, with a unit of Kubernetes if it needs one, as in 500m, 2, 32000Mi")
    try:
        quantity = Quantity.parse(written.value)
    except ValueError as fault:
        raise MalformedJob(f"{written}: {fault}", written.path) from None
    if quantity.nano < 0:
        raise written.wrong("set an amount that is not negative")
    return quantity


def _requests(resources: Field) -> _Exact:
    return _amounts(resources.at("limits")) | _amounts(resources.at("requests"))


def _amounts(field: Field) -> _Exact:
    return {key: _read(field.at(key)).nano for key in field.mapping()}


def _of_the_pod(resources: Field, of_containers: _Exact) -> _Exact:
    """The pod-level requests, which replace those of the containers. A limit without a request counts if no container
    requests the resource; for huge pages it always counts."""
    limits = {
        resource: number
        for resource, number in _amounts(resources.at("limits")).items()
        if resource not in of_containers or is_huge_pages(resource)
    }
    requested = limits | _amounts(resources.at("requests"))
    return {
        resource: number for resource, number in requested.items() if resource in _OF_PODS or is_huge_pages(resource)
    }


def _add(to: _Exact, more: _Exact) -> None:
    for resource, number in more.items():
        to[resource] = to.get(resource, 0) + number


def _raise(to: _Exact, least: _Exact) -> None:
    for resource, number in least.items():
        to[resource] = max(to.get(resource, 0), number)
