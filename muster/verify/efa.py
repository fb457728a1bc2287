"""The conditions that can disable EFA without an error: on nodes, in the network, in pods. Pure."""

from collections.abc import Callable, Iterable, Iterator

from muster.blueprint.node import EFA_RESOURCE, HUGE_PAGES_RESOURCE
from muster.finding import Level, NotEvaluated
from muster.verify.checks import Deviation
from muster.verify.expected import Expectations, ExpectedGroup
from muster.verify.observed import ObservedCluster, ObservedNode, ObservedPod


def efa_pod_deviations(expected: Expectations, seen: ObservedCluster) -> Iterator[Deviation]:
    """All deviations of pods on nodes with EFA."""
    for group in expected.groups:
        pods = pods_with_devices(group, seen) if group.node.efa else []
        # Devices that pods claim are not in their requests.
        whole_nodes = [] if group.node.claims else pods_with_all_devices(group, seen, pods)
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
    served = group.node.devices.get(group.node.hardware.resource_name or "", {})

    def all_of(resource: str, planned: int, node: ObservedNode) -> int:
        other = group.node.other_numbers.get(resource)
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
    requested, planned = pod.asks.get(EFA_RESOURCE, 0), group.node.efa
    if requested < planned:
        what = (
            f"requests all {group.node.hardware.resource_name} of its node, but {requested} of {planned} "
            f"{EFA_RESOURCE}; its job is on {'one node' if alone else 'several nodes'}"
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
    if group.node.huge_pages.mib and pod.asks.get(EFA_RESOURCE) and not pod.asks.get(HUGE_PAGES_RESOURCE):
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


SECURITY_GROUPS = (
    "the rules of the security groups, which Kubernetes does not show: check with `aws ec2 "
    "describe-security-group-rules` that each group of the nodes' EFA interfaces allows all protocols from and to "
    "itself"
)
TRAFFIC = (
    "the traffic, which Kubernetes does not show: run `muster job nccl-tests`; its log must contain 'Selected provider "
    "is efa', and the counters in /sys/class/infiniband/*/ports/1/hw_counters must increase on the nodes"
)
_CLAIMS = "pods claim devices of the group, and this command does not read claims"


def not_evaluated(expected: Expectations) -> Iterator[NotEvaluated]:
    """What no check can read of groups with EFA: security groups, the traffic, claims of pods."""
    for group in expected.groups:
        if group.node.efa:
            yield NotEvaluated("efa-security-groups", group.where, SECURITY_GROUPS)
            yield NotEvaluated("efa-carries-traffic", group.where, TRAFFIC)
            if group.node.claims:
                yield NotEvaluated("efa-pod-asks-for-all", group.where, _CLAIMS)
