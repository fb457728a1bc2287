"""Which nodes a pod must be on, as charts say it. Pure."""

from collections.abc import Iterable
from typing import Any

from muster.fleet.labels import GROUP, INSTANCE_TYPE

Json = dict[str, Any]

LINUX = {"kubernetes.io/os": "linux"}
"""As a node selector."""


def among(key: str, values: Iterable[str]) -> Json:
    """A label is one of these."""
    return {"key": key, "operator": "In", "values": list(values)}


def none_of(key: str, *values: str) -> Json:
    """A label is none of these, or is not there."""
    return {"key": key, "operator": "NotIn", "values": list(values)}


def on_nodes(*expressions: Json) -> Json:
    """An affinity to nodes for which all of these hold."""
    terms = [{"matchExpressions": list(expressions)}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def on_groups(instances: Iterable[str], groups: Iterable[str]) -> Json:
    """An affinity to nodes of these types that are in these groups."""
    return on_nodes(among(INSTANCE_TYPE, instances), among(GROUP, groups))


def types(**sizes: str) -> list[str]:
    """A chart's list of instance types: ``g5="xlarge 2xlarge"`` gives ``g5.xlarge``, ``g5.2xlarge``; an underscore
    stands for a dash."""
    return [f"{family.replace('_', '-')}.{size}" for family, listed in sizes.items() for size in listed.split()]


def of_hyperpod(listed: Iterable[str]) -> list[str]:
    """The same types as HyperPod calls them."""
    return [f"ml.{each}" for each in listed]
