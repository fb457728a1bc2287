"""The versions in AWS's NCCL test images, as their tags state them, and the versions that the pods' nodes need."""

import re
from collections.abc import Container, Iterator

from pydantic import Field

from muster.blueprint.gpu_sharing import GPU
from muster.finding import Level
from muster.fleet.backend_sets import ON_KUBERNETES
from muster.fleet.resources import Fleet, PodOwner
from muster.hardware.catalogue import ImageNeeds, Version
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.pods import containers, nodes_for, requests_of
from muster.unknown import UNKNOWN
from muster.versions import NCCL_TESTS_IMAGE
from muster.whole_number import version_numbers

_REPOSITORY = NCCL_TESTS_IMAGE.partition(":")[0]
_SAID = re.compile(r"(?P<name>cuda|ofiv|ncclv)(?P<version>\d{1,9}(?:\.\d{1,9})*)")
_NAMES = {"cuda": "CUDA", "ncclv": "NCCL", "ofiv": "aws-ofi-nccl"}


class Mirrors(Options):
    """Copies of AWS's images."""

    repositories: tuple[str, ...] = Field(
        default=(),
        description="Your repositories that have copies of AWS's NCCL test images with the same tags. Default: none.",
    )


def too_old(owner: PodOwner, fleet: Fleet, rule: Rule, *, stated_by_aws: bool) -> Iterator[Verdict]:
    """The findings about old versions in the images of pods with GPUs. Pods that may also run on nodes of other types
    are not judged.

    Args:
        owner: the object with the pods.
        fleet: the fleet on which they run.
        rule: the rule; its settings are `Mirrors`.
        stated_by_aws: whether to judge the types for which AWS states minimum versions, or the other types.
    """
    read = {_REPOSITORY, *Mirrors.of(rule.settings).repositories}
    for template in owner.templates:
        if GPU not in requests_of(template)[0]:
            continue
        machines = {spot.machine.instance: spot.machine for spot in nodes_for(template, fleet)}
        needs = {machine.image_needs for machine in machines.values()}
        known = {each.line: each for each in needs if each and each.stated_by_aws is stated_by_aws}
        if not needs or len(known) < len(needs):
            continue
        arm = any(machine.architecture == "arm64" for machine in machines.values())
        for path, container in containers(template):
            image = container.get("image")
            if image is UNKNOWN:
                yield rule.unjudged(owner.place, f"the image of {path} (known only after `pulumi up`)")
            for part, version in _parts(image, read):
                for line in sorted(known):
                    wanted = _wanted(known[line], part)
                    if version < wanted[: len(version)]:  # `cuda12` has no minor version
                        newer = f"an image for arm64 with {_NAMES[part]} {_dotted(wanted)} or newer"
                        yield rule.finding(
                            owner.place,
                            got=f"{path} runs {_NAMES[part]} {_dotted(version)} on {line}, which needs "
                            f"{_dotted(wanted)} or newer",
                            remedy=f"use {newer if arm else NCCL_TESTS_IMAGE}",
                        )


def _parts(image: object, read: Container[str]) -> Iterator[tuple[str, Version]]:
    """The parts and versions in the tag of an image of these repositories. A digest may follow the tag."""
    repository, _, tag = image.partition("@")[0].rpartition(":") if isinstance(image, str) else ("", "", "")
    for found in _SAID.finditer(tag) if repository in read else ():
        yield found["name"], version_numbers(found["version"])


def _wanted(needs: ImageNeeds, part: str) -> Version:
    return {"cuda": needs.cuda, "ncclv": needs.nccl, "ofiv": needs.ofi_nccl}[part]


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))


@rule(
    "p5-image-new-enough",
    title="An image for p5 has CUDA 12.0, NCCL 2.18.0 and aws-ofi-nccl 1.7.2 or newer",
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="Older versions do not know H100, or use one interface of 32. Only the tags of AWS's NCCL test images state "
    "their versions; other images fail only when they run.",
    source=(
        "https://github.com/aws-samples/awsome-distributed-training/blob/7217859f67bc/1.architectures/efa-cheatsheet.md",
    ),
    remedy="Use a newer image.",
    facts=("rules.md#50",),
    options=Mirrors,
)
def p5_image_new_enough(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from too_old(owner, fleet, rule, stated_by_aws=True)


# The versions that p6 needs in an image, if the image's name shows them.
#
# AWS states no minimum versions for p6, as it does for p5. These are the releases whose notes name its GPUs or its
# instance types, so the rule is advisory.
#
# - CUDA: 12.8 is the first that makes code for compute capability 10.0 (B200). B300 is 10.3, which has its own code
#   since CUDA 12.9 and also runs that of 10.0 (NVIDIA, "Blackwell Compatibility Guide").
# - NCCL: 2.25.1 is the first with code for Blackwell (its release notes: "Add Blackwell/SM100 support").
# - aws-ofi-nccl (RELEASENOTES.md): 1.15.0 "Added AWS P6-B200 platform support"; 1.18.0 "P6-B300 support: added custom
#   tuner decisions for P6-B300"; 1.19.0 "Fixed NCCL topology generation for GB200 in Docker containers".
#
# No source states which EFA installer an image for p6 needs. The driver is part of the node, not of an image.


@rule(
    "p6-image-new-enough",
    title="An image for p6 has CUDA 12.8, NCCL 2.25.1 and an aws-ofi-nccl that knows the instance type, or newer",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=PodOwner,
    backends=ON_KUBERNETES,
    why="Older CUDA and NCCL have no code for Blackwell: it is compiled when it is loaded, or does not run. "
    "aws-ofi-nccl has P6-B200 since 1.15.0, is tuned for P6-B300 since 1.18.0, and reads the topology of GB200 in "
    "containers since 1.19.0. Only the tags of AWS's NCCL test images state their versions; other images fail only "
    "when they run.",
    source=(
        "https://github.com/aws/aws-ofi-nccl/blob/v1.21.1/RELEASENOTES.md",
        "https://github.com/NVIDIA/nccl/releases/tag/v2.25.1-1",
        "https://docs.nvidia.com/cuda/archive/13.0.0/blackwell-compatibility-guide/index.html",
    ),
    remedy="Use a newer image.",
    facts=("rules.md#50",),
    options=Mirrors,
)
def p6_image_new_enough(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from too_old(owner, fleet, rule, stated_by_aws=False)
