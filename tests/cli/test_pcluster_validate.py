"""AWS's own package in `check` and in `muster pcluster validate`."""

from collections.abc import Iterator

import pytest

from muster.authority import installation
from muster.authority.installation import NotInstalled
from muster.authority.worker_process import worker
from tests.cli.conftest import Muster

STACK = "pcluster-p4de-batch-g5"


@pytest.fixture
def broken(muster: Muster) -> Muster:
    """A stack whose inference group asks for EFA on a type that has none, as AWS's package alone is asked of it."""
    try:
        worker()
    except NotInstalled as cause:
        pytest.skip(str(cause))
    muster.take(STACK)
    muster.edit("instance: g5.12xlarge", "instance: m5.8xlarge\n            efa: true", STACK)
    return muster


@pytest.fixture
def without(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Muster]:
    """A machine without AWS's package."""
    muster.take(STACK)
    worker.cache_clear()
    monkeypatch.setenv(installation.VARIABLE, "/nowhere/python")
    yield muster
    worker.cache_clear()


def test_check_does_not_repeat_a_rule(broken: Muster) -> None:
    """The rule's finding alone."""
    ran = broken.judged("check", STACK)
    assert ran.code == 1
    assert "efa-fits-instance" in ran.out
    assert "parallelcluster-validator" not in ran.out


def test_check_tells_what_aws_refuses_at_its_line(broken: Muster) -> None:
    """Where our own rule is suppressed: in the same file at the field that the refused key comes from."""
    at = "queues.inference-gpu.groups.inference-ml"
    covered = f"{{rule: efa-fits-instance, at: {at}, reason: tried on our own image, until: '2026-12-31'}}"
    broken.edit("    queues:\n", f"    suppress: [{covered}]\n    queues:\n", STACK)
    ran = broken.judged("check", STACK)
    assert ran.code == 1
    lines = broken.file(STACK).read_text().splitlines()
    line = max(number for number, text in enumerate(lines, 1) if "instance: m5.8xlarge" in text)
    told = [each for each in ran.out.splitlines() if "parallelcluster-validator" in each]
    assert len(told) == 1
    assert told[0].startswith(f"stacks/Pulumi.{STACK}.yaml:{line}:")
    assert "ParallelCluster's EfaValidator reports: Instance type 'm5.8xlarge' does not support EFA" in told[0]


def test_validate_prints_every_message(broken: Muster) -> None:
    """In the package's words, INFO included, with what is not run on stderr; it exits as `check` does."""
    ran = broken("pcluster", "validate", STACK)
    assert ran.code == 1
    assert "ERROR EfaValidator" in ran.out
    assert "INFO DeletionPolicyValidator" in ran.out
    assert ran.out.splitlines()[-1].startswith(f"{STACK}: 1 ERROR, ")
    assert "not run: HeadNodeLaunchTemplateValidator: it needs a dry run of RunInstances in EC2" in ran.err


def test_validate_as_json(broken: Muster) -> None:
    """Each message with its key, its place, and whether `check` has it, too."""
    said = broken("pcluster", "validate", STACK, "--json").json
    (error,) = [each for each in said["messages"] if each["level"] == "ERROR"]
    assert error["by"] == "EfaValidator"
    assert error["key"].endswith("ComputeResources[0].InstanceType")
    assert error["where"]["path"].endswith(".instance")
    assert error["judged"]
    assert error["inCheck"]
    assert not [each for each in said["messages"] if each["level"] == "INFO" and each["inCheck"]]
    assert said["parallelcluster"] == "3.16.1"
    assert "HeadNodeLaunchTemplateValidator" in said["notRun"]


def test_a_stack_without_parallelcluster_is_told(muster: Muster) -> None:
    """As by the other commands about it."""
    ran = muster("pcluster", "validate", "p5-odcr")
    assert ran.code == 2
    assert "p5-odcr has backend: eks, but this command needs backend: parallelcluster" in ran.err


def test_where_it_is_not_installed_check_says_so_and_passes(without: Muster) -> None:
    """One thing not evaluated, with what to do; no failure, unless somebody asks for one."""
    ran = without.judged("check", STACK, "-v")
    assert ran.code == 0
    assert "MUSTER_PARALLELCLUSTER is set to /nowhere/python, where there is no Python" in ran.out
    assert "1 not evaluated" in ran.out
    assert without.judged("check", STACK, "--strict").code == 4


def test_where_it_is_not_installed_validate_cannot_answer(without: Muster) -> None:
    """Words, and exit 2."""
    ran = without("pcluster", "validate", STACK)
    assert ran.code == 2
    assert ran.out == ""
    assert (
        "is set to /nowhere/python, where there is no Python interpreter; set it to one that has aws-parallelcluster"
    ) in ran.err
