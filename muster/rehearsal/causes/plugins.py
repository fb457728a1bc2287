"""Devices that nodes have and no plugin offers."""

from collections.abc import Sequence

from addons.catalogue import CATALOGUE
from muster.fleet.matching import unselected, untolerated
from muster.fleet.resources import Taint
from muster.rehearsal.causes.places import named
from muster.rehearsal.grouping import these
from muster.rehearsal.outcome import Cause, Sum
from muster.rehearsal.requirements import unmatched
from muster.rehearsal.scene import LiveNode, Scene, Server

_GPU_LABEL = "nvidia.com/gpu.present"


def not_served(sum_: Sum, nodes: Sequence[LiveNode], scene: Scene) -> Cause:
    """Why none of these nodes offers what it has."""
    resource, one = sum_.resource, len(nodes) == 1
    have = f"{these(nodes)} {'has' if one else 'have'} {resource} but {'offers' if one else 'offer'} none"
    servers = scene.servers.get(resource, ())
    if not servers:
        fitting = [name for name, addon in CATALOGUE.items() if addon.serves == resource]
        remedy = f"add `{fitting[0]}: {{}}` below addons:" if fitting else f"install the device plugin of {resource}"
        return Cause("no-plugin", f"{have}: no add-on of the description serves it", remedy, "addons", (sum_,))
    server = servers[0]
    why, key, remedy = _kept_off(server, nodes, scene)
    where = f"addons.{server.addon}"
    return Cause(
        "plugin-not-on-node",
        f"{have}: the {server.addon} does not run there, because {why}",
        remedy,
        f"{where}.values.{key}" if key in server.own_values else where,
        (sum_,),
    )


def obstacles(server: Server, node: LiveNode) -> tuple[tuple[str, ...], tuple[Taint, ...]]:
    """What keeps a plugin's pods off a node: labels that it lacks, taints that they do not tolerate."""
    return unmatched(server.pod, node.labels, node.name), untolerated(server.pod, node.taints)


def _kept_off(server: Server, nodes: Sequence[LiveNode], scene: Scene) -> tuple[str, str, str]:
    """Why a plugin's pods are not on these nodes, the key of its values that is at fault, and what mends it."""
    nearest = min(nodes, key=lambda node: len(unmatched(server.pod, node.labels, node.name)))
    lacking = unmatched(server.pod, nearest.labels, nearest.name)
    if lacking:
        key = "nodeSelector" if unselected(server.pod, nearest.labels) else "affinity"
        version = scene.blueprint.described.kubernetes
        note = f" (EKS's images set {_GPU_LABEL} from Kubernetes 1.35 on; this is {version})"
        is_not = "this one is not" if len(nodes) == 1 else "these are not"
        why = f"it goes only to nodes with {' and '.join(lacking)}, which {is_not}"
        known = note if _GPU_LABEL in str(lacking) else ""
        reason = "Muster's own goes by instance type and group"
        return f"{why}{known}", key, _remedy(server, key, reason)
    taints = min((untolerated(server.pod, node.taints) for node in nodes), key=len)
    if taints:
        wanted = ", ".join(f"{{key: {each.key}, operator: Exists}}" for each in taints)
        reason = f"Muster derives them from the groups' taints: {wanted}"
        return f"it does not tolerate {named(taints)}", "tolerations", _remedy(server, "tolerations", reason)
    return (
        "its pods were not made, or wait themselves",
        "resources",
        f"look at what addons.{server.addon}.values let its pods ask for",
    )


def _remedy(server: Server, key: str, reason: str) -> str:
    values = f"addons.{server.addon}.values"
    if key in server.own_values:
        return f"take `{key}` out of {values} ({reason})"
    return f"let `{key}` in {values} fit these nodes ({reason})"
