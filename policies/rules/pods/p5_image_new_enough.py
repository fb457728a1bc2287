"""What an image has in it that p5 needs, where its name says so."""

import re
from collections.abc import Container, Iterator

from pydantic import Field

from muster.fleet.resources import Fleet, PodOwner, PodTemplate
from muster.fleet.unknown import UNKNOWN
from muster.versions import NCCL_TESTS_IMAGE
from policies.options import Options
from policies.reading.pods import GPU, asks_of, containers, nodes_for
from policies.rule import Rule, Verdict, rule

_REPOSITORY = NCCL_TESTS_IMAGE.partition(":")[0]
_SAID = re.compile(r"(?P<name>cuda|ofiv|ncclv)(?P<version>\d+(?:\.\d+)*)")
LEAST = {"cuda": (12, 0), "ncclv": (2, 18, 0), "ofiv": (1, 7, 2)}
_NAMES = {"cuda": "CUDA", "ncclv": "NCCL", "ofiv": "aws-ofi-nccl"}


class Mirrors(Options):
    """Copies of AWS's images."""

    repositories: tuple[str, ...] = Field(
        default=(),
        description="Repositories of your own that have copies of AWS's NCCL test images, under the same tags.",
    )


@rule(
    "p5-image-new-enough",
    title="An image for p5 has CUDA 12.0, NCCL 2.18.0 and aws-ofi-nccl 1.7.2 or newer",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="Older ones do not know H100, or use one interface of 32. Only the names of AWS's NCCL test images say what is "
    "in them; of any other image it shows when it runs.",
    source="aws-samples/awsome-distributed-training, 1.architectures/efa-cheatsheet.md",
    remedy="Take a newer image.",
    facts=("rules.md#50",),
    options=Mirrors,
)
def p5_image_new_enough(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    read = {_REPOSITORY, *Mirrors.of(rule.settings).repositories}
    for template in owner.templates:
        if GPU not in asks_of(template)[0] or not _for_p5(template, fleet):
            continue
        for path, container in containers(template):
            if container.get("image") is UNKNOWN:
                yield rule.unjudged(owner.place, f"the image of {path}, not known before creation")
            for what, version in _too_old(container.get("image"), read):
                yield rule.finding(
                    owner.place,
                    got=f"{path} runs {what} {'.'.join(map(str, version))} on p5",
                    remedy=f"take {NCCL_TESTS_IMAGE}",
                )


def _for_p5(template: PodTemplate, fleet: Fleet) -> bool:
    nodes = nodes_for(template, fleet)
    return bool(nodes) and all(spot.machine.instance.startswith("p5") for spot in nodes)


def _too_old(image: object, read: Container[str]) -> Iterator[tuple[str, tuple[int, ...]]]:
    repository, _, tag = image.rpartition(":") if isinstance(image, str) else ("", "", "")
    for found in _SAID.finditer(tag) if repository in read else ():
        version, least = tuple(map(int, found["version"].split("."))), LEAST[found["name"]]
        if version < least[: len(version)]:  # `cuda12` names the release, and no minor one
            yield _NAMES[found["name"]], version
