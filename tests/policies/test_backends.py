"""A rule is asked only about clusters of the backends that its fact is about."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from muster.fleet.backend_sets import EKS, HYPERPOD, PARALLELCLUSTER, PCS
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
from tests.factories import a_fleet
from tests.factories import described as a_described_fleet
from tests.factories.hyperpod import a_hyperpod_fleet as a_described_hyperpod
from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group
from tests.factories.parallelcluster_fleets import a_slurm_fleet
from tests.factories.pcs_fleets import a_pcs_fleet
from tests.policies.case import all_cases, judged

CLOSED = ClosedTemplate(Ref(TEMPLATE, "theirs"), Place("urn:theirs"), missing="its template")


@pytest.mark.parametrize(
    ("fleet", "backends"),
    [
        (a_fleet, {EKS}),
        (a_described_fleet, {EKS}),
        (a_hyperpod_fleet, {HYPERPOD}),
        (a_described_hyperpod, {HYPERPOD}),
        (lambda: a_hyperpod_fleet(*a_fleet().of(NodeGroup), *a_fleet().of(LaunchTemplate)), {EKS, HYPERPOD}),
        (lambda: a_fleet(an_instance_group()), {EKS, HYPERPOD}),
        (a_slurm_fleet, {PARALLELCLUSTER}),
        (lambda: a_slurm_fleet(backend=None), {PARALLELCLUSTER}),
        (lambda: a_slurm_fleet(*a_fleet().objects, backend=None), {EKS, PARALLELCLUSTER}),
        (lambda: a_hyperpod_fleet(*a_slurm_fleet().objects), {HYPERPOD, PARALLELCLUSTER}),
        (a_pcs_fleet, {PCS}),
        (lambda: a_pcs_fleet(backend=None), {PCS}),
        (lambda: a_fleet(*a_pcs_fleet().objects), {EKS, PCS}),
        (lambda: a_fleet(CLOSED), {EKS, PARALLELCLUSTER}),
        (lambda: Fleet((CLOSED,), {}), {EKS, PARALLELCLUSTER}),
        (lambda: Fleet((), {}), {EKS}),
        (lambda: Fleet((), {}, backend=HYPERPOD), {HYPERPOD}),
    ],
    ids=[
        "eks",
        "eks, described",
        "hyperpod",
        "hyperpod, described",
        "both",
        "a group beside",
        "parallelcluster, described",
        "parallelcluster",
        "eks and parallelcluster",
        "hyperpod and parallelcluster",
        "pcs, described",
        "pcs",
        "eks and pcs",
        "a template that is not known",
        "nothing but that",
        "nothing",
        "no group",
    ],
)
def test_a_fleet_is_of_the_backends_of_its_nodes(fleet: Callable[[], Fleet], backends: set[str]) -> None:
    assert fleet().backends == backends


def test_a_rule_is_asked_about_clusters_of_its_backends_only() -> None:
    """In every case of all rules, and nothing else decides it: a rule that was not evaluated is not in the result."""
    for one in (each for each in all_cases() if not each.rule):
        of = one.fleet().backends
        assert set(judged(one).judged) == {each.id for each in all_rules() if not of.isdisjoint(each.backends)}, (
            one.name
        )


@pytest.mark.parametrize("kind", [ControlPlane, HyperPodCluster, ParallelCluster, HeadNode, Queue, PcsCluster])
def test_what_others_are_of_may_be_another_programs(kind: type) -> None:
    """Whatever is here without its cluster or its queue is judged, in every case."""
    tried, crashes = 0, list[RuleCrashed]()
    for one in all_cases():
        fleet = one.fleet()
        left = tuple(each for each in fleet.objects if not isinstance(each, kind))
        if len(left) < len(fleet.objects) and not (kind is ControlPlane and not fleet.of(InstanceGroup)):
            tried += 1
            judge(replace(fleet, objects=left), crashes=crashes)
    assert tried
    assert list(map(str, crashes)) == []
