"""What people get wrong in a Slurm cluster's file: each is told where it stands, with what was found and what to do."""

import pytest

from tests.cli.conftest import Muster

STACK = "pcluster-gpu"


@pytest.mark.parametrize(
    ("old", "new", "place", "got", "remedy"),
    [
        (
            "os: alinux2023\n",
            "os: alinux2\n",
            "19:9",
            "ParallelCluster 3.16 no longer supports the operating system 'alinux2'",
            "write alinux2023",
        ),
        (
            "nodes: 4\n",
            "nodes: 4\n            treads-per-core: 1\n",
            "37:13",
            "unknown key 'treads-per-core'; did you mean 'threads-per-core'?",
            "valid keys: capacity, efa, for, instance, memory, nodes, threads-per-core",
        ),
        (
            "            capacity:\n",
            "            capacity:\n              reservation-group: {arn: x}\n",
            "37:13",
            "both reservation and reservation-group are set",
            "keep one",
        ),
        (
            "instance: p4de.24xlarge",
            "instance: p4dx.24xlarge",
            "35:23",
            "'p4dx.24xlarge' is not an instance type that Muster knows",
            "did you mean 'p4d.24xlarge'?",
        ),
        (
            "      compute-gpu:\n",
            "      compute-for-training-on-gpus:\n",
            "31:7",
            "'compute-for-training-on-gpus' is not a valid name",
            "use lower-case letters, digits and dashes, at most 25 characters, with a letter first",
        ),
        (
            "login: {key-pair: key-fill-me-in}",
            'login: {public-key: "-----BEGIN OPENSSH PRIVATE KEY-----"}',
            "28:27",
            "this is a private key",
            "remove it from the file, and write the public key from its .pub file",
        ),
        (
            "    slurm:\n",
            "    post-install: {scripts: [{at: ./set-up.sh}]}\n    slurm:\n",
            "43:35",
            "'./set-up.sh' is not the address of a script",
            "write s3://BUCKET/KEY or https://HOST/PATH, without user and query",
        ),
        (
            "os: alinux2023\n",
            "os: rhel9\n    post-install: {install: [docker]}\n",
            "20:30",
            "AWS's script for docker does not support rhel9, and a node on which it fails never joins the cluster",
            "set os to one of alinux2023, ubuntu2204, ubuntu2404, or install docker with your own script (scripts)",
        ),
        (
            "nodes: 4\n",
            "nodes: {min: 8, max: 4}\n",
            "36:20",
            "min is 8, but max is 4",
            "raise max to 8, or lower min to 4",
        ),
        (
            "nodes: 4\n",
            "nodes: 4\n            labels: {team: vision}\n",
            "37:21",
            "Slurm has no node labels: jobs select a queue",
            "move the nodes to a separate queue",
        ),
    ],
    ids=lambda value: value.strip()[:30] if isinstance(value, str) and "\n" in value else None,
)
def test_a_fault_of_form(muster: Muster, old: str, new: str, place: str, got: str, remedy: str) -> None:
    """Its line and column, what stands there, and an action; no rule is asked."""
    muster.take(STACK)
    muster.edit(old, new, STACK)
    ran = muster.judged("check", STACK)
    assert ran.code == 2
    assert f"stacks/Pulumi.{STACK}.yaml:{place}: mandatory schema: {got}\n    fix: {remedy}\n" in ran.out
    assert ran.err == ""


@pytest.mark.parametrize(
    ("old", "new", "place", "rule"),
    [
        ("instance: p4de.24xlarge", "instance: m5.8xlarge\n            efa: true", "36:18", "efa-fits-instance"),
        ("size: 4800GiB", "size: 5000GiB", "49:28", "lustre-size-valid"),
        ("nodes: 4\n", "nodes: {min: 4, max: 6}\n", "41:24", "reservation-covers-nodes"),
        (
            "JobCompType: job",
            "SuspendTime: 3\n        JobCompType: job",
            "45:22",
            "parallelcluster-slurm-settings-allowed",
        ),
    ],
)
def test_a_fault_of_meaning(muster: Muster, old: str, new: str, place: str, rule: str) -> None:
    """A rule names it where it stands."""
    muster.take(STACK)
    muster.edit(old, new, STACK)
    ran = muster.judged("check", STACK)
    assert ran.code == 1
    assert f"stacks/Pulumi.{STACK}.yaml:{place}: mandatory {rule}: " in ran.out
