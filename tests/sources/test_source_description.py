"""The descriptions of clusters among the resources of a file, and the Region that a user gives."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.sources.formats import FORMATS
from muster.sources.recognition import open_file, recognize
from muster.sources.source import CannotBeRead, ImportedDescription, InputFile, InvalidFile
from tests.damage import ODD_TEXTS, damaged
from tests.sources.hyperpod.files import CLI, REQUEST, WORKERS
from tests.sources.parallelcluster.files import SOUND
from tests.sources.terraform.plans import Resource, state

EKSCTL = """\
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: ml, region: us-west-2, version: "1.34"}
availabilityZones: [us-west-2a, us-west-2b]
managedNodeGroups:
  - {name: system, instanceType: m5.2xlarge, desiredCapacity: 2, privateNetworking: true}
"""


def described(folder: Path, text: str, region: str | None = None) -> ImportedDescription:
    file = folder / "cluster.yaml"
    file.write_text(text, encoding="utf-8")
    opened = open_file(file)
    return recognize(opened).describe(opened, region)


def a_template(type_: str, **properties: Any) -> str:
    """A CloudFormation template with one resource."""
    return json.dumps({"Resources": {"Cluster": {"Type": type_, "Properties": properties}}})


HYPERPOD = a_template("AWS::SageMaker::Cluster", **REQUEST)
PARALLELCLUSTER = a_template("Custom::PclusterCluster", ClusterName="ml", ClusterConfiguration=yaml.safe_load(SOUND))


@pytest.mark.parametrize(
    "text",
    [json.dumps(REQUEST), CLI, SOUND, EKSCTL, HYPERPOD, PARALLELCLUSTER],
    ids=["request", "cli", "parallelcluster", "eksctl", "hyperpod in a template", "parallelcluster in a template"],
)
def test_a_given_region_replaces_that_of_the_file(tmp_path: Path, text: str) -> None:
    made = described(tmp_path, text, "eu-north-1")
    assert made.region == "eu-north-1"
    zones = re.findall(r"[a-z]{2}-[a-z]+-\d[a-z]\b", yaml.safe_dump(made.cluster))
    assert zones and {each[:-1] for each in zones} == {"eu-north-1"}


EVERY_SETTING = {
    "MinInstanceCount": 2,
    "InstanceStorageConfigs": [{"EbsVolumeConfig": {"VolumeSizeInGB": 500}}],
    "KubernetesConfig": {"Labels": {"teamName": "ml"}},
    "NetworkInterface": {"InterfaceType": "efa-only"},
}
"""Of a group."""


def without_file(description: ImportedDescription) -> Any:
    return description.backend, description.region, description.cluster, description.placeholders


def terraform_keys(value: Any) -> Any:
    """A request with the names of Terraform's provider: ``VolumeSizeInGB`` is ``volume_size_in_gb``."""
    if isinstance(value, list):
        return [terraform_keys(each) for each in value]
    if not isinstance(value, dict):
        return value
    snake = {re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower(): each for key, each in value.items()}
    return {key: each if key == "labels" else terraform_keys(each) for key, each in snake.items()}


def test_a_cluster_on_hyperpod_has_the_same_description_in_every_format(tmp_path: Path) -> None:
    """The formats have other names for the API's keys, and CloudFormation's parameters are text."""
    tags = [{"Key": "team", "Value": "ml"}]
    request = {**REQUEST, "InstanceGroups": [{**WORKERS, **EVERY_SETTING}], "Tags": tags}
    text = json.dumps(request)
    template = a_template("AWS::SageMaker::Cluster", **json.loads(text.replace("500", '"500"')))
    ours = described(tmp_path, text)
    assert ours.left_out == ()
    assert ours.cluster["groups"]["workers"]["hyperpod"]["volume"] == {"size": "500GiB"}
    for other in (template, json.dumps(state(Resource("awscc_sagemaker_cluster.ml", terraform_keys(request))))):
        theirs = described(tmp_path, other)
        assert without_file(theirs) == without_file(ours)
        assert theirs.left_out == ()


def test_what_is_left_out_has_the_resource_and_the_key_of_the_api(tmp_path: Path) -> None:
    group = {**WORKERS, "SlurmConfig": {"NodeType": "Compute"}}
    made = described(tmp_path, a_template("AWS::SageMaker::Cluster", **{**REQUEST, "InstanceGroups": [group]}))
    assert [each.path for each in made.left_out] == ["Cluster Cluster.InstanceGroups[0].SlurmConfig"]


def test_a_cluster_that_cannot_be_described_has_the_place_of_its_resource(tmp_path: Path) -> None:
    text = yaml.safe_dump(json.loads(a_template("AWS::SageMaker::Cluster", **{**REQUEST, "InstanceGroups": []})))
    with pytest.raises(InvalidFile, match=r"cluster\.yaml:2:3: Cluster Cluster: no instance group can be described"):
        described(tmp_path, text)


@pytest.mark.parametrize("template", [HYPERPOD, PARALLELCLUSTER], ids=["hyperpod", "parallelcluster"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_a_damaged_template_is_described_or_refused_in_words(template: str, seed: int) -> None:
    document = damaged(json.loads(template), random.Random(seed), ODD_TEXTS)
    file = InputFile(Path("damaged.json"), json.dumps(document), (document,), is_json=True)
    format_ = next(each for each in FORMATS if each.id == "cloudformation")
    try:
        assert format_.describe(file).cluster
    except CannotBeRead as fault:
        assert str(fault).strip()
