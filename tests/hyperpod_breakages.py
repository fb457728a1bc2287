"""Ways to break a legal cluster on HyperPod, each named, with the one rule and the places that it must yield."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from hypothesis import strategies as st

from muster.addons.catalogue import CATALOGUE
from tests.factories import DROP
from tests.hyperpod_strategies import ACCELERATED, IN_PLANS, WantedHyperPod, key_of, legal_hyperpod, observed
from tests.strategies import ACCOUNT, WORKERS, Described, made_up
from tests.strategies.groups import may_be_for

GROUP = f"groups.{WORKERS}"

GPUS = ("p5.48xlarge", "p4d.24xlarge", "g5.48xlarge")
"""With EFA, and plugins of the same names."""

CHECKS = ["instance-stress", "instance-connectivity"]

SCHEDULED = f"arn:aws:sagemaker:REGION:{ACCOUNT}:training-plan/broken"

_ALONE = WantedHyperPod(groups=0, teams=False)
"""No groups beside `system` and the workers: they would be broken, too."""

Edits = Mapping[str, Any]


def _nothing(described: Described) -> Described:
    return described


@dataclass(frozen=True)
class Breakage:
    """One way to break a description, and the rule that names it."""

    rule: str
    places: tuple[str, ...]
    edits: Edits = field(default_factory=dict)
    """What is said instead; `ZONE` stands for the workers' zone, `OTHER` for another one, `KEY` for a key of the
    Region; `REGION` in a plan's ARN for the stack's Region."""
    wanted: WantedHyperPod = _ALONE
    learn: Callable[[Described], Described] = _nothing
    """What AWS says instead."""
    also: frozenset[tuple[str, str]] = frozenset()
    """What else cannot but be wrong, by rule and place."""


def _fact(kind: str, id_: Callable[[Described], str], **said: Any) -> Callable[[Described], Described]:
    return lambda described: described.learn(kind, id_(described), **said)


def _named(id_: str) -> Callable[[Described], str]:
    return lambda described: id_


def _existing(described: Described) -> str:
    return str(described.document["control-plane"]["existing"]["name"])


def _subnet(described: Described) -> str:
    return str(described.network["private"][described.workers["zone"]])


def _held(described: Described) -> str:
    return str(described.workers["capacity"]["training-plan"]["arn"])


def _quota(described: Described) -> Described:
    quotas = {**described.facts["hyperpodQuotas"], f"ml.{described.workers['instance']} for cluster usage": 1}
    return replace(described, facts={**described.facts, "hyperpodQuotas": quotas})


def _old_cni(described: Described) -> Described:
    """The other add-ons stay: MLflow's pods need the one of pod identity."""
    name = _existing(described)
    beside = described.facts["clusters"][name]["eksAddons"]
    return described.learn("clusters", name, eksAddons={**beside, "vpc-cni": "v1.18.2-eksbuild.1"})


def _plan(**said: Any) -> Edits:
    """The workers on a training plan."""
    plan = {"arn": SCHEDULED, "zone": "ZONE", "count": 2}
    return {f"{GROUP}.capacity": {"training-plan": {**plan, **said}}}


def _wanted(**said: Any) -> WantedHyperPod:
    return WantedHyperPod(groups=0, teams=False, **said)


class BrokenHyperPod(Enum):
    """The ways."""

    MINIMUM_OF_ALL_AT_ONCE = Breakage(
        "hyperpod-minimum-needs-continuous",
        (f"{GROUP}.nodes.minimum",),
        {f"{GROUP}.nodes": {"count": 2, "minimum": 1}},
        _wanted(continuous=False),
    )
    SCALED_AND_ALL_AT_ONCE = Breakage(
        "hyperpod-autoscaling-complete",
        ("hyperpod.autoscaling",),
        {"hyperpod.autoscaling": "karpenter", "hyperpod.node-recovery": DROP},
        _wanted(continuous=False),
    )
    SCALED_WITHOUT_RECOVERY = Breakage(
        "hyperpod-autoscaling-complete",
        ("hyperpod.autoscaling",),
        {"hyperpod.autoscaling": "karpenter", "hyperpod.node-recovery": "none"},
        _wanted(continuous=True),
    )
    TYPE_OF_EC2_ALONE = Breakage(
        "hyperpod-instance-type-taken",
        (f"{GROUP}.instance",),
        {f"{GROUP}.instance": "p3dn.24xlarge"},
        _wanted(types=GPUS),
    )
    METAL = Breakage(
        "hyperpod-instance-type-taken", (f"{GROUP}.instance",), {f"{GROUP}.instance": "g4dn.metal"}, _wanted(types=GPUS)
    )
    PLAN_TOO_SMALL = Breakage(
        "training-plan-covers-nodes", (f"{GROUP}.nodes",), _plan(count=1), _wanted(types=IN_PLANS, facts=False)
    )
    PLAN_SMALLER_THAN_SAID = Breakage(
        "training-plan-covers-nodes",
        (f"{GROUP}.capacity.training-plan.count",),
        _plan(count=4),
        _wanted(types=IN_PLANS, facts=True),
        _fact("trainingPlans", _held, totalInstances=3),
    )
    PLAN_ELSEWHERE = Breakage(
        "training-plan-zone", (f"{GROUP}.zone",), _plan(zone="OTHER"), _wanted(types=IN_PLANS, facts=False)
    )
    PLAN_OBSERVED_ELSEWHERE = Breakage(
        "training-plan-zone",
        (f"{GROUP}.capacity.training-plan.zone",),
        _plan(),
        _wanted(types=IN_PLANS, facts=True),
        _fact("trainingPlans", _held, zone="us-gov-west-1a"),
    )
    PLAN_OF_ANOTHER_REGION = Breakage(
        "training-plan-zone",
        (f"{GROUP}.capacity.training-plan.arn",),
        _plan(arn=SCHEDULED.replace("REGION", "us-gov-west-1")),
        _wanted(types=IN_PLANS, facts=False),
    )
    PLAN_OVER = Breakage(
        "training-plan-usable",
        (f"{GROUP}.capacity.training-plan.arn",),
        _plan(),
        _wanted(types=IN_PLANS, facts=True),
        _fact("trainingPlans", _held, state="Expired"),
    )
    PLAN_NOT_BEGUN = Breakage(
        "training-plan-usable",
        (f"{GROUP}.capacity.training-plan.arn",),
        _plan(),
        _wanted(types=IN_PLANS, facts=True),
        _fact("trainingPlans", _held, state="Scheduled"),
    )
    PLAN_OF_JOBS = Breakage(
        "training-plan-usable",
        (f"{GROUP}.capacity.training-plan.arn",),
        _plan(),
        _wanted(types=IN_PLANS, facts=True),
        _fact("trainingPlans", _held, targets=["training-job"]),
    )
    PLAN_OF_NO_TYPE = Breakage(
        "training-plan-type", (f"{GROUP}.instance",), _plan(), _wanted(types=("g5.48xlarge",), facts=False)
    )
    PLAN_OF_ANOTHER_TYPE = Breakage(
        "training-plan-type",
        (f"{GROUP}.instance",),
        _plan(),
        _wanted(types=("p5.48xlarge",), facts=True),
        _fact("trainingPlans", _held, instanceType="ml.p5en.48xlarge"),
    )
    QUOTA_TOO_SMALL = Breakage(
        "hyperpod-quota-covers-nodes", (f"{GROUP}.nodes",), {}, _wanted(types=ACCELERATED, facts=True), _quota
    )
    SECURITY_GROUP_WITHOUT_WAY_OUT = Breakage(
        "hyperpod-security-groups-allow-themselves",
        (f"{GROUP}.security-groups",),
        {f"{GROUP}.security-groups": [made_up("sg", 99)]},
        _wanted(types=GPUS, facts=True),
        _fact("securityGroups", _named(made_up("sg", 99)), selfEgress=False),
    )
    PUBLIC_ADDRESSES = Breakage(
        "hyperpod-private-subnets",
        (f"{GROUP}.subnets",),
        {"groups.system.zone": "OTHER"},
        _wanted(created=False, facts=True),
        _fact("subnets", _subnet, mapPublicIpOnLaunch=True),
    )
    A_SECOND_ONE = Breakage(
        "hyperpod-alone-on-eks",
        ("hyperpod",),
        {},
        _wanted(joins=True, facts=True),
        _fact("clusters", _existing, hyperpodClusters=["another"]),
    )
    NO_ACCESS_ENTRIES = Breakage(
        "hyperpod-authentication-mode",
        ("control-plane.existing.authentication",),
        {"control-plane.existing.authentication": "config-map", "access": DROP},
        _wanted(joins=True),
    )
    TOO_NEW = Breakage(
        "hyperpod-kubernetes-version",
        ("kubernetes",),
        {"kubernetes": "1.36"},
        also=frozenset({("addon-supports-kubernetes", "addons.hyperpod")}),
    )
    NO_CHART = Breakage("hyperpod-chart-before-cluster", ("hyperpod",), {"addons.hyperpod": DROP}, _wanted(joins=False))
    OLD_CNI = Breakage(
        "hyperpod-vpc-cni",
        ("control-plane.existing.name",),
        {f"{GROUP}.hyperpod": DROP, "groups.system.hyperpod": DROP},
        _wanted(joins=True, facts=True),
        _old_cni,
    )
    SCRIPT_NOT_THERE = Breakage(
        "lifecycle-script-in-bundle",
        (f"{GROUP}.hyperpod.lifecycle",),
        {f"{GROUP}.hyperpod": {"lifecycle": {"own": {"at": "s3://sagemaker-empty/base", "on-create": "setup.sh"}}}},
        _wanted(facts=True),
        _fact("buckets", _named("sagemaker-empty"), files=["setup.sh"]),
    )
    EFA_EVERYWHERE = Breakage("efa-single-zone", (f"{GROUP}.zone",), {f"{GROUP}.zone": DROP}, _wanted(types=GPUS))
    TRAINING_ON_SPOT = Breakage(
        "spot-not-for-training",
        (f"{GROUP}.capacity.spot",),
        {f"{GROUP}.capacity": "spot"},
        _wanted(types=GPUS, continuous=True),
    )
    SPOT_ALL_AT_ONCE = Breakage(
        "hyperpod-spot-needs-continuous",
        (f"{GROUP}.capacity.spot",),
        {f"{GROUP}.for": "inference", f"{GROUP}.capacity": {"spot": {"interruptions-accepted": True}}},
        _wanted(continuous=False),
    )


@st.composite
def broken_hyperpod(draw: st.DrawFn, how: BrokenHyperPod) -> tuple[Described, set[tuple[str, str]]]:
    """A description with one thing wrong, and what must be found of it: rule and place."""
    breakage = how.value
    legal = draw(legal_hyperpod(breakage.wanted))
    zone, other = draw(st.permutations(legal.zones))[:2]
    instance = legal.workers["instance"]
    purpose = "training" if may_be_for("training", instance) else "inference"
    plain = {"for": purpose, "instance": instance, "nodes": 2, "zone": zone}
    words = {
        "ZONE": zone,
        "OTHER": other,
        "KEY": key_of(legal.region),
        SCHEDULED: SCHEDULED.replace("REGION", legal.region),
    }
    named = {path: _said(said, words) for path, said in breakage.edits.items()}
    document = legal.edit({GROUP: plain, "storage": {}, "addons": _plugins(legal), **named}).document
    described = Described(document, legal.region, observed(document, legal.region) if legal.facts else {})
    return breakage.learn(described), {(breakage.rule, place) for place in breakage.places} | breakage.also


def _plugins(legal: Described) -> dict[str, Any]:
    """The add-ons that the groups need, without those that only stand beside them."""
    return {
        name: said for name, said in legal.document["addons"].items() if name == "hyperpod" or CATALOGUE[name].serves
    }


def _said(said: Any, words: Mapping[str, str]) -> Any:
    """What is said, with what its words stand for."""
    if isinstance(said, dict):
        return {key: _said(inner, words) for key, inner in said.items()}
    return words.get(said, said) if isinstance(said, str) else said
