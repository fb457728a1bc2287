"""Devices that a pod asks for and no node has."""

from collections.abc import Mapping

from muster.fleet.amounts import BUILT_IN, is_device
from muster.fleet.near_miss import did_you_mean
from muster.rehearsal.causes.asking import Asking
from muster.rehearsal.outcome import Cause
from muster.rehearsal.scene import LiveNode, Scene


def has_devices(node: LiveNode, asks: Mapping[str, int]) -> bool:
    """Whether a node has what is asked for of devices, any number of each. Huge pages are none: any node could reserve
    some."""
    return all(node.planned(resource) for resource in _devices(asks))


def _devices(asks: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(name for name in asks if is_device(name))


def no_such_devices(asking: Asking, scene: Scene) -> Cause:
    """No node has all of them."""
    if not scene.nodes:
        return Cause("no-nodes", "the cluster has no nodes", "let its groups start with some", "groups")
    known = scene.resources()
    strange = next((each for each in _devices(asking.asks) if each not in known), None)
    if strange is None:
        return Cause(
            "no-node-has-all",
            f"no node has {' and '.join(_devices(asking.asks))} together",
            "ask only for what nodes of one group have; `muster plan` lists what each group offers",
        )
    have = ", ".join(sorted(each for each in known if each not in BUILT_IN)) or "no devices"
    return Cause(
        "no-such-device",
        f"no node of the cluster has {strange}{did_you_mean(strange, known)} (nodes have {have})",
        f"ask for what the nodes have, or give the description a group with {strange}",
    )
