"""Whether the NVIDIA driver of a group's nodes is known to be new enough for the CUDA of the jobs' images. Pure.

EKS's and ParallelCluster's own images have such a driver (`muster.versions`). Which one an image of the user's has, or
HyperPod's, is not known here.
"""

from muster.fleet.blueprint import KubernetesGroup
from muster.fleet.description.group import Group
from muster.fleet.slurm_blueprint import SlurmBlueprint
from muster.versions import CUDA, MINIMUM_NVIDIA_DRIVER


def unknown(group: KubernetesGroup) -> tuple[str, ...]:
    """A note where the driver of a group on Kubernetes is not known; none where it is new enough."""
    described = group.described
    if not isinstance(described, Group):
        return (_note("HyperPod's image"),)
    own = described.image.custom
    return (_note(f"the image {own.id or own.ssm}"),) if own else ()


def unknown_on_slurm(blueprint: SlurmBlueprint) -> tuple[str, ...]:
    """The same of the nodes of ParallelCluster."""
    own = blueprint.described.image
    return (_note(f"the image {own}"),) if own else ()


def _note(image: str) -> str:
    needs = f"CUDA {CUDA} needs NVIDIA driver {MINIMUM_NVIDIA_DRIVER} or newer"
    return f"{needs}; Muster does not know the driver of {image}: run `nvidia-smi` on a node"
