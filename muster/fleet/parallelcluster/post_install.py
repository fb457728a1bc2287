"""The scripts that nodes run, by their addresses.

AWS's own are taken from a commit of aws-samples/aws-parallelcluster-post-install-scripts, not from its branch: what a
node of next month installs is what one of today does.
"""

from muster.fleet.description.post_install import PostInstall, Software
from muster.fleet.resources import Script
from muster.versions import POST_INSTALL_COMMIT

_AWS = "https://raw.githubusercontent.com/aws-samples/aws-parallelcluster-post-install-scripts"


def scripts(described: PostInstall | None) -> tuple[Script, ...]:
    """AWS's scripts, then the user's, in the order they run in."""
    if described is None:
        return ()
    aws = (Script(f"{_AWS}/{POST_INSTALL_COMMIT}/{each.value}/postinstall.sh") for each in _ordered(described.install))
    return (*aws, *(Script(each.at, each.arguments) for each in described.scripts))


def _ordered(install: tuple[Software, ...]) -> tuple[Software, ...]:
    """Docker first: its script brings NVIDIA's container toolkit, which Enroot wants to find."""
    return tuple(each for each in Software if each in install)


def bucket(script: Script) -> tuple[str, str] | None:
    """The bucket and key that a script is at, None where it is not in S3."""
    if not isinstance(script.at, str) or not script.at.startswith("s3://"):
        return None
    name, _, key = script.at.removeprefix("s3://").partition("/")
    return name, key
