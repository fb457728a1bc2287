"""The scripts that nodes run, by their addresses.

AWS's own scripts are those of a commit of aws-samples/aws-parallelcluster-post-install-scripts, not of its branch, so
that a later node runs the same script. The scripts themselves download the newest versions of software.

They run when ParallelCluster has configured a node (`OnNodeConfigured`), as the templates and Pyxis' README have it;
slurmd starts after them (aws-parallelcluster, `compute_node/user_data.sh`: init, OnNodeStart, config, OnNodeConfigured,
finalize). A later template runs Pyxis' at `OnNodeStart` of compute nodes (awslabs/awsome-distributed-ai,
cluster-vanilla.yaml): the NVMe disks are not mounted by then, and the mount then hides the folders that it
creates for all users in /local_scratch.
"""

from collections.abc import Mapping

from muster.config.description.parallelcluster_nodes import PostInstall, Software
from muster.fleet.resources import Script
from muster.fleet.resources.parallelcluster import CONFIGURED, EVENTS, START
from muster.versions import POST_INSTALL_COMMIT

_AWS = "https://raw.githubusercontent.com/aws-samples/aws-parallelcluster-post-install-scripts"


def scripts(described: PostInstall | None) -> tuple[Script, ...]:
    """The scripts in the order in which they run: the user's scripts at the start, AWS's, then the user's others."""
    if described is None:
        return ()
    by_aws: list[Script] = [Script(_address(each)) for each in _ordered(described.install)]
    own: list[Script] = [
        Script(each.at, each.arguments, START if each.at_start else CONFIGURED) for each in described.scripts
    ]
    return tuple(sorted((*by_aws, *own), key=lambda each: EVENTS.index(each.event)))


def _address(installed: Software) -> str:
    return f"{_AWS}/{POST_INSTALL_COMMIT}/{installed.value}/postinstall.sh"


_SOFTWARE: Mapping[str, Software] = {_address(each): each for each in Software}


def software(script: Script) -> Software | None:
    """The software that a script of AWS installs; None for any other script."""
    return _SOFTWARE.get(script.at) if isinstance(script.at, str) else None


def _ordered(install: tuple[Software, ...]) -> tuple[Software, ...]:
    """The order of the software. Docker comes first: its script installs NVIDIA's container toolkit, which Enroot
    requires."""
    return tuple(each for each in Software if each in install)


def bucket(script: Script) -> tuple[str, str] | None:
    """The bucket and key of a script; None if it is not in S3."""
    if not isinstance(script.at, str) or not script.at.startswith("s3://"):
        return None
    name, _, key = script.at.removeprefix("s3://").partition("/")
    return name, key
