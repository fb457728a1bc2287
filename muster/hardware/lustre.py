"""FSx for Lustre's matrix: which sizes, throughputs and metadata rates a file system of some kind can have.

In the words and numbers of AWS's model of the API (botocore `fsx` 2018-03-01: CreateFileSystem and its Lustre
configuration); ParallelCluster's `fsx_validators.py` agrees line by line. Sizes are GiB, throughputs MB/s per TiB.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

LUSTRE = "LUSTRE"
"""FSx's `FileSystemType`."""

SCRATCH_1, SCRATCH_2 = "SCRATCH_1", "SCRATCH_2"
PERSISTENT_1, PERSISTENT_2 = "PERSISTENT_1", "PERSISTENT_2"
DEPLOYMENTS: Final = (SCRATCH_1, SCRATCH_2, PERSISTENT_1, PERSISTENT_2)
PERSISTENT: Final = frozenset({PERSISTENT_1, PERSISTENT_2})

SCRATCH: Final = frozenset({SCRATCH_1, SCRATCH_2})
BEFORE_EFA: Final = frozenset({*SCRATCH, PERSISTENT_1})
"""Types without EFA and metadata configurations. Both sets name known types: FSx may add others."""

SSD, HDD, INTELLIGENT_TIERING = "SSD", "HDD", "INTELLIGENT_TIERING"

DISKS: Mapping[str, frozenset[str]] = {
    SCRATCH_1: frozenset({SSD}),
    SCRATCH_2: frozenset({SSD}),
    PERSISTENT_1: frozenset({SSD, HDD}),
    PERSISTENT_2: frozenset({SSD, INTELLIGENT_TIERING}),
}
"""Deployment type -> what it is stored on."""

THROUGHPUTS: Mapping[tuple[str, str], frozenset[int]] = {
    (PERSISTENT_1, SSD): frozenset({50, 100, 200}),
    (PERSISTENT_1, HDD): frozenset({12, 40}),
    (PERSISTENT_2, SSD): frozenset({125, 250, 500, 1000}),
}
"""(deployment, disk) -> `PerUnitStorageThroughput`, required there. All others take none: scratch has its own 200, and
intelligent tiering is bought by `ThroughputCapacity`."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes that a kind of file system can have."""

    step: int
    """Every multiple of it, once at least: AWS's pages leave that out, and 0 is no size."""
    besides: tuple[int, ...] = ()
    """Smaller ones. Sorted."""

    def take(self, gib: int) -> bool:
        """Whether this is one of them."""
        return gib in self.besides or (gib >= self.step and gib % self.step == 0)

    def near(self, gib: int) -> tuple[int, ...]:
        """The next smaller and the next larger one; at the small end there is only one."""
        multiples = (max(0, gib - 1) // self.step * self.step, (max(0, gib) // self.step + 1) * self.step)
        every = sorted({*self.besides, self.step, *multiples} - {0})
        below, above = ([each for each in every if each < gib], [each for each in every if each > gib])
        return (*below[-1:], *above[:1])

    def __str__(self) -> str:
        """``1200GiB or a multiple of 2400GiB``."""
        smaller = ", ".join(f"{each}GiB" for each in self.besides)
        return f"{smaller} or a multiple of {self.step}GiB" if smaller else f"a multiple of {self.step}GiB"


_BY_2400 = Sizes(2400, (1200,))
_HDD: Mapping[int, Sizes] = {12: Sizes(6000), 40: Sizes(1800)}
_EFA: Mapping[int, Sizes] = {125: Sizes(38400), 250: Sizes(19200), 500: Sizes(9600), 1000: Sizes(4800)}
"""Throughput -> sizes with EFA (FSx Lustre guide, "Increasing storage capacity"). The page is about growing; that it
binds creation too is in AWS's CSI driver example (4800 at 1000) and in several public repositories."""


def sizes(deployment: str, disk: str, throughput: int | None, *, efa: bool) -> Sizes | None:
    """The sizes of one kind of file system.

    None where there are none to name: a kind that does not exist, a throughput that it does not take and that decides
    the sizes, or intelligent tiering, which has no size.
    """
    if efa:
        return _EFA.get(throughput or 0) if (deployment, disk) == (PERSISTENT_2, SSD) else None
    if disk == HDD:
        return _HDD.get(throughput or 0) if deployment == PERSISTENT_1 else None
    if disk != SSD:
        return None
    if deployment == SCRATCH_1:
        return Sizes(3600, (1200, 2400))
    return _BY_2400 if deployment in DEPLOYMENTS else None


AUTOMATIC, USER_PROVISIONED = "AUTOMATIC", "USER_PROVISIONED"

MOST_BACKUP_DAYS = 90
"""`AutomaticBackupRetentionDays`."""

DEFAULT_VERSION = "2.10"
"""What FSx makes where a program sets no version (PERSISTENT_2: 2.12, or 2.15 with a metadata configuration)."""

OLDEST_VERSION = (2, 12)
"""The oldest that clients of kernel 6.1 and newer mount: EKS's AL2023 images, Ubuntu 22 and 24 (FSx Lustre guide,
"Installing the Lustre client"). Associations also need it."""

PORTS: Final = ((988, 988), (1018, 1023))
"""TCP, between file servers, and between them and clients (FSx Lustre guide, "File system access control")."""
