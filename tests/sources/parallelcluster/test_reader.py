"""What the rules say of whole configurations, and where."""

import pytest

from muster.sources.recognition import recognize
from tests.sources.parallelcluster.files import (
    SOUND,
    SUBNET,
    a_file,
    changed,
    said,
    the_format,
    unsaid,
    with_keys,
)


def test_a_sound_configuration_has_no_findings() -> None:
    assert said(SOUND) == set()
    assert recognize(a_file(SOUND)).id == "parallelcluster"


@pytest.mark.parametrize(
    ("edits", "rule", "line"),
    [
        pytest.param(
            [("m5.8xlarge", "m5.8xlarge\n  Efa: {Enabled: true}")], "parallelcluster-gdr-beside-efa", 4, id="head"
        ),
        pytest.param(
            [("Scheduling:", "LoginNodes: {Pools: [{Name: a, Count: 1, Networking: {SubnetIds: []}}]}\nScheduling:")],
            "group-has-subnet",
            8,
            id="login nodes without a subnet",
        ),
        pytest.param([("p5.48xlarge", "c5.2xlarge")], "efa-fits-instance", 14, id="type without EFA"),
        pytest.param(
            [(", DeletionPolicy: Retain", "")], "parallelcluster-data-kept", 22, id="file system of the cluster"
        ),
        pytest.param([("alinux2023", "rocky9")], "parallelcluster-image-made-for-os", 3, id="operating system"),
        pytest.param(
            [("slurm\n", "slurm\n  SlurmSettings:\n    CustomSlurmSettings:\n      - MaxJobCont: 1\n")],
            "slurm-settings-known",
            11,
            id="setting of the cluster",
        ),
        pytest.param(
            [
                (
                    "- Name: train\n",
                    "- Name: train\n      CustomSlurmSettings:\n        State: UP\n        MaxTimee: 1\n",
                )
            ],
            "slurm-settings-known",
            14,
            id="setting of a partition",
        ),
        pytest.param(
            [("MinCount: 2\n", "MinCount: 2\n          CustomSlurmSettings: {Weight: 1, Wieght: 1}\n")],
            "slurm-settings-known",
            17,
            id="setting of a node",
        ),
    ],
)
def test_a_finding_begins_at_the_block_at_fault(edits: list[tuple[str, str]], rule: str, line: int) -> None:
    assert said(changed(*edits)) == {(rule, line)}


def test_an_entry_of_several_settings_defines_nodes() -> None:
    nodes = "slurm\n  SlurmSettings: {CustomSlurmSettings: [{NodeName: other, Wieght: 1}]}\n"
    assert said(changed(("slurm\n", nodes))) == set()


def test_the_version_is_not_in_the_file() -> None:
    assert "parallelcluster-version-known" in unsaid(SOUND)


def test_placeholders_are_unknown() -> None:
    text = changed(("m5.8xlarge", "$TYPE"), ("p5.48xlarge", "<your-type>"))
    assert said(text) == set()
    assert "parallelcluster-one-architecture" in unsaid(text)


@pytest.mark.parametrize(
    ("keys", "where", "words"),
    [
        (
            {"LoginNodes": {"Pools": [{"Dcv": {"Enabled": True}}]}},
            "LoginNodes.Pools[0].Dcv",
            "no rule evaluates Amazon DCV",
        ),
        ({"DirectoryService": {"DomainName": "x"}}, "DirectoryService", "no rule evaluates the directory of users"),
        (
            {"SharedStorage": [{"Name": "home", "MountDir": "/data", "StorageType": "Efs"}]},
            "SharedStorage[0]",
            "no rule evaluates Amazon EFS, except for its deletion policy",
        ),
    ],
)
def test_what_no_rule_reads_is_named(keys: dict[str, object], where: str, words: str) -> None:
    gaps = the_format().read(a_file(with_keys(**keys))).gaps
    assert [words in each.missing for each in gaps if each.where == where] == [True]


def test_queues_of_awsbatch_are_named_and_not_judged() -> None:
    queues = [{"Name": "q", "ComputeResources": [{"Name": "c", "InstanceTypes": ["optimal"]}]}]
    text = with_keys(Scheduling={"Scheduler": "awsbatch", "AwsBatchQueues": queues})
    assert said(text) == set()
    assert "no rule evaluates the scheduler awsbatch" in unsaid(text)["not-modelled"]


def test_several_queues_each_have_their_line() -> None:
    more = f"""    - Name: Second
      Networking: {{SubnetIds: [{SUBNET}]}}
      ComputeResources:
        - Name: B
          InstanceType: c5.large
          Efa: {{Enabled: true}}
          Networking: {{PlacementGroup: {{Enabled: true}}}}
SharedStorage:
"""
    second = ("SharedStorage:\n", more)
    assert said(changed(("p5.48xlarge", "c5.2xlarge"), second)) == {
        ("efa-fits-instance", 14),
        ("efa-fits-instance", 24),
    }
