"""Requests and limits of devices."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.amounts import is_device, is_huge_pages
from muster.fleet.kubernetes_quantity import Quantity
from muster.fleet.resources import Fleet, PodOwner
from muster.fleet.unknown import UNKNOWN
from policies.reading.pods import containers
from policies.reading.unknowns import found_at
from policies.rule import Rule, Verdict, rule


@rule(
    "devices-asked-as-limits",
    title="What a pod requests of devices and huge pages is also its limit",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="Neither can be overcommitted: the API server refuses a pod that requests a device without a limit, or with "
    "another one. A limit alone is both.",
    source="Kubernetes pkg/apis/core/validation; hyperpod-cli quota_allocation_util.py",
    remedy="Write the same number under limits and requests, or under limits alone.",
    facts=("rules.md#44",),
)
def devices_asked_as_limits(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template in owner.templates:
        for path, container in containers(template):
            limits = found_at(container, "resources", "limits")
            requests = found_at(container, "resources", "requests")
            if UNKNOWN in (limits, requests):
                yield rule.unjudged(owner.place, f"the resources of {path}, not known before creation")
                continue
            for resource, requested in sorted(requests.items()) if isinstance(requests, Mapping) else ():
                limit = found_at(limits, resource)
                if _whole(resource) and UNKNOWN not in (requested, limit) and not _same(requested, limit):
                    other = "no limit" if limit is None else f"a limit of {limit}"
                    yield rule.finding(
                        owner.place,
                        got=f"{path} requests {requested} {resource} with {other}",
                        remedy=f"write {resource}: {requested} under limits, too",
                    )


def _whole(resource: str) -> bool:
    """Whether it is a device or huge pages; extended resources have a domain of their own."""
    return is_huge_pages(resource) or (is_device(resource) and "/" in resource)


def _same(requested: Any, limit: Any) -> bool:
    try:
        return Quantity.parse(requested) == Quantity.parse(limit)
    except ValueError:
        return False
