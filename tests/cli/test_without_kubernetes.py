"""A stack with Slurm has no Kubernetes: every command about it says so, and what to use instead. Never a traceback."""

import pytest

from tests.cli.conftest import Muster

IS = "error: pcluster-gpu has backend: parallelcluster, which uses Slurm and not Kubernetes; "
SOFTWARE = "install software with post-install, or in an image (`muster config --image`)"
SEEN = "use `pcluster describe-cluster --region us-west-2 --cluster-name pcluster-gpu`, and `sinfo` on its head node"


@pytest.fixture
def slurm(muster: Muster) -> Muster:
    """The command, with a Slurm stack beside p5-odcr."""
    muster.take("pcluster-gpu")
    return muster


@pytest.mark.parametrize(
    ("command", "instead"),
    [
        (("addons", "pcluster-gpu"), SOFTWARE),
        (
            ("mirror", "pcluster-gpu"),
            "it has no charts; `muster job --image` sets the image of a job",
        ),
        (("verify", "pcluster-gpu"), SEEN),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_to_use_instead(slurm: Muster, command: tuple[str, ...], instead: str) -> None:
    """Before Pulumi or a cluster is asked: neither is here."""
    ran = slurm(*command)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{IS}{instead}\n")


@pytest.mark.parametrize(
    ("stack", "command", "instead"),
    [
        ("hyperpod-slurm-p5", "addons", "lifecycle scripts (hyperpod.lifecycle)"),
        ("hyperpod-slurm-p5", "verify", "`aws sagemaker describe-cluster --region us-west-2"),
        ("pcs-p5", "verify", "`aws pcs get-cluster --region us-west-2"),
    ],
)
def test_each_backend_has_its_own_remedy(muster: Muster, stack: str, command: str, instead: str) -> None:
    muster.take(stack)
    assert instead in muster(command, stack).err
