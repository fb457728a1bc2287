"""What `muster plan` says of a Slurm cluster: its nodes as Slurm counts them, and what changes cost."""

from muster.cli.writers import plan_tables
from muster.config import change_costs
from muster.config.description.base import Change
from tests.factories import a_blueprint
from tests.factories.parallelcluster import a_slurm_blueprint, a_slurm_description

INFER = {"for": "inference", "instance": "g5.12xlarge", "nodes": {"min": 0, "max": 10}}


def test_nodes_as_slurm_counts_them() -> None:
    """CPUs, memory that jobs may have, and the queue; the default queue stands first. Slurm limits no pods."""
    blueprint = a_slurm_blueprint({"queues.alpha": {"groups": {"answers": INFER}}, "slurm.default-queue": "train"})
    assert plan_tables.nodes_json(blueprint) == [
        {
            "group": "workers",
            "instance": "p4de.24xlarge",
            "zone": "us-west-2a",
            "count": {"min": 4, "start": 4, "max": 4},
            "pods": None,
            "offers": {"gres/gpu": 8, "efa": 4},
            "allocatable": {"cpu": "96", "memory": "1120665Mi"},
            "queue": "train",
        },
        {
            "group": "answers",
            "instance": "g5.12xlarge",
            "zone": "us-west-2a",
            "count": {"min": 0, "start": 0, "max": 10},
            "pods": None,
            "offers": {"gres/gpu": 4},
            "allocatable": {"cpu": "48", "memory": "186777Mi"},
            "queue": "alpha",
        },
    ]
    assert plan_tables.node_heads(blueprint) == ("queue", "group", "instance", "zone", "nodes", "offers", "for jobs")
    assert [*plan_tables.node_rows(blueprint)] == [
        ("train", "workers", "p4de.24xlarge", "us-west-2a", "4", "gres/gpu 8, efa 4", "cpu 96, memory 1120665Mi"),
        (
            "alpha",
            "answers",
            "g5.12xlarge",
            "us-west-2a",
            "0 to 10, 0 at first",
            "gres/gpu 4",
            "cpu 48, memory 186777Mi",
        ),
    ]


def test_login_nodes() -> None:
    """By pool, in the zone of the head node if the pool sets none."""
    pools = {"login": {"instance": "m5.large", "nodes": 2}, "data": {"instance": "m5.xlarge", "zone": "us-west-2b"}}
    blueprint = a_slurm_blueprint({"login-nodes": pools})
    rows = [["data", "m5.xlarge", "us-west-2b", 1], ["login", "m5.large", "us-west-2a", 2]]
    assert [[*each.values()] for each in plan_tables.login_json(blueprint)] == rows
    assert plan_tables.login_json(a_slurm_blueprint()) == plan_tables.login_json(a_blueprint()) == []


def test_a_row_has_what_its_head_says() -> None:
    """On every backend."""
    for blueprint in (a_blueprint(), a_slurm_blueprint()):
        assert {len(row) for row in plan_tables.node_rows(blueprint)} == {len(plan_tables.node_heads(blueprint))}


def test_every_cost_is_explained_with_slurm() -> None:
    """Where it means something else than on EKS, in words of its own."""
    legend = change_costs.legend(a_slurm_description())
    assert set(legend) == set(Change)
    assert legend[Change.REFUSED] != change_costs.LEGEND[Change.REFUSED]
    assert legend[Change.DRAINS] != change_costs.LEGEND[Change.DRAINS]
