"""Not knowing, of ParallelCluster: no rule raises a false alarm on it, or passes over it in silence."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.config.description.slurm_cluster import SlurmCluster
from muster.finding import Level
from muster.fleet.resources import (
    ComputeResource,
    HeadNode,
    ParallelCluster,
    Queue,
)
from policies.engine.catalogue import rules_about
from policies.engine.judgement import judge
from tests.policies.veil import fleet_of, veiled, without
from tests.slurm_strategies import legal_slurm
from tests.slurms import (
    IMAGE,
    a_head,
    a_pcluster,
    a_queue,
    a_resource,
    a_script,
    a_slurm_fleet,
    image_facts,
)
from tests.strategies import Described

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)
OURS = rules_about("parallelcluster")

HIDEABLE: dict[type, tuple[str, ...]] = {
    ParallelCluster: (
        *("name", "version", "os", "image", "imds", "mounts", "accounting", "tags", "slurm_settings", "dev_settings"),
    ),
    HeadNode: ("instance", "key_pair", "ssh_from", "scripts", "buckets", "seconds"),
    Queue: ("name", "capacity_type", "subnets", "image", "scratch", "scripts", "tags", "slurm_settings"),
    ComputeResource: (
        *("name", "instances", "nodes_min", "nodes_max", "capacity_type", "target", "efa", "placement", "memory_mib"),
        *("tags", "slurm_settings"),
    ),
}
"""What a preview may not know. What is not set is known not to be."""


@slowly
@given(legal_slurm(), st.randoms(use_true_random=False), st.floats(0, 1))
def test_not_knowing_is_no_fault(described: Described, random: Any, share: float) -> None:
    """However little of a legal fleet is known, nothing mandatory is found in it."""
    fleet = veiled(fleet_of(SlurmCluster, described), HIDEABLE, lambda: random.random() < share)
    found = judge(fleet, rules=OURS).findings
    assert [each for each in found if each.level is Level.MANDATORY] == []


DEFAULT = a_slurm_fleet(
    a_pcluster(image=IMAGE),
    a_head(scripts=a_script("s3://b/k"), buckets=frozenset({"b"}), seconds=60),
    a_queue(image=IMAGE, scripts=a_script()),
    a_resource(memory_mib=1024),
    known=image_facts(),
)
NOT_READ = {
    (ParallelCluster, "accounting"),
    (HeadNode, "key_pair"),
    (ComputeResource, "nodes_min"),
    (ComputeResource, "efa"),
    (ComputeResource, "target"),
}
"""Nothing of this fleet hangs on these: its name is short, its system takes any key, its placement is said, and it is
on demand."""
READ = [(kind, name) for kind, names_ in HIDEABLE.items() for name in names_ if (kind, name) not in NOT_READ]


@pytest.mark.parametrize(("kind", "name"), READ, ids=lambda each: each if isinstance(each, str) else each.__name__)
def test_what_is_hidden_is_missed(kind: type, name: str) -> None:
    """Nothing passes in silence that could not be seen."""
    assert judge(DEFAULT, rules=OURS).not_evaluated == ()
    judgement = judge(without(DEFAULT, kind, name), rules=OURS)
    assert judgement.not_evaluated
    assert judgement.findings == ()
