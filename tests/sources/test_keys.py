"""The keys of other tools' files: values of another kind, and keys that no table has."""

from typing import Any

import pytest

from muster.finding import SCHEMA, Level
from muster.sources.recognition import recognize
from muster.sources.source import Gap, InputFile, InvalidFile, Source
from tests.sources.eksctl.files import config, opened, report
from tests.sources.hyperpod.files import a_configuration, a_request, of_workers
from tests.sources.parallelcluster.files import a_file, changed, with_keys


def of_group(**change: Any) -> InputFile:
    """A ClusterConfig with one group."""
    return opened(config({"name": "workers", **change}))


def read(file: InputFile) -> Source:
    return recognize(file).read(file)


WRONG: dict[str, tuple[InputFile, str]] = {
    "a text for a switch": (of_group(efaEnabled="true"), "managedNodeGroups[0].efaEnabled"),
    "a number for a text": (of_group(labels={"a": 1}), "managedNodeGroups[0].labels.a"),
    "a number for the version": (opened(config(version=1.35)), "metadata.version"),
    "a list for a block": (of_group(iam=[]), "managedNodeGroups[0].iam"),
    "an empty entry": (of_group(taints=[None]), "managedNodeGroups[0].taints[0]"),
    "a block for a list": (a_request(InstanceGroups={}), "InstanceGroups"),
    "a text for a block": (a_request(InstanceGroups=["workers"]), "InstanceGroups[0]"),
    "a list for a block of HyperPod": (of_workers(LifeCycleConfig=[]), "InstanceGroups[0].LifeCycleConfig"),
    "a text in the HyperPod CLI's groups": (
        a_configuration(("  - InstanceGroupName: workers", "  - x\n  - InstanceGroupName: workers")),
        "instance_group_settings[0]",
    ),
    "a list for a value": (
        a_file(changed(("MinCount: 2", "MinCount: [2]"))),
        "Scheduling.SlurmQueues[0].ComputeResources[0].MinCount",
    ),
    "a block for a list of storage": (a_file(with_keys(SharedStorage={"a": 1})), "SharedStorage"),
}


@pytest.mark.parametrize(("file", "where"), WRONG.values(), ids=WRONG)
def test_a_value_of_another_kind_is_an_error_with_its_place(file: InputFile, where: str) -> None:
    with pytest.raises(InvalidFile) as raised:
        read(file)
    assert raised.value.got.startswith(f"{where} is ")
    assert raised.value.position.line > 1


UNKNOWN_KEYS: dict[str, tuple[InputFile, str, str]] = {
    "eksctl": (of_group(efaEnable=True), "managedNodeGroups[0].efaEnable", "efaEnabled"),
    "a block of eksctl": (opened(config(managedNodeGroup=[])), "managedNodeGroup", "managedNodeGroups"),
    "ParallelCluster": (a_file(with_keys(SharedStorages=[])), "SharedStorages", "SharedStorage"),
    "HyperPod": (of_workers(InstanceTypes="a"), "InstanceGroups[0].InstanceTypes", "InstanceType"),
    "a newer key": (of_group(quantumLinks=True), "managedNodeGroups[0].quantumLinks", ""),
}


@pytest.mark.parametrize(("file", "where", "near"), UNKNOWN_KEYS.values(), ids=UNKNOWN_KEYS)
def test_a_key_that_the_table_does_not_have_is_never_silent(file: InputFile, where: str, near: str) -> None:
    (advice,) = read(file).advice
    assert where in advice.got
    assert advice.position.line > 1
    assert ("did you mean" in advice.got) == bool(near)
    assert near in advice.got


def test_unknown_keys_are_one_advisory_finding() -> None:
    (found,) = (each for each in report(config({"efaEnable": True, "amis": 1})).findings if each.rule == SCHEMA)
    assert found.level is Level.ADVISORY


def test_a_part_that_no_rule_evaluates_is_named() -> None:
    source = read(opened(config(gitops={"flux": {"gitProvider": "github"}}, fargateProfiles=[])))
    assert Gap("gitops", "what Flux installs from the Git repository") in source.gaps
    assert not [each for each in source.gaps if each.where == "fargateProfiles"]


@pytest.mark.parametrize(("value", "is_gap"), [(0, True), (False, False), (None, False)])
def test_zero_is_a_value(value: object, is_gap: bool) -> None:
    source = read(a_file(with_keys(AdditionalResources=value)))
    assert ("AdditionalResources" in {each.where for each in source.gaps}) is is_gap


DOCUMENTS = {
    "an old API": config().replace("v1alpha5", "v1alpha4"),
    "another kind": config().replace("kind: ClusterConfig", "kind: ClusterConfg"),
    "two clusters": f"{config()}---\n{config()}",
    "two groups of one name": config({"name": "a"}, {"name": "a"}),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_file_of_eksctl_that_cannot_be_read_whole_is_an_error(name: str) -> None:
    with pytest.raises(InvalidFile, match=r"cluster.yaml:\d+:\d+: "):
        read(opened(DOCUMENTS[name]))
