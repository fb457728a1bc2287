"""Which field of the description a place of the configuration is told at."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from muster.authority.moto_content import placeholder_id
from muster.blueprint.parallelcluster.configuration import configuration
from muster.blueprint.parallelcluster.description_fields import FIELDS, field_of
from tests.authority.judged import STACKS, a_queue, a_slurm_cluster, stack
from tests.authority.test_roster import CORPUS

CONFIGURATION: dict[str, Any] = {
    "HeadNode": {"InstanceType": "m5.8xlarge"},
    "LoginNodes": {"Pools": [{"Name": "login", "InstanceType": "m5.large"}]},
    "Scheduling": {
        "SlurmQueues": [
            {"Name": "cpu", "ComputeResources": [{"Name": "few"}]},
            {"Name": "gpu", "ComputeResources": [{"Name": "some"}, {"Name": "more", "MinCount": 4}]},
        ]
    },
    "SharedStorage": [{"Name": "apps", "EbsSettings": {"Size": 5}}, {"Name": "fsx", "FsxLustreSettings": {}}],
}

POOL = ("LoginNodes", "Pools", 0)
QUEUE = ("Scheduling", "SlurmQueues", 1)
GROUP = (*QUEUE, "ComputeResources", 1)


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ((), ""),
        (("Region",), ""),
        (("Image", "Os"), "os"),
        (("HeadNode", "InstanceType"), "head.instance"),
        (("HeadNode", "Dcv", "Enabled"), "head"),
        ((*POOL, "InstanceType"), "login-nodes.login.instance"),
        ((*POOL, "Networking", "SubnetIds", 0), "login-nodes.login.subnets"),
        ((*POOL, "Dcv", "Enabled"), "login-nodes.login"),
        (("LoginNodes", "Pools"), "login-nodes"),
        (("Scheduling", "SlurmSettings", "ScaledownIdletime"), "slurm.idle-minutes"),
        (QUEUE, "queues.gpu"),
        ((*QUEUE, "Name"), "queues.gpu"),
        ((*QUEUE, "Networking", "SubnetIds", 0), "queues.gpu.zones"),
        ((*QUEUE, "Networking", "SubnetIds"), "queues.gpu.zones"),
        (GROUP, "queues.gpu.groups.more"),
        ((*GROUP, "MinCount"), "queues.gpu.groups.more.nodes"),
        ((*GROUP, "MaxCoutn"), "queues.gpu.groups.more"),
        ((*GROUP, "CapacityReservationTarget", "CapacityReservationId"), "queues.gpu.groups.more.capacity"),
        (("Scheduling", "SlurmQueues"), "queues"),
        (("Scheduling", "SlurmQueues", 7), "queues"),
        (("SharedStorage",), "storage"),
        (("SharedStorage", 0, "EbsSettings", "Size"), "head.apps"),
        (("SharedStorage", 1, "FsxLustreSettings", "FileSystemId"), "storage.fsx"),
        (("SharedStorage", 1, "MountDir"), "storage.fsx"),
        (("Tags", 0, "Key"), "tags"),
        (("DevSettings", "Timeouts", "HeadNodeBootstrapTimeout"), "head.post-install.timeout-minutes"),
    ],
)
def test_a_place_is_told_at_its_field(path: tuple[str | int, ...], field: str) -> None:
    """By the names of queue and group; what no field decides at the block around it."""
    assert field_of(path, CONFIGURATION, a_slurm_cluster().described) == field


SCRIPTS = {"scripts": [{"at": "s3://a-bucket/a.sh"}], "timeout-minutes": 40}
OF_QUEUE = (*QUEUE, "CustomActions", "OnNodeConfigured", "Sequence", 0, "Script")
S3_OF_QUEUE, S3_OF_HEAD = (*QUEUE, "Iam", "S3Access", 0), ("HeadNode", "Iam", "S3Access", 0)
TIMEOUTS = ("DevSettings", "Timeouts")


@pytest.mark.parametrize(
    ("said", "path", "field"),
    [
        ({"post_install": SCRIPTS}, OF_QUEUE, "post-install"),
        ({"queues": a_queue({"post-install": SCRIPTS})}, OF_QUEUE, "queues.gpu.post-install"),
        ({"post_install": SCRIPTS}, (*QUEUE, "Iam", "S3Access", 0), "post-install.scripts"),
        ({"s3": {"s3://data": "read"}}, (*QUEUE, "Iam", "S3Access", 0), "s3"),
        ({"queues": a_queue({"post-install": SCRIPTS})}, S3_OF_QUEUE, "queues.gpu.post-install.scripts"),
        ({}, S3_OF_QUEUE, "queues.gpu.post-install.scripts"),
        ({"s3": {"s3://data": "read"}}, S3_OF_HEAD, "s3"),
        ({"post_install": SCRIPTS, "s3": {"s3://data": "read"}}, S3_OF_HEAD, "post-install.scripts"),
        ({"post_install": SCRIPTS, "head": {"post-install": SCRIPTS}}, S3_OF_HEAD, "head.post-install.scripts"),
        ({}, S3_OF_HEAD, "head.post-install.scripts"),
        ({"post_install": SCRIPTS}, ("HeadNode", "CustomActions", "OnNodeConfigured"), "post-install"),
        ({"head": {"post-install": SCRIPTS}}, ("HeadNode", "CustomActions", "OnNodeConfigured"), "head.post-install"),
        ({"post_install": SCRIPTS}, (*TIMEOUTS, "ComputeNodeBootstrapTimeout"), "post-install.timeout-minutes"),
        ({"queues": a_queue({"post-install": SCRIPTS})}, (*TIMEOUTS, "ComputeNodeBootstrapTimeout"), "queues"),
        ({"post_install": SCRIPTS}, (*TIMEOUTS, "HeadNodeBootstrapTimeout"), "post-install.timeout-minutes"),
        (
            {"post_install": SCRIPTS, "head": {"post-install": SCRIPTS}},
            (*TIMEOUTS, "HeadNodeBootstrapTimeout"),
            "head.post-install.timeout-minutes",
        ),
    ],
)
def test_a_place_is_told_where_the_file_has_it(said: dict[str, Any], path: tuple[str | int, ...], field: str) -> None:
    """Of several fields that decide a key the one that is given."""
    assert field_of(path, CONFIGURATION, a_slurm_cluster(**said).described) == field


OF_NO_FIELD = {
    "HeadNode.Iam.AdditionalIamPolicies[].Policy",
    "HeadNode.LocalStorage.RootVolume.Encrypted",
    "LoginNodes.Pools[].Iam.AdditionalIamPolicies[].Policy",
    "LoginNodes.Pools[].Name",
    "Imds.ImdsSupport",
    "Monitoring.Logs.CloudWatch.Enabled",
    "Region",
    "Scheduling.Scheduler",
    "Scheduling.SlurmQueues[].ComputeResources[].Name",
    "Scheduling.SlurmQueues[].ComputeSettings.LocalStorage.EphemeralVolume.MountDir",
    "Scheduling.SlurmQueues[].ComputeSettings.LocalStorage.RootVolume.Encrypted",
    "Scheduling.SlurmQueues[].Iam.AdditionalIamPolicies[].Policy",
    "Scheduling.SlurmQueues[].Name",
    "SharedStorage[].EbsSettings.Encrypted",
    "SharedStorage[].EbsSettings.VolumeType",
    "SharedStorage[].MountDir",
    "SharedStorage[].Name",
    "SharedStorage[].StorageType",
}
"""What Muster says of every cluster alike, and what names make: told at the block around."""


def test_every_key_has_its_field_or_is_of_none() -> None:
    """A key that is rendered and stands in neither would be told at the wrong place, and what changing it costs would
    be held to nothing."""
    clusters = (*map(stack, STACKS), *(a_slurm_cluster(**each) for each in (*CORPUS, *RARE)))
    rendered = {key for each in clusters for key in _keys(configuration(each, placeholder_id), "")}
    covered = {key for key in rendered if any(_in(key, known) for known in FIELDS if known not in BLOCKS)}
    assert rendered - covered == OF_NO_FIELD


GROUP_OF_THEM = {
    "arn": "arn:aws:resource-groups:us-west-2:111122223333:group/held",
    "zone": "us-west-2a",
    "count": 4,
    "provided-by": "aws",
}
RARE: tuple[Mapping[str, Any], ...] = (
    {"accounting": {**CORPUS[0]["accounting"], "database": "jobs"}},
    {
        "slurm": {"scaling": "best-effort"},
        "head": {"metadata-for-all-users": True},
        "login_nodes": {
            "login": {
                "instance": "m5.large",
                "post-install": {
                    "scripts": [
                        {"at": "https://a.example.com/a.sh"},
                        {"at": "https://a.example.com/b.sh", "at-start": True},
                    ]
                },
            }
        },
        "post_install": {"scripts": [{"at": "s3://a-bucket/a.sh", "at-start": True}]},
    },
    {"queues": a_queue(threads_per_core=1, memory="1000GiB", capacity={"reservation-group": GROUP_OF_THEM})},
)
"""What those do not say."""


def test_every_key_that_has_a_field_is_one_that_is_rendered() -> None:
    """No other name stands there; and blocks are among them, for what no field decides."""
    clusters = (*map(stack, STACKS), *(a_slurm_cluster(**each) for each in (*CORPUS, *RARE)))
    rendered = {key for each in clusters for key in _keys(configuration(each, placeholder_id), "")}
    assert [known for known in FIELDS if known and not any(_in(key, known) for key in rendered)] == []
    assert FIELDS.keys() >= BLOCKS


BLOCKS = {
    "",
    "HeadNode",
    "LoginNodes.Pools[]",
    "Monitoring",
    "Scheduling.SlurmSettings",
    "Scheduling.SlurmQueues[]",
    "Scheduling.SlurmQueues[].ComputeResources[]",
    "SharedStorage[]",
}


def _in(key: str, known: str) -> bool:
    return key == known or key.startswith((f"{known}.", f"{known}["))


def _keys(value: Any, at: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _keys(each, f"{at}.{key}".removeprefix("."))
    elif isinstance(value, list):
        for each in value:
            yield from _keys(each, f"{at}[]")
    else:
        yield at
