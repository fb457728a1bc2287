"""Not knowing, of HyperPod: no rule crashes on it, raises a false alarm, or passes over it in silence."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster.fleet.description import HyperPodCluster as Description
from muster.fleet.finding import Level
from muster.fleet.resources import (
    Addon,
    ControlPlane,
    EksAddon,
    Fleet,
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    LifecycleBundle,
    Place,
    Ref,
    SecurityGroup,
    StorageVolume,
    Taint,
)
from muster.fleet.resources import place as types
from muster.fleet.resources.hyperpod import INSTANCE_GROUP
from muster.fleet.unknown import UNKNOWN
from policies.catalogue import rules_about
from policies.judgement import judge
from policies.views.addon import RELEASE
from tests.factories import elsewhere
from tests.hyperpod_strategies import legal_hyperpod
from tests.hyperpods import PLAN, a_chart, a_hyperpod_fleet, an_instance_group, plan_facts
from tests.policies.test_unknown import (
    addons,
    control_planes,
    group_refs,
    numbers,
    or_none,
    perhaps,
    ref,
    security_groups,
    some_groups,
    some_subnets,
)
from tests.policies.veil import fleet_of, veiled, without
from tests.strategies import Described

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)
OURS = rules_about("hyperpod")

nowhere = st.just(Place(f"urn:pulumi:dev::theirs::{types.HYPERPOD}::one"))
names = or_none(st.sampled_from(["", "workers", "bad_name", "a" * 64]))
kinds = st.sampled_from(["", "ml.p5.48xlarge", "ml.p3dn.24xlarge", "ml.c6g.large", "ml.m5.2xlarge", "x", "p5.48xlarge"])
pods = ref(types.HYPERPOD, "one", "two")
clusters = st.builds(
    HyperPodCluster,
    ref=pods,
    name=names,
    orchestrator=or_none(ref(types.CLUSTER, "cluster", "gone") | st.just("arn:aws:eks:us-west-2:1:cluster/x")),
    subnets=perhaps(some_subnets.map(tuple)),
    security_groups=perhaps(some_groups),
    place=nowhere,
    slurm=st.booleans(),
    node_recovery=or_none(st.sampled_from(["Automatic", "None", ""])),
    provisioning=or_none(st.sampled_from(["Continuous", ""])),
    autoscaler=or_none(st.just("Karpenter")),
    has_cluster_role=st.booleans(),
    memory_percent=or_none(st.integers(-1, 200)),
    groups_known=st.booleans(),
)
buckets = ref(types.BUCKET, "scripts", "gone")
lifecycles = st.builds(
    Lifecycle,
    source=or_none(buckets | st.sampled_from(["s3://sagemaker-x/y", "https://x", "", "s3://"])),
    on_create=or_none(st.sampled_from(["", "a.sh", "a" * 200])),
    on_init_complete=or_none(st.just("b.sh")),
    folder=or_none(st.sampled_from(["", "p5"])),
)
volumes = st.builds(
    StorageVolume,
    gib=or_none(st.integers(-1, 20000)),
    root=perhaps(st.booleans()),
    key=or_none(st.just("key")),
    mounts=st.booleans(),
)
taints = st.builds(
    Taint, key=st.sampled_from(["", "a", "k8s.io/a"]), value=st.sampled_from(["", "b"]), effect=st.just("")
)
groups = st.builds(
    InstanceGroup,
    ref=ref(INSTANCE_GROUP, "one", "two", "three"),
    cluster=pods,
    instance_type=or_none(kinds),
    nodes_start=perhaps(st.integers(-1, 8000)),
    minimum=or_none(st.integers(-1, 8000)),
    subnets=perhaps(some_subnets.map(tuple)),
    security_groups=perhaps(st.lists(group_refs, max_size=7).map(tuple)),
    place=nowhere,
    requirements=or_none(st.lists(kinds, max_size=22).map(tuple)),
    own_network=st.booleans(),
    threads_per_core=or_none(st.integers(0, 3)),
    lifecycle=or_none(lifecycles),
    deep_checks=perhaps(st.frozensets(st.sampled_from(["InstanceStress", "MultiNodeTrainingValidation", ""]))),
    volumes=perhaps(st.lists(volumes, max_size=6).map(tuple)),
    training_plan=or_none(st.sampled_from([PLAN, ""])),
    spot=perhaps(st.booleans()),
    interface=or_none(st.sampled_from(["efa", "efa-only", ""])),
    labels=perhaps(st.frozensets(st.tuples(st.sampled_from(["", "a/", "kubernetes.io/a"]), st.just("x")))),
    taints=perhaps(st.frozensets(taints)),
    name=names,
)
bundles = st.builds(
    LifecycleBundle,
    ref=ref(types.BUCKET, "scripts"),
    name=or_none(st.sampled_from(["", "sagemaker-x"])),
    files=perhaps(st.frozensets(st.sampled_from(["a.sh", "p5/a.sh"]))),
    place=nowhere,
    private=perhaps(st.booleans()),
    versioned=perhaps(st.booleans()),
    encrypted=perhaps(st.booleans()),
)


@settings(slowly, max_examples=300)
@given(
    st.lists(
        clusters | groups | bundles | security_groups | control_planes | addons,
        max_size=8,
        unique_by=lambda each: each.ref,
    ),
    numbers,
)
def test_no_rule_crashes_on_anything(things: list[Any], total: Any) -> None:
    """Whatever a program says, however little of it is known."""
    known = None if total is UNKNOWN else plan_facts(totalInstances=total)
    judge(Fleet(tuple(things), facts=known))


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
