"""Kinds, ports and versions of FSx for Lustre's file systems, in the words of AWS's model of the API (botocore)."""

from typing import Final

LUSTRE = "LUSTRE"
"""FSx's `FileSystemType`."""

SCRATCH_1, SCRATCH_2 = "SCRATCH_1", "SCRATCH_2"
PERSISTENT_1, PERSISTENT_2 = "PERSISTENT_1", "PERSISTENT_2"
DEPLOYMENTS: Final = (SCRATCH_1, SCRATCH_2, PERSISTENT_1, PERSISTENT_2)
PERSISTENT: Final = frozenset({PERSISTENT_1, PERSISTENT_2})

BEFORE_EFA: Final = frozenset({SCRATCH_1, SCRATCH_2, PERSISTENT_1})
"""Types without EFA and metadata configurations. FSx may add others."""

SSD, HDD = "SSD", "HDD"

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
