"""Images that are built for jobs, their build commands, and whether a node's NVIDIA driver supports their CUDA."""

from collections.abc import Mapping
from dataclasses import dataclass

from muster.addons.context import Mirrors
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.blueprint.slurm import SlurmBlueprint
from muster.config.description.node_group import Group
from muster.message_text import did_you_mean
from muster.versions import (
    BERT_SOURCE,
    CUDA,
    FSDP_INDEX,
    FSDP_PACKAGES,
    FSDP_SOURCE,
    HYPERPOD_ELASTIC_AGENT,
    MINIMUM_NVIDIA_DRIVER,
    NCCL_TESTS_IMAGE,
    NEURON_TRAINING_IMAGE,
)

PLATFORM = "linux/amd64"
"""The platform of the images; none of the base images supports another."""

FILL_ME_IN = "fill-me-in"
"""A placeholder for the account, which is known after the deployment."""


class UnknownImage(ValueError):
    """There is no image with that name."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image that is built for a job."""

    name: str
    """Also its tag in the stack's registry."""
    title: str
    dockerfile: str


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


FSDP_CODE = Source("https://github.com/awslabs/awsome-distributed-ai.git", FSDP_SOURCE, "3.test_cases/pytorch/FSDP/src")
BERT_CODE = Source(
    "https://github.com/aws-neuron/aws-neuron-samples.git", BERT_SOURCE, "torch-neuronx/training/dp_bert_hf_pretrain"
)


def _run(steps: tuple[str, ...]) -> str:
    return "RUN " + " \\\n && ".join(steps)


_FSDP = f"""\
# Trains with PyTorch FSDP on GPUs, over EFA: awslabs/awsome-distributed-ai, 3.test_cases/pytorch/FSDP.
# The tag of the base image has the versions of CUDA, EFA, aws-ofi-nccl and NCCL. p5 instances need at least CUDA 12.0,
# NCCL 2.18.0 and aws-ofi-nccl 1.7.2 (the same repository, 1.architectures/efa-cheatsheet.md). aws-ofi-nccl is tuned for
# P6-B300 from version 1.18 on. Nodes need NVIDIA driver {MINIMUM_NVIDIA_DRIVER} or later.
# To pin it: --build-arg BASE=IMAGE@sha256:DIGEST
ARG BASE={NCCL_TESTS_IMAGE}
FROM $BASE

{_run(FSDP_CODE.steps("/fsdp"))}

# The versions are those of the example (requirements.txt), except for datasets, for which it has none. The last package
# is for HyperPod's own training operator.
RUN pip3 install --no-cache-dir --extra-index-url {FSDP_INDEX} \\
    {FSDP_PACKAGES} \\
 && pip3 install --no-cache-dir hyperpod-elastic-agent=={HYPERPOD_ELASTIC_AGENT}

WORKDIR /fsdp
"""

_BERT = f"""\
# Pre-trains BERT-large on Trainium, over EFA: the tutorial dp_bert_hf_pretrain of aws-neuron/aws-neuron-eks-samples,
# with its script from aws-neuron/aws-neuron-samples. The tutorial builds on Ubuntu 20.04 with PyTorch 1.13. This image
# is based on AWS's container of the Neuron release of the script's last change, which contains EFA and neuron-top.
# To pin it: --build-arg BASE=IMAGE@sha256:DIGEST
ARG BASE={NEURON_TRAINING_IMAGE}
FROM $BASE

{_run(BERT_CODE.steps("/bert"))}

RUN pip3 install --no-cache-dir -r /bert/requirements.txt

ENV PATH="/opt/aws/neuron/bin:$PATH"
WORKDIR /bert
"""

IMAGES: Mapping[str, Image] = {
    each.name: each
    for each in (
        Image("pytorch-fsdp", "PyTorch FSDP on GPUs, over EFA", _FSDP),
        Image("trn1-bert", "BERT pre-training on Trainium, over EFA", _BERT),
    )
}
"""By name."""


def image_of(name: str) -> Image:
    """The image with that name.

    Raises:
        UnknownImage: there is none; the message has the closest match and all images.
    """
    if name not in IMAGES:
        raise UnknownImage(f"no image '{name}'{did_you_mean(name, IMAGES)} (images: {', '.join(IMAGES)})")
    return IMAGES[name]


def mirrored_image(blueprint: Blueprint, reference: str) -> str:
    """The address of a public image for the cluster's nodes: in the mirror, if the cluster has one."""
    return Mirrors(images=blueprint.described.image_mirror).image(reference)


def image_address(blueprint: ClusterBlueprint, name: str) -> str:
    """The address of an image in the stack's registry, as far as it is known before the deployment."""
    registry = blueprint.described.registry
    if registry is None:
        return f"{FILL_ME_IN}/{name}"
    domain = "amazonaws.com.cn" if blueprint.region.startswith("cn-") else "amazonaws.com"
    repository = registry.repository or blueprint.name_stem
    return f"{FILL_ME_IN}.dkr.ecr.{blueprint.region}.{domain}/{repository}:{name}"


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
