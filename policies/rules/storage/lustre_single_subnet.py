"""The subnet of a file system."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.policies.engine.rule import Rule, Verdict, rule


@rule(
    "lustre-single-subnet",
    title="A file system is in exactly one subnet",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx for Lustre accepts exactly one subnet. If the network has no subnet in the zone of the file system, there "
    "is none to use.",
    source=(
        "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystem.html",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/fsx_validators.py",
        "https://github.com/kubernetes-sigs/aws-fsx-csi-driver/issues/47",
    ),
    remedy="Use a zone in which the network has a private subnet.",
    facts=("rules.md#51", "pains.md#14"),
)
def lustre_single_subnet(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing or len(system.subnets) == 1:
        return
    words = "the subnet in the zone of the nodes"
    got = f"the file system has {len(system.subnets)} subnets, but FSx accepts exactly one"
    if system.zone and not system.subnets:
        got = f"the network has no private subnet in {system.zone}, the zone of the file system"
        words = "one with a private subnet, or add a private subnet there"
    yield rule.finding(system, "zone", got=got, change=set_to(words=words))
