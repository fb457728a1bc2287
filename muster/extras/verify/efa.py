"""The conditions that switch EFA off without an error: on nodes, in the network, in pods. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from muster.blueprint.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE
from muster.extras.verify.checks import Deviation, list_names
from muster.extras.verify.expected import Expectations, ExpectedGroup
from muster.extras.verify.observed import ObservedCluster, ObservedNode, ObservedPod
from muster.extras.verify.plugins import PluginState, efa_plugin
from muster.finding import Finding, Level, NotEvaluated


def efa_pod_deviations(expected: Expectations, seen: ObservedCluster) -> Iterator[Deviation]:
    """Everything that is wrong with pods on nodes with EFA."""
    for group in expected.groups:
        pods = pods_with_devices(group, seen) if group.efa else []
        whole_nodes = pods_with_all_devices(group, seen, pods)
        spread: dict[tuple[str, ...] | None, set[str]] = {}
        for pod in whole_nodes:
            spread.setdefault(pod.job, set()).add(pod.node)
        for pod in whole_nodes:
            yield from _request_deviations(group, pod, alone=pod.job is None or len(spread[pod.job]) == 1)
        for pod in pods:
            yield from _brings(group, pod)


def pods_with_devices(group: ExpectedGroup, seen: ObservedCluster) -> list[ObservedPod]:
    """The pods on its nodes that use its devices."""
    names = {node.name for node in seen.of_group(group.name)}
    return [pod for pod in seen.pods if pod.node in names and any(pod.asks.get(each) for each in group.offers)]


def pods_with_all_devices(
    group: ExpectedGroup, seen: ObservedCluster, pods: Iterable[ObservedPod]
) -> list[ObservedPod]:
    """Those of them that take all accelerators of their node, by whatever name its plugin offers them: Neuron's also
    by their cores."""
    nodes = {node.name: node for node in seen.of_group(group.name)}
    served = group.devices.get(group.accelerator or "", {})

    def all_of(resource: str, planned: int, node: ObservedNode) -> int:
        other = group.other_numbers.get(resource)
        return other if other is not None and node.offers(resource) == other else planned

    return [
        pod
        for pod in pods
        if any(
            pod.asks.get(resource, 0) >= all_of(resource, planned, nodes[pod.node])
            for resource, planned in served.items()
        )
    ]


def _of_pod(group: ExpectedGroup, pod: ObservedPod, check: str, level: Level, what: str, remedy: str) -> Deviation:
    return Deviation(check, level, group.where, group.where, what, remedy, f"pod {pod.called}")


def _request_deviations(group: ExpectedGroup, pod: ObservedPod, *, alone: bool) -> Iterator[Deviation]:
    requested = pod.asks.get(EFA_RESOURCE, 0)
    if requested < group.efa:
        level = Level.ADVISORY if alone else Level.MANDATORY
        if alone:
            why = "fine as long as its job stays on one node"
        elif requested:
            why = "its job spans nodes, and has that part of the bandwidth between them"
        else:
            why = "its job spans nodes: between them it goes over TCP"
        what = (
            f"asks for all {group.accelerator} of its node and {requested or 'no'} {EFA_RESOURCE} of {group.efa}; {why}"
        )
        remedy = f"ask for {group.efa} (`muster job` prints a job that does)"
        yield _of_pod(group, pod, "efa-pod-asks-for-all", level, what, remedy)


_ALL_DEVICES = ("/dev", "/")


def _brings(group: ExpectedGroup, pod: ObservedPod) -> Iterator[Deviation]:
    for path in pod.host_paths:
        kept = path.rstrip("/") or "/"
        if kept in _ALL_DEVICES or f"{kept}/".startswith("/dev/infiniband/"):
            # Seen of mlx5 beside EFA on p6-b200; where all devices are EFA it does no harm.
            what = f"mounts {path} of its node: if some device there is no EFA, libfabric may open none"
            remedy = f"leave the hostPath away: the plugin gives a pod the devices that it asks for ({EFA_RESOURCE})"
            yield _of_pod(group, pod, "efa-pod-without-host-path", Level.ADVISORY, what, remedy)
    for name, off in _SWITCHES.items():
        value = pod.environment.get(name)
        if value is not None and off(value):
            what = f"has {name}={value}: NCCL does not use EFA"
            remedy = f"leave {name} away: aws-ofi-nccl chooses EFA by itself where there is any"
            yield _of_pod(group, pod, "efa-pod-environment", Level.MANDATORY, what, remedy)
    if group.huge_pages_mib and pod.asks.get(EFA_RESOURCE) and not pod.asks.get(HUGE_PAGES_RESOURCE):
        what = f"asks for {EFA_RESOURCE} and no {HUGE_PAGES_RESOURCE}"
        remedy = "ask for 5120Mi: libfabric's buffers lie in them"
        yield _of_pod(group, pod, "efa-pod-huge-pages", Level.ADVISORY, what, remedy)


def _excludes_efa(providers: str) -> bool:
    """``tcp``, ``^efa``: a list of those to take, or, after ^, of those not to."""
    named_ = {each.strip() for each in providers.strip().lower().removeprefix("^").replace(";", ",").split(",")}
    return ("efa" in named_) == providers.strip().startswith("^")


_SWITCHES: dict[str, Callable[[str], bool]] = {
    "FI_PROVIDER": _excludes_efa,
    "NCCL_NET": lambda value: value.strip().lower() in {"socket", "ib"},
    "NCCL_NET_PLUGIN": lambda value: value.strip().lower() == "none",
}
"""libfabric's and NCCL's variables that keep EFA out, by their values."""


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
    text: str
    """What was observed, or how to observe it."""


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


def planned_conditions(
    expected: Expectations, findings: Iterable[Finding], not_evaluated: Iterable[NotEvaluated]
) -> dict[str, tuple[Condition, ...]]:
    """The list before there is a cluster: group -> conditions, by the rules' findings in the description."""
    found, unjudged = tuple(findings), tuple(not_evaluated)
    return {
        group.name: tuple(_by_rules(name, sheet, group, found, unjudged) for name, sheet in SHEETS.items())
        for group in _with_efa(expected)
    }


def _by_rules(
    id: str, sheet: _Sheet, group: ExpectedGroup, findings: tuple[Finding, ...], unjudged: tuple[NotEvaluated, ...]
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


def _is_about(resource: str, group: ExpectedGroup) -> bool:
    return resource == group.where or resource.startswith(f"{group.where}.")


def _with_efa(expected: Expectations) -> tuple[ExpectedGroup, ...]:
    return tuple(group for group in expected.groups if group.efa)


@dataclass(frozen=True, slots=True)
class _ObservedGroup:
    """One group, as it was seen."""

    group: ExpectedGroup
    nodes: tuple[ObservedNode, ...]
    seen: ObservedCluster
    plugin: PluginState | None
    """The EFA plugin, where the description has one for the group."""

    @property
    def ready(self) -> list[ObservedNode]:
        return [node for node in self.nodes if node.ready]


def judged_conditions(
    expected: Expectations, seen: ObservedCluster, states: Iterable[PluginState], deviations: Iterable[Deviation]
) -> dict[str, tuple[Condition, ...]]:
    """The list of a cluster: group -> conditions."""
    found = [each for each in deviations if each.level is Level.MANDATORY]
    plugin = efa_plugin(states)
    lists = {}
    for group in _with_efa(expected):
        own = plugin if plugin and group.name in plugin.plugin.groups else None
        group_state = _ObservedGroup(group, seen.of_group(group.name), seen, own)
        lists[group.name] = tuple(_condition(name, sheet, group_state, found) for name, sheet in SHEETS.items())
    return lists


def _condition(id: str, sheet: _Sheet, group_state: _ObservedGroup, deviations: list[Deviation]) -> Condition:
    broken = [each for each in deviations if each.check in sheet.checks and _is_of(each, group_state)]
    if not broken:
        return Condition(id, sheet.title, *_CHECKS[id](group_state))
    text = "; ".join(sorted({each.what for each in broken}))
    subjects = [each.subject for each in broken if each.subject]
    return Condition(id, sheet.title, Verdict.BROKEN, f"{list_names(subjects)}: {text}" if subjects else text)


def _is_of(deviation: Deviation, group_state: _ObservedGroup) -> bool:
    """Whether it is about the group's EFA: a plugin's is reported at the add-on, and devices are of many kinds."""
    if deviation.check == "plugin-ready":
        at_plugin = group_state.plugin is not None and deviation.resource == group_state.plugin.plugin.where
        return at_plugin and deviation.subject in {"", *(node.name for node in group_state.nodes)}
    if deviation.check == "node-offers" and EFA_RESOURCE not in deviation.what:
        return False
    return deviation.resource == group_state.group.where


_Result = tuple[Verdict, str]
_NO_NODE = "none of its nodes has joined"


def _interfaces(group_state: _ObservedGroup) -> _Result:
    if not group_state.ready:
        return Verdict.NOT_EVALUATED, _NO_NODE if not group_state.nodes else "none of its nodes is ready"
    planned = group_state.group.efa
    if not all(node.offers(EFA_RESOURCE) == planned for node in group_state.ready):
        return Verdict.NOT_EVALUATED, "where the plugin does not run, nobody counts them"
    return Verdict.MET, f"{planned} on each of {len(group_state.ready)}"


def _zone(group_state: _ObservedGroup) -> _Result:
    zones = sorted({node.zone for node in group_state.nodes})
    if not zones:
        return Verdict.NOT_EVALUATED, _NO_NODE
    if "" in zones:
        return Verdict.NOT_EVALUATED, "not every node has a label with its zone"
    return Verdict.MET, zones[0]


def _plugin(group_state: _ObservedGroup) -> _Result:
    if not group_state.ready:
        return Verdict.NOT_EVALUATED, _NO_NODE if not group_state.nodes else "none of its nodes is ready"
    if group_state.plugin is None:
        offered = all(node.offers(EFA_RESOURCE) for node in group_state.ready)
        if offered:
            return Verdict.MET, "none is in the description, yet every node offers EFA"
        return Verdict.NOT_EVALUATED, "the description has no EFA plugin"
    sets = group_state.plugin.daemon_sets
    return Verdict.MET, ", ".join(f"{each.called}: {each.ready} of {each.wanted} ready" for each in sets)


def _security_groups(_: _ObservedGroup) -> _Result:
    return Verdict.NOT_EVALUATED, SECURITY_GROUPS


def _pods(group_state: _ObservedGroup) -> _Result:
    pods = pods_with_devices(group_state.group, group_state.seen)
    if not pods:
        return Verdict.NOT_EVALUATED, _NO_JOB
    whole = len(pods_with_all_devices(group_state.group, group_state.seen, pods))
    return (
        Verdict.MET,
        f"pods that use its devices: {len(pods)}, a whole node each: {whole}",
    )


_CHECKS: dict[str, Callable[[_ObservedGroup], _Result]] = {
    "interfaces": _interfaces,
    "one-zone": _zone,
    "device-plugin": _plugin,
    "security-groups": _security_groups,
    "pods": _pods,
}


def not_evaluated(lists: Mapping[str, tuple[Condition, ...]]) -> Iterator[NotEvaluated]:
    """What no check reads, for each group: security groups, and the traffic itself."""
    for group, conditions in lists.items():
        for condition in conditions:
            if condition.id == "security-groups" and condition.verdict is Verdict.NOT_EVALUATED:
                yield NotEvaluated("efa-security-groups", f"groups.{group}", condition.text)
        yield NotEvaluated("efa-carries-traffic", f"groups.{group}", TRAFFIC)
