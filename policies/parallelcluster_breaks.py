"""The mistakes that must not pass on ParallelCluster, by name: who refuses each.

A test makes every one of them, in a description and in the configuration that AWS would get, and holds both columns to
what is said; `docs/parallelcluster-checks.md` is made of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

SHAPE = "shape"
"""Refused by the description's form, before any rule is asked."""
SCHEMA = "schema"
"""Refused by the package's own schema."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Who refuses a mistake."""

    ours: str
    """A rule's id, or `SHAPE`."""
    aws: tuple[str, ...] = ()
    """`SCHEMA`, or the validators that refuse it; none where AWS's package does not look."""
    why: str = ""
    """Where AWS's package does not refuse it: what it does instead, or what it does not see."""


BREAKS: Mapping[str, Refusal] = {
    "a reservation's id and a group of reservations, both": Refusal(SHAPE, (SCHEMA,)),
    "EFA on m5": Refusal("efa-fits-instance", ("EfaValidator",)),
    "several subnets with EFA": Refusal(
        "efa-single-zone",
        ("EfaMultiAzValidator", "MultiAzPlacementGroupValidator", "SingleInstanceTypeSubnetValidator"),
    ),
    "a Capacity Block with fewer nodes at first than at most": Refusal(
        "parallelcluster-block-fixed", ("ComputeResourceSizeValidator",)
    ),
    "alinux2": Refusal(SHAPE, (SCHEMA,)),
    "an unknown key": Refusal(SHAPE, (SCHEMA,)),
    "a placement group on a reservation that AWS provided": Refusal(
        "placement-group-by-provenance",
        why="it warns of a group that the reservation is not in; who provided it nobody tells it",
    ),
    "a file system off FSx's matrix": Refusal(
        "lustre-throughput-fits-type",
        why="it mounts by id what Muster makes; of one that it makes its schema knows the tiers",
    ),
    "a queue's name that is too long": Refusal(SHAPE, ("NameValidator",)),
    "a reservation in another zone": Refusal("reservation-zone-matches-subnet", ("CapacityReservationValidator",)),
    "a reservation of another type": Refusal("reservation-instance-type-matches", ("CapacityReservationValidator",)),
    "more nodes than the reservation holds": Refusal("reservation-covers-nodes", ("CapacityReservationSizeValidator",)),
    "more memory than the type has": Refusal("parallelcluster-memory-within-instance", ("SchedulableMemoryValidator",)),
    "two file systems at one place": Refusal(SHAPE, ("DuplicateMountDirValidator",)),
    "a setting of Slurm that ParallelCluster keeps": Refusal(
        "parallelcluster-slurm-settings-allowed", ("CustomSlurmSettingsValidator",)
    ),
    "an image that another version built": Refusal("parallelcluster-image-of-version", ("CustomAmiTagValidator",)),
    "V100s on ParallelCluster's own image": Refusal(
        "parallelcluster-image-drives-type", ("InstanceTypeBaseAMICompatibleValidator",)
    ),
    "an RSA key on Ubuntu": Refusal("parallelcluster-key-fits-os", ("KeyPairValidator",)),
    "accounting, and a name of more than 40 letters": Refusal(SHAPE, ("ClusterNameValidator",)),
}
"""Mistake -> who refuses it."""
