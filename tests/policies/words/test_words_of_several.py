"""Words of one rule about several things where its cases have one: they agree with how many things there are."""

from dataclasses import replace
from typing import Any

import pytest

from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup, Ref
from muster.fleet.resources.ref import SECURITY_GROUP
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from tests.factories import (
    CR,
    LUSTRE_GROUP_REF,
    A,
    B,
    a_fleet,
    a_group,
    a_lustre_group,
    a_reservation,
    a_security_group,
    a_stored_fleet,
    a_subnet,
    a_template,
    an_interface,
    interfaces,
    on,
    reservation_facts,
)
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.policies.account_limits import ACCOUNT, EVERY, said
from tests.policies.addons import PLUGINS, with_addons
from tests.policies.cases.account import asked, offered
from tests.policies.cases.ways_out import behind, shut
from tests.policies.storage import linked
from tests.slurms import a_pcluster, a_resource, a_slurm_fleet

VPC, TGW = "vpc-0123456789abcdef0", "tgw-0123456789abcdef0"
SERVICES = "ec2, ecr.api, ecr.dkr and s3"
PORTS = "TCP 988 and 1018 to 1023 in from and out to"


def on_processors(**more: Any) -> Fleet:
    """Instances of two types without accelerators and without EFA."""
    return a_hyperpod_fleet(
        an_instance_group(instance_type=None, requirements=("ml.m5.2xlarge", "ml.c5.2xlarge"), **more)
    )


def plugin_by_group(*groups: str) -> Fleet:
    """EFA's plugin on groups by name, beside one more of processors."""
    own = {"supportedInstanceLabels": {"keys": ["muster/group"], "values": [*groups, "workers"]}}
    more = {"for": "system", "nodes": 1, "instance": "c5.2xlarge"}
    return with_addons({**PLUGINS, "efa-device-plugin": {"values": own}}, **{"groups.more": more})


def with_addresses(*asking: int) -> Fleet:
    """AWS's layout, in which some of its interfaces ask for addresses."""
    return a_fleet(
        a_template(interfaces=tuple(replace(nic, addresses=i in asking) for i, nic in enumerate(interfaces())))
    )


def on_cards(*cards: int) -> Fleet:
    """Interfaces at device 2 of some cards."""
    return a_fleet(a_template(interfaces=(*interfaces(), *(an_interface(card, 2) for card in cards))))


def in_zones(*subnets: str) -> Fleet:
    return a_fleet(
        a_template(instance="m5.8xlarge", interfaces=()),
        a_group(subnets=subnets),
        facts=offered("us-west-2c", instance="m5.8xlarge"),
    )


def under_groups(*groups: str) -> Fleet:
    return a_fleet(a_template(interfaces=interfaces(groups=groups)))


def set_for_slurm(*settings: str) -> Fleet:
    return a_slurm_fleet(a_pcluster(accounting=UNKNOWN, slurm_settings=frozenset(settings)))


def linked_twice(*buckets: str) -> Fleet:
    return a_stored_fleet(**linked(*((f"/{each}{n}", f"s3://{each}") for each in buckets for n in (1, 2))))


def stored(*groups: str) -> Fleet:
    """A file system open to itself alone, in groups of the program."""
    refs = [LUSTRE_GROUP_REF, *(Ref(SECURITY_GROUP, each) for each in groups)]
    closed = [a_security_group(each, ingress=False, egress=False) for each in groups]
    return a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF), *closed, security_groups=tuple(refs))


FOUND = [
    (
        "plugin-stays-with-its-devices",
        *(plugin_by_group("system"), plugin_by_group("system", "more")),
        "the EFA device plugin of efa-device-plugin is on system, which has no vpc.amazonaws.com/efa",
        "the EFA device plugin of efa-device-plugin is on more and system, which have no vpc.amazonaws.com/efa",
    ),
    (
        "hyperpod-deep-checks-known",
        a_hyperpod_fleet(an_instance_group(instance_type="ml.c5.2xlarge", deep_checks=frozenset({"InstanceStress"}))),
        on_processors(deep_checks=frozenset({"InstanceStress"})),
        "workers asks for deep health checks of accelerators on ml.c5.2xlarge, which has none",
        "workers asks for deep health checks of accelerators on ml.c5.2xlarge and ml.m5.2xlarge, which have none",
    ),
    (
        "hyperpod-interface-fits",
        a_hyperpod_fleet(an_instance_group(instance_type="ml.c5.2xlarge", interface="efa")),
        on_processors(interface="efa"),
        "workers asks for efa interfaces on ml.c5.2xlarge, which has no EFA",
        "workers asks for efa interfaces on ml.c5.2xlarge and ml.m5.2xlarge, which have no EFA",
    ),
    (
        "efa-fits-instance",
        *(a_slurm_fleet(a_resource(instances=of)) for of in (("m5.2xlarge",), ("m5.2xlarge", "c5.2xlarge"))),
        "EFA on m5.2xlarge, which has none",
        "EFA on c5.2xlarge and m5.2xlarge, which have none",
    ),
    (
        "efa-only-without-address",
        *(with_addresses(1), with_addresses(1, 2)),
        "the efa-only interface at card 0 / device 1 asks for IP addresses",
        "the efa-only interfaces at card 0 / device 1 and card 1 / device 0 ask for IP addresses",
    ),
    (
        "interface-device-index",
        *(on_cards(1), on_cards(1, 2)),
        "an interface is at card 1 / device 2",
        "interfaces are at card 1 / device 2 and card 2 / device 2",
    ),
    (
        "subnet-reaches-aws",
        *(asked({f"subnets.{each}.wayOut": "internet-gateway" for each in of}) for of in ((A,), (A, B))),
        f"{A} leads to an internet gateway without public addresses for nodes, and {VPC} has no endpoint of {SERVICES}",
        (
            f"{A} and {B} lead to an internet gateway without public addresses for nodes, and {VPC} has no endpoint of "
            f"{SERVICES}"
        ),
    ),
    (
        "subnet-reaches-aws",
        *(asked(shut(*of)) for of in (("ec2", "ecr.api", "ecr.dkr"), ("ec2", "ecr.api"))),
        f"{A} has no way out, and the endpoint of s3 does not serve it",
        f"{A} has no way out, and the endpoints of ecr.dkr and s3 do not serve it",
    ),
    (
        "type-offered-in-zone",
        *(in_zones(A), in_zones(A, B)),
        "us-west-2a does not offer m5.8xlarge to this account: AWS offers it in us-west-2c",
        "us-west-2a and us-west-2b do not offer m5.8xlarge to this account: AWS offers it in us-west-2c",
    ),
    (
        "lustre-association-paths-apart",
        *(linked_twice("a"), linked_twice("a", "b")),
        "s3://a is linked twice",
        "s3://a and s3://b are linked twice",
    ),
    (
        "lustre-ports-open",
        *(stored(), stored("more")),
        f"security group fsx does not let pass {PORTS} the nodes of workers",
        f"security groups fsx and more do not let pass {PORTS} the nodes of workers",
    ),
]
"""(rule, a fleet with one, a fleet with two, what is found in each)."""

MISSED = [
    (
        "hyperpod-private-subnets",
        *(
            a_hyperpod_fleet(an_instance_group(subnets=of), subnets=[a_subnet(each, map_public_ip=None) for each in of])
            for of in (("subnet-1",), ("subnet-1", "subnet-2"))
        ),
        "whether subnet-1 gives public IP addresses (`muster schema facts` shows the form)",
        "whether subnet-1 and subnet-2 give public IP addresses (`muster schema facts` shows the form)",
    ),
    (
        "subnet-reaches-aws",
        asked({f"subnets.{A}.wayOut": "other", f"subnets.{A}.gateway": TGW}),
        asked(behind(TGW)),
        (
            f"whether nodes reach {SERVICES} behind {TGW}, to which {A} leads: look at the route tables, NAT and "
            f"firewalls behind it, or have endpoints of {SERVICES} in {VPC} serve it"
        ),
        (
            f"whether nodes reach {SERVICES} behind {TGW}, to which {A} and {B} lead: look at the route tables, NAT "
            f"and firewalls behind it, or have endpoints of {SERVICES} in {VPC} serve them"
        ),
    ),
    (
        "node-template-reaches-control-plane",
        *(under_groups("sg-1"), under_groups("sg-1", "sg-2")),
        "the cluster's security group: whether sg-1 reaches it",
        "the cluster's security group: whether sg-1 and sg-2 reach it",
    ),
    (
        "parallelcluster-slurm-settings-allowed",
        *(set_for_slurm("JobAcctGatherType"), set_for_slurm("JobAcctGatherType", "AccountingStorageHost")),
        "whether there is accounting, not known before creation: with it JobAcctGatherType is ParallelCluster's own",
        (
            "whether there is accounting, not known before creation: with it AccountingStorageHost and "
            "JobAcctGatherType are ParallelCluster's own"
        ),
    ),
    (
        "lustre-ports-open",
        *(a_stored_fleet(security_groups=of) for of in (("sg-1",), ("sg-1", "sg-2"))),
        f"whether security group sg-1 lets pass {PORTS} itself and {PORTS} the nodes of workers",
        f"whether security groups sg-1 and sg-2 let pass {PORTS} itself and {PORTS} the nodes of workers",
    ),
]
"""(rule, a fleet with one, a fleet with two, what is missing of each)."""


def _of(table: list[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("rule", "one", "two", "of_one", "of_two"), table, ids=[each[0] for each in table])


@_of(FOUND)
def test_one_and_several_found(rule: str, one: Fleet, two: Fleet, of_one: str, of_two: str) -> None:
    """Of one thing as of one, of two as of several."""
    judged = [judge(each, rules=[rule_of(rule)]).findings for each in (one, two)]
    assert [[each.got for each in found] for found in judged] == [[of_one], [of_two]]


@_of(MISSED)
def test_one_and_several_missed(rule: str, one: Fleet, two: Fleet, of_one: str, of_two: str) -> None:
    """Likewise what could not be judged."""
    judged = [judge(each, rules=[rule_of(rule)]).not_evaluated for each in (one, two)]
    assert [[each.missing for each in missed] for missed in judged] == [[of_one], [of_two]]


@pytest.mark.parametrize(
    ("buckets", "remedy"), [("a", "keep one of its links"), ("ab", "keep one of the links of each")]
)
def test_which_links_to_keep(buckets: str, remedy: str) -> None:
    """One of each place."""
    found = judge(linked_twice(*buckets), rules=[rule_of("lustre-association-paths-apart")]).findings
    assert [each.remedy for each in found] == [remedy]


@pytest.mark.parametrize(
    ("there", "endpoints"),
    [(("ec2", "ecr.api", "ecr.dkr"), "the endpoint of s3"), (("ec2", "ecr.api"), "the endpoints of ecr.dkr and s3")],
)
def test_which_endpoints_to_have_serve_a_subnet(there: tuple[str, ...], endpoints: str) -> None:
    """All that are there and do not."""
    (found,) = judge(asked(shut(*there)), rules=[rule_of("subnet-reaches-aws")]).findings
    assert f", or have {endpoints} serve it (" in found.remedy


def test_one_path_linked_twice() -> None:
    """It is said once."""
    fleet = a_stored_fleet(**linked(("/a", "s3://a"), ("/a", "s3://b")))
    assert [each.got for each in judge(fleet, rules=[rule_of("lustre-association-paths-apart")]).findings] == [
        "/a twice"
    ]


def _holding(*ids: str) -> Fleet:
    """For each reservation of two nodes a group that may grow to one, in an account that may have next to none."""
    held = reservation_facts(totalInstances=2, owner=ACCOUNT["id"]).reservations[CR]
    held_as = held.model_dump(mode="json", by_alias=True, exclude_none=True)
    known = said(quotas={**EVERY, "L-417A185B": 100}, account=ACCOUNT, reservations=dict.fromkeys(ids, held_as))
    groups = [
        thing
        for name, id_ in zip(("one", "other"), ids, strict=False)
        for thing in (
            a_template(name, **on(id_)),
            a_group(name, reservation=a_reservation(id=id_, count=2), nodes_max=1),
        )
    ]
    return a_fleet(*groups, facts=known, without=[NodeGroup, LaunchTemplate])


FIRST, SECOND = "cr-0123456789abcdef1", "cr-0123456789abcdef2"


@pytest.mark.parametrize(
    ("ids", "got"),
    [
        ([FIRST], f"one may grow to 192 vCPUs, and {FIRST} holds 192 more"),
        ([FIRST, SECOND], f"one and other may grow to 384 vCPUs, and {FIRST} and {SECOND} hold 384 more"),
    ],
)
def test_what_reservations_hold(ids: list[str], got: str) -> None:
    """Told at each of the groups."""
    whole = f"{got}, which count in use or not; quota L-417A185B allows 100"
    found = judge(_holding(*ids), rules=[rule_of("quota-covers-vcpus")]).findings
    assert [each.got for each in found] == [whole] * len(ids)
