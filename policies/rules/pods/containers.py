"""What containers run and mount."""

import re
from collections.abc import Container, Iterator, Mapping
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any

from pydantic import Field

from muster.blueprint.gpu_sharing import GPU
from muster.finding import parse_dotted_path
from muster.fleet.resources import Fleet, PodOwner, PodTemplate
from muster.hardware.catalogue import ImageNeeds, Version
from muster.plain_data import mappings_at, value_at
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.pods import (
    ACROSS_NODES,
    DEVICES,
    amount_of,
    command_of,
    containers,
    nodes_for,
    of_each_template,
    requests_of,
)
from muster.unknown import UNKNOWN, NotKnown, has_unknown
from muster.versions import NCCL_TESTS_IMAGE
from muster.whole_number import version_numbers

_DEVICES = PurePosixPath("/dev/infiniband")


@of_each_template
def infiniband_not_from_host(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for name, path in host_paths(template).items():
        # A daemon that asks for no device serves its node: it is the device plugin, or reads what the node counts.
        reads = owner.kind == "DaemonSet" and requests_of(template).keys().isdisjoint(DEVICES)
        if is_or_below(path, _DEVICES) and not reads:
            got = f"{template.path} mounts {path} from its node (volume {name})"
            change = "remove the volume, and set vpc.amazonaws.com/efa under resources.limits"
            yield rule.finding(owner, got=got, change=change)


def host_paths(template: PodTemplate) -> dict[str, PurePosixPath]:
    """The paths of its node that a pod mounts, as far as they are known: by volume, without ``..``.

    Raises:
        NotKnown: its volumes are not known.
    """
    if value_at(template.spec, "volumes") is UNKNOWN:
        raise NotKnown(f"the volumes of {template.path}", template)
    volumes = (
        (volume.get("name"), value_at(volume, "hostPath", "path")) for volume in mappings_at(template.spec, "volumes")
    )
    # Two slashes at the beginning are one slash for Linux, but another root for Python.
    return {
        str(name): PurePosixPath(normpath("/" + path.lstrip("/"))) for name, path in volumes if isinstance(path, str)
    }


def is_or_below(path: PurePosixPath, folder: PurePosixPath) -> bool:
    """Whether a path is a folder, or in it."""
    return path == folder or folder in path.parents


_SHARED_MEMORY = PurePosixPath("/dev/shm")  # noqa: S108 (in the pod)
_DEFAULT_SIZE = 64 * 2**20
"""The size of /dev/shm in a container without a volume there."""
_MOUNTED_BY_OPERATOR = frozenset({"RayCluster", "RayJob", "RayService"})
"""KubeRay mounts a volume in memory (ray-project/kuberay v1.6.2, `common/pod.go`)."""


@of_each_template
def shared_memory_is_mounted(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if owner.kind in _MOUNTED_BY_OPERATOR or GPU not in requests_of(template) or not _trains(template, owner):
        return
    if template.spec.get("hostIPC") is True:
        return
    for path, container in containers(template):
        asks = GPU in str(container.get("resources"))
        if asks and not _has_shared_memory(template, container, path):
            got = f"{path} has GPUs, but {_SHARED_MEMORY} has only {_DEFAULT_SIZE // 2**20} MiB"
            change = f"mount a volume of emptyDir: {{medium: Memory}} at {_SHARED_MEMORY}"
            yield rule.finding(owner, got=got, change=change, place=owner.place.within(parse_dotted_path(path)))


_TRAINING = re.compile(r"\b(?:torchrun|python3?|deepspeed|accelerate|\w+_perf)\b")


def _trains(template: PodTemplate, owner: PodOwner) -> bool:
    """Whether a pod runs PyTorch or NCCL: all of a job across nodes, and others whose command shows it. Pods with
    claims may only use NVLink."""
    if owner.kind in ACROSS_NODES:
        return "resourceClaims" not in template.spec
    return bool(_TRAINING.search(command_of(template)))


def _has_shared_memory(template: PodTemplate, container: Mapping[str, Any], path: str) -> bool:
    """Whether a volume larger than the default is mounted at /dev/shm, or above it.

    Raises:
        NotKnown: that is not known.
    """
    if has_unknown([container.get("volumeMounts"), template.spec.get("volumes"), template.spec.get("hostIPC")]):
        raise NotKnown(f"the volumes of {path}", template)
    volumes = {each.get("name"): each for each in mappings_at(template.spec, "volumes")}
    mounted = [
        volumes.get(each.get("name"), {})
        for each in mappings_at(container, "volumeMounts")
        if is_or_below(_SHARED_MEMORY, PurePosixPath(normpath(str(each.get("mountPath")))))
    ]
    sizes = [amount_of(value_at(each, "emptyDir"), "sizeLimit", 2 * _DEFAULT_SIZE) for each in mounted]
    return any(size > _DEFAULT_SIZE for size in sizes)


_REPOSITORY = NCCL_TESTS_IMAGE.partition(":")[0]
_SAID = re.compile(r"(?P<name>cuda|ofiv|ncclv)(?P<version>\d{1,9}(?:\.\d{1,9})*)")
_NAMES = {"cuda": "CUDA", "ncclv": "NCCL", "ofiv": "aws-ofi-nccl"}


class Mirrors(Options):
    """Copies of AWS's images."""

    repositories: tuple[str, ...] = Field(
        default=(),
        description="Your repositories that have copies of AWS's NCCL test images with the same tags. Default: none.",
    )


@of_each_template
def nccl_image_new_enough(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    read = {_REPOSITORY, *Mirrors.of(rule.settings).repositories}
    if GPU not in requests_of(template):
        return
    machines = {spot.machine.instance: spot.machine for spot in nodes_for(template, fleet)}
    needs = {each.line: each for machine in machines.values() if (each := machine.image_needs)}
    if not machines or any(machine.image_needs is None for machine in machines.values()):
        return  # pods that may also run on other types
    arm = any(machine.architecture == "arm64" for machine in machines.values())
    images = [(path, container.get("image")) for path, container in containers(template)]
    for path, image in sorted(images, key=lambda each: has_unknown(each[1])):
        if has_unknown(image):
            raise NotKnown(f"the image of {path}", template)
        for part, version in _parts(image, read):
            for line, each in sorted(needs.items()):
                wanted = _wanted(each, part)
                if version < wanted[: len(version)]:  # `cuda12` has no minor version
                    newer = f"an image for arm64 with {_NAMES[part]} {_dotted(wanted)} or newer"
                    # AWS states the versions for p5. For p6 they are those whose release notes name its GPUs.
                    leveled = rule if each.stated_by_aws else rule.advice
                    got = f"{path} runs {_NAMES[part]} {_dotted(version)}, but {line} needs {_dotted(wanted)}"
                    yield leveled.finding(owner, got=got, change=f"use {newer if arm else NCCL_TESTS_IMAGE}")


def _parts(image: object, read: Container[str]) -> Iterator[tuple[str, Version]]:
    """The parts and versions in the tag of an image of these repositories. A digest may follow the tag."""
    repository, _, tag = image.partition("@")[0].rpartition(":") if isinstance(image, str) else ("", "", "")
    for found in _SAID.finditer(tag) if repository in read else ():
        yield found["name"], version_numbers(found["version"])


def _wanted(needs: ImageNeeds, part: str) -> Version:
    return {"cuda": needs.cuda, "ncclv": needs.nccl, "ofiv": needs.ofi_nccl}[part]


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))
