"""What an image has in it that p5 needs, where its name says so."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, PodOwner
from policies.reading.nccl_images import Mirrors, too_old
from policies.rule import Rule, Verdict, rule

_LEAST = {"p5": {"cuda": (12, 0), "ncclv": (2, 18, 0), "ofiv": (1, 7, 2)}}


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
    yield from too_old(owner, fleet, rule, _LEAST)
