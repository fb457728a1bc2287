"""Which compute resource of a cluster a job's workers go to."""

from collections.abc import Callable, Mapping

from muster.fleet.description.group_core import Purpose
from muster.fleet.near_miss import did_you_mean
from muster.fleet.slurm_blueprint import SlurmBlueprint, SlurmGroup
from muster.jobs.ask import Ask
from muster.jobs.fit import IMAGE_ARCHITECTURE, DoesNotFit, chosen_group


def worker_group(blueprint: SlurmBlueprint, ask: Ask, lacking: Callable[[SlurmGroup], str], having: str) -> SlurmGroup:
    """The training group that a job's workers go to: the wanted one, or the only one that fits, of the wanted queue.

    Args:
        blueprint: the cluster.
        ask: which group and which queue are wanted.
        lacking: what else the job needs: why workers cannot go to a group of machines with EFA, empty where they can.
        having: all that a group must have, in words: "GPUs and EFA".

    Raises:
        DoesNotFit: none fits, several do and none was wanted, or the wanted one does not.
    """
    why = {group.name: _lacking(group, lacking) for group in _in_queue(blueprint, ask)}
    return blueprint.group(chosen_group(why, ask.group, having, "queues:"))


def constraint(group: SlurmGroup) -> str:
    """The features of its nodes, and, as far as features can tell them, of no others in its queue.

    Nodes have as features the name of their compute resource and their type, and words of ParallelCluster's own, by
    which a compute resource may be called, too (aws-parallelcluster-cookbook, `config_renderer.py`).
    """
    return f"{group.name}&{group.described.instance}" if group.name in _WORDS else group.name


def confused(blueprint: SlurmBlueprint, group: SlurmGroup) -> tuple[str, ...]:
    """The other groups of its queue whose nodes have those features, too."""
    wanted = frozenset(constraint(group).split("&"))
    others = (other for other in blueprint.groups if other.queue == group.queue and other.name != group.name)
    return tuple(other.name for other in others if wanted <= _features(other))


_WORDS: Mapping[str, Callable[[SlurmGroup], bool]] = {
    "static": lambda group: group.described.nodes.min > 0,
    "dynamic": lambda group: group.described.nodes.max > group.described.nodes.min,
    "efa": lambda group: group.described.has_efa,
    "gpu": lambda group: group.node.gpus > 0,
}
"""ParallelCluster's own features -> whether some nodes of a group have it."""


def _features(group: SlurmGroup) -> frozenset[str]:
    own = (word for word, has in _WORDS.items() if has(group))
    return frozenset({group.name, group.described.instance, *own})


def _in_queue(blueprint: SlurmBlueprint, ask: Ask) -> tuple[SlurmGroup, ...]:
    if ask.queue is None:
        return blueprint.groups
    names = [queue.name for queue in blueprint.queues]
    if ask.queue not in names:
        hint = did_you_mean(ask.queue, names)
        raise DoesNotFit(
            f"--queue {ask.queue}: the stack has no queue '{ask.queue}'{hint} (there are: {', '.join(names)})"
        )
    own = tuple(group for group in blueprint.groups if group.queue == ask.queue)
    if elsewhere := [group for group in blueprint.groups if group.name == ask.group and group not in own]:
        raise DoesNotFit(
            f"group '{ask.group}' is in the queue '{elsewhere[0].queue}', not in '{ask.queue}'; leave out --queue"
        )
    return own


def _lacking(group: SlurmGroup, lacking: Callable[[SlurmGroup], str]) -> str:
    """Why workers cannot go to a group; empty where they can."""
    machine = group.node.hardware
    if group.described.purpose is not Purpose.TRAINING:
        return f"is for {group.described.purpose.value}"
    if reason := lacking(group):
        return reason
    if not group.node.efa:
        off = ", efa: false" if machine.max_efa else ""
        return f"has no EFA interfaces ({machine.instance}{off})"
    if machine.architecture != IMAGE_ARCHITECTURE:
        return f"has {machine.architecture} processors, the job is for {IMAGE_ARCHITECTURE} ({machine.instance})"
    return ""
