"""What commands about Kubernetes say of a stack that has none: a Slurm cluster."""

from typing import TYPE_CHECKING

from muster.cli.exits import WrongInput

if TYPE_CHECKING:
    from muster.fleet.stack_file import StackFile


def refuse_slurm(opened: "StackFile", lacks: str, instead: str) -> None:
    """Nothing, of a stack with Kubernetes or one whose form is wrong.

    Args:
        opened: the stack.
        lacks: what it has not, after "so".
        instead: what to do.

    Raises:
        WrongInput: it is on ParallelCluster.
    """
    from muster.fleet.description import SlurmCluster

    if isinstance(opened.described, SlurmCluster):
        raise WrongInput(
            f"{opened.stack} has backend: parallelcluster, which is Slurm without Kubernetes, so {lacks}; {instead}"
        )
