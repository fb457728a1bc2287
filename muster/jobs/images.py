"""Images that are built for jobs, their build commands, and whether a node's NVIDIA driver supports their CUDA."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from muster import versions
from muster.addons.context import Mirrors
from muster.blueprint.cluster import Blueprint, ClusterBlueprint, SlurmBlueprint
from muster.blueprint.group import Group as AnyGroup
from muster.blueprint.group import KubernetesGroup
from muster.config.description.group import Group
from muster.finding import WrongInput
from muster.hardware.zones import domain_of
from muster.jobs.group_selection import DoesNotFit
from muster.jobs.rendering import render
from muster.message_text import did_you_mean
from muster.versions import BERT_SOURCE, CUDA, FSDP_SOURCE, MINIMUM_NVIDIA_DRIVER

PLATFORM = "linux/amd64"
"""The platform of the images; none of the base images supports another."""

FILL_ME_IN = "fill-me-in"
"""A placeholder for the account, which is known after the deployment."""


WITHOUT_KERNELS = frozenset({"T4", "V100", "RTX PRO 4500", "RTX PRO Server 6000"})
"""GPUs for which the NCCL test's image has no code, nor NCCL of the images that are based on it: it is built for
compute capability 8.0, 8.6, 8.9, 9.0, 10.0 and 10.3 (awsome-distributed-ai, `nccl-tests.Dockerfile`), and the RTX PRO
GPUs have 12.0 (NVIDIA, CUDA GPU Compute Capability). A job would start, and stop at its first kernel."""


@dataclass(frozen=True, slots=True)
class Source:
    """Training code: a folder of a repository at a commit."""

    repository: str
    commit: str
    folder: str

    def steps(self, to: str) -> tuple[str, ...]:
        """Shell commands that copy it to a path."""
        work = f"{to}.git"
        return (
            f"git init -q {work}",
            f"git -C {work} fetch -q --depth 1 {self.repository} {self.commit}",
            f"git -C {work} checkout -q FETCH_HEAD -- {self.folder}",
            f"mv {work}/{self.folder} {to}",
            f"rm -rf {work}",
        )


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is built for a job."""

    name: str
    """Also its tag in the stack's registry."""
    title: str
    source: Source

    @property
    def dockerfile(self) -> str:
        """Its Dockerfile."""
        return render(f"{self.name}.Dockerfile.jinja", source=self.source, versions=versions)


FSDP_CODE = Source("https://github.com/awslabs/awsome-distributed-ai.git", FSDP_SOURCE, "3.test_cases/pytorch/FSDP/src")
BERT_CODE = Source(
    "https://github.com/aws-neuron/aws-neuron-samples.git", BERT_SOURCE, "torch-neuronx/training/dp_bert_hf_pretrain"
)


IMAGES: Mapping[str, Image] = {
    each.name: each
    for each in (
        Image("pytorch-fsdp", "PyTorch FSDP on GPUs, over EFA", FSDP_CODE),
        Image("trn1-bert", "BERT pre-training on Trainium, over EFA", BERT_CODE),
    )
}
"""By name."""


def image_of(name: str) -> Image:
    """The image with that name.

    Raises:
        WrongInput: there is none; the message has the closest match and all images.
    """
    if name not in IMAGES:
        raise WrongInput(f"no image '{name}'{did_you_mean(name, IMAGES)} (images: {', '.join(IMAGES)})")
    return IMAGES[name]


def image_address(blueprint: ClusterBlueprint, name: str) -> str:
    """The address of an image in the stack's registry, as far as it is known before the deployment."""
    registry = blueprint.described.registry
    if registry is None:
        return f"{FILL_ME_IN}/{name}"
    repository = registry.repository or blueprint.name_stem
    return f"{FILL_ME_IN}.dkr.ecr.{blueprint.region}.{domain_of(blueprint.region)}/{repository}:{name}"


def placeholder_note(blueprint: Blueprint, name: str) -> str:
    """The note for a job whose image is a placeholder."""
    return f"the image {image_address(blueprint, name)} is a placeholder: give {image_option(blueprint, name)}"


def image_option(blueprint: ClusterBlueprint, name: str) -> str:
    """The option that sets a job's image to one that its user builds, after the deployment."""
    if blueprint.described.registry is None:
        where = "--image (the stack has no registry: add `registry: {}`, or push the image to your own registry)"
    else:
        where = f'--image "$(pulumi stack output registry --stack {blueprint.stack}):{name}"'
    return f"{where}; `muster image {name}` builds it"


def build_commands(blueprint: ClusterBlueprint, image: Image) -> tuple[str, ...]:
    """Shell lines that build an image and push it to the stack's registry."""
    login = f"aws ecr get-login-password --region {blueprint.region}"
    dockerfile = f"muster image {image.name}"
    return (
        f"registry=$(pulumi stack output registry --stack {blueprint.stack})",
        f'{login} | docker login --username AWS --password-stdin "${{registry%%/*}}"',
        f'{dockerfile} | docker build --platform {PLATFORM} --tag "$registry:{image.name}" -',
        f'docker push "$registry:{image.name}"',
    )


def unknown_driver(group: KubernetesGroup) -> tuple[str, ...]:
    """A note if the driver of a group on Kubernetes is unknown; none if it is recent enough."""
    described = group.described
    if not isinstance(described, Group):
        return (_note("HyperPod's image"),)
    own = described.image.custom
    return (_note(f"the image {own.id or own.ssm}"),) if own else ()


def unknown_driver_on_slurm(blueprint: SlurmBlueprint) -> tuple[str, ...]:
    """The same for the nodes of a cluster with Slurm."""
    unknown = blueprint.environment.driver_unknown
    return (_note(unknown),) if unknown else ()


def _note(image: str) -> str:
    needs = f"CUDA {CUDA} needs NVIDIA driver {MINIMUM_NVIDIA_DRIVER} or later"
    return f"{needs}, and Muster does not know the driver of {image}: run `nvidia-smi` on a node"


def without_kernels(group: AnyGroup) -> str:
    """Why the images with CUDA cannot run on a group; empty if they can."""
    machine = group.node.hardware
    if machine.accelerator_model not in WITHOUT_KERNELS:
        return ""
    return (
        f"group '{group.name}' has {machine.accelerator_model} GPUs ({machine.instance}), which the image does not "
        "support; use a group with other GPUs (A10G, A100, H100), or --image with an image that supports them"
    )


def too_old(group: AnyGroup) -> str:
    """Why PyTorch's packages cannot run on a group, without a container; empty if they can."""
    machine = group.node.hardware
    if machine.accelerator_model != "V100":
        return ""
    return (
        f"group '{group.name}' has V100 GPUs ({machine.instance}), which CUDA {CUDA} does not support; "
        "use a group with newer GPUs"
    )


def image_of_job(blueprint: Blueprint, name: str) -> str:
    """The image of a job on Kubernetes: one that users build, or a public one, from the mirror if there is one."""
    if name in IMAGES:
        return image_address(blueprint, name)
    return Mirrors(images=blueprint.described.image_mirror).image(name)


def check_image(name: str | None) -> None:
    """Checks the option `--image`. Scripts have it in a comment, where a second line would be a command.

    Raises:
        DoesNotFit: it is empty, or has spaces or other characters than those of names of images.
    """
    if name is not None and not re.fullmatch(r"[!-~]+", name):
        shown = " ".join(name.split())
        raise DoesNotFit(f"--image '{shown}': the name of an image is not empty, is ASCII, and has no spaces")
