"""The lifecycle bundle: the files in a group's folder of the bucket, which a HyperPod node runs at its creation.

The scripts are Muster's and the same for every group (``infra/hyperpod/lifecycle_scripts``); what differs is in
one small file of settings beside them. So each group has a folder, ``<group>/``, and no script has to determine
the group of its node. (AWS's scripts for Slurm look their node's address up in
``/opt/ml/config/resource_config.json``, awslabs/awsome-distributed-ai lifecycle_script.py; no source states the content
of that file on EKS's nodes.)

Pure: names and texts. What uploads them reads the scripts.
"""

import shlex

from muster.hardware import huge_pages
from muster.size import Size

ON_CREATE = "on_create.sh"
"""The entry point, with the name that AWS's base script and every example of AWS use."""

SCRIPTS = ("container_data.sh", "huge_pages.sh", "log.sh", ON_CREATE, "service.sh")
"""The files that are the same for every group, sorted."""

SETTINGS = "settings.env"
"""The file that differs between groups."""

DATA_VOLUME = "/opt/sagemaker"
"""The path at which HyperPod mounts a group's secondary volume (SageMaker's API, ClusterEbsVolumeConfig)."""


def files(group: str) -> tuple[str, ...]:
    """The keys in the bucket that a group's nodes need, sorted."""
    return tuple(sorted(f"{group}/{name}" for name in (*SCRIPTS, SETTINGS)))


def settings(group: str, huge_page_memory: Size, *, data_volume: bool) -> str:
    """The file of settings that the scripts of a group read, for a shell.

    Args:
        group: the instance group's name.
        huge_page_memory: memory to set aside as 2 MiB pages; 0 for none.
        data_volume: whether the group has a secondary volume, for containers' and the kubelet's data.
    """
    values = {
        "INSTANCE_GROUP": group,
        "HUGE_PAGES": str(huge_pages.pages(huge_page_memory)),
        "DATA_VOLUME": DATA_VOLUME if data_volume else "",
    }
    lines = (f"{name}={shlex.quote(value)}\n" for name, value in values.items())
    head = f"# Written by Muster for the scripts in this folder: the settings of groups.{group}.\n"
    return f"{head}{''.join(lines)}"
