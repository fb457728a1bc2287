"""What an image has in it that p6 needs, where its name says so.

AWS states no least versions for p6, as it does for p5: these are the releases whose notes name its GPUs or its instance
types, so it is advice.

- CUDA: 12.8 is the first that makes code for compute capability 10.0 (B200). B300 is 10.3, which has code of its own
  since CUDA 12.9 and runs that of 10.0, too (NVIDIA, "Blackwell Compatibility Guide").
- NCCL: 2.25.1 is the first with code for Blackwell (its release notes: "Add Blackwell/SM100 support").
- aws-ofi-nccl (RELEASENOTES.md): 1.15.0 "Added AWS P6-B200 platform support"; 1.18.0 "P6-B300 support: added custom
  tuner decisions for P6-B300"; 1.19.0 "Fixed NCCL topology generation for GB200 in Docker containers".

No source says which EFA installer an image for p6 needs; a driver is the node's, and no image's name has it.
"""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, PodOwner
from policies.reading.nccl_images import Mirrors, too_old
from policies.rule import Rule, Severity, Verdict, rule

_BLACKWELL = {"cuda": (12, 8), "ncclv": (2, 25, 1)}
_LEAST = {
    "p6-b200": {**_BLACKWELL, "ofiv": (1, 15, 0)},
    "p6-b300": {**_BLACKWELL, "ofiv": (1, 18, 0)},
    "p6e-gb200": {**_BLACKWELL, "ofiv": (1, 19, 0)},
}


@rule(
    "p6-image-new-enough",
    title="An image for p6 has CUDA 12.8, NCCL 2.25.1 and an aws-ofi-nccl that knows the instance type, or newer",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="Older CUDA and NCCL have no code for Blackwell: it is compiled as it is loaded, or does not run. aws-ofi-nccl "
    "has P6-B200 since 1.15.0, is tuned for P6-B300 since 1.18.0, and reads the topology of GB200 in containers since "
    "1.19.0. Only the names of AWS's NCCL test images say what is in them; of any other image it shows when it runs.",
    source="aws/aws-ofi-nccl RELEASENOTES.md; NVIDIA/nccl v2.25.1-1; NVIDIA, Blackwell Compatibility Guide",
    remedy="Take a newer image.",
    facts=("rules.md#50",),
    options=Mirrors,
)
def p6_image_new_enough(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from too_old(owner, fleet, rule, _LEAST)
