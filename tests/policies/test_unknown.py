"""Values that a preview does not know: no rule crashes on one, reports a fault because of one, or passes over one."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.blueprint.derive.cluster import derive
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.hyperpod_cluster import HyperPodCluster as HyperPodDescription
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.validation import validate
from muster.finding import Level
from muster.fleet.resources import (
    Addon,
    CapacityBlockPurchase,
    CapacityTarget,
    ComputeResource,
    ControlPlane,
    EksAddon,
    Fleet,
    HeadNode,
    HyperPodCluster,
    InstanceGroup,
    LaunchTemplate,
    LifecycleBundle,
    LustreFileSystem,
    NetworkInterface,
    NodeGroup,
    ParallelCluster,
    Place,
    Queue,
    Ref,
    ReservationGroup,
    SecurityGroup,
)
from muster.fleet.resources.fleet import PROGRAM_ONLY
from muster.policies.engine.catalogue import all_rules, rules_about
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import RuleCrashed, judge
from muster.policies.engine.rule import Rule
from muster.policies.views.addons import RELEASE
from muster.unknown import UNKNOWN, may_be_unknown
from tests.factories import AS_OF, REGION, a_description, a_stored_fleet, elsewhere
from tests.factories.hyperpod_fleets import PLAN, a_chart, a_hyperpod_fleet, an_instance_group, plan_facts
from tests.factories.parallelcluster_fleets import (
    IMAGE,
    a_head,
    a_pcluster,
    a_queue,
    a_script,
    a_slurm_fleet,
    image_facts,
)
from tests.policies.anything import KINDS, fleets
from tests.policies.case import all_cases, rule_of
from tests.policies.cases.account import asked
from tests.policies.storage import DATA
from tests.policies.test_descriptions import ADVICE_FOR_LEGAL_ONES
from tests.strategies import Described, file_systems, legal
from tests.strategies.hyperpod import legal_hyperpod
from tests.strategies.parallelcluster import legal_slurm

slowly = settings(max_examples=30)

HIDEABLE: dict[type, tuple[str, ...]] = {
    LaunchTemplate: (
        *("instance", "interfaces", "security_groups", "placement_group", "market_type"),
        *("http_tokens", "hop_limit", "user_data"),
    ),
    NodeGroup: (
        *("template", "subnets", "ami_type", "capacity_type", "nodes_min", "nodes_start", "nodes_max", "zero_at"),
        *("labels", "taints"),
    ),
    SecurityGroup: ("allows",),
    ControlPlane: (*("kubernetes", "subnets", "public_networks", "endpoint_public", "authentication"),),
    EksAddon: ("name", "version"),
    Addon: ("version", "chart", "values"),
    NetworkInterface: ("card", "device", "type", "security_groups", "public_ip"),
    CapacityTarget: ("reservation", "group"),
    ReservationGroup: ("configurations", "allowed", "members"),
    CapacityBlockPurchase: ("offering", "approved_by", "approved_offering", "platform"),
    HyperPodCluster: ("name", "subnets", "security_groups", "node_recovery", "provisioning", "autoscaler"),
    InstanceGroup: (
        *("instance_type", "nodes_start", "minimum", "subnets", "security_groups", "threads_per_core", "lifecycle"),
        *("deep_checks", "volumes", "training_plan", "spot", "interface", "labels", "taints"),
    ),
    LifecycleBundle: ("name", "files"),
    ParallelCluster: ("version", "os", "image", "mounts", "setting_names"),
    HeadNode: ("instance", "key_pair", "scripts", "buckets", "seconds"),
    Queue: ("subnets", "image", "scripts", "setting_names"),
    ComputeResource: (
        "instances",
        "nodes_min",
        "nodes_max",
        "capacity_type",
        "target",
        "efa",
        "placement",
        "setting_names",
    ),
    LustreFileSystem: (
        *("size", "deployment", "disk", "throughput", "subnets", "security_groups", "drive_cache", "metadata_mode"),
        *("metadata_iops", "efa", "version", "key", "backup_days", "associations"),
    ),
}
"""Type -> the fields that a preview may not know. A field that is not set is known not to be."""


def hidden(thing: Any, hides: Callable[[], bool]) -> Any:
    """A thing, and what is in it, with some fields not yet known."""
    names = [name for name in HIDEABLE.get(type(thing), ()) if getattr(thing, name) not in (None, ())]
    changes: dict[str, Any] = {name: UNKNOWN for name in names if hides()}
    if isinstance(thing, LaunchTemplate):
        nics = thing.interfaces if thing.interfaces is not UNKNOWN else ()
        groups = [each.security_groups for each in (thing, *nics) if each.security_groups is not UNKNOWN]
        changes["depends_on"] = frozenset(each for listed in groups for each in listed if isinstance(each, Ref))
        changes["target"] = hidden(thing.target, hides)
        changes.setdefault("interfaces", tuple(hidden(nic, hides) for nic in nics))
    return replace(thing, **changes) if changes else thing


def fleet_of(form: type[Any], described: Described) -> Fleet:
    made, faults = validate(form, described.document)
    assert made is not None, faults
    return described_fleet(derive(made, "random", described.region, described.known), described.as_of)


@st.composite
def _stored(draw: st.DrawFn) -> Fleet:
    """The default description with a legal file system in the workers' zone."""
    storage = {"storage": {"scratch": {"lustre": file_systems.lustre(draw, ["us-west-2a"])}}}
    return described_fleet(derive(a_description(storage), "test", REGION), AS_OF)


LEGAL: Mapping[str, st.SearchStrategy[Fleet]] = {
    "eks": legal().map(lambda each: fleet_of(EksCluster, each)),
    "hyperpod": legal_hyperpod().map(lambda each: fleet_of(HyperPodDescription, each)),
    "parallelcluster": legal_slurm().map(lambda each: fleet_of(SlurmCluster, each)),
    "storage": _stored(),
}


@pytest.mark.parametrize("kind", LEGAL)
@slowly
@given(data=st.data(), random=st.randoms(use_true_random=False), share=st.floats(0, 1))
def test_an_unknown_value_is_no_fault(kind: str, data: st.DataObject, random: Any, share: float) -> None:
    """However little of a legal fleet is known, nothing mandatory is found in it."""
    fleet = data.draw(LEGAL[kind])
    things = tuple(hidden(each, lambda: random.random() < share) for each in fleet.objects)
    found = judge(replace(fleet, objects=things)).findings
    assert [each for each in found if each.level is Level.MANDATORY] == []


@dataclass(frozen=True)
class Known:
    """A fleet of which everything is known, and the fields that rules need to judge it."""

    fleet: Fleet
    rules: tuple[Rule, ...]
    read: tuple[tuple[type, str], ...]


def _all_but(kinds: tuple[type, ...], *unread: tuple[type, str]) -> tuple[tuple[type, str], ...]:
    return tuple((kind, name) for kind in kinds for name in HIDEABLE[kind] if (kind, name) not in unread)


KNOWN = {
    "eks": Known(
        asked(),
        all_rules(),
        (
            *((LaunchTemplate, name) for name in ("instance", "interfaces", "http_tokens", "hop_limit")),
            *((NodeGroup, name) for name in ("template", "subnets", "nodes_start", "nodes_max")),
            *((ControlPlane, name) for name in ("kubernetes", "subnets")),
            # The cluster's own group, which is on the EFA interfaces too, is enough for EFA.
            *_all_but((SecurityGroup, EksAddon), (SecurityGroup, "allows")),
            *((Addon, name) for name in ("chart", "values")),
        ),
    ),
    "hyperpod": Known(
        a_hyperpod_fleet(
            an_instance_group(
                training_plan=PLAN, minimum=1, deep_checks=frozenset({"InstanceStress"}), threads_per_core=2
            ),
            known=plan_facts(),
        ),
        (*rules_about("hyperpod"), rule_of("hyperpod-vpc-cni")),
        # The CNI is new enough for any interface, and the plan counts the instances.
        (
            *_all_but(
                (HyperPodCluster, InstanceGroup, LifecycleBundle, EksAddon, SecurityGroup),
                *((InstanceGroup, name) for name in ("interface", "deep_checks", "volumes")),
                (InstanceGroup, "spot"),
                (InstanceGroup, "threads_per_core"),
                *((HyperPodCluster, name) for name in ("name", "subnets", "security_groups", "node_recovery")),
            ),
            *((ControlPlane, name) for name in ("kubernetes", "authentication")),
        ),
    ),
    "parallelcluster": Known(
        a_slurm_fleet(
            a_pcluster(image=IMAGE),
            a_head(scripts=a_script("s3://b/k"), buckets=frozenset({"b"}), seconds=60),
            a_queue(image=IMAGE, scripts=a_script()),
            known=image_facts(),
        ),
        rules_about("parallelcluster"),
        # The placement is set, and the nodes are on demand.
        _all_but(
            (ParallelCluster, HeadNode, Queue, ComputeResource),
            *((HeadNode, "key_pair"), (ComputeResource, "nodes_min"), (ComputeResource, "nodes_max")),
            *((ComputeResource, "efa"), (ComputeResource, "target")),
        ),
    ),
    "storage": Known(
        a_stored_fleet(**DATA),
        tuple(rule for rule in all_rules() if rule.kinds == (LustreFileSystem,)),
        tuple(
            (LustreFileSystem, name)
            for name in HIDEABLE[LustreFileSystem]
            if name in ("subnets", "security_groups", "efa", "version")
        ),
    ),
}


@pytest.mark.parametrize(
    ("known", "kind", "name"),
    [pytest.param(known, *each, id=f"{each[0].__name__}-{each[1]}") for known in KNOWN.values() for each in known.read],
)
def test_an_unknown_value_is_reported(known: Known, kind: type, name: str) -> None:
    """A rule that cannot see a value says that it did not evaluate."""
    before = judge(known.fleet, rules=known.rules).not_evaluated
    less: dict[str, Any] = {name: UNKNOWN}
    things = tuple(replace(each, **less) if type(each) is kind else each for each in known.fleet.objects)
    judgement = judge(replace(known.fleet, objects=things), rules=known.rules)
    assert set(judgement.not_evaluated) - set(before)
    assert {each.rule for each in judgement.findings} <= ADVICE_FOR_LEGAL_ONES


def test_a_chart_of_which_nothing_is_known_may_be_hyperpods() -> None:
    """The engine shows no inputs of a release whose kubeconfig is not known yet."""
    unknown = elsewhere(a_chart(Ref(RELEASE, "hidden"), chart=UNKNOWN, values=UNKNOWN), "hidden")
    judgement = judge(a_hyperpod_fleet(unknown, without=(Addon,)), rules=rules_about("hyperpod"))
    assert judgement.findings == ()
    assert [each.rule for each in judgement.not_evaluated] == ["hyperpod-chart-before-cluster"]


# no crash


@settings(max_examples=150)
@given(fleets())
def test_no_rule_crashes_on_anything(fleet: Fleet) -> None:
    """Whatever a program states, however little of it is known, and though two things have one name."""
    judge(fleet)


def test_anything_is_of_every_type_that_is_judged() -> None:
    assert {kind for rule in all_rules() for kind in rule.kinds} | set(PROGRAM_ONLY) <= set(KINDS)


FLEETS = 2
"""In how many fleets each field is hidden by itself: of all cases the first that have it."""


@cache
def _may_be_unknown(kind: type) -> frozenset[str]:
    if not is_dataclass(kind) or kind in (Place, Ref, Fleet):
        return frozenset()
    hints = get_type_hints(kind)
    return frozenset(each.name for each in fields(kind) if may_be_unknown(hints[each.name]))


def _one_hidden(thing: Any) -> Iterator[tuple[type, str, Any]]:
    """The thing with each one of its fields hidden, and of the things in it: the field's class, its name, the thing."""
    if not is_dataclass(thing) or isinstance(thing, Place | Ref | type):
        return
    for name in sorted(_may_be_unknown(type(thing))):
        if getattr(thing, name) is not UNKNOWN:
            yield type(thing), name, replace(thing, **{name: UNKNOWN})
    for each in fields(thing):
        if not each.init:
            continue
        value = getattr(thing, each.name)
        for kind, name, within in _one_hidden(value):
            yield kind, name, replace(thing, **{each.name: within})
        if isinstance(value, tuple | frozenset):
            listed = sorted(value, key=repr) if isinstance(value, frozenset) else value
            for index, one in enumerate(listed):
                for kind, name, within in _one_hidden(one):
                    changed = type(value)((*listed[:index], within, *listed[index + 1 :]))
                    yield kind, name, replace(thing, **{each.name: changed})


def _less_known() -> Iterator[tuple[tuple[type, str], Fleet]]:
    seen: dict[tuple[type, str], int] = {}
    for case in all_cases():
        fleet = case.fleet()
        here: set[tuple[type, str]] = set()
        for index, thing in enumerate(fleet.objects):
            for kind, name, less in _one_hidden(thing):
                key = (kind, name)
                if key not in here and seen.get(key, 0) < FLEETS:
                    here.add(key)
                    seen[key] = seen.get(key, 0) + 1
                    yield key, replace(fleet, objects=(*fleet.objects[:index], less, *fleet.objects[index + 1 :]))


def test_no_rule_crashes_on_one_unknown_value() -> None:
    """Each field of everything in the cases is hidden by itself."""
    crashed: dict[str, set[str]] = {}
    for (kind, name), fleet in _less_known():
        crashes: list[RuleCrashed] = []
        judge(fleet, crashes=crashes)
        if crashes:
            crashed.setdefault(f"{kind.__name__}.{name}", set()).update(each.rule for each in crashes)
    assert crashed == {}
