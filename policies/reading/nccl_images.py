"""What AWS's NCCL test images have in them, as their tags say, and what the pods' nodes need of it."""

import re
from collections.abc import Container, Iterator, Mapping

from pydantic import Field

from muster.fleet.resources import Fleet, PodOwner
from muster.fleet.unknown import UNKNOWN
from muster.versions import NCCL_TESTS_IMAGE
from policies.options import Options
from policies.reading.pods import GPU, asks_of, containers, nodes_for
from policies.rule import Rule, Verdict

_REPOSITORY = NCCL_TESTS_IMAGE.partition(":")[0]
_SAID = re.compile(r"(?P<name>cuda|ofiv|ncclv)(?P<version>\d{1,9}(?:\.\d{1,9})*)")
_NAMES = {"cuda": "CUDA", "ncclv": "NCCL", "ofiv": "aws-ofi-nccl"}

Version = tuple[int, ...]
Least = Mapping[str, Version]
"""As tags name it (`cuda`, `ncclv`, `ofiv`) -> the oldest version that will do."""


class Mirrors(Options):
    """Copies of AWS's images."""

    repositories: tuple[str, ...] = Field(
        default=(),
        description="Repositories of your own that have copies of AWS's NCCL test images, under the same tags.",
    )


def too_old(owner: PodOwner, fleet: Fleet, rule: Rule, least: Mapping[str, Least]) -> Iterator[Verdict]:
    """What is too old in the images of pods with GPUs. Pods that may be on nodes of other types, too, are left alone.

    Args:
        owner: whose pods.
        fleet: where they run.
        rule: which says it; its settings are `Mirrors`.
        least: what an instance type begins with -> what its images need.
    """
    read = {_REPOSITORY, *Mirrors.of(rule.settings).repositories}
    for template in owner.templates:
        if GPU not in asks_of(template)[0]:
            continue
        machines = {spot.machine.instance: spot.machine for spot in nodes_for(template, fleet)}
        families = {next((each for each in least if name.startswith(each)), "") for name in machines}
        if not families or "" in families:
            continue
        arm = any(machine.architecture == "arm64" for machine in machines.values())
        for path, container in containers(template):
            image = container.get("image")
            if image is UNKNOWN:
                yield rule.unjudged(owner.place, f"the image of {path}, not known before creation")
            for part, version in _parts(image, read):
                for family in sorted(families):
                    wanted = least[family][part]
                    if version < wanted[: len(version)]:  # `cuda12` names the release, and no minor one
                        newer = f"an image for arm64 with {_NAMES[part]} {_dotted(wanted)} or newer"
                        yield rule.finding(
                            owner.place,
                            got=f"{path} runs {_NAMES[part]} {_dotted(version)} on {family}",
                            remedy=f"take {newer if arm else NCCL_TESTS_IMAGE}",
                        )


def _parts(image: object, read: Container[str]) -> Iterator[tuple[str, Version]]:
    """What the tag of an image of these repositories names, and its version. A digest may follow the tag."""
    repository, _, tag = image.partition("@")[0].rpartition(":") if isinstance(image, str) else ("", "", "")
    for found in _SAID.finditer(tag) if repository in read else ():
        yield found["name"], tuple(map(int, found["version"].split(".")))


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))
