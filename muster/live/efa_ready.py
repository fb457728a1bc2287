"""The EFA-ready list: the conditions that switch EFA off without an error, for every group that has it. Pure.

Five, after NVIDIA/nvcf#1349 ("Five conditions had to hold. Each was found by hitting it"): interfaces from launch, one
zone, the plugin on the tainted nodes are its first three. The security groups (EC2 user guide) and what pods ask for
and bring along (skypilot#10055, aws-do-eks#63) stand for what else keeps traffic on TCP. That traffic does go over EFA
is seen by no list: it is always told as not evaluated.

Before a cluster is there the rules judge the same five, as far as a description decides them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from muster.fleet.finding import Finding, Level, NotEvaluated
from muster.fleet.node import EFA_RESOURCE
from muster.live.checks import Deviation, named
from muster.live.efa_pods import taking_all, using
from muster.live.expectations import Expectations, Group
from muster.live.plugins import PluginState, efa_plugin
from muster.live.seen import Node, Seen


class Verdict(StrEnum):
    """Of one condition."""

    MET = "met"
    BROKEN = "broken"
    NOT_EVALUATED = "not evaluated"


@dataclass(frozen=True, slots=True)
class Condition:
    """One of the five, of one group."""

    id: str
    title: str
    verdict: Verdict
    said: str
    """What was seen, or how to see it."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    title: str
    rules: frozenset[str]
    """The rules that judge it before there is a cluster."""
    checks: frozenset[str]
    """The checks that judge it afterwards."""


SHEETS = {
    "interfaces": _Sheet(
        "every node has all its EFA interfaces from launch",
        frozenset({"efa-fits-instance", "efa-used-fully", "one-efa-per-card", "efa-only-without-address"}),
        frozenset({"node-offers"}),
    ),
    "one-zone": _Sheet(
        "all nodes are in one zone: EFA does not leave its subnet's",
        frozenset({"efa-single-zone"}),
        frozenset({"efa-one-zone", "node-zone"}),
    ),
    "device-plugin": _Sheet(
        "the EFA plugin runs on every node, and no other hands out its devices",
        frozenset({"group-has-its-device-plugin"}),
        frozenset({"plugin-ready", "efa-left-to-its-plugin"}),
    ),
    "security-groups": _Sheet(
        "the security groups let everything pass from and to themselves",
        frozenset({"efa-security-groups-allow-themselves", "security-groups-on-interfaces"}),
        frozenset({"efa-security-groups"}),
    ),
    "pods": _Sheet(
        "pods that take whole nodes take all their EFA, and bring nothing that switches it off",
        frozenset(),
        frozenset({"efa-pod-asks-for-all", "efa-pod-without-host-path", "efa-pod-environment", "efa-pod-huge-pages"}),
    ),
}

SECURITY_GROUPS = (
    "Kubernetes does not show security groups; `aws ec2 describe-security-group-rules` of the groups on the nodes' EFA "
    "interfaces: each allows all protocols from itself and to itself"
)
TRAFFIC = (
    "no list shows traffic; run `muster job nccl-tests`: its log says 'Selected provider is efa', and the counters "
    "below /sys/class/infiniband/*/ports/1/hw_counters move on the nodes"
)
_NO_JOB = "no pod asks for its devices yet; `muster job efa-check` prints one that asks for all of a node"


def planned(
    expected: Expectations, findings: Iterable[Finding], not_evaluated: Iterable[NotEvaluated]
) -> dict[str, tuple[Condition, ...]]:
    """The list before there is a cluster: group -> conditions, by what the rules said of the description."""
    found, unjudged = tuple(findings), tuple(not_evaluated)
    return {
        group.name: tuple(_by_rules(name, sheet, group, found, unjudged) for name, sheet in SHEETS.items())
        for group in _with_efa(expected)
    }


def _by_rules(
    id: str, sheet: _Sheet, group: Group, findings: tuple[Finding, ...], unjudged: tuple[NotEvaluated, ...]
) -> Condition:
    about = [each for each in findings if each.rule in sheet.rules and _is_about(each.resource, group)]
    if any(each.level is Level.MANDATORY for each in about):
        return Condition(id, sheet.title, Verdict.BROKEN, "; ".join(sorted({each.got for each in about})))
    wanting = [each.missing for each in unjudged if each.rule in sheet.rules and _is_about(each.resource, group)]
    if wanting:
        return Condition(id, sheet.title, Verdict.NOT_EVALUATED, f"for want of {', '.join(sorted(set(wanting)))}")
    if not sheet.rules:
        return Condition(id, sheet.title, Verdict.NOT_EVALUATED, _NO_JOB)
    advice = "; ".join(sorted({each.got for each in about}))
    return Condition(id, sheet.title, Verdict.MET, advice or "by the description")


def _is_about(resource: str, group: Group) -> bool:
    return resource == group.where or resource.startswith(f"{group.where}.")


def _with_efa(expected: Expectations) -> tuple[Group, ...]:
    return tuple(group for group in expected.groups if group.efa)


@dataclass(frozen=True, slots=True)
class _Sight:
    """One group, as it was seen."""

    group: Group
    nodes: tuple[Node, ...]
    seen: Seen
    plugin: PluginState | None
    """The EFA plugin, where the description has one for the group."""

    @property
    def ready(self) -> list[Node]:
        return [node for node in self.nodes if node.ready]


def judged(
    expected: Expectations, seen: Seen, states: Iterable[PluginState], deviations: Iterable[Deviation]
) -> dict[str, tuple[Condition, ...]]:
    """The list of a cluster: group -> conditions."""
    found = [each for each in deviations if each.level is Level.MANDATORY]
    plugin = efa_plugin(states)
    lists = {}
    for group in _with_efa(expected):
        own = plugin if plugin and group.name in plugin.plugin.groups else None
        sight = _Sight(group, seen.of_group(group.name), seen, own)
        lists[group.name] = tuple(_condition(name, sheet, sight, found) for name, sheet in SHEETS.items())
    return lists


def _condition(id: str, sheet: _Sheet, sight: _Sight, deviations: list[Deviation]) -> Condition:
    broken = [each for each in deviations if each.check in sheet.checks and _is_of(each, sight)]
    if not broken:
        return Condition(id, sheet.title, *_LOOKS[id](sight))
    said = "; ".join(sorted({each.what for each in broken}))
    subjects = [each.subject for each in broken if each.subject]
    return Condition(id, sheet.title, Verdict.BROKEN, f"{named(subjects)}: {said}" if subjects else said)


def _is_of(deviation: Deviation, sight: _Sight) -> bool:
    """Whether it is about the group's EFA: a plugin's is told at the add-on, and devices are of many kinds."""
    if deviation.check == "plugin-ready":
        at_plugin = sight.plugin is not None and deviation.resource == sight.plugin.plugin.where
        return at_plugin and deviation.subject in {"", *(node.name for node in sight.nodes)}
    if deviation.check == "node-offers" and EFA_RESOURCE not in deviation.what:
        return False
    return deviation.resource == sight.group.where


_Look = tuple[Verdict, str]
_NO_NODE = "none of its nodes has joined"


def _interfaces(sight: _Sight) -> _Look:
    if not sight.ready:
        return Verdict.NOT_EVALUATED, _NO_NODE if not sight.nodes else "none of its nodes is ready"
    planned = sight.group.efa
    if not all(node.offers(EFA_RESOURCE) == planned for node in sight.ready):
        return Verdict.NOT_EVALUATED, "where the plugin does not run, nobody counts them"
    return Verdict.MET, f"{planned} on each of {len(sight.ready)}"


def _zone(sight: _Sight) -> _Look:
    zones = sorted({node.zone for node in sight.nodes})
    if not zones:
        return Verdict.NOT_EVALUATED, _NO_NODE
    if "" in zones:
        return Verdict.NOT_EVALUATED, "not every node has a label with its zone"
    return Verdict.MET, zones[0]


def _plugin(sight: _Sight) -> _Look:
    if not sight.ready:
        return Verdict.NOT_EVALUATED, _NO_NODE if not sight.nodes else "none of its nodes is ready"
    if sight.plugin is None:
        offered = all(node.offers(EFA_RESOURCE) for node in sight.ready)
        if offered:
            return Verdict.MET, "none is in the description, yet every node offers EFA"
        return Verdict.NOT_EVALUATED, "the description has no EFA plugin"
    sets = sight.plugin.daemon_sets
    return Verdict.MET, ", ".join(f"{each.called}: {each.ready} of {each.wanted} ready" for each in sets)


def _security_groups(_: _Sight) -> _Look:
    return Verdict.NOT_EVALUATED, SECURITY_GROUPS


def _pods(sight: _Sight) -> _Look:
    pods = using(sight.group, sight.seen)
    if not pods:
        return Verdict.NOT_EVALUATED, _NO_JOB
    whole = len(taking_all(sight.group, sight.seen, pods))
    return (
        Verdict.MET,
        f"pods that use its devices: {len(pods)}, a whole node each: {whole}",
    )


_LOOKS: dict[str, Callable[[_Sight], _Look]] = {
    "interfaces": _interfaces,
    "one-zone": _zone,
    "device-plugin": _plugin,
    "security-groups": _security_groups,
    "pods": _pods,
}


def not_evaluated(lists: Mapping[str, tuple[Condition, ...]]) -> Iterator[NotEvaluated]:
    """What nobody looked at, of each group: security groups, and the traffic itself."""
    for group, conditions in lists.items():
        for condition in conditions:
            if condition.id == "security-groups" and condition.verdict is Verdict.NOT_EVALUATED:
                yield NotEvaluated("efa-security-groups", f"groups.{group}", condition.said)
        yield NotEvaluated("efa-carries-traffic", f"groups.{group}", TRAFFIC)
