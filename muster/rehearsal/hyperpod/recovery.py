"""Whether HyperPod replaces a node that fails, and where the new one comes from. Pure."""

from collections.abc import Iterable

from muster.fleet.blueprint import Blueprint
from muster.fleet.description import HyperPodCluster
from muster.fleet.description.hyperpod import NodeRecovery
from muster.fleet.hyperpod.health import CHECKS_TAKE
from muster.fleet.hyperpod.operation import REPLACE_NODES


def recovers(blueprint: Blueprint) -> bool:
    """Whether HyperPod replaces nodes by itself."""
    described = blueprint.described
    return isinstance(described, HyperPodCluster) and described.hyperpod.node_recovery is NodeRecovery.AUTOMATIC


def remedy(blueprint: Blueprint, group: str, nodes: int) -> str:
    """What to do about lost nodes of a group.

    Args:
        blueprint: the cluster, on HyperPod.
        group: the group's name.
        nodes: how many are lost.
    """
    it = "it" if nodes == 1 else "them"
    if not recovers(blueprint):
        return f"replace {it} (`{REPLACE_NODES}`), or say hyperpod.node-recovery: automatic"
    described = blueprint.group(group).described
    checks = getattr(getattr(described, "hyperpod", None), "deep_health_checks", ())
    more = f", and what is new has passed its deep health checks, {CHECKS_TAKE}" if checks else ""
    return f"wait until HyperPod has replaced {it}{more}; with a node more than the job needs, nobody waits"


def from_where(blueprint: Blueprint, groups: Iterable[str]) -> str:
    """Where the capacity of new nodes of these groups comes from, in words."""
    every = (blueprint.group(name) for name in dict.fromkeys(groups))
    said = []
    for group in every:
        held = group.described.capacity.held
        if held is None:
            said.append("if the capacity is there: on-demand instances can lack")
        elif held.count > group.described.nodes_now.start:
            said.append(f"from its training plan, which holds {held.count}")
        else:
            said.append(
                f"from its training plan: all {held.count} are in use, and the faulty one is given back for it; "
                "`aws sagemaker describe-training-plan` says whether a spare is ready (AvailableSpareInstanceCount)"
            )
    return "; ".join(dict.fromkeys(said))
