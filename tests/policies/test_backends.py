"""A rule judges only clusters of its backends."""

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
    ParallelCluster,
    PcsCluster,
    Place,
    Queue,
    Ref,
)
from muster.fleet.resources.parallelcluster import TEMPLATE
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import RuleCrashed, judge
from muster.stack.project import open_stack
from tests.corpus.judged import every_fleet
from tests.factories import AS_OF, a_fleet, described
from tests.factories.hyperpod import a_hyperpod_fleet
from tests.factories.parallelcluster import a_slurm_fleet
from tests.stack_files import ROOT

CLOSED = ClosedTemplate(Ref(TEMPLATE, "theirs"), Place("urn:theirs"), missing="its template")


def described_in(stack: str) -> Fleet:
    """The fleet of one of our stacks."""
    return described_fleet(open_stack(ROOT, stack).derive(), AS_OF)


def registered(*fleets: Fleet) -> Fleet:
    """Things of several fleets, as a program registers them: no description states a backend."""
    return replace(fleets[0], objects=tuple(each for fleet in fleets for each in fleet.objects), backend=None)


FLEETS: Mapping[str, tuple[Callable[[], Fleet], set[str]]] = {
    "eks": (a_fleet, {EKS}),
    "eks, described": (described, {EKS}),
    "hyperpod": (lambda: registered(a_hyperpod_fleet()), {HYPERPOD}),
    "hyperpod, described": (a_hyperpod_fleet, {HYPERPOD}),
    "both": (lambda: registered(a_hyperpod_fleet(), a_fleet()), {EKS, HYPERPOD}),
    "parallelcluster": (lambda: registered(a_slurm_fleet()), {PARALLELCLUSTER}),
    "parallelcluster, described": (a_slurm_fleet, {PARALLELCLUSTER}),
    "eks and parallelcluster": (lambda: registered(a_slurm_fleet(), a_fleet()), {EKS, PARALLELCLUSTER}),
    "hyperpod and parallelcluster": (
        lambda: registered(a_hyperpod_fleet(), a_slurm_fleet()),
        {HYPERPOD, PARALLELCLUSTER},
    ),
    "pcs": (lambda: registered(described_in("pcs-p5")), {PCS}),
    "pcs, described": (lambda: described_in("pcs-p5"), {PCS}),
    "eks and pcs": (lambda: registered(described_in("pcs-p5"), a_fleet()), {EKS, PCS}),
    "a template that is not known": (lambda: a_fleet(CLOSED), {EKS, PARALLELCLUSTER}),
    "nothing but that": (lambda: Fleet((CLOSED,), {}), {EKS, PARALLELCLUSTER}),
    "nothing": (lambda: Fleet((), {}), {EKS}),
    "no group": (lambda: Fleet((), {}, backend=HYPERPOD), {HYPERPOD}),
}


@pytest.mark.parametrize("name", FLEETS)
def test_a_fleet_is_of_the_backends_of_its_nodes(name: str) -> None:
    """The nodes of a fleet decide its backends, and these decide which rules judge it."""
    made, (_, backends) = FLEETS[name][0](), FLEETS[name]
    assert made.backends == backends
    assert set(judge(made).judged) == {each.id for each in all_rules() if not backends.isdisjoint(each.backends)}


TRIED = 8
"""The number of fleets of the corpus that are tried for each type."""


@pytest.mark.parametrize("kind", [ControlPlane, HyperPodCluster, ParallelCluster, HeadNode, Queue, PcsCluster])
def test_what_others_are_of_may_be_another_programs(kind: type) -> None:
    """No rule crashes on things whose cluster or queue is in another program."""
    crashes = list[RuleCrashed]()
    having = [each for each in every_fleet() if each.of(kind) and not (kind is ControlPlane and each.of(InstanceGroup))]
    for fleet in having[:TRIED]:
        left = tuple(each for each in fleet.objects if not isinstance(each, kind))
        judge(replace(fleet, objects=left), crashes=crashes)
    assert len(having) >= TRIED
    assert list(map(str, crashes)) == []
