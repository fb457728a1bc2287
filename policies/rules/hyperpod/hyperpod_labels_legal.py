"""Labels and taints that HyperPod puts on its nodes."""

import re
from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.resources.node_group import EKS_EFFECTS
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, marks
from policies.rule import Rule, Verdict, rule
from policies.words import choice, number

_MOST = 50
_LONGEST_KEY, _LONGEST_VALUE = 317, 63
_KEY = re.compile(
    r"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
)
_VALUE = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")


@rule(
    "hyperpod-labels-legal",
    title="A HyperPod group has up to 50 labels and 50 taints, of Kubernetes' form",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The API refuses more, and others, and where CloudFormation's schema lets one through the nodes never get any "
    "of them. A value has at least one character here.",
    source="SageMaker API, ClusterKubernetesConfig, ClusterKubernetesLabelKey, ClusterKubernetesTaint",
    remedy="Keep to Kubernetes' form.",
    facts=("hardware.md#f2", "hardware.md#R19"),
)
def hyperpod_labels_legal(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed, missing = marks(group)
    if missing:
        yield rule.unjudged(group.place, missing)
    for what, count in Counter(what for what, _, _ in listed).items():
        if count > _MOST:
            got = f"{called(group)} has {number(count, what)}; the API takes {_MOST}"
            yield rule.finding(group.place, at=f"{what}s", got=got, remedy=f"keep {_MOST} at most")
    for what, key, value in listed:
        fault = _fault(key, value, empty=what == "taint")
        if fault:
            got = f"the {what} '{key}' of {called(group)} has {fault}"
            form = "letters, digits, dashes, dots and underscores, a letter or digit at either end"
            yield rule.finding(group.place, at=f"{what}s", got=got, remedy=f"write {form}")
    for each in () if group.taints is UNKNOWN else sorted(group.taints):
        if each.effect not in EKS_EFFECTS:
            got = f"the taint '{each.key}' of {called(group)} has the effect '{each.effect}'"
            yield rule.finding(group.place, at="taints", got=got, remedy=f"write {choice(EKS_EFFECTS)}")


def _fault(key: str, value: str, *, empty: bool) -> str:
    """What is wrong with a key and its value; a taint may have none."""
    if len(key) > _LONGEST_KEY or not _KEY.fullmatch(key):
        return "a key that Kubernetes does not take"
    if not value:
        return "" if empty else "no value"
    return (
        ""
        if len(value) <= _LONGEST_VALUE and _VALUE.fullmatch(value)
        else f"a value ('{value}') that Kubernetes does not take"
    )
