"""A rule is asked only about clusters of the backends that its fact is about."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache

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
from tests.hyperpod_factories import a_hyperpod_fleet as a_described_hyperpod
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.pcs import a_pcs_fleet
from tests.policies.case import all_cases, judged
from tests.slurms import a_slurm_fleet

NOT_ASKED = {
    HYPERPOD: {
        "aws-auth-kept": "HyperPod's nodes join by access entries alone, and there is no cluster of an older mode",
        "eks-default-quotas-suffice": "HyperPod's instance groups are none of EKS's node groups",
        "gpu-operator-leaves-the-image": "what it is about are the drivers of EKS's images",
        "hyperpod-slurm-mounts": "on EKS, pods mount file systems through CSI drivers",
        "hyperpod-slurm-partitions": "EKS has no partitions",
    },
    PARALLELCLUSTER: {"lustre-has-its-driver": "ParallelCluster mounts file systems on its nodes"},
    PCS: {
        "imds-out-of-pods": "PCS has no pods",
        "lustre-has-its-driver": "nodes mount file systems by their user data",
        "lustre-version-for-clients": "the client is the image's, which Muster does not know",
        "managed-template-settings": "EKS's node groups forbid these settings, and PCS needs some of them",
        "volumes-encrypted": "the image names its root device, and Muster does not know the image",
        "node-pool-reserved-capacity": "PCS has no node pools",
        "vpc-outside-docker-range": "nodes have Docker only if their image has it",
        "vpc-resolves-names": "no document of PCS requires host names in the VPC",
        "vpc-cni-supports-efa": "PCS has no CNI",
    },
}
"""Backend -> rules of others that judge what it has, too -> why they are not asked there."""


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


@cache
def seen_on(backend: str) -> tuple[frozenset[str], frozenset[type]]:
    """The rules that have judged something on a backend alone, and the kinds of things that there were."""
    asked: Counter[str] = Counter()
    kinds: set[type] = set()
    for one in all_cases():
        fleet = one.fleet()
        if fleet.backends == {backend}:
            asked.update(judged(one).judged)
            kinds |= set(map(type, fleet.objects))
    return frozenset(name for name, count in asked.items() if count), frozenset(kinds)


each_other = pytest.mark.parametrize("backend", [HYPERPOD, PARALLELCLUSTER, PCS])


@each_other
def test_every_rule_for_a_backend_has_judged_a_cluster_of_it(backend: str) -> None:
    """No rule names a backend that it has nothing to say about."""
    asked, _ = seen_on(backend)
    assert {each.id for each in all_rules() if backend in each.backends} == asked


@each_other
def test_every_rule_that_is_not_for_a_backend_is_about_what_it_has_none_of(backend: str) -> None:
    """Or stands in a list, with the reason."""
    _, kinds = seen_on(backend)
    alone = {each.id for each in all_rules() if backend not in each.backends and not kinds.isdisjoint(each.kinds)}
    assert alone == set(NOT_ASKED[backend])


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
