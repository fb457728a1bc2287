"""Nodes that would take a pod if they offered what they have: an unserved or broken one is idle beside full ones."""

from collections.abc import Sequence

from muster.fleet.amounts import is_device
from muster.rehearsal.causes.asking import Asking
from muster.rehearsal.causes.places import one_of
from muster.rehearsal.causes.plugins import not_served, obstacles
from muster.rehearsal.causes.sums import sum_of
from muster.rehearsal.grouping import these
from muster.rehearsal.outcome import Cause, Sum
from muster.rehearsal.scene import LiveNode, Scene


def withheld(asking: Asking, nodes: Sequence[LiveNode], scene: Scene) -> Cause | None:
    """Why such nodes do not offer it, told of those with one reason together; None where no node would take it.

    What no plugin serves comes before what is broken: it is the description's fault, and mended for good.
    """
    unserved: dict[tuple[str, object], list[LiveNode]] = {}
    ailing: dict[tuple[str, str], list[LiveNode]] = {}
    for node in nodes:
        resource = _held_back(asking, node)
        if resource is None:
            continue
        if node.offered(resource):
            ailing.setdefault((resource, node.group), []).append(node)
        else:
            servers = scene.servers.get(resource, ())
            unserved.setdefault((resource, obstacles(servers[0], node) if servers else None), []).append(node)
    if unserved:
        (resource, _), those = next(iter(unserved.items()))
        return not_served(sum_of(resource, asking.asks[resource], those), those, scene)
    if ailing:
        (resource, _), those = next(iter(ailing.items()))
        return broken(sum_of(resource, asking.asks[resource], those), those)
    return None


def _held_back(asking: Asking, node: LiveNode) -> str | None:
    """The devices of which a node has enough for the pod and offers too few; None where it is short of something
    else."""
    asks = asking.asks
    if any(node.planned(name) < number for name, number in asks.items()):
        return None
    never = [name for name, number in asks.items() if is_device(name) and node.offered(name) < number]
    if never:  # however empty the node is; what serves nothing at all before what serves less
        return min(sorted(never), key=lambda name: node.offered(name) > 0)
    if any(node.planned(name) - node.used(name) < number for name, number in asks.items()):
        return None
    return next((name for name in asking.lacks(node) if is_device(name)), None)


def broken(sum_: Sum, nodes: Sequence[LiveNode]) -> Cause:
    """Of nodes whose plugin runs and offers fewer devices than they have."""
    best = max(nodes, key=lambda node: node.offered(sum_.resource))
    return Cause(
        "devices-broken",
        f"it asks for {sum_.asked} {sum_.resource}; {one_of(best.instance)} has {best.planned(sum_.resource)}, and on "
        f"{these(nodes)} at most {sum_.most_on_a_node} of them work",
        f"replace the nodes whose {sum_.resource} are broken, or ask for less",
        f"groups.{best.group}",
        (sum_,),
    )
