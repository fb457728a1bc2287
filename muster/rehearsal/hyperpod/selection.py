"""Whether a job keeps to HyperPod's healthy nodes. Pure."""

from collections.abc import Iterable, Iterator

from muster.fleet.amounts import is_device
from muster.fleet.hyperpod.health import COMPUTE_TYPE, HYPERPOD, NODE_HEALTH, TAINT, Health
from muster.fleet.matching import untolerated
from muster.jobs.shape import Shape
from muster.rehearsal.nodes import PlannedNode
from muster.rehearsal.requirements import required_keys


def notes(shape: Shape, nodes: Iterable[PlannedNode]) -> Iterator[str]:
    """What whoever sends the job should know of it: it would run, and also where it should not.

    AWS asks of a job that it choose nodes by `NODE_HEALTH` (SageMaker AI guide, "Running jobs using kubectl").
    """
    if not any(node.manifest["metadata"]["labels"].get(COMPUTE_TYPE) == HYPERPOD for node in nodes):
        return
    for role in shape.roles:
        if not any(is_device(resource) and number for resource, number in role.asks.items()):
            continue
        if not untolerated(role.spec, [TAINT]):
            yield (
                f"pods of '{role.name}' tolerate the taint {TAINT}: they may start on a node that HyperPod checks, "
                "or is about to replace; take the toleration out of the job"
            )
        elif NODE_HEALTH not in required_keys(role.spec):
            yield (
                f"pods of '{role.name}' go to nodes of any health, as far as the taint lets them; add "
                f"{NODE_HEALTH}: {Health.SCHEDULABLE} to their nodeSelector, as AWS asks of jobs on HyperPod"
            )
