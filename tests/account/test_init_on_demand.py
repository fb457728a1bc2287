"""`muster init` for instances without a reservation, and what a new stack has beyond its workers."""

from typing import Any

import pytest
import yaml

from tests.account.init_runs import API, Run, config, left
from tests.account.new_stacks import Account
from tests.cli.conftest import Muster

AT = ("--offline", "--region", "us-west-2")


def new_stack(muster: Muster, *options: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The description that `init` writes, and the report on it."""
    ran = muster("init", "mine", *AT, "--json", *options)
    assert ran.code == 0, ran.err + ran.out
    written = yaml.safe_load(muster.file("mine").read_text())
    return written["config"]["muster:cluster"], ran.json


@pytest.mark.parametrize("backend", ["eks", "hyperpod", "hyperpod-slurm", "parallelcluster", "pcs"])
@pytest.mark.parametrize("instance", ["p5.48xlarge", "trn1.32xlarge", "g5.12xlarge"])
@pytest.mark.parametrize("nodes", [1, 4])
def test_an_on_demand_stack_is_clean(muster: Muster, backend: str, instance: str, nodes: int) -> None:
    options = ("--on-demand", "--instance", instance, "--nodes", str(nodes), "--backend", backend)
    described, report = new_stack(muster, *options)
    assert report["findings"] == []
    groups = described["queues"]["compute"]["groups"] if "queues" in described else described["groups"]
    workers = groups["workers"]
    assert (workers["instance"], workers["nodes"], workers["capacity"]) == (instance, nodes, "on-demand")


@pytest.mark.parametrize(
    ("instance", "zone", "nodes"), [("p6e-gb200.36xlarge", "us-east-1-dfw-2a", 18), ("trn2u.48xlarge", "us-east-2a", 4)]
)
def test_a_stack_of_an_ultraserver_is_clean(muster: Muster, instance: str, zone: str, nodes: int) -> None:
    """Also in a Local Zone, where EKS has no control plane."""
    region = "-".join(zone.split("-")[:3]).rstrip("abc")
    options = ("--offline", "--region", region, "--zone", zone, "--instance", instance, "--nodes", str(nodes))
    ran = muster("init", "mine", "--capacity-block", "cr-0123456789abcdef0", "--json", *options)
    assert (ran.code, ran.json["findings"]) == (0, [])


@pytest.mark.parametrize(
    ("options", "stored"),
    [
        (("p5.48xlarge", "--nodes", "4"), True),
        (("p5.48xlarge", "--nodes", "1"), False),
        (("g5.xlarge", "--nodes", "4"), False),  # no EFA
        (("p5.48xlarge", "--nodes", "4", "--no-storage"), False),
        (("p5.48xlarge", "--nodes", "1", "--with", "fsx"), True),
    ],
)
def test_several_nodes_with_efa_get_a_file_system(muster: Muster, options: tuple[str, ...], stored: bool) -> None:
    described, _ = new_stack(muster, "--on-demand", "--instance", *options)
    assert ("storage" in described, "fsx-csi-driver" in described["addons"]) == (stored, stored)


def test_with_adds_add_ons_once(muster: Muster) -> None:
    wanted = "kueue,training-operator,mpi-operator"
    described, report = new_stack(muster, "--on-demand", "--instance", "p5.48xlarge", "--with", wanted)
    assert set(described["addons"]) == {
        *("nvidia-device-plugin", "efa-device-plugin", "mpi-operator", "kueue", "training-operator")
    }
    assert report["findings"] == []


@pytest.mark.parametrize("backend", ["parallelcluster", "pcs"])
def test_a_second_queue(muster: Muster, backend: str) -> None:
    options = ("--on-demand", "--instance", "p5.48xlarge", "--backend", backend)
    described, report = new_stack(muster, *options, "--second-queue", "g5.12xlarge")
    assert {name: list(queue["groups"]) for name, queue in described["queues"].items()} == {
        "compute": ["workers"],
        "batch": ["nodes"],
    }
    assert described["slurm"]["default-queue"] == "compute"
    assert report["findings"] == []


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--on-demand",), "--instance"),
        (("--on-demand", "--instance", "p5.48xlarge", "--reservation", "cr-0123456789abcdef0"), "--on-demand"),
        (("--on-demand", "--instance", "p5.48xlarge", "--with", "kuue"), "did you mean 'kueue'?"),
        (("--on-demand", "--instance", "p5.48xlarge", "--with", "kueue", "--backend", "parallelcluster"), "kueue"),
        (("--on-demand", "--instance", "p5.48xlarge", "--no-storage", "--with", "fsx"), "--no-storage"),
        (("--on-demand", "--instance", "p5.48xlarge", "--second-queue", "g5.xlarge"), "--second-queue"),
        (("--on-demand", "--instance", "p5.48xlrge"), "p5.48xlrge"),
    ],
)
def test_wrong_options_are_refused_and_nothing_is_written(muster: Muster, options: tuple[str, ...], named: str) -> None:
    ran = muster("init", "mine", *AT, *options)
    assert (ran.code, named in ran.err) == (2, True), ran.err
    assert not muster.file("mine").exists()


def test_the_zone_is_one_that_offers_the_type(muster: Muster, run: Run) -> None:
    """Zone a does not offer the type, so the workers are in the next one."""
    account = Account(reservations=[], lacking={"p5.48xlarge": ["a"]})
    ran = run(account, "--on-demand", "--instance", "p5.48xlarge", "--nodes", "2", *API)
    assert ran.code == 0, ran.err + ran.out
    assert config(muster)["groups"]["workers"] == {
        "for": "training",
        "instance": "p5.48xlarge",
        "nodes": 2,
        "zone": "us-west-2b",
        "capacity": "on-demand",
        "local-storage": "raid0",
    }


def test_a_type_that_no_zone_offers_is_refused(muster: Muster, run: Run) -> None:
    account = Account(reservations=[], lacking={"p5.48xlarge": ["a", "b", "c", "d"]})
    ran = run(account, "--on-demand", "--instance", "p5.48xlarge", *API)
    assert (ran.code, "no zone of us-west-2 that offers p5.48xlarge" in ran.err) == (2, True), ran.err
    assert left(muster) == []
