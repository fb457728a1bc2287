"""What a description becomes in ParallelCluster's configuration."""

from typing import Any

import pytest

from muster.blueprint.parallelcluster.configuration import configuration
from muster.fleet.resources import HeadNode, Queue
from tests.factories.parallelcluster import WORKERS, a_slurm_blueprint
from tests.policies.views.test_parallelcluster_read_back import program_of

SCRIPTS = {"scripts": [{"at": "https://example.com/a.sh"}]}
OTHER = {"queues.other": {"groups": {"cpus": {"for": "system", "instance": "c5.2xlarge", "nodes": 1}}}}
SEVERAL = {**OTHER, "slurm.default-queue": "train"}
S3 = {"s3://data": "read", "s3://results/runs/": "write"}


def rendered(edits: dict[str, Any]) -> dict[str, Any]:
    return configuration(a_slurm_blueprint(edits), str)


@pytest.mark.parametrize(
    ("edits", "timeouts"),
    [
        ({}, None),
        ({"queues.train.post-install": {**SCRIPTS, "timeout-minutes": 5}}, {"ComputeNodeBootstrapTimeout": 300}),
        (
            {**SEVERAL, "queues.train.post-install": {**SCRIPTS, "timeout-minutes": 5}},
            {"ComputeNodeBootstrapTimeout": 2100},
        ),
        (
            {
                **SEVERAL,
                "queues.train.post-install": {**SCRIPTS, "timeout-minutes": 10},
                "queues.other.post-install": {**SCRIPTS, "timeout-minutes": 60},
            },
            {"ComputeNodeBootstrapTimeout": 3600},
        ),
        (
            {"post-install": {**SCRIPTS, "timeout-minutes": 40}},
            {"HeadNodeBootstrapTimeout": 2400, "ComputeNodeBootstrapTimeout": 2400},
        ),
        ({"head.post-install": {**SCRIPTS, "timeout-minutes": 40}}, {"HeadNodeBootstrapTimeout": 2400}),
    ],
)
def test_nodes_have_the_longest_time_of_all_queues(edits: dict[str, Any], timeouts: dict[str, int] | None) -> None:
    """ParallelCluster has one number for all; a queue that installs nothing never gets less than its own 35 minutes."""
    assert rendered(edits).get("DevSettings") == ({"Timeouts": timeouts} if timeouts else None)


def test_tags_are_a_list_of_keys_and_values() -> None:
    """In the order of their keys, with Muster's own."""
    assert rendered({"tags": {"team": "ml", "cost": "7"}})["Tags"] == [
        {"Key": "cost", "Value": "7"},
        {"Key": "muster:stack", "Value": "tested"},
        {"Key": "team", "Value": "ml"},
    ]


def test_all_nodes_may_do_in_s3_what_is_said() -> None:
    """A bucket, or all below a prefix."""
    access = [
        {"BucketName": "data", "EnableWriteAccess": False},
        {"BucketName": "results", "KeyName": "runs/*", "EnableWriteAccess": True},
    ]
    said = rendered({"s3": S3})
    nodes = (said["HeadNode"], *said["Scheduling"]["SlurmQueues"])
    assert [each["Iam"]["S3Access"] for each in nodes] == [access, access]


def test_buckets_read_back_as_they_were_derived() -> None:
    """By the view of a program, for the head node and the queue."""
    blueprint = a_slurm_blueprint({"s3": S3})
    fleet = program_of(blueprint, preview=False)
    found = [each.buckets for kind in (HeadNode, Queue) for each in fleet.of(kind)]
    assert found == [{"data", "results"}, {"data", "results"}]
    assert blueprint.head.buckets == {"data", "results"}


def test_file_systems_are_where_the_nodes_are() -> None:
    """A queue's zone is its groups': of one on a reservation in b, all of its nodes are there."""
    reservation = {"id": "cr-0a1b2c3d4e5f60718", "zone": "us-west-2b", "count": 4, "provided-by": "aws"}
    held = {"for": "inference", "instance": "p4de.24xlarge", "nodes": 4, "capacity": {"reservation": reservation}}
    lustre = {"storage.fsx": {"lustre": {"size": "4800GiB", "throughput": 250}}}
    blueprint = a_slurm_blueprint(
        {f"{WORKERS}.capacity": {"on-demand": {}}, "queues.train.groups.held": held, **lustre}
    )
    assert {group.subnets for group in blueprint.groups} == {blueprint.storage[0].file_system.subnets}
    assert blueprint.storage[0].zone == "us-west-2b"


def test_what_is_said_of_slurm_is_said_in_its_own_words() -> None:
    """All of it; settings by their names, each an entry of its own."""
    secret = "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm"
    said = {
        "slurm": {
            "idle-minutes": 7,
            "memory-scheduling": True,
            "settings": {"MaxJobCount": 2, "JobRequeue": 0},
        },
        "accounting": {"server": "a.example.com:3306", "user": "ada", "password-secret": secret, "database": "jobs"},
    }
    for strategy in ("drain", "terminate"):
        assert rendered({**said, "slurm.on-update": strategy})["Scheduling"]["SlurmSettings"] == {
            "ScaledownIdletime": 7,
            "QueueUpdateStrategy": strategy.upper(),
            "EnableMemoryBasedScheduling": True,
            "Database": {
                "Uri": "a.example.com:3306",
                "UserName": "ada",
                "PasswordSecretArn": secret,
                "DatabaseName": "jobs",
            },
            "CustomSlurmSettings": [{"JobRequeue": 0}, {"MaxJobCount": 2}],
        }
