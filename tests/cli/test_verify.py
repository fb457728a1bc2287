"""`muster verify` of a cluster that answers. Wrong input is in `transcripts/wrong_words.txt`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from muster.stack.project import open_stack
from tests.cli.conftest import Muster, Ran
from tests.stack_files import ROOT
from tests.verify.clusters import Cluster, a_cluster
from tests.verify.servers import a_kubeconfig, listing, serving


@pytest.fixture
def cluster() -> Cluster:
    """p5-odcr, as it is planned."""
    return a_cluster(blueprint=open_stack(ROOT, "p5-odcr").derive())


class Look:
    """Runs the command on a cluster, as it is by then."""

    def __init__(self, muster: Muster, cluster: Cluster, folder: Path) -> None:
        self.muster, self.cluster, self.folder = muster, cluster, folder
        self.server = ""

    def __call__(self, *arguments: str) -> Ran:
        items: dict[str, list[Any]] = {
            "nodes": list(self.cluster.nodes.values()),
            "pods": self.cluster.pods,
            "daemonsets": list(self.cluster.daemon_sets.values()),
            "deployments": self.cluster.deployments,
        }
        with serving(listing(items)) as served:
            self.server = served.address
            file = a_kubeconfig(self.folder, served.address)
            return self.muster("verify", "p5-odcr", "--kubeconfig", str(file), *arguments)


@pytest.fixture
def look(muster: Muster, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Look]:
    yield Look(muster, cluster, tmp_path_factory.mktemp("kube"))


def test_a_cluster_as_described_exits_0(look: Look) -> None:
    """With its groups, and what nobody looked at."""
    ran = look()
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == f"p5-odcr on {look.server} (context here)"
    assert lines[4].split() == [
        *("workers", "p5.48xlarge", "1", "1", "1"),
        *("nvidia.com/gpu", "8,", "vpc.amazonaws.com/efa", "32,", "hugepages-2Mi", "10256Mi"),
    ]
    assert "p5-odcr: not evaluated:" in lines
    assert lines[-1] == "p5-odcr: clean, 2 not evaluated"


def test_a_finding_names_the_line_that_it_is_about(look: Look, cluster: Cluster) -> None:
    """As `muster check` does, with what to do; and exits 1."""
    del cluster.nodes["workers-0"]
    ran = look()
    line, column = look.muster.place("1", "        nodes: 1")
    assert ran.code == 1
    assert (f"stacks/Pulumi.p5-odcr.yaml:{line}:{column}: mandatory nodes-joined: ") in ran.out
    assert ran.out.endswith("p5-odcr: 1 finding (1 mandatory, 0 advisory), 2 not evaluated\n")


def test_advice_alone_is_clean_and_strict_minds_what_was_not_evaluated(look: Look, cluster: Cluster) -> None:
    """As everywhere."""
    cluster.nodes["workers-0"]["spec"]["unschedulable"] = True
    ran = look()
    assert ran.code == 0
    assert "advisory node-healthy: workers-0: is cordoned" in ran.out
    assert look("--strict").code == 4


def test_json_says_the_same(look: Look, cluster: Cluster) -> None:
    """For programs: the whole contract, nothing beside it."""
    cluster.nodes["other"] = json.loads(json.dumps(cluster.nodes["system-0"]))
    cluster.nodes["other"]["metadata"] = {"name": "other", "labels": {}}
    said = look("--json").json
    assert list(said) == [
        *("contract", "stack", "cluster", "context", "groups", "nodes", "findings", "notEvaluated"),
    ]
    assert (said["contract"], said["stack"], said["cluster"], said["context"]) == (1, "p5-odcr", look.server, "here")
    assert [(each["group"], each["joined"], each["ready"]) for each in said["groups"]] == [
        ("system", 1, 1),
        ("workers", 1, 1),
    ]
    nodes = {each["name"]: each for each in said["nodes"]}
    assert nodes["workers-0"]["group"] == "workers"
    assert nodes["workers-0"]["offers"] == {
        "nvidia.com/gpu": 8,
        "vpc.amazonaws.com/efa": 32,
        "hugepages-2Mi": "10256Mi",
    }
    assert nodes["other"]["group"] is None
    assert said["findings"] == []
    assert [each["rule"] for each in said["notEvaluated"]] == ["efa-carries-traffic", "efa-security-groups"]


def test_nodes_of_no_group_are_told(look: Look, cluster: Cluster) -> None:
    """By name."""
    cluster.nodes["other"] = {"metadata": {"name": "other"}}
    ran = look()
    assert ran.code == 0
    assert "1 node in no group of the description: other\n" in ran.out
