"""File systems and volumes of ParallelCluster in the clear."""

from dataclasses import replace
from typing import Any

from muster.fleet.resources import Fleet, Mount, Volume
from muster.unknown import UNKNOWN
from tests.policies.case import cases
from tests.slurms import APPS, FSX, a_head, a_pcluster, a_slurm_fleet

# parallelcluster-storage-encrypted


def shared(**more: Any) -> Fleet:
    return a_slurm_fleet(a_pcluster(mounts=(APPS, FSX, Mount("shared", "/shared", "Efs", deletion="Retain", **more))))


cases(
    a_file_system_of_efs_of_which_nothing_is_said=lambda: shared(),
    a_file_system_of_efs_in_the_clear=lambda: shared(encrypted=False),
    an_encrypted_file_system_of_efs=lambda: shared(encrypted=True),
    a_file_system_of_efs_that_exists=lambda: shared(file_system="fs-0fedcba9876543210"),
    a_file_system_of_efs_not_yet_known_to_be_encrypted=lambda: shared(encrypted=UNKNOWN),
    a_root_volume_in_the_clear=lambda: a_slurm_fleet(a_head(root=Volume(gib=200, encrypted=False))),
    a_shared_volume_in_the_clear=lambda: a_slurm_fleet(
        a_pcluster(mounts=(replace(APPS, volume=Volume("gp3", 200, encrypted=False)), FSX))
    ),
)
