"""Not knowing, of HyperPod: no rule raises a false alarm on it, or passes over it in silence."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.config.description.hyperpod_cluster import HyperPodCluster as Description
from muster.finding import Level
from muster.fleet.resources import (
    Addon,
    ControlPlane,
    EksAddon,
    HyperPodCluster,
    InstanceGroup,
    LifecycleBundle,
    Ref,
    SecurityGroup,
)
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import rules_about
from policies.engine.judgement import judge
from policies.views.addons import RELEASE
from tests.factories import elsewhere
from tests.hyperpod_strategies import legal_hyperpod
from tests.hyperpods import PLAN, a_chart, a_hyperpod_fleet, an_instance_group, plan_facts
from tests.policies.veil import fleet_of, veiled, without
from tests.strategies import Described

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)
OURS = rules_about("hyperpod")

HIDEABLE: dict[type, tuple[str, ...]] = {
    HyperPodCluster: ("name", "subnets", "security_groups", "node_recovery", "provisioning", "autoscaler"),
    InstanceGroup: (
        *("instance_type", "nodes_start", "minimum", "subnets", "security_groups", "threads_per_core", "lifecycle"),
        *("deep_checks", "volumes", "training_plan", "spot", "interface", "labels", "taints"),
    ),
    LifecycleBundle: ("name", "files", "private", "versioned"),
    ControlPlane: ("kubernetes", "authentication"),
    EksAddon: ("name", "version"),
    SecurityGroup: ("self_ingress", "self_egress"),
}
"""What a preview may not know. What is not set is known not to be."""


@slowly
@given(legal_hyperpod(), st.randoms(use_true_random=False), st.floats(0, 1))
def test_not_knowing_is_no_fault(described: Described, random: Any, share: float) -> None:
    """However little of a legal fleet is known, nothing mandatory is found in it."""
    fleet = veiled(fleet_of(Description, described), HIDEABLE, lambda: random.random() < share)
    found = judge(fleet, rules=OURS).findings
    assert [each for each in found if each.level is Level.MANDATORY] == []


DEFAULT = a_hyperpod_fleet(
    an_instance_group(training_plan=PLAN, deep_checks=frozenset({"InstanceStress"}), threads_per_core=2),
    known=plan_facts(),
)
NOT_READ = {(InstanceGroup, "interface"), (InstanceGroup, "spot")}
"""Nothing of this fleet hangs on these: its CNI is new enough for any interface, and its plan counts its instances."""
READ = [(kind, name) for kind, names_ in HIDEABLE.items() for name in names_ if (kind, name) not in NOT_READ]


@pytest.mark.parametrize(("kind", "name"), READ, ids=lambda each: each if isinstance(each, str) else each.__name__)
def test_what_is_hidden_is_missed(kind: type, name: str) -> None:
    """Nothing passes in silence that could not be seen."""
    assert judge(DEFAULT, rules=OURS).not_evaluated == ()
    judgement = judge(without(DEFAULT, kind, name), rules=OURS)
    assert judgement.not_evaluated
    assert judgement.findings == ()


def test_a_chart_of_which_nothing_is_known_may_be_hyperpods() -> None:
    """The engine shows no inputs of a release whose kubeconfig is not known yet."""
    hidden = elsewhere(a_chart(Ref(RELEASE, "hidden"), chart=UNKNOWN, values=UNKNOWN), "hidden")
    judgement = judge(a_hyperpod_fleet(hidden, without=(Addon,)), rules=OURS)
    assert judgement.findings == ()
    assert [each.rule for each in judgement.not_evaluated] == ["hyperpod-chart-before-cluster", "hyperpod-one-cni"]
