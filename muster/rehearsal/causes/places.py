"""Labels and taints that keep a pod off the nodes that could take it."""

from collections.abc import Iterable, Sequence
from math import ceil

from muster.fleet.matching import untolerated
from muster.fleet.resources import Taint
from muster.rehearsal.causes.asking import Asking
from muster.rehearsal.causes.devices import has_devices
from muster.rehearsal.causes.growth import grown
from muster.rehearsal.grouping import these
from muster.rehearsal.hyperpod import recovery
from muster.rehearsal.outcome import Cause
from muster.rehearsal.requirements import required_keys, unmatched
from muster.rehearsal.scene import LiveNode, Scene


def empty_group(asking: Asking, scene: Scene) -> Cause | None:
    """A group without nodes that could have taken it; None where there is no such group."""
    for node in scene.absent:
        if _suits(asking, node):
            need = ceil(asking.alike / max(1, asking.fits(node)))
            where, most = f"groups.{node.group}.nodes", scene.blueprint.group(node.group).described.nodes.max
            beyond = f" (and raise {where}.max, which is {most})" if need > most else ""
            return Cause(
                "group-has-no-nodes",
                f"group '{node.group}' could take it and has no nodes",
                f"scale it to {need} before you send the job, or let {where} start with {need}{beyond}",
                where,
            )
    return None


def node_lost(asking: Asking, scene: Scene) -> Cause | None:
    """A node that could have taken it and is lost; None where none is."""
    lost = [node for node in scene.lost if _suits(asking, node)]
    if not lost:
        return None
    where = f"groups.{lost[0].group}"
    return Cause(
        "node-lost",
        f"{these(lost)} {'is' if len(lost) == 1 else 'are'} lost, and no other has room for it",
        _when_lost(scene, lost),
        where,
    )


def _when_lost(scene: Scene, lost: Sequence[LiveNode]) -> str:
    """What to do about lost nodes of a group.

    EFA does not leave a zone, and a reservation is in one: such groups are not sent to other zones.
    """
    name = lost[0].group
    group = scene.blueprint.group(name)
    if gone := scene.lost_zone:
        if any(zone != gone for zone in scene.blueprint.zones(group)):
            return f"it waits until group '{name}' has a node in another zone"
        return f"it waits until {gone} is back: group '{name}' is in that zone alone"
    if scene.blueprint.hyperpod:
        return recovery.remedy(scene.blueprint, name, len(lost))
    spare = grown(scene, name, sum(node.group == name for node in lost)).remedy
    said = f"it waits until a node takes its place; to have a spare, {spare}"
    bound = group.node.efa or group.described.capacity.held
    zone = getattr(group.described, "zone", None)
    return said if bound or not zone else f"{said}, or leave out groups.{name}.zone, so that others can have a node"


def _suits(asking: Asking, node: LiveNode) -> bool:
    """Whether the pod may go to such a node, were there room."""
    able = has_devices(node, asking.asks) and not unmatched(asking.pod, node.labels, node.name)
    return able and not untolerated(asking.pod, node.taints)


def not_chosen(asking: Asking, nodes: Sequence[LiveNode]) -> Cause:
    """Its selector or affinity leaves out every node that could take it."""
    lacking = min((unmatched(asking.pod, node.labels, node.name) for node in nodes), key=len)
    carried = []
    for key in sorted(required_keys(asking.pod)):
        values = sorted({node.labels[key] for node in nodes if key in node.labels})
        carried.append(f"{key} is {' or '.join(values)}" if values else f"none has {key}")
    return Cause(
        "no-node-chosen",
        f"it goes only to nodes with {' and '.join(lacking)}, and none that could take it is such a node",
        f"change its node selector or affinity to what the nodes carry ({'; '.join(carried)})",
    )


def not_tolerated(asking: Asking, nodes: Sequence[LiveNode]) -> Cause:
    """Every node that it chooses has a taint that it does not tolerate."""
    tainted: dict[tuple[Taint, ...], list[LiveNode]] = {}
    for node in nodes:
        tainted.setdefault(untolerated(asking.pod, node.taints), []).append(node)
    told = [f"{these(those)} {_carry(those)} {named(taints)}" for taints, those in tainted.items()]
    if len(told) == 1:
        said = (
            f"{these(nodes)} could take it but {_carry(nodes)} {named(next(iter(tainted)))}, which it does not tolerate"
        )
    else:
        said = f"{these(nodes)} could take it, and it does not tolerate their taints: {', '.join(told)}"
    taints = min(tainted, key=len)
    tolerations = ", ".join(f"{{key: {each.key}, operator: Exists, effect: {each.effect}}}" for each in taints)
    there = f" (for {these(tainted[taints])})" if len(told) > 1 else ""
    return Cause(
        "taint-not-tolerated",
        said,
        f"add to its tolerations: {tolerations}{there}",
        f"groups.{tainted[taints][0].group}",
    )


def _carry(nodes: Sequence[LiveNode]) -> str:
    return "carries" if len(nodes) == 1 else "carry"


def named(taints: Iterable[Taint]) -> str:
    """``the taint nvidia.com/gpu=true:NoSchedule``."""
    listed = [str(each) for each in taints]
    return f"the taint{'s' if len(listed) > 1 else ''} {' and '.join(listed)}"


def one_of(instance: str) -> str:
    """``a p5.48xlarge``, ``an ml.p5.48xlarge``."""
    return f"an {instance}" if instance.startswith("ml.") else f"a {instance}"
