"""What the rules say of whole requests and configurations, and where."""

from pathlib import Path
from typing import Any

import pytest

from muster.sources.recognition import recognize
from muster.sources.source import CannotBeRead, InputFile
from tests.sources.hyperpod.files import (
    REQUEST,
    WORKERS,
    a_configuration,
    a_request,
    of_workers,
    report,
    said,
    unsaid,
)
from tests.sources.parallelcluster.files import the_format


def test_sound_files_have_no_findings() -> None:
    assert said(a_request()) == set()
    assert said(a_configuration()) == set()
    assert recognize(a_request()).id == recognize(a_configuration()).id == "hyperpod"


def test_the_region_is_that_of_the_eks_cluster() -> None:
    assert the_format("hyperpod").read(a_request()).region == "us-west-2"


@pytest.mark.parametrize(
    ("keys", "rule"),
    [
        ({"InstanceType": "ml.p5.16xlarge"}, "hyperpod-instance-type-taken"),
        ({"LifeCycleConfig": {"SourceS3Uri": "s3://scripts/a", "OnCreate": "a.sh"}}, "lifecycle-source-prefix"),
    ],
)
def test_a_finding_begins_at_the_instance_group(keys: dict[str, Any], rule: str) -> None:
    system = {**WORKERS, "InstanceGroupName": "system", "InstanceType": "ml.m5.2xlarge"}
    del system["OnStartDeepHealthChecks"]
    file = a_request(InstanceGroups=[system, {**WORKERS, **keys}])
    rules = {each.rule for each in report(file).findings if each.rule != "instance-type-catalogued"}
    assert rules == {rule}
    second = file.text[: file.text.index('"workers"')].count("\n")
    assert {each.where.line for each in report(file).findings} == {second}


@pytest.mark.parametrize(
    ("edit", "rule", "words"),
    [
        (('"1.34"', '"1.29"'), "hyperpod-kubernetes-version", "set kubernetes_version to"),
    ],
)
def test_the_cli_s_other_resources_are_judged(edit: tuple[str, str], rule: str, words: str) -> None:
    found = report(a_configuration(edit)).findings
    assert [words in each.remedy for each in found if each.rule == rule] == [True]


@pytest.mark.parametrize("given", ["1.30", "134", "null", "$VERSION"])
def test_a_version_that_yaml_does_not_keep_is_not_judged(given: str) -> None:
    """YAML reads 1.30 without quotes as 1.3, and FSx's 2.10 as 2.1."""
    file = a_configuration(
        ('"1.34"', given), ("storage_capacity: 1200", "file_system_type_version: 2.10\nstorage_capacity: 1200")
    )
    assert said(file) == set()
    assert said(a_configuration(('"1.34"', "1.29"))) >= {("hyperpod-kubernetes-version", "kubernetes_version: 1.29")}


def test_an_update_may_be_of_any_cluster() -> None:
    """UpdateCluster has no network, and a group that only changes its number has no type."""
    group = {"InstanceGroupName": "workers", "InstanceCount": 8}
    file = a_request(InstanceGroups=[group], Orchestrator=None, VpcConfig=None, NodeRecovery=None)
    assert said(file) == set()
    assert "hyperpod-instance-type-taken" in unsaid(file)


def test_what_describe_cluster_prints_is_read() -> None:
    group = {**WORKERS, "TargetCount": 4, "CurrentCount": 3, "Status": "InService", "InstanceType": "ml.p5.16xlarge"}
    del group["InstanceCount"]
    assert {rule for rule, _ in said(a_request(InstanceGroups=[group], ClusterStatus="InService"))} >= {
        "hyperpod-instance-type-taken"
    }


def test_a_cluster_on_eks_without_a_network_is_refused() -> None:
    assert {rule for rule, _ in said(a_request(VpcConfig=None))} == {"group-has-subnet"}


def test_placeholders_are_unknown() -> None:
    file = of_workers(InstanceType="${INSTANCE_TYPE}", ExecutionRole="$ROLE")
    assert said(file) == set()
    assert "hyperpod-instance-type-taken" in unsaid(file)


def test_other_instance_groups_are_not_hyperpod_s() -> None:
    """EMR has them, too."""
    groups = [{"InstanceRole": "MASTER", "InstanceType": "m5.xlarge"}]
    with pytest.raises(CannotBeRead):
        recognize(InputFile(Path("emr.json"), "{}", ({"InstanceGroups": groups},), is_json=True))
    assert REQUEST["InstanceGroups"][0]["InstanceGroupName"] == "workers"
