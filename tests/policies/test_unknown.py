"""Not knowing: no rule crashes on it, none raises a false alarm, and none passes over it in silence."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from addons.catalogue import CATALOGUE
from muster.fleet.description import EksCluster
from muster.fleet.finding import Level
from muster.fleet.interfaces import InterfaceType
from muster.fleet.platform import LINUX, RED_HAT
from muster.fleet.resources import (
    AccessGrant,
    AddedRule,
    Addon,
    Allowance,
    Bucket,
    CapacityBlockPurchase,
    CapacityReservation,
    CapacityTarget,
    ControlPlane,
    EksAddon,
    Fleet,
    LaunchTemplate,
    NetworkInterface,
    NodeGroup,
    NodeRole,
    Output,
    Place,
    PlacementGroup,
    PodOwner,
    PodTemplate,
    Ref,
    ReservationGroup,
    SecurityGroup,
    Statement,
    Subnet,
)
from muster.fleet.resources import place as types
from muster.fleet.resources.addon import Kind as AddonKind
from muster.fleet.resources.bucket import ANY_BUCKET
from muster.fleet.resources.capacity import GENERIC, POOL, RESERVATION_TYPE
from muster.fleet.resources.fleet import WITNESSED
from muster.fleet.resources.identity import ACCESS_GRANT
from muster.fleet.resources.output import STACK_OUTPUT
from muster.fleet.unknown import UNKNOWN
from policies.judgement import judge
from policies.reading.bundles import BUNDLES
from tests.factories import A, B
from tests.policies.test_descriptions import SAID_OF_LEGAL_ONES
from tests.policies.veil import fleet_of, hideable_of
from tests.strategies import SEVERAL_EFA, WORKERS, Described, Kind, Wanted, legal

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)


# Anything at all.


def perhaps(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A value, or one not yet known."""
    return values | st.just(UNKNOWN)


def or_none(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return perhaps(values | st.none())


def ref(type_: str, *names: str) -> st.SearchStrategy[Ref]:
    return st.sampled_from(names).map(lambda name: Ref(type_, name))


group_refs = ref(types.SECURITY_GROUP, "one", "two", "gone") | ref(types.CLUSTER, "cluster", "gone")
some_groups = st.lists(group_refs | st.just("sg-0123456789abcdef0"), max_size=2, unique=True).map(tuple)
words = st.sampled_from(
    [
        "",
        "latest",
        "1.29",
        "1.33",
        "1.35",
        "1.99",
        "v1.18.3-eksbuild.1",
        "open",
        "spot",
        "capacity-block",
        "CUSTOM",
        "AL2_x86_64_GPU",
    ]
)
instances = st.sampled_from(["p5.48xlarge", "p6-b300.48xlarge", "p6e-gb200.36xlarge", "c5.2xlarge", "p9.huge", ""])
some_subnets = st.lists(st.sampled_from([A, B, "subnet-nobody-knows"]) | ref("aws:ec2/subnet:Subnet", "a"), max_size=3)
numbers = perhaps(st.integers(0, 40))

reserved = ref(types.CAPACITY_RESERVATION, "p5", "gone")
reserved_group = ref(types.RESOURCE_GROUP, "p5", "gone")

interfaces = st.builds(
    NetworkInterface,
    card=numbers,
    device=numbers,
    type=perhaps(st.sampled_from([*[kind.value for kind in InterfaceType], "efa_only"])),
    security_groups=perhaps(some_groups),
    public_ip=or_none(st.booleans()),
    addresses=st.booleans(),
)
targets = st.builds(
    CapacityTarget,
    preference=or_none(words),
    reservation=or_none(st.just("cr-0123456789abcdef0") | ref(types.CAPACITY_BLOCK, "p5") | reserved),
    group=or_none(st.just("arn:aws:resource-groups:us-west-2:000000000000:group/p5") | reserved_group),
)
templates = st.builds(
    LaunchTemplate,
    ref=ref(types.LAUNCH_TEMPLATE, "one", "two"),
    instance=or_none(instances),
    interfaces=perhaps(st.lists(interfaces, max_size=5).map(tuple)),
    security_groups=perhaps(some_groups),
    target=targets,
    market_type=or_none(words),
    placement_group=or_none(st.just("pg") | ref(types.PLACEMENT_GROUP, "one")),
    image=or_none(st.sampled_from(["ami-0123456789abcdef0", "resolve:ssm:/teams/ml/latest"])),
    max_pods=or_none(st.integers(0, 300)),
    settings=st.frozensets(st.sampled_from(["iamInstanceProfile", "capacityReservationSpecification", "userData"])),
    place=st.just(Place("urn:pulumi:dev::theirs::aws:ec2/launchTemplate:LaunchTemplate::one")),
    http_tokens=or_none(words),
    hop_limit=or_none(st.integers(0, 70)),
    root_encrypted=or_none(st.booleans()),
    user_data=or_none(words | st.just("AKIA")),
    depends_on=st.frozensets(group_refs, max_size=3),
)
groups = st.builds(
    NodeGroup,
    ref=ref(types.NODE_GROUP, "one", "two"),
    template=or_none(ref(types.LAUNCH_TEMPLATE, "one", "two", "gone") | st.just("lt-0123456789abcdef0")),
    instance_types=perhaps(st.lists(instances, max_size=3).map(tuple)),
    subnets=perhaps(some_subnets.map(tuple)),
    ami_type=or_none(words),
    capacity_type=or_none(st.sampled_from(["SPOT", "CAPACITY_BLOCK", "ON_DEMAND"])),
    managed=st.booleans(),
    target=st.none() | targets,
    zero_at=perhaps(st.lists(st.sampled_from(["", "2026-12-01T10:30:00Z", "soon"]), max_size=2).map(tuple)),
    nodes_min=numbers,
    nodes_start=numbers,
    nodes_max=numbers,
    disk_size=or_none(st.integers(1, 100)),
    remote_access=st.booleans(),
    max_unavailable=or_none(st.integers(0, 101)),
    repair_limits=st.lists(st.tuples(st.just("maxParallelNodesRepairedCount"), numbers), max_size=1).map(tuple),
    release_version=or_none(words),
    version=or_none(words),
    labels=perhaps(st.just(frozenset())),
    taints=perhaps(st.just(frozenset())),
    place=st.just(Place("urn:pulumi:dev::theirs::aws:eks/nodeGroup:NodeGroup::one")),
)
ports = or_none(st.sampled_from([-1, 0, 22, 443, 988, 6443, 65535]))
allowances = st.builds(
    Allowance,
    direction=st.sampled_from(["ingress", "egress"]),
    protocol=perhaps(st.sampled_from(["-1", "tcp", "udp", "icmp", ""])),
    first=ports,
    last=ports,
    peer=perhaps(group_refs | st.sampled_from(["0.0.0.0/0", "::/0", "10.0.0.0/8", "sg-0123456789abcdef0", "pl-1", ""])),
)
security_groups = st.builds(
    SecurityGroup,
    ref=ref(types.SECURITY_GROUP, "one", "two"),
    self_ingress=perhaps(st.booleans()),
    self_egress=perhaps(st.booleans()),
    place=st.just(Place("urn:pulumi:dev::theirs::aws:ec2/securityGroup:SecurityGroup::one")),
    peers=st.frozensets(group_refs, max_size=2),
    allows=st.frozensets(allowances, max_size=2),
)
added_rules = st.builds(
    AddedRule,
    ref=ref("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", "one", "two"),
    place=st.just(Place("urn:pulumi:dev::theirs::aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule::one")),
    allows=st.frozensets(allowances, max_size=2),
)
control_planes = st.builds(
    ControlPlane,
    ref=ref(types.CLUSTER, "cluster"),
    kubernetes=or_none(words),
    subnets=perhaps(some_subnets.map(tuple)),
    place=st.just(Place("urn:pulumi:dev::theirs::aws:eks/cluster:Cluster::cluster")),
    security_groups=perhaps(some_groups),
)
addons = st.builds(
    EksAddon,
    ref=ref(types.ADDON, "vpc-cni"),
    name=perhaps(st.sampled_from(["vpc-cni", "coredns"])),
    version=or_none(words),
    prefix_delegation=perhaps(st.booleans()),
    place=st.just(Place("urn:pulumi:dev::theirs::aws:eks/addon:Addon::vpc-cni")),
)
nowhere = st.just(Place("urn:pulumi:dev::theirs::aws:ec2/any:Thing::p5"))
reservations = st.builds(
    CapacityReservation,
    ref=ref(types.CAPACITY_RESERVATION, "p5"),
    instance=or_none(instances),
    zone=or_none(st.sampled_from(["us-west-2a", "moon"])),
    count=or_none(st.integers(-1, 2000)),
    placement_group=or_none(ref(types.PLACEMENT_GROUP, "one")),
    starts=or_none(st.sampled_from(["", "2026-12-21T00:00:00Z", "soon"])),
    place=nowhere,
    platform=or_none(st.sampled_from(["Linux/UNIX", "Windows"])),
    tenancy=or_none(st.sampled_from(["", "default", "dedicated"])),
)
reservation_groups = st.builds(
    ReservationGroup,
    ref=ref(types.RESOURCE_GROUP, "p5"),
    configurations=perhaps(st.frozensets(st.sampled_from([POOL, GENERIC, "other"]))),
    allowed=perhaps(st.frozensets(st.sampled_from([RESERVATION_TYPE, "other"]))),
    members=perhaps(st.lists(reserved | st.sampled_from(["cr-0123456789abcdef0", "arn:"]), max_size=2).map(tuple)),
    place=nowhere,
)
purchases = st.builds(
    CapacityBlockPurchase,
    ref=ref(types.CAPACITY_BLOCK, "p5"),
    offering=perhaps(st.just("cb-0123456789abcdef0")),
    approved_by=or_none(words),
    approved_offering=or_none(words),
    place=nowhere,
    platform=perhaps(st.sampled_from([LINUX, RED_HAT])),
)
placement_groups = st.builds(
    PlacementGroup,
    ref=ref(types.PLACEMENT_GROUP, "one"),
    name=or_none(words),
    strategy=or_none(st.sampled_from(["cluster", "spread", "huddle"])),
    place=nowhere,
)
odd = st.sampled_from([None, True, False, UNKNOWN, 0, 8.0, "", "ml.p5.48xlarge", "256", [], {}, ["a"], {"key": "a"}])
keys = st.sampled_from(
    [
        *("devicePlugin", "enabled", "tolerations", "affinity", "nodeAffinity", "nodeSelector", "image", "tag"),
        *("requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms", "env", "config", "resources"),
        *("nvidia-device-plugin", "aws-efa-k8s-device-plugin", "supportedInstanceLabels", "values", "daemonsets"),
        *("trainingOperators", "training-operators", "schemes", "gpu-operator", "jobset", "install", "requests"),
        *("draDriver", "kubeletPlugin", "managerConfig", "controllerManagerConfigYaml", "neuronInstances", "gpus"),
        *("hyperpod-inference-operator", "inferenceOperators", "fsx", "controllerManager", "manager", "limits"),
        *(
            "containers",
            "volumes",
            "hostPath",
            "path",
            "securityContext",
            "privileged",
            "capabilities",
            "add",
            "hostPID",
        ),
        *("env", "name", "value", "clusters", "users"),
        *("nvidia.com/gpu", "hugepages-2Mi", "vpc.amazonaws.com/efa"),
    ]
)
anything = st.recursive(odd, lambda inner: st.dictionaries(keys, inner, max_size=4) | st.lists(inner, max_size=2))
values = st.dictionaries(keys, anything, max_size=5)
releases = st.builds(
    Addon,
    ref=ref(types.KUBERNETES_ADDON, *CATALOGUE) | ref("kubernetes:helm.sh/v3:Release", "one", "two"),
    version=or_none(words | st.sampled_from(["0.19.1", "v26.3.1", "2.0.0-rc.1"])),
    place=st.just(Place("urn:pulumi:dev::theirs::kubernetes:helm.sh/v3:Release::one")),
    kind=st.sampled_from(AddonKind),
    chart=perhaps(st.sampled_from(["redis", "hyperpod-helm-chart", *BUNDLES])),
    values=perhaps(values),
)
pods = st.builds(
    PodOwner,
    ref=ref("kubernetes:core/v1:Pod", "one", "two"),
    kind=st.sampled_from(["Pod", "PyTorchJob"]),
    templates=st.lists(
        st.builds(
            PodTemplate,
            path=st.just("spec"),
            spec=perhaps(
                st.fixed_dictionaries(
                    {"containers": st.lists(values, max_size=2)},
                    optional={
                        "volumes": anything,
                        "tolerations": anything,
                        "affinity": anything,
                        "nodeSelector": anything,
                    },
                )
            ),
        ),
        max_size=2,
    ).map(tuple),
    place=st.just(Place("urn:pulumi:dev::theirs::kubernetes:core/v1:Pod::one")),
)
statements = st.builds(Statement, actions=st.frozensets(words), resources=st.frozensets(words))
roles = st.builds(
    NodeRole,
    ref=ref("aws:iam/role:Role", "one"),
    place=nowhere,
    policies=perhaps(st.frozensets(words | st.just("arn:aws:iam::aws:policy/AdministratorAccess"))),
    statements=perhaps(st.lists(statements, max_size=2).map(tuple)),
)
grants = st.builds(
    AccessGrant,
    ref=ref(ACCESS_GRANT, "one"),
    who=perhaps(st.lists(words, max_size=2).map(tuple)),
    rights=perhaps(words),
    place=nowhere,
)
buckets = st.builds(
    Bucket,
    ref=ref(ANY_BUCKET, "one"),
    place=nowhere,
    blocked=perhaps(st.booleans()),
    acl=or_none(words),
    policy_for_all=perhaps(st.booleans()),
)
outputs = st.builds(
    Output,
    ref=ref(STACK_OUTPUT, "kubeconfig", "token", "vpc"),
    value=anything,
    secret=st.booleans(),
    place=nowhere,
)
WITNESSES: dict[type, st.SearchStrategy[Any]] = {
    AccessGrant: grants,
    AddedRule: added_rules,
    Bucket: buckets,
    NodeRole: roles,
    Output: outputs,
}
witnessed = st.one_of(WITNESSES.values())
capacity = reservations | reservation_groups | purchases | placement_groups
subnets = st.dictionaries(
    st.sampled_from([A, B]),
    st.builds(
        Subnet,
        id=st.just(A),
        declared_zone=st.none() | st.sampled_from(["us-west-2a", "us-east-1b", "moon"]),
        observed_zone=st.none() | st.just("us-west-2a"),
        zone_id=st.none() | st.just("use1-az3"),
        map_public_ip=st.none() | st.booleans(),
        free_addresses=st.none() | st.integers(0, 300),
    ),
)


@settings(slowly, max_examples=300)
@given(
    st.lists(
        templates | groups | security_groups | control_planes | addons | capacity | releases | pods | witnessed,
        max_size=8,
        unique_by=lambda each: each.ref,
    ),
    subnets,
    st.sampled_from([None, "us-west-2", "us-east-1"]),
)
def test_no_rule_crashes_on_anything(things: list[Any], known: dict[str, Subnet], region: str | None) -> None:
    judge(Fleet(tuple(things), known, region=region))


def test_what_is_only_registered_is_made_here_too() -> None:
    """Each type that no blueprint has: one that is left out would be judged by rules that nobody tried on it."""
    assert set(WITNESSES) == set(WITNESSED)


# Less than everything.

HIDEABLE: dict[type, tuple[str, ...]] = {
    LaunchTemplate: (
        *("instance", "interfaces", "security_groups", "placement_group", "market_type"),
        *("http_tokens", "hop_limit", "root_encrypted", "user_data"),
    ),
    NodeGroup: (
        *("template", "subnets", "ami_type", "capacity_type", "nodes_min", "nodes_start", "nodes_max", "zero_at"),
        *("labels", "taints"),
    ),
    SecurityGroup: ("self_ingress", "self_egress"),
    ControlPlane: ("kubernetes", "subnets", "public_networks", "endpoint_public", "secrets_encrypted"),
    EksAddon: ("name", "version"),
    Addon: ("version", "chart", "values"),
    NetworkInterface: ("card", "device", "type", "security_groups", "public_ip"),
    CapacityTarget: ("reservation", "group"),
    ReservationGroup: ("configurations", "allowed", "members"),
    CapacityBlockPurchase: ("offering", "approved_by", "approved_offering", "platform"),
}
"""What a preview may not know. What is not set is known not to be."""


def hidden(thing: Any, hide: Any) -> Any:
    """A thing with some of its fields not yet known."""
    changes: dict[str, Any] = {name: UNKNOWN for name in hideable_of(thing, HIDEABLE) if hide()}
    if isinstance(thing, LaunchTemplate):
        nics = thing.interfaces if thing.interfaces is not UNKNOWN else ()
        made_of = {each for nic in nics if nic.security_groups is not UNKNOWN for each in nic.security_groups}
        made_of |= set(thing.security_groups if thing.security_groups is not UNKNOWN else ())
        changes["depends_on"] = frozenset(each for each in made_of if isinstance(each, Ref))
        changes["target"] = hidden(thing.target, hide)
        if "interfaces" not in changes:
            changes["interfaces"] = tuple(hidden(nic, hide) for nic in nics)
    return replace(thing, **changes) if changes else thing


@slowly
@given(legal(), st.randoms(use_true_random=False), st.floats(0, 1))
def test_not_knowing_is_no_fault(described: Described, random: Any, share: float) -> None:
    """However little of a legal fleet is known, nothing mandatory is found in it."""
    fleet = fleet_of(EksCluster, described)
    veiled = replace(fleet, objects=tuple(hidden(thing, lambda: random.random() < share) for thing in fleet.objects))
    found = [each for each in judge(veiled).findings if each.level is Level.MANDATORY]
    assert found == []


READ = [
    (LaunchTemplate, "instance"),
    (LaunchTemplate, "interfaces"),
    (LaunchTemplate, "http_tokens"),
    (LaunchTemplate, "hop_limit"),
    (LaunchTemplate, "root_encrypted"),
    (ControlPlane, "secrets_encrypted"),
    (NodeGroup, "template"),
    (NodeGroup, "subnets"),
    (NodeGroup, "nodes_min"),
    (NodeGroup, "nodes_start"),
    (NodeGroup, "nodes_max"),
    (SecurityGroup, "self_ingress"),
    (SecurityGroup, "self_egress"),
    (ControlPlane, "kubernetes"),
    (ControlPlane, "subnets"),
    (EksAddon, "name"),
    (EksAddon, "version"),
    (Addon, "chart"),
    (Addon, "values"),
]
"""What rules read of a group with AWS's interface layout."""


@pytest.mark.parametrize(("kind", "name"), READ, ids=lambda each: each if isinstance(each, str) else each.__name__)
@settings(slowly, max_examples=15)
@given(
    described=legal(
        Wanted(instances=SEVERAL_EFA, layouts=("aws",), kinds=(Kind.ON_DEMAND,), facts=True, joins=False, groups=0)
    )
)
def test_what_is_hidden_is_missed(kind: Any, name: str, described: Described) -> None:
    """Nothing passes in silence that could not be seen."""
    fleet = fleet_of(EksCluster, described)
    before = set(judge(fleet).not_evaluated)
    assert before == set()
    named = [each for each in fleet.of(kind) if each.ref.name in (WORKERS, "vpc-cni")]
    thing = named[0] if named else fleet.of(kind)[0]
    veiled = replace(thing, **{name: UNKNOWN})
    judgement = judge(replace(fleet, objects=tuple(veiled if each is thing else each for each in fleet.objects)))
    assert set(judgement.not_evaluated) - before
    assert {each.rule for each in judgement.findings} <= SAID_OF_LEGAL_ONES
