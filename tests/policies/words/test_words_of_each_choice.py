"""Words that a rule chooses among: each choice in a fleet that leads to it, and what leads to none of them."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from muster.config.description.capacity import Capacity
from muster.fleet.resources import CapacityTarget, Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from tests.factories import CR, a_fleet, a_group, a_template, interfaces
from tests.hyperpods import a_hyperpod_fleet
from tests.policies.capacity_blocks import NEXT, theirs
from tests.policies.cases.account import VPC, asked
from tests.policies.cases.existing_clusters import a_cluster, aws_says, joined
from tests.policies.cases.kubernetes_versions import eks_says
from tests.slurms import a_pcluster, a_queue, a_resource, a_slurm_fleet

SWITCH = (
    "switch it: `aws eks update-cluster-config --name theirs --region us-west-2 --access-config "
    "authenticationMode=API_AND_CONFIG_MAP` (takes minutes, has no way back)"
)
NO_VPC = "name a VPC that is there, or ask with a profile of its account"
AROUND = "remove placement from the template"
FEWER = "4 of the 32 EFA interfaces of p5.48xlarge"
GROUP_ARN = "arn:aws:resource-groups:us-west-2:111122223333:group/p5"
C = "us-west-2c"
BY_AWS = {"provided-by": "aws"}
MARKET = "instanceMarketOptions: {marketType: capacity-block}"
TARGET = "capacityReservationTarget: {capacityReservationId: cr-...}"
CALLED = "call them without -st- and -dy-"


def _account(**said: Any) -> Fleet:
    """Facts of an account that knows no such VPC."""
    return asked({f"vpcs.{VPC}": {"exists": False}, "account": said})


def _not_offered(**more: Any) -> Fleet:
    return a_fleet(facts=eks_says(offered=False), **more)


def _of_types(*types: str) -> Fleet:
    return a_slurm_fleet(a_resource(flexible=True, instances=types))


def _first_of(kind: Any) -> Fleet:
    """A primary interface of some type, and four with EFA."""
    first, *others = interfaces()[:5]
    return a_fleet(a_template(interfaces=(replace(first, type=kind), *others)))


def _away(capacity: str | None = None) -> Fleet:
    """A group in a queue of a zone that has no subnet."""
    said = Capacity.model_validate(capacity) if capacity else None
    return a_slurm_fleet(a_queue(subnets=(), zones=(C,)), a_resource(subnets=(), capacity=said))


def _held(**capacity: Any) -> Fleet:
    """A group whose capacity is in another zone than its queue."""
    said = {each.replace("_", "-"): {"zone": "us-west-2a", "count": 4, **one} for each, one in capacity.items()}
    group = a_resource(subnets=(), capacity=Capacity.model_validate(said))
    return a_slurm_fleet(a_queue(subnets=(), zones=(C,)), group)


def _targeting(*settings: str, market: Any = None) -> Fleet:
    """A group on a block, whose template has no target that anybody reads."""
    return theirs(template={"target": CapacityTarget(), "settings": frozenset(settings), "market_type": market})


def _own_nodes(*names: str) -> Fleet:
    return a_slurm_fleet(a_pcluster(node_names=frozenset(names)))


FOUND = [
    (
        "named-things-exist",
        _account(id="222233334444"),
        f"AWS knows no VPC {VPC} of account 222233334444 in us-west-2",
        NO_VPC,
    ),
    (
        "named-things-exist",
        _account(region="us-west-2"),
        f"AWS knows no VPC {VPC} of this account in us-west-2",
        NO_VPC,
    ),
    (
        "existing-cluster-as-declared",
        joined(aws_says(authentication="CONFIG_MAP")),
        "theirs is said to have authentication mode API_AND_CONFIG_MAP; AWS says CONFIG_MAP",
        f"{SWITCH}, or write authentication: config-map",
    ),
    (  # which takes access entries alone
        "existing-cluster-as-declared",
        a_hyperpod_fleet(a_cluster(), known=aws_says(authentication="CONFIG_MAP")),
        "theirs is said to have authentication mode API_AND_CONFIG_MAP; AWS says CONFIG_MAP",
        SWITCH,
    ),
    (
        "kubernetes-version-offered",
        _not_offered(region=None),
        "EKS does not offer Kubernetes 1.35 in this Region",
        "take a version in standard support (1.34 and 1.36)",
    ),
    (
        "kubernetes-version-offered",
        _not_offered(as_of=date(2031, 1, 1)),
        "EKS does not offer Kubernetes 1.35 in us-west-2",
        "take a version in standard support (`aws eks describe-cluster-versions` lists them)",
    ),
    (
        "capacity-block-no-placement-group",
        a_fleet(a_template(market_type="capacity-block", placement_group="ours"), without=[NodeGroup]),
        "placement group ours around a Capacity Block",
        AROUND,
    ),
    (
        "capacity-block-no-placement-group",
        a_fleet(a_template(placement_group="ours"), a_group(capacity_type="CAPACITY_BLOCK")),
        "placement group ours around a Capacity Block",
        AROUND,
    ),
    (
        "parallelcluster-types-alike",
        _of_types("g5.24xlarge", "p4d.24xlarge"),
        "workers lists types with different numbers of accelerators: g5.24xlarge 4 and p4d.24xlarge 8",
        "list types with as many, or one alone",
    ),
    (
        "parallelcluster-types-alike",
        _of_types("c5.2xlarge", "m5.8xlarge"),
        "workers lists types with different numbers of vCPUs: c5.2xlarge 8 and m5.8xlarge 32",
        "list types with as many, or one alone",
    ),
    (
        "parallelcluster-slurm-settings-allowed",
        _own_nodes("own-dy-[1-4]", "own-std-[1-4]"),
        "nodes of your own are called own-dy-[1-4]",
        CALLED,
    ),
    (
        "parallelcluster-slurm-settings-allowed",
        _own_nodes("own-st-[1-4]", "st-own-dy"),
        "nodes of your own are called own-st-[1-4]",
        CALLED,
    ),
    *(
        (
            "group-has-subnet",
            _held(**{kind: {**said, **more}}),
            f"the queue is in us-west-2c, and the {noun} of workers in us-west-2a",
            "write zones: [us-west-2a], or leave zones out",
        )
        for kind, said, more, noun in (
            ("reservation", {"id": CR}, BY_AWS, "reservation"),
            ("reservation_group", {"arn": GROUP_ARN}, BY_AWS, "reservations"),
            ("capacity_block", {"id": CR}, NEXT, "Capacity Block"),
        )
    ),
    *(
        (
            "capacity-block-template",
            _targeting(*settings),
            f"the template's group is of capacityType CAPACITY_BLOCK, and has no {' and no '.join(lacking)}",
            f"write {' and '.join(reversed(lacking))} into it",
        )
        for settings, lacking in (((), (MARKET, TARGET)), (("capacityReservationSpecification",), (MARKET,)))
    ),
    (
        "capacity-block-template",
        _targeting(market=UNKNOWN),
        f"the template's group is of capacityType CAPACITY_BLOCK, and has no {TARGET}",
        f"write {TARGET} into it",
    ),
    *(
        (
            "group-has-subnet",
            fleet,
            f"the network lists no private subnet in {C} (subnets there are in us-west-2a and us-west-2b)",
            "list one there in the network, or name another zone",
        )
        for fleet in (_away("spot"), _away())
    ),
    ("efa-used-fully", _first_of(None), FEWER, "add the others, one on each EFA-capable card"),
    ("efa-used-fully", _first_of("interface"), FEWER, "add the others, one on each EFA-capable card"),
]
"""(rule, fleet, what was found, what to do)."""

UNSEEN = "AssignPublicIp and the number of interfaces, not known before creation"
PUBLIC = "several-interfaces-no-public-ip"

MISSED = [
    (PUBLIC, a_slurm_fleet(a_resource(public_ip=True, instances=UNKNOWN)), "instanceTypes, not known before creation"),
    (PUBLIC, a_slurm_fleet(a_resource(public_ip=True, instances=("g5.8xlarge",), efa=UNKNOWN)), UNSEEN),
    (PUBLIC, a_slurm_fleet(a_resource(public_ip=UNKNOWN)), UNSEEN),
]
"""(rule, fleet, what was missing)."""

FINE = [
    # of a target that says neither a block nor a preference another rule speaks
    ("capacity-block-template", _targeting("capacityReservationSpecification", market="capacity-block")),
    ("existing-cluster-as-declared", joined(aws_says(), security_groups=UNKNOWN)),
    ("existing-cluster-as-declared", joined(aws_says(), security_groups=())),
    ("capacity-block-no-placement-group", a_fleet(a_template(placement_group="ours"))),
    ("parallelcluster-slurm-settings-allowed", _own_nodes("own-std-[1-4]", "st-own-dy")),
    ("efa-used-fully", _first_of("ena")),  # interface-type-known speaks of it
    (PUBLIC, a_slurm_fleet(a_resource(public_ip=True, instances=("m5.2xlarge",), efa=False))),
    (PUBLIC, a_slurm_fleet(a_resource(public_ip=UNKNOWN, instances=("m5.2xlarge",), efa=False))),
    (PUBLIC, a_slurm_fleet(a_resource(public_ip=None, efa=UNKNOWN))),
]
"""(rule, a fleet of which it has nothing to say)."""


def _names(table: list[Any]) -> list[str]:
    return [each[0] for each in table]


@pytest.mark.parametrize(("rule", "fleet", "got", "remedy"), FOUND, ids=_names(FOUND))
def test_what_is_found(rule: str, fleet: Fleet, got: str, remedy: str) -> None:
    """One thing, in these words; and nothing is missing."""
    judgement = judge(fleet, rules=[rule_of(rule)])
    assert [(each.got, each.remedy) for each in judgement.findings] == [(got, remedy)]
    assert not judgement.not_evaluated


@pytest.mark.parametrize(("rule", "fleet", "missing"), MISSED, ids=_names(MISSED))
def test_what_is_missing(rule: str, fleet: Fleet, missing: str) -> None:
    """One thing, in these words; and nothing is found."""
    judgement = judge(fleet, rules=[rule_of(rule)])
    assert [each.missing for each in judgement.not_evaluated] == [missing]
    assert not judgement.findings


@pytest.mark.parametrize(("rule", "fleet"), FINE, ids=_names(FINE))
def test_what_is_fine(rule: str, fleet: Fleet) -> None:
    """Nothing is found, and nothing is missing."""
    judgement = judge(fleet, rules=[rule_of(rule)])
    assert not judgement.findings
    assert not judgement.not_evaluated
