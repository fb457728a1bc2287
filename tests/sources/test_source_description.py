"""The descriptions of clusters among the resources of a file, and the Region that a user gives."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster.sources.recognition import open_file, recognize
from muster.sources.source import ImportedDescription
from tests.sources.hyperpod.files import CLI, REQUEST
from tests.sources.parallelcluster.files import SOUND

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
