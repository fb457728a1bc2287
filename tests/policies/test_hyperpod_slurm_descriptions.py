"""A law over random clusters on HyperPod with Slurm: no rule reports a legal one."""

from hypothesis import given, settings

from muster.blueprint.derive.cluster import derive
from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurmCluster
from muster.config.validation import validate
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import judge
from tests.strategies import Described
from tests.strategies.hyperpod_slurm import legal_hyperpod_slurm

INDICATIVE = {"type-offered-in-zone"}
"""The table of offerings is."""


@settings(max_examples=50)
@given(legal_hyperpod_slurm())
def test_a_legal_description_is_clean(described: Described) -> None:
    made, faults = validate(HyperPodSlurmCluster, described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    assert {each.rule for each in judge(described_fleet(blueprint, described.as_of)).findings} <= INDICATIVE
