"""Causes in claims for devices: what the scheduler could not allocate, and why."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muster.blueprint.dra import DRIVERS
from muster.blueprint.node import DEVICE_CLASSES
from muster.message_text import count_noun, did_you_mean, list_names
from muster.rehearsal.kubernetes.causes.pending_pod import PendingPod
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, LiveNode
from muster.rehearsal.kubernetes.resource_claims import ClaimSpec, Constraint, Request
from muster.rehearsal.outcome import Cause, count_by_group

RESOURCE_OF_CLASS: Mapping[str, str] = {name: resource for resource, name in DEVICE_CLASSES.items()}
"""DeviceClass -> the extended resource of the device plugin for the same devices."""

_ADDON_OF_CLASS: Mapping[str, str] = {DEVICE_CLASSES[resource]: addon for addon, resource in DRIVERS.items()}

MOST_DEVICES = 32
"""The most devices of one claim (k8s.io/api `resource/v1`, `AllocationResultsMaxSize`)."""

_BEYOND_LIMIT = re.compile(r"number of requested devices (\d+) exceeds the claim limit of (\d+)")
_BAD_SELECTOR = re.compile(r"claim \S+?: (?:class \S+: )?selector #\d+: (.*)")


def requested_classes_cause(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if the pod claims devices of DeviceClasses that do not exist; None if all exist."""
    wanted = {name for _, spec in pending.claims for name in spec.classes}
    absent = sorted(wanted - snapshot.device_classes)
    if not absent:
        return None
    plural = "which do not exist" if len(absent) > 1 else "which does not exist"
    classes = f"DeviceClass{'es' if len(absent) > 1 else ''} {list_names(map(repr, absent))}"
    said = f"the pod claims devices of the {classes}, {plural}"
    addons = {name: _ADDON_OF_CLASS[name] for name in absent if name in _ADDON_OF_CLASS}
    if len(addons) < len(absent):
        strange = next(name for name in absent if name not in addons)
        known = list_names(sorted(snapshot.device_classes)) if snapshot.device_classes else "none"
        hint = did_you_mean(strange, snapshot.device_classes | _ADDON_OF_CLASS.keys())
        return Cause(
            "device-class-missing",
            f"{said}{hint} (DeviceClasses: {known})",
            "install the driver that creates it, or put it and its ResourceSlices into the job's file",
        )
    install = " and ".join(f"`{addon}: {{}}`" for addon in addons.values())
    offered = [
        resource for name in absent if any(node.offered(resource := RESOURCE_OF_CLASS[name]) for node in snapshot.nodes)
    ]
    if offered:
        resources = " and ".join(offered)
        return Cause(
            "device-class-missing",
            f"{said}: device plugins offer {resources}, and no DRA driver runs",
            f"request {resources} in the container's resources.limits instead of the claims, or replace the device "
            f"plugins with {install} below addons:",
            "addons",
        )
    return Cause(
        "device-class-missing",
        f"{said}: the description has no add-on with its DRA driver",
        f"add {install} below addons:",
        "addons",
    )


def requested_not_claimed(pending: PendingPod, snapshot: ClusterSnapshot) -> Cause | None:
    """The cause if the pod requests resources of device plugins, and only DRA drivers offer these devices."""
    found = {
        resource: name
        for resource, name in DEVICE_CLASSES.items()
        if resource in pending.requests
        and any(node.planned(name) for node in snapshot.nodes)
        and not any(node.planned(resource) for node in snapshot.nodes)
    }
    if not found:
        return None
    nodes = [node for node in snapshot.nodes if any(map(node.planned, found.values()))]
    addons = [_ADDON_OF_CLASS[name] for name in found.values()]
    requests = " and ".join(
        f"deviceClassName {name} and count {pending.requests[each]}" for each, name in found.items()
    )
    resources, are = " and ".join(found), "is" if len(found) == 1 else "are"
    return Cause(
        "devices-are-claimed",
        f"the pod requests {resources}, which {are} not offered on {count_by_group(nodes)}: pods claim these devices "
        f"from {' and '.join(addons)}",
        f"claim them instead: ResourceClaimTemplates with {requests}, their names in the pod's resourceClaims, and the "
        "claims in the container's resources.claims (`muster job` prints an example)",
        f"addons.{addons[0]}",
    )


def allocation_fault(reason: str) -> Cause | None:
    """The cause if the scheduler cannot evaluate a claim; None if its message does not state this."""
    if found := _BEYOND_LIMIT.search(reason):
        return Cause(
            "claim-too-large",
            f"a claim of the pod requests {found[1]} devices, and a claim can have at most {found[2]}",
            "divide the requests among several claims of the pod. A request with allocationMode All counts every "
            "device of the node that matches, also those that its constraints exclude",
        )
    if found := _BAD_SELECTOR.search(reason):
        return Cause(
            "claim-selector",
            f"the scheduler cannot evaluate a selector of the pod's claim: {found[1]}",
            "read only attributes that every device of the class has, or test for them first, as in "
            "`'NAME' in device.attributes['DRIVER']`",
        )
    return None


@dataclass(frozen=True, slots=True)
class Matching:
    """The devices of one node that match the requests of a claim."""

    node: LiveNode
    devices: Mapping[str, frozenset[str]]
    """Request -> the devices that its class and selectors match, by pool and name: ``gpu.nvidia.com/gpu-0``."""
    used: frozenset[str]
    """Devices that other claims have."""
    attributes: Mapping[str, Mapping[str, Any]]
    """Device -> its attributes, with the driver's domain in each name."""


def unmet_claim(claim: str, spec: ClaimSpec, matching: Sequence[Matching]) -> Cause | None:
    """Why no node can satisfy a claim; None if a node can, as far as its requests and constraints tell.

    Args:
        claim: the name of the claim or template, for the text.
        spec: its requests.
        matching: the nodes that the pod may be on.
    """
    plain = [each for each in spec.requests if not each.alternative_of]
    for request in plain:
        if (found := _too_few(claim, request, matching)) is not None:
            return found
    for name in dict.fromkeys(each.alternative_of for each in spec.requests if each.alternative_of):
        alternatives = [each for each in spec.requests if each.alternative_of == name]
        lacking = [_too_few(claim, each, matching) for each in alternatives]
        if all(lacking):
            return Cause(
                "too-few-devices-match",
                f"no alternative of request '{name}' can be satisfied: "
                + "; ".join(each.said for each in lacking if each is not None),
                "add an alternative with devices that the nodes have",
            )
    for constraint in spec.constraints:
        covered = [each for each in plain if constraint.covers(each)]
        if covered and (found := _not_aligned(claim, constraint, covered, matching)) is not None:
            return found
    for request in plain:
        if (found := _in_use(claim, request, matching)) is not None:
            return found
    return None


def _asked(request: Request) -> str:
    number = "all devices" if request.number is None else count_noun(request.number, "device")
    selected = (
        f" with {' and '.join(f'`{_one_line(each)}`' for each in request.selectors)}" if request.selectors else ""
    )
    return f"{number} of class {request.device_class}{selected}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _too_few(claim: str, request: Request, matching: Sequence[Matching]) -> Cause | None:
    """The cause if no node has enough devices that match, used or not."""
    need = request.number or 1
    most = max((len(each.devices[request.name]) for each in matching), default=0)
    if most >= need:
        return None
    counts = _counted(matching, lambda each: len(each.devices[request.name]), "matches", "match")
    remedy = "relax its selectors" if request.selectors else f"request at most {most} in one pod" if most else ""
    return Cause(
        "too-few-devices-match",
        f"request '{request.name}' of {claim} needs {_asked(request)}: {counts}",
        remedy or "claim devices that the nodes have",
    )


def _counted(matching: Sequence[Matching], of: Any, one: str, many: str) -> str:
    """``on 4 nodes of 'workers' 8 match each``."""
    by_count: dict[int, list[LiveNode]] = {}
    for each in matching:
        by_count.setdefault(of(each), []).append(each.node)
    parts = (
        f"on {count_by_group(nodes)} {number or 'none'} {one if number in (0, 1) else many}"
        f"{' each' if len(nodes) > 1 and number else ''}"
        for number, nodes in sorted(by_count.items(), reverse=True)
    )
    return ", ".join(parts) or "no node that the pod can use has such devices"


def _values(constraint: Constraint, requests: Iterable[Request], node: Matching, *, free: bool) -> dict[str, list[int]]:
    """Value of the attribute -> the number of devices with it, for each request."""
    listed = tuple(requests)
    found: dict[str, list[int]] = {}
    for position, request in enumerate(listed):
        for device in node.devices[request.name]:
            value = node.attributes.get(device, {}).get(constraint.attribute)
            if value is not None and not (free and device in node.used):
                found.setdefault(str(value), [0] * len(listed))[position] += 1
    return found


def _not_aligned(
    claim: str, constraint: Constraint, requests: Sequence[Request], matching: Sequence[Matching]
) -> Cause | None:
    """The cause if on no node enough devices have the same value of an attribute."""

    def needs(node: Matching) -> list[int]:
        # "All" means every device of the node that matches, also those that the constraint excludes.
        return [len(node.devices[each.name]) if each.number is None else each.number for each in requests]

    def satisfied(node: Matching, *, free: bool) -> bool:
        values = _values(constraint, requests, node, free=free).values()
        return any(all(has >= need for has, need in zip(numbers, needs(node), strict=True)) for numbers in values)

    if any(satisfied(node, free=True) for node in matching):
        return None
    wanted = " and ".join(
        f"{'all devices' if each.number is None else each.number} of '{each.name}'" for each in requests
    )
    rule = f"{claim} needs {wanted} with the same {constraint.attribute}"
    if any(satisfied(node, free=False) for node in matching):
        return Cause(
            "devices-in-use",
            f"{rule}: nodes have such devices, but other claims have them",
            "wait until other pods end, or add nodes",
        )
    best = max(
        (
            (sum(map(min, numbers, needs(node))), numbers)
            for node in matching
            for numbers in _values(constraint, requests, node, free=False).values()
        ),
        default=(0, None),
    )[1]
    if best is None:
        return Cause(
            "attribute-missing",
            f"{rule}, but the devices do not have this attribute",
            "compare an attribute that the drivers of all these requests publish",
        )
    there = " and ".join(f"{has} of '{each.name}'" for has, each in zip(best, requests, strict=True))
    if every := [each.name for each in requests if each.number is None]:
        remedy = (
            f"set count in request '{every[0]}': allocationMode All means every device of the node that matches, and "
            "the constraint does not reduce their number"
        )
    else:
        remedy = f"request at most {there} in one claim, and use several claims"
    return Cause("devices-not-aligned", f"{rule}; devices with the same value are at most {there}", remedy)


def _least(request: Request) -> int:
    """The number of devices that a request needs at least."""
    return request.number or 1


def _in_use(claim: str, request: Request, matching: Sequence[Matching]) -> Cause | None:
    """The cause if enough devices match, but too few of them are free."""

    def free(each: Matching) -> int:
        return len(each.devices[request.name] - each.used)

    if any(free(each) >= _least(request) for each in matching):
        return None
    counts = _counted(matching, free, "is free", "are free")
    return Cause(
        "devices-in-use",
        f"request '{request.name}' of {claim} needs {_asked(request)}: {counts}",
        "wait until other pods end, add nodes, or request fewer devices",
    )
