"""The conditions that can disable EFA without an error: on nodes, in the network, in pods. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE, HUGE_PAGES_RESOURCE
from muster.extras.verify.checks import Deviation, said
from muster.extras.verify.expected import Expectations, ExpectedGroup
from muster.extras.verify.observed import ObservedCluster, ObservedNode, ObservedPod
from muster.extras.verify.plugins import PluginState, efa_plugin
from muster.finding import Finding, Level, NotEvaluated


def efa_pod_deviations(expected: Expectations, seen: ObservedCluster) -> Iterator[Deviation]:
    """All deviations of pods on nodes with EFA."""
    for group in expected.groups:
        pods = pods_with_devices(group, seen) if group.efa else []
        # Devices that pods claim are not in their requests.
        whole_nodes = [] if group.claims else pods_with_all_devices(group, seen, pods)
        spread: dict[tuple[str, ...] | None, set[str]] = {}
        for pod in whole_nodes:
            spread.setdefault(pod.job, set()).add(pod.node)
        for pod in whole_nodes:
            yield from _request_deviations(group, pod, alone=pod.job is None or len(spread[pod.job]) == 1)
        for pod in pods:
            yield from _brings(group, pod)


def pods_with_devices(group: ExpectedGroup, seen: ObservedCluster) -> list[ObservedPod]:
    """The pods on a group's nodes that use its devices."""
    names = {node.name for node in seen.of_group(group.name)}
    return [pod for pod in seen.pods if pod.node in names and any(pod.asks.get(each) for each in group.offers)]


def pods_with_all_devices(
    group: ExpectedGroup, seen: ObservedCluster, pods: Iterable[ObservedPod]
) -> list[ObservedPod]:
    """The pods that request all accelerators of their node, under any name of its plugin: Neuron devices also as
    cores."""
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


def _request_deviations(group: ExpectedGroup, pod: ObservedPod, *, alone: bool) -> Iterator[Deviation]:
    requested = pod.asks.get(EFA_RESOURCE, 0)
    if requested < group.efa:
        what = (
            f"requests all {group.accelerator} of its node, but {requested} of {group.efa} {EFA_RESOURCE}; its job is "
            f"on {'one node' if alone else 'several nodes'}"
        )
        level = Level.ADVISORY if alone else Level.MANDATORY
        yield Deviation("efa-pod-asks-for-all", level, group.where, what, f"pod {pod.called}")


_ALL_DEVICES = ("/dev", "/")


def _brings(group: ExpectedGroup, pod: ObservedPod) -> Iterator[Deviation]:
    def deviation(check: str, level: Level, what: str) -> Deviation:
        return Deviation(check, level, group.where, what, f"pod {pod.called}")

    for path in pod.host_paths:
        kept = path.rstrip("/") or "/"
        if kept in _ALL_DEVICES or f"{kept}/".startswith("/dev/infiniband/"):
            # Observed with mlx5 beside EFA on p6-b200; harmless if all devices are EFA.
            what = f"mounts {path} of its node: if a device there is not EFA, libfabric may open no device"
            yield deviation("efa-pod-without-host-path", Level.ADVISORY, what)
    for name, off in _SWITCHES.items():
        value = pod.environment.get(name)
        if value is not None and off(value):
            what = f"sets {name}={value}, so NCCL does not use EFA"
            yield deviation("efa-pod-environment", Level.MANDATORY, what)
    if group.huge_pages_mib and pod.asks.get(EFA_RESOURCE) and not pod.asks.get(HUGE_PAGES_RESOURCE):
        what = f"requests {EFA_RESOURCE}, but no {HUGE_PAGES_RESOURCE}; libfabric needs 5120Mi"
        yield deviation("efa-pod-huge-pages", Level.ADVISORY, what)


def _excludes_efa(providers: str) -> bool:
    """``tcp``, ``^efa``: a list of providers to use or, after ^, to exclude."""
    named_ = {each.strip() for each in providers.strip().lower().removeprefix("^").replace(";", ",").split(",")}
    return ("efa" in named_) == providers.strip().startswith("^")


_SWITCHES: dict[str, Callable[[str], bool]] = {
    "FI_PROVIDER": _excludes_efa,
    "NCCL_NET": lambda value: value.strip().lower() in {"socket", "ib"},
    "NCCL_NET_PLUGIN": lambda value: value.strip().lower() == "none",
}
"""libfabric's and NCCL's variables that disable EFA, depending on their values."""


class Verdict(StrEnum):
    """The result of one condition."""

    MET = "met"
    BROKEN = "broken"
    NOT_EVALUATED = "not evaluated"


@dataclass(frozen=True, slots=True)
class Condition:
    """One of the five conditions, for one group."""

    id: str
    title: str
    verdict: Verdict
    text: str
    """What was observed, or how to observe it."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    title: str
    rules: frozenset[str]
    """The rules that evaluate it before there is a cluster."""
    checks: frozenset[str]
    """The checks that evaluate it on a cluster."""


SHEETS = {
    "interfaces": _Sheet(
        "every node has all its EFA interfaces since its launch",
        frozenset({"efa-fits-instance", "efa-used-fully", "one-efa-per-card", "efa-only-without-address"}),
        frozenset({"node-offers"}),
    ),
    "one-zone": _Sheet(
        "all nodes are in one zone, because EFA traffic cannot leave the zone of its subnet",
        frozenset({"efa-single-zone"}),
        frozenset({"efa-one-zone", "node-zone"}),
    ),
    "device-plugin": _Sheet(
        "the EFA plugin runs on every node, and no other plugin allocates its devices",
        frozenset({"group-has-its-device-plugin"}),
        frozenset({"plugin-ready", "efa-left-to-its-plugin"}),
    ),
    "security-groups": _Sheet(
        "the security groups allow all traffic from and to themselves",
        frozenset({"efa-security-groups-allow-themselves", "security-groups-on-interfaces"}),
        frozenset({"efa-security-groups"}),
    ),
    "pods": _Sheet(
        "pods that request whole nodes request all of their EFA interfaces, and do not disable EFA",
        frozenset(),
        frozenset({"efa-pod-asks-for-all", "efa-pod-without-host-path", "efa-pod-environment", "efa-pod-huge-pages"}),
    ),
}

SECURITY_GROUPS = (
    "the rules of the security groups, which Kubernetes does not show: check with `aws ec2 "
    "describe-security-group-rules` that each group of the nodes' EFA interfaces allows all protocols from and to "
    "itself"
)
TRAFFIC = (
    "the traffic, which Kubernetes does not show: run `muster job nccl-tests`; its log must contain 'Selected provider "
    "is efa', and the counters in /sys/class/infiniband/*/ports/1/hw_counters must increase on the nodes"
)
_NO_JOB = "no pod requests the group's devices yet; `muster job efa-check` prints a job that requests all of each node"


def planned_conditions(
    expected: Expectations, findings: Iterable[Finding], not_evaluated: Iterable[NotEvaluated]
) -> dict[str, tuple[Condition, ...]]:
    """The list before there is a cluster: group -> conditions, from the rules' findings about the description."""
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
        return Condition(id, sheet.title, Verdict.NOT_EVALUATED, f"missing: {', '.join(sorted(set(wanting)))}")
    if not sheet.rules:
        return Condition(id, sheet.title, Verdict.NOT_EVALUATED, _NO_JOB)
    advice = "; ".join(sorted({each.got for each in about}))
    return Condition(id, sheet.title, Verdict.MET, advice or "according to the description")


def _is_about(resource: str, group: ExpectedGroup) -> bool:
    return resource == group.where or resource.startswith(f"{group.where}.")


def _with_efa(expected: Expectations) -> tuple[ExpectedGroup, ...]:
    return tuple(group for group in expected.groups if group.efa)


@dataclass(frozen=True, slots=True)
class _ObservedGroup:
    """One observed group."""

    group: ExpectedGroup
    nodes: tuple[ObservedNode, ...]
    seen: ObservedCluster
    plugin: PluginState | None
    """The EFA plugin, if the description has one for the group."""

    @property
    def ready(self) -> list[ObservedNode]:
        return [node for node in self.nodes if node.ready]

    def offered(self, node: ObservedNode) -> int:
        """The EFA interfaces that a plugin offers, or a DRA driver publishes."""
        if _EFA_CLASS in self.group.claims:
            return self.seen.published.get(node.name, {}).get(_EFA_CLASS, 0)
        return node.offers(EFA_RESOURCE)


def judged_conditions(
    expected: Expectations, seen: ObservedCluster, states: Iterable[PluginState], deviations: Iterable[Deviation]
) -> dict[str, tuple[Condition, ...]]:
    """The list for a cluster: group -> conditions."""
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
    return Condition(id, sheet.title, Verdict.BROKEN, said(text, subjects))


def _is_of(deviation: Deviation, group_state: _ObservedGroup) -> bool:
    """Whether it is about the group's EFA: deviations of a plugin are at the add-on, and devices are of many kinds."""
    if deviation.check == "plugin-ready":
        at_plugin = group_state.plugin is not None and deviation.resource == group_state.plugin.plugin.where
        return at_plugin and deviation.subject in {"", *(node.name for node in group_state.nodes)}
    if deviation.check == "node-offers" and deviation.device not in {EFA_RESOURCE, _EFA_CLASS}:
        return False
    return deviation.resource == group_state.group.where


_EFA_CLASS = DEVICE_CLASSES[EFA_RESOURCE]

_Result = tuple[Verdict, str]
_NO_NODE = "none of the group's nodes has joined"


def _interfaces(group_state: _ObservedGroup) -> _Result:
    if not group_state.ready:
        return Verdict.NOT_EVALUATED, _NO_NODE if not group_state.nodes else "none of the group's nodes is ready"
    planned = group_state.group.efa
    if not all(group_state.offered(node) == planned for node in group_state.ready):
        return Verdict.NOT_EVALUATED, "the interfaces of nodes where the plugin does not run are unknown"
    return Verdict.MET, f"{planned} on {_each_node(len(group_state.ready))}"


def _each_node(count: int) -> str:
    return "the node" if count == 1 else f"each of {count} nodes"


def _zone(group_state: _ObservedGroup) -> _Result:
    zones = sorted({node.zone for node in group_state.nodes})
    if not zones:
        return Verdict.NOT_EVALUATED, _NO_NODE
    if "" in zones:
        return Verdict.NOT_EVALUATED, "some nodes have no label with their zone"
    return Verdict.MET, zones[0]


def _plugin(group_state: _ObservedGroup) -> _Result:
    if not group_state.ready:
        return Verdict.NOT_EVALUATED, _NO_NODE if not group_state.nodes else "none of the group's nodes is ready"
    if _EFA_CLASS in group_state.group.claims:
        return Verdict.MET, "the EFA DRA driver publishes the interfaces of every node"
    if group_state.plugin is None:
        offered = all(node.offers(EFA_RESOURCE) for node in group_state.ready)
        if offered:
            return Verdict.MET, "the description has no EFA plugin, but every node offers EFA"
        return Verdict.NOT_EVALUATED, "the description has no EFA plugin"
    sets = group_state.plugin.daemon_sets
    return Verdict.MET, ", ".join(f"{each.called}: {each.ready} of {each.wanted} ready" for each in sets)


def _security_groups(_: _ObservedGroup) -> _Result:
    return Verdict.NOT_EVALUATED, SECURITY_GROUPS


def _pods(group_state: _ObservedGroup) -> _Result:
    if group_state.group.claims:
        return Verdict.NOT_EVALUATED, "pods claim devices of the group, and this command does not read claims"
    pods = pods_with_devices(group_state.group, group_state.seen)
    if not pods:
        return Verdict.NOT_EVALUATED, _NO_JOB
    whole = len(pods_with_all_devices(group_state.group, group_state.seen, pods))
    return (
        Verdict.MET,
        f"pods that use its devices: {len(pods)}, of which use a whole node: {whole}",
    )


_CHECKS: dict[str, Callable[[_ObservedGroup], _Result]] = {
    "interfaces": _interfaces,
    "one-zone": _zone,
    "device-plugin": _plugin,
    "security-groups": _security_groups,
    "pods": _pods,
}


def not_evaluated(lists: Mapping[str, tuple[Condition, ...]]) -> Iterator[NotEvaluated]:
    """The conditions that no check can read, for each group: security groups, and the traffic."""
    for group, conditions in lists.items():
        for condition in conditions:
            if condition.id == "security-groups" and condition.verdict is Verdict.NOT_EVALUATED:
                yield NotEvaluated("efa-security-groups", f"groups.{group}", condition.text)
        yield NotEvaluated("efa-carries-traffic", f"groups.{group}", TRAFFIC)
