"""A stack with Slurm has no Kubernetes: every command about it says so. Never a traceback."""

import pytest

from tests.cli.conftest import Muster


@pytest.mark.parametrize("stack", ["pcluster-gpu", "hyperpod-slurm-p5", "pcs-p5"])
@pytest.mark.parametrize("command", ["addons", "mirror", "verify"])
def test_it_is_refused(muster: Muster, stack: str, command: str) -> None:
    """Before Pulumi or a cluster is asked: neither is here."""
    muster.take(stack)
    ran = muster(command, stack)
    assert (ran.code, ran.out) == (2, "")
    assert f"{stack} has backend: " in ran.err
    assert "eks or hyperpod" in ran.err
