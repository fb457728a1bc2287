"""User data of nodes of PCS: a MIME document that mounts file systems.

PCS merges it with its own user data, and accepts only the format of a multi-part archive. A block of the type
``text/x-shellscript`` runs after the node registers with PCS and before slurmd starts (PCS user guide, "Working with
Amazon EC2 user data"). If a mount fails, the node runs without the file system, and its console has a message.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

_BOUNDARY = "MUSTER-NODE"


@dataclass(frozen=True, slots=True)
class LustreMount:
    """A file system of FSx for Lustre, and where nodes mount it."""

    dns_name: str
    mount_name: str
    directory: str
    """``/fsx``."""


def user_data(mounts: Sequence[LustreMount]) -> str:
    """The document as text; empty if there is nothing to mount.

    The options are those of the FSx for Lustre user guide ("Mount your file system automatically").
    """
    if not mounts:
        return ""
    lines = ["#!/usr/bin/env bash", "set -uo pipefail"]
    for mount in mounts:
        directory = shlex.quote(mount.directory)
        source = shlex.quote(f"{mount.dns_name}@tcp:/{mount.mount_name}")
        lines += [
            f"install -d -m 1777 {directory}",
            f"mountpoint -q {directory} || mount -t lustre -o relatime,flock {source} {directory} ||",
            f"  echo {shlex.quote(f'muster: {mount.directory} is not mounted')} | tee /dev/console",
        ]
    script = "\n".join(lines)
    return (
        f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{_BOUNDARY}"\n\n'
        f'--{_BOUNDARY}\nContent-Type: text/x-shellscript; charset="us-ascii"\n\n{script}\n\n--{_BOUNDARY}--\n'
    )
