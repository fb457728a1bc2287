"""What pods on nodes with EFA do that keeps their traffic off it, each without an error. Pure."""

from collections.abc import Callable, Iterable, Iterator

from muster.fleet.finding import Level
from muster.fleet.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE
from muster.live.checks import Deviation
from muster.live.expectations import Expectations, Group
from muster.live.seen import Node, Pod, Seen


def deviations(expected: Expectations, seen: Seen) -> Iterator[Deviation]:
    """Everything that is wrong with pods on nodes with EFA."""
    for group in expected.groups:
        pods = using(group, seen) if group.efa else []
        whole_nodes = taking_all(group, seen, pods)
        spread: dict[tuple[str, ...] | None, set[str]] = {}
        for pod in whole_nodes:
            spread.setdefault(pod.job, set()).add(pod.node)
        for pod in whole_nodes:
            yield from _asks(group, pod, alone=pod.job is None or len(spread[pod.job]) == 1)
        for pod in pods:
            yield from _brings(group, pod)


def using(group: Group, seen: Seen) -> list[Pod]:
    """The pods on its nodes that use its devices."""
    names = {node.name for node in seen.of_group(group.name)}
    return [pod for pod in seen.pods if pod.node in names and any(pod.asks.get(each) for each in group.offers)]


def taking_all(group: Group, seen: Seen, pods: Iterable[Pod]) -> list[Pod]:
    """Those of them that take all accelerators of their node, by whatever name its plugin offers them: Neuron's also
    by their cores."""
    nodes = {node.name: node for node in seen.of_group(group.name)}
    served = group.devices.get(group.accelerator or "", {})

    def all_of(resource: str, planned: int, node: Node) -> int:
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


def _of_pod(group: Group, pod: Pod, check: str, level: Level, what: str, remedy: str) -> Deviation:
    return Deviation(check, level, group.where, group.where, what, remedy, f"pod {pod.called}")


def _asks(group: Group, pod: Pod, *, alone: bool) -> Iterator[Deviation]:
    asked = pod.asks.get(EFA_RESOURCE, 0)
    if asked < group.efa:
        level = Level.ADVISORY if alone else Level.MANDATORY
        if alone:
            why = "fine as long as its job stays on one node"
        elif asked:
            why = "its job spans nodes, and has that part of the bandwidth between them"
        else:
            why = "its job spans nodes: between them it goes over TCP"
        what = f"asks for all {group.accelerator} of its node and {asked or 'no'} {EFA_RESOURCE} of {group.efa}; {why}"
        remedy = f"ask for {group.efa} (`muster job` prints a job that does)"
        yield _of_pod(group, pod, "efa-pod-asks-for-all", level, what, remedy)


_ALL_DEVICES = ("/dev", "/")


def _brings(group: Group, pod: Pod) -> Iterator[Deviation]:
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
