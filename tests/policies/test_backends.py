"""A rule is asked only about clusters of the backends that its fact is about."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from muster.config.description.base import EKS, HYPERPOD, PARALLELCLUSTER, PCS
from muster.fleet.resources import (
    ClosedTemplate,
    ControlPlane,
    Fleet,
    HeadNode,
    HyperPodCluster,
    InstanceGroup,
    LaunchTemplate,
    NodeGroup,
    ParallelCluster,
    PcsCluster,
    Place,
    Queue,
    Ref,
)
from muster.fleet.resources.parallelcluster import TEMPLATE
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.judgement import RuleCrashed, judge
from tests.corpus.judged import every_fleet
from tests.factories import a_fleet
from tests.factories import described as a_described_fleet
from tests.factories.hyperpod import a_hyperpod_fleet as a_described_hyperpod
from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group
from tests.factories.parallelcluster_fleets import a_slurm_fleet
from tests.factories.pcs_fleets import a_pcs_fleet

CLOSED = ClosedTemplate(Ref(TEMPLATE, "theirs"), Place("urn:theirs"), missing="its template")


FLEETS: Mapping[str, tuple[Callable[[], Fleet], set[str]]] = {
    "eks": (a_fleet, {EKS}),
    "eks, described": (a_described_fleet, {EKS}),
    "hyperpod": (a_hyperpod_fleet, {HYPERPOD}),
    "hyperpod, described": (a_described_hyperpod, {HYPERPOD}),
    "both": (lambda: a_hyperpod_fleet(*a_fleet().of(NodeGroup), *a_fleet().of(LaunchTemplate)), {EKS, HYPERPOD}),
    "a group beside": (lambda: a_fleet(an_instance_group()), {EKS, HYPERPOD}),
    "parallelcluster, described": (a_slurm_fleet, {PARALLELCLUSTER}),
    "parallelcluster": (lambda: a_slurm_fleet(backend=None), {PARALLELCLUSTER}),
    "eks and parallelcluster": (lambda: a_slurm_fleet(*a_fleet().objects, backend=None), {EKS, PARALLELCLUSTER}),
    "hyperpod and parallelcluster": (lambda: a_hyperpod_fleet(*a_slurm_fleet().objects), {HYPERPOD, PARALLELCLUSTER}),
    "pcs, described": (a_pcs_fleet, {PCS}),
    "pcs": (lambda: a_pcs_fleet(backend=None), {PCS}),
    "eks and pcs": (lambda: a_fleet(*a_pcs_fleet().objects), {EKS, PCS}),
    "a template that is not known": (lambda: a_fleet(CLOSED), {EKS, PARALLELCLUSTER}),
    "nothing but that": (lambda: Fleet((CLOSED,), {}), {EKS, PARALLELCLUSTER}),
    "nothing": (lambda: Fleet((), {}), {EKS}),
    "no group": (lambda: Fleet((), {}, backend=HYPERPOD), {HYPERPOD}),
}


@pytest.mark.parametrize("name", FLEETS)
def test_a_fleet_is_of_the_backends_of_its_nodes(name: str) -> None:
    """A rule is asked about clusters of its backends only, and nothing else decides it."""
    made, (_, backends) = FLEETS[name][0](), FLEETS[name]
    assert made.backends == backends
    assert set(judge(made).judged) == {each.id for each in all_rules() if not backends.isdisjoint(each.backends)}


TRIED = 8
"""In how many fleets of the corpus something is missing."""


@pytest.mark.parametrize("kind", [ControlPlane, HyperPodCluster, ParallelCluster, HeadNode, Queue, PcsCluster])
def test_what_others_are_of_may_be_another_programs(kind: type) -> None:
    """Whatever is here without its cluster or its queue is judged."""
    crashes = list[RuleCrashed]()
    having = [each for each in every_fleet() if each.of(kind) and not (kind is ControlPlane and each.of(InstanceGroup))]
    for fleet in having[:TRIED]:
        left = tuple(each for each in fleet.objects if not isinstance(each, kind))
        judge(replace(fleet, objects=left), crashes=crashes)
    assert len(having) >= TRIED
    assert list(map(str, crashes)) == []
