"""Whether HyperPod replaces a node that fails, and what to do where it does not. Pure."""

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
