"""What pods on nodes with EFA do that keeps their traffic off it, each without an error. Pure."""

from collections.abc import Callable, Iterable, Iterator

from muster.fleet.finding import Level
from muster.fleet.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE
from muster.live.checks import Deviation
from muster.live.expectations import Expectations, Group
from muster.live.seen import Pod, Seen


def deviations(expected: Expectations, seen: Seen) -> Iterator[Deviation]:
    """Everything that is wrong with pods on nodes with EFA."""
    for group in expected.groups:
        pods = using(group, seen) if group.efa else []
        whole_nodes = taking_all(group, pods)
        spread: dict[tuple[str, str], set[str]] = {}
        for pod in whole_nodes:
            spread.setdefault(pod.job, set()).add(pod.node)
        for pod in whole_nodes:
            yield from _asks(group, pod, alone=len(spread[pod.job]) == 1)
        for pod in pods:
            yield from _brings(group, pod)


def using(group: Group, seen: Seen) -> list[Pod]:
    """The pods on its nodes that use its devices."""
    names = {node.name for node in seen.of_group(group.name)}
    used = {group.accelerator, *group.devices}
    return [pod for pod in seen.pods if pod.node in names and any(pod.asks.get(each or "") for each in used)]


def taking_all(group: Group, pods: Iterable[Pod]) -> list[Pod]:
    """Those of them that take all accelerators of their node."""
    whole_node = group.offers.get(group.accelerator or "", 0)
    return [pod for pod in pods if whole_node and pod.asks.get(group.accelerator or "", 0) >= whole_node]


def _of_pod(group: Group, pod: Pod, check: str, level: Level, what: str, remedy: str) -> Deviation:
    return Deviation(check, level, group.where, group.where, what, remedy, f"pod {pod.called}")


def _asks(group: Group, pod: Pod, *, alone: bool) -> Iterator[Deviation]:
    asked = pod.asks.get(EFA_RESOURCE, 0)
    if asked < group.efa:
        level = Level.ADVISORY if alone else Level.MANDATORY
        why = "fine as long as its job stays on one node" if alone else "its job spans nodes: the rest goes over TCP"
        what = f"asks for all {group.accelerator} of its node and {asked or 'no'} {EFA_RESOURCE} of {group.efa}; {why}"
        remedy = f"ask for {group.efa} (`muster job` prints a job that does)"
        yield _of_pod(group, pod, "efa-pod-asks-for-all", level, what, remedy)


_ALL_DEVICES = ("/dev", "/")


def _brings(group: Group, pod: Pod) -> Iterator[Deviation]:
    for path in pod.host_paths:
        kept = path.rstrip("/") or "/"
        if kept in _ALL_DEVICES or f"{kept}/".startswith("/dev/infiniband/"):
            what = f"mounts {path} of its node: devices that are no EFA keep libfabric from opening any"
            remedy = f"leave the hostPath away: the plugin gives a pod the devices that it asks for ({EFA_RESOURCE})"
            yield _of_pod(group, pod, "efa-pod-without-host-path", Level.MANDATORY, what, remedy)
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
