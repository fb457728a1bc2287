"""The descriptions of configurations: they are valid, and make the same cluster."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from muster.blueprint.parallelcluster.configuration import configuration_with_placeholders
from muster.config.identifiers import PLACEHOLDER
from muster.config.project import stack_file
from muster.config.stack_file import StackFile, load, load_text
from muster.sources.source import ImportedDescription, InvalidFile
from tests.sources.parallelcluster.files import OTHER_SUBNET, SOUND, SUBNET, a_file, changed, the_format, with_keys
from tests.stack_files import ROOT

SHIPPED = sorted(each.name.split(".")[1] for each in (ROOT / "stacks").glob("Pulumi.pcluster*.yaml"))


def described(text: str) -> ImportedDescription:
    return the_format().describe(a_file(text))


def opened(description: ImportedDescription, stack: str = "imported") -> StackFile:
    """The stack of a description, which has no faults."""
    text = yaml.safe_dump(
        {"config": {"aws:region": description.region or "us-west-2", "muster:cluster": description.cluster}},
        sort_keys=False,
    )
    made = load_text(stack, text, Path(f"Pulumi.{stack}.yaml"), Path("facts.yaml"))
    assert [each.finding.got for each in made.faults] == []
    return made


def configured(stack: StackFile) -> Any:
    """The configuration of a stack's cluster, in which all ids that are not known are one."""
    blueprint = stack.derive()
    assert isinstance(blueprint, ParallelClusterBlueprint)
    return without_ids(configuration_with_placeholders(blueprint)[0])


def without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_ids(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_ids(each) for each in value]
    text = str(value)
    return "ID" if re.fullmatch(r"\$\{\w+\}", text) or PLACEHOLDER in text else value


@pytest.mark.parametrize("stack", SHIPPED)
def test_the_configuration_of_a_stack_becomes_a_stack_with_the_same_configuration(stack: str) -> None:
    before = load(stack, stack_file(ROOT, stack), Path("facts.yaml"))
    blueprint = before.derive()
    assert isinstance(blueprint, ParallelClusterBlueprint)
    text = yaml.safe_dump(configuration_with_placeholders(blueprint)[0], sort_keys=False)
    description = described(text)
    assert configured(opened(description, stack)) == configured(before)
    assert {each.why for each in description.left_out} <= {
        "its id is not known; Muster creates a security group for the nodes"
    }


def test_a_configuration_becomes_the_same_cluster() -> None:
    description = described(SOUND)
    assert description.region == "us-west-2"
    assert [each.path for each in description.left_out] == []
    assert description.cluster["queues"]["train"]["groups"]["workers"] == {
        "for": "training",
        "instance": "p5.48xlarge",
        "nodes": 2,
        "capacity": {
            "reservation": {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 2, "provided-by": "aws"}
        },
    }
    made = configured(opened(description))
    for key in ("HeadNode", "Scheduling"):
        assert contains(made[key], yaml.safe_load(SOUND)[key]), key


def contains(whole: Any, part: Any) -> bool:
    """Whether a configuration has all of another."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            key in whole and contains(whole[key], each) for key, each in part.items()
        )
    if isinstance(part, list):
        return isinstance(whole, list) and len(whole) == len(part) and all(map(contains, whole, part))
    return bool(whole == part)


LOGIN: dict[str, Any] = {
    "Name": "login",
    "InstanceType": "m5.large",
    "Count": 2,
    "GracetimePeriod": 30,
    "Networking": {"SubnetIds": [SUBNET], "AdditionalSecurityGroups": ["sg-0123456789abcdef0"]},
}


@pytest.mark.parametrize("ssh", [{}, {"Ssh": {"AllowedIps": "198.51.100.0/24"}}], ids=("of the head node", "its own"))
def test_login_nodes_come_over(ssh: dict[str, Any]) -> None:
    """Without a network of their own they have that of the head node, as in ParallelCluster."""
    scripts = {"CustomActions": {"OnNodeConfigured": {"Script": "https://example.com/a.sh", "Args": ["b"]}}}
    description = described(with_keys(LoginNodes={"Pools": [{**LOGIN, **ssh, **scripts}]}))
    assert [each.path for each in description.left_out] == []
    assert description.cluster["login-nodes"] == {
        "login": {
            "instance": "m5.large",
            "nodes": 2,
            "grace-minutes": 30,
            "subnets": "private",
            "zone": "us-west-2a",
            "ssh-from": "198.51.100.0/24" if ssh else "203.0.113.0/24",
            "security-groups": ["sg-0123456789abcdef0"],
            "post-install": {"scripts": [{"at": "https://example.com/a.sh", "arguments": ["b"]}]},
        }
    }
    (pool,) = configured(opened(description))["LoginNodes"]["Pools"]
    assert contains(pool, {"Name": "login", "InstanceType": "m5.large", "Count": 2, "GracetimePeriod": 30})


def test_login_nodes_in_the_subnet_of_a_public_head_node_are_public() -> None:
    head = {"InstanceType": "m5.8xlarge", "Networking": {"SubnetId": OTHER_SUBNET, "ElasticIp": True}}
    pool = {**LOGIN, "Networking": {"SubnetIds": [OTHER_SUBNET]}}
    description = described(with_keys(HeadNode=head, LoginNodes={"Pools": [pool]}))
    opened(description)
    assert description.cluster["login-nodes"]["login"]["subnets"] == "public"


def test_defaults_of_parallelcluster_are_written() -> None:
    """A description has other defaults: a cluster that is brought over keeps those of ParallelCluster."""
    made = described(SOUND).cluster
    assert made["slurm"] == {"idle-minutes": 10}
    assert made["logs"] == {"retention-days": 180}
    assert made["monitoring"] == {"detailed": False}
    assert made["head"]["root"] == made["queues"]["train"]["root"] == "40GiB"
    assert made["queues"]["train"]["exclusive"] is False
    assert made["storage"] == {
        "fsx": {"lustre": {"size": "1200GiB", "type": "scratch-2", "compression": "none", "on-destroy": "keep"}}
    }


def test_values_that_the_file_does_not_have_have_placeholders() -> None:
    description = described(SOUND)
    assert description.cluster["network"] == {
        "existing": {"vpc": f"vpc-{PLACEHOLDER}", "private": {"us-west-2a": SUBNET}}
    }
    assert set(description.placeholders) == {
        "network.existing.vpc",
        "network.existing.private.us-west-2a",
        "queues.train.zones",
        "queues.train.groups.workers.capacity.reservation.zone",
        "queues.train.groups.workers.capacity.reservation.count",
    }


def test_an_unknown_value_has_a_placeholder() -> None:
    text = changed(("KeyName: ml-admins", "KeyName: '${KEY}'"), ("cr-0123456789abcdef0", "'${RESERVATION}'"))
    description = described(text)
    opened(description)
    assert description.cluster["head"]["login"] == {"key-pair": f"key-{PLACEHOLDER}"}
    assert {"head.login.key-pair", "queues.train.groups.workers.capacity.reservation.id"} <= {*description.placeholders}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            changed(
                ("InstanceType: p5.48xlarge", "Instances: [{InstanceType: p5.48xlarge}, {InstanceType: p4d.24xlarge}]")
            ),
            {"Scheduling.SlurmQueues[0].ComputeResources[0].Instances[1]"},
        ),
        (with_keys(LoginNodes={"Pools": [{"Name": "login"}]}), {"LoginNodes.Pools[0]"}),
        (with_keys(LoginNodes={"Pools": [LOGIN | {"Ssh": {"KeyName": "a"}}]}), {"LoginNodes.Pools[0].Ssh.KeyName"}),
        (with_keys(LoginNodes={"Pools": [LOGIN | {"Image": {"CustomAmi": "ami-1"}}]}), {"LoginNodes.Pools[0].Image"}),
        (with_keys(CustomS3Bucket="mine"), {"CustomS3Bucket"}),
        (with_keys(DeploymentSettings={"DefaultUserHome": "Local"}), {"DeploymentSettings"}),
        (changed(("m5.8xlarge\n", "m5.8xlarge\n  Dcv: {Enabled: true}\n")), {"HeadNode.Dcv"}),
        (
            changed(
                ("m5.8xlarge\n", "m5.8xlarge\n  CustomActions: {OnNodeUpdated: {Script: https://a.example.com/b}}\n")
            ),
            {"HeadNode.CustomActions.OnNodeUpdated"},
        ),
        (
            changed((f"SubnetIds: [{SUBNET}]", f"SubnetIds: [{SUBNET}, {OTHER_SUBNET}]")),
            {"Scheduling.SlurmQueues[0].Networking.SubnetIds[1]"},
        ),
        (changed(("alinux2023", "alinux2")), {"Image.Os"}),
        (changed(("Name: workers", "Name: all_workers")), {"Scheduling.SlurmQueues[0].ComputeResources[0].Name"}),
        (
            changed(
                (
                    "StorageType: FsxLustre\n    FsxLustreSettings: {StorageCapacity: 1200, DeletionPolicy: Retain}",
                    "StorageType: Efs",
                )
            ),
            {"SharedStorage[0]"},
        ),
    ],
)
def test_what_a_description_does_not_have_is_left_out_with_the_reason(text: str, left: set[str]) -> None:
    description = described(text)
    opened(description)
    assert {each.path for each in description.left_out} == left
    assert all(each.why and each.position.line > 1 for each in description.left_out)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            with_keys(Scheduling={"Scheduler": "awsbatch", "AwsBatchQueues": [{"Name": "q"}]}),
            "the scheduler is not slurm",
        ),
        (
            changed(("InstanceType: p5.48xlarge", "InstanceType: p99.large")),
            "does not know the instance type p99.large",
        ),
        (changed(("MaxCount: 2", "MaxCount: $NODES")), "MinCount and MaxCount are not a range of nodes"),
    ],
)
def test_a_cluster_that_cannot_be_described_is_an_error(text: str, words: str) -> None:
    with pytest.raises(InvalidFile, match=re.escape(words)):
        described(text)


CAPACITY_BLOCK = [
    ("Name: train", "Name: train\n      CapacityType: CAPACITY_BLOCK"),
]
SPOT = [
    ("Name: train", "Name: train\n      CapacityType: SPOT"),
    ("          CapacityReservationTarget: {CapacityReservationId: cr-0123456789abcdef0}\n", ""),
]
ON_DEMAND = [SPOT[1], ("PlacementGroup: {Enabled: false}", "PlacementGroup: {Enabled: true}")]
OWN_GROUP = [("PlacementGroup: {Enabled: false}", "PlacementGroup: {Enabled: true, Name: ours}")]
PLAIN = [SPOT[1], ("          Efa: {Enabled: true}\n", "")]


@pytest.mark.parametrize(
    ("edits", "capacity"),
    [
        (CAPACITY_BLOCK, "capacity-block"),
        (SPOT, "spot"),
        (ON_DEMAND, "on-demand"),
        (OWN_GROUP, "reservation"),
        (PLAIN, "on-demand"),
    ],
)
def test_every_capacity_makes_the_same_compute_resource(edits: list[tuple[str, str]], capacity: str) -> None:
    text = changed(*edits)
    description = described(text)
    group = description.cluster["queues"]["train"]["groups"]["workers"]
    assert capacity in group["capacity"]
    made = configured(opened(description))["Scheduling"]["SlurmQueues"]
    assert contains(made, yaml.safe_load(text)["Scheduling"]["SlurmQueues"])


@pytest.mark.parametrize(
    "edit",
    [
        ("m5.8xlarge\n", "m5.8xlarge\n  Imds: {Secured: false}\n"),
        ("Scheduler: slurm", "Scheduler: slurm\n  ScalingStrategy: best-effort"),
        (
            "m5.8xlarge\n",
            "m5.8xlarge\n  CustomActions: {OnNodeStart: {Sequence: [{Script: https://a.example.com/b}]}}\n",
        ),
    ],
)
def test_a_setting_is_in_the_configuration_of_its_description(edit: tuple[str, str]) -> None:
    text = changed(edit)
    description = described(text)
    assert description.left_out == ()
    made = configured(opened(description))
    assert contains(
        {key: made[key] for key in ("HeadNode", "Scheduling")},
        {key: yaml.safe_load(text)[key] for key in ("HeadNode", "Scheduling")},
    )


def test_scripts_of_all_nodes_are_those_of_the_cluster() -> None:
    action = "CustomActions: {OnNodeConfigured: {Script: s3://scripts/setup.sh, Args: [a, 1]}}"
    both = changed(("m5.8xlarge\n", f"m5.8xlarge\n  {action}\n"), ("Name: train\n", f"Name: train\n      {action}\n"))
    head = changed(("m5.8xlarge\n", f"m5.8xlarge\n  {action}\n"))
    script = {"scripts": [{"at": "s3://scripts/setup.sh", "arguments": ["a", "1"]}]}
    assert described(both).cluster["post-install"] == script
    assert described(head).cluster["head"]["post-install"] == script
    assert "post-install" not in described(head).cluster
    opened(described(both)), opened(described(head))
