"""Subnets, zones, public addresses, security groups and the CNI."""

from dataclasses import replace
from datetime import date

from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityTarget, EksAddon, Fleet, LaunchTemplate, NetworkInterface, Ref, Reference
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic
from muster.fleet.resources.ref import ADDON
from muster.hardware.interfaces import Layout
from muster.unknown import UNKNOWN
from tests.factories import (
    CLUSTER_REF,
    EFA_GROUP_REF,
    SG,
    A,
    B,
    a_control_plane,
    a_fleet,
    a_group,
    a_security_group,
    a_subnet,
    a_template,
    an_eks_addon,
    an_interface,
    elsewhere,
    facts,
    interfaces,
)
from tests.policies.case import case, cases

BARE = a_security_group("bare", ingress=True, egress=False)
_CLOSED = a_security_group("closed", ingress=False, egress=False)
_OUTWARD = a_security_group("outward", ingress=False, egress=True)
_BOTH_WAYS = frozenset({all_traffic(INGRESS, _CLOSED.ref), all_traffic(EGRESS, _CLOSED.ref)})
_FOR_CLOSED = a_security_group("for-closed", ingress=False, egress=False, allows=_BOTH_WAYS)


# efa-single-zone


MORE_GROUPS = tuple(f"sg-0000000000000000{each}" for each in "abcde")
_FIFTEEN = tuple(f"sg-{each:017x}" for each in range(15))

cases(
    efa_in_two_zones=lambda: a_fleet(a_group(subnets=(A, B))),
)


@case
def efa_in_two_subnets_of_one_zone() -> Fleet:
    other = a_subnet("subnet-0eeeeeeeeeeeeeeee")
    return a_fleet(a_group(subnets=(A, other.id)), subnets=[other])


cases(
    efa_in_subnets_nobody_knows=lambda: a_fleet(a_group(subnets=(A, "subnet-0eeeeeeeeeeeeeeee"))),
    # Whoever asks for this rule alone is told of it, too.
    efa_on_a_reservation_in_subnets_nobody_knows=lambda: a_fleet(
        a_template(target=CapacityTarget(reservation="cr-0123456789abcdef0")),
        a_group(subnets=("subnet-0eeeeeeeeeeeeeeee", "subnet-0ffffffffffffffff")),
    ),
    efa_in_one_subnet_nobody_knows=lambda: a_fleet(a_group(subnets=("subnet-0eeeeeeeeeeeeeeee",))),
    subnets_not_yet_known=lambda: a_fleet(a_group(subnets=UNKNOWN)),
    plain_nodes_in_two_zones=lambda: a_fleet(a_template(instance="m5.8xlarge", interfaces=()), a_group(subnets=(A, B))),
)


# several-interfaces-...


cases(
    a_public_address_on_one_of_33=lambda: a_fleet(
        a_template(interfaces=(an_interface(public_ip=True), *interfaces()[1:]))
    ),
    perhaps_a_public_address_on_one_of_33=lambda: a_fleet(
        a_template(interfaces=(an_interface(public_ip=UNKNOWN), *interfaces()[1:]))
    ),
    a_public_address_on_the_only_interface=lambda: a_fleet(
        a_template(instance="m5.8xlarge", interfaces=(an_interface(public_ip=True),))
    ),
    several_interfaces_in_a_public_subnet=lambda: a_fleet(subnets=[a_subnet(public=True, map_public_ip=None)]),
    several_interfaces_in_a_subnet_that_gives_public_addresses=lambda: a_fleet(subnets=[a_subnet(map_public_ip=True)]),
    several_interfaces_in_a_subnet_that_may_give_public_addresses=lambda: a_fleet(
        subnets=[a_subnet(map_public_ip=None)]
    ),
    a_single_interface_told_to_take_no_public_address_in_a_public_subnet=lambda: a_fleet(
        a_template(instance="g5.8xlarge", interfaces=interfaces("g5.8xlarge", Layout.CLASSIC, public_ip=False)),
        subnets=[a_subnet(public=True)],
    ),
    a_single_interface_in_a_public_subnet=lambda: a_fleet(
        a_template(instance="g5.8xlarge", interfaces=interfaces("g5.8xlarge", Layout.CLASSIC)),
        subnets=[a_subnet(public=True, map_public_ip=True)],
    ),
)


@case
def several_interfaces_in_two_public_subnets() -> Fleet:
    other = a_subnet("subnet-0eeeeeeeeeeeeeeee", public=True)
    return a_fleet(a_group(subnets=(A, other.id)), subnets=[a_subnet(public=True), other])


@case
def several_interfaces_in_two_subnets_that_may_give_public_addresses() -> Fleet:
    other = a_subnet("subnet-0eeeeeeeeeeeeeeee", map_public_ip=None)
    return a_fleet(a_group(subnets=(A, other.id)), subnets=[a_subnet(map_public_ip=None), other])


@case
def public_addresses_on_two_of_33() -> Fleet:
    first, second, *others = interfaces()
    asking = (replace(first, public_ip=True), replace(second, public_ip=True))
    return a_fleet(a_template(interfaces=(*asking, *others)))


# zones of the network


cases(
    a_subnet_listed_under_another_zone=lambda: a_fleet(subnets=[a_subnet(observed_zone="us-west-2b")]),
    # One cause, one finding: the control plane's zones are counted as listed.
    all_subnets_in_fact_in_one_zone=lambda: a_fleet(subnets=[a_subnet(B, "us-west-2b", observed_zone="us-west-2a")]),
    a_zone_of_another_region=lambda: a_fleet(
        subnets=[a_subnet("subnet-0eeeeeeeeeeeeeeee", "us-east-1a", declared_at="network.existing.public.us-east-1a")]
    ),
    a_local_zone_of_the_region=lambda: a_fleet(subnets=[a_subnet("subnet-0eeeeeeeeeeeeeeee", "us-west-2-lax-1a")]),
    a_region_nobody_names=lambda: a_fleet(
        region=None, subnets=[a_subnet(zone_id=None), a_subnet(B, "us-west-2b", zone_id=None)]
    ),
)


# security groups on EFA interfaces


cases(
    no_way_out_to_itself=lambda: a_fleet(a_security_group(egress=False)),
    no_way_in_from_itself=lambda: a_fleet(a_security_group(ingress=False)),
    one_of_two_groups_lacks_the_rules=lambda: a_fleet(BARE, _on_the_cards(BARE.ref, EFA_GROUP_REF)),
    two_groups_of_which_none_is_enough=lambda: a_fleet(BARE, _CLOSED, _on_the_cards(BARE.ref, _CLOSED.ref)),
    two_groups_that_add_up=lambda: a_fleet(BARE, _OUTWARD, _on_the_cards(BARE.ref, _OUTWARD.ref)),
    a_group_that_allows_the_other_one=lambda: a_fleet(
        _CLOSED, _FOR_CLOSED, _on_the_cards(_CLOSED.ref, _FOR_CLOSED.ref)
    ),
    a_group_without_the_rules_on_the_plain_interface_only=lambda: a_fleet(
        BARE, a_template(interfaces=(an_interface(groups=(CLUSTER_REF, BARE.ref)), *interfaces()[1:]))
    ),
    # EKS makes it with a rule out to itself, "for EFA traffic".
    the_clusters_group_alone=lambda: a_fleet(a_template(interfaces=interfaces(groups=(CLUSTER_REF,)))),
)


@case
def the_clusters_group_alone_before_it_had_that_rule() -> Fleet:
    cluster = elsewhere(a_control_plane("1.32"), "theirs")
    return a_fleet(cluster, a_template(interfaces=interfaces(groups=(CLUSTER_REF,))), as_of=date(2026, 1, 1))


@case
def the_clusters_group_of_that_time_beside_one_made_for_efa() -> Fleet:
    cluster = elsewhere(a_control_plane("1.32"), "theirs")
    return a_fleet(cluster, a_template(instance="p4d.24xlarge", interfaces=_classic()), as_of=date(2026, 1, 1))


def _classic() -> tuple[NetworkInterface, ...]:
    return interfaces("p4d.24xlarge", Layout.CLASSIC)


@case
def an_efa_interface_without_groups_beside_one_with() -> Fleet:
    """EC2 gives it the VPC's default group; EKS adds its own only where the template names none at all."""
    first, second, *rest = interfaces()
    return a_fleet(a_template(interfaces=(first, replace(second, security_groups=()), *rest)))


cases(
    no_groups_at_all=lambda: a_fleet(a_template(interfaces=interfaces(groups=()))),
    a_group_from_elsewhere_that_nobody_knows=lambda: a_fleet(_on_the_cards(SG)),
    a_group_from_elsewhere_that_allows_itself=lambda: _with(
        facts(security_groups={SG: {"selfIngress": True, "selfEgress": True}})
    ),
    a_group_from_elsewhere_that_does_not=lambda: _with(
        facts(security_groups={SG: {"selfIngress": True, "selfEgress": False}})
    ),
    six_security_groups_on_each_interface=lambda: a_fleet(
        a_template(
            interfaces=tuple(
                replace(nic, security_groups=(*nic.security_groups, *MORE_GROUPS)) for nic in a_template().interfaces
            )
        ),
        facts=facts(security_groups={each: {"selfIngress": True, "selfEgress": True} for each in MORE_GROUPS}),
    ),
    seventeen_security_groups_on_each_interface=lambda: a_fleet(
        a_template(
            interfaces=tuple(
                replace(nic, security_groups=(*nic.security_groups, *_FIFTEEN)) for nic in a_template().interfaces
            )
        ),
        facts=facts(security_groups={each: {"selfIngress": True, "selfEgress": True} for each in _FIFTEEN}),
    ),
    a_group_from_elsewhere_half_known=lambda: _with(facts(security_groups={SG: {"selfIngress": True}})),
)


def _with(known: Facts) -> Fleet:
    return a_fleet(_on_the_cards(SG), facts=known)


def _on_the_cards(*groups: Reference) -> LaunchTemplate:
    """Groups on the EFA interfaces, which are not the primary one."""
    primary, *cards = interfaces()
    return a_template(interfaces=(primary, *(replace(nic, security_groups=groups) for nic in cards)))


cases(
    rules_of_a_group_not_yet_known=lambda: a_fleet(a_security_group(egress=UNKNOWN)),
    ids_not_yet_known_of_groups_that_are=lambda: _unknown_ids(EFA_GROUP_REF, CLUSTER_REF),
    ids_not_yet_known_of_a_group_that_lacks_the_rules=lambda: _unknown_ids(BARE.ref, CLUSTER_REF),
    # Which of the two is on the EFA interfaces shows with the ids.
    ids_not_yet_known_of_groups_one_of_which_lacks_the_rules=lambda: _unknown_ids(BARE.ref, EFA_GROUP_REF, CLUSTER_REF),
)


@case
def ids_not_yet_known_where_every_interface_is_efa() -> Fleet:
    every = interfaces("p4d.24xlarge", Layout.CLASSIC, groups=UNKNOWN)
    behind = frozenset({BARE.ref, EFA_GROUP_REF, CLUSTER_REF})
    return a_fleet(BARE, a_template(instance="p4d.24xlarge", interfaces=every, depends_on=behind))


cases(
    ids_not_yet_known_of_groups_from_who_knows_where=lambda: _unknown_ids(),
)


def _unknown_ids(*behind: Ref) -> Fleet:
    return a_fleet(BARE, a_template(interfaces=interfaces(groups=UNKNOWN), depends_on=frozenset(behind)))


# the CNI


cases(
    a_cni_too_old_for_efa_only=lambda: a_fleet(an_eks_addon(version="v1.18.4-eksbuild.1")),
    the_first_cni_for_efa_only=lambda: a_fleet(an_eks_addon(version="v1.18.5-eksbuild.1")),
    a_cni_too_old_for_efa_only_under_the_classic_layout=lambda: a_fleet(
        an_eks_addon(version="v1.18.4-eksbuild.1"), a_template(instance="p4d.24xlarge", interfaces=_classic())
    ),
    a_cni_too_old_for_several_cards=lambda: a_fleet(
        an_eks_addon(version="v1.7.9-eksbuild.1"), a_template(instance="p4d.24xlarge", interfaces=_classic())
    ),
    an_ancient_cni_for_one_efa_interface=lambda: a_fleet(
        an_eks_addon(version="v1.7.9"),
        a_template(instance="g5.8xlarge", interfaces=interfaces("g5.8xlarge", Layout.CLASSIC)),
    ),
    a_cni_version_left_to_eks=lambda: a_fleet(an_eks_addon(version=None)),
    a_cni_version_not_yet_known=lambda: a_fleet(an_eks_addon(version=UNKNOWN)),
    an_add_on_of_a_name_not_yet_known=lambda: a_fleet(an_eks_addon(name=UNKNOWN, version="v1.0.0")),
    a_cni_version_of_another_form=lambda: a_fleet(an_eks_addon(version="latest")),
    no_cni_add_on=lambda: a_fleet(without=[EksAddon]),
    a_cni_too_old_for_two_cards=lambda: a_fleet(
        an_eks_addon(version="1.7.9"),
        a_template(instance="hpc7a.96xlarge", interfaces=interfaces("hpc7a.96xlarge", Layout.CLASSIC)),
    ),
    another_add_on_is_as_old_as_it_is=lambda: a_fleet(
        replace(an_eks_addon("coredns", "v1.1.0"), ref=Ref(ADDON, "coredns"))
    ),
)


# two interfaces are several


@case
def a_public_address_on_one_of_two() -> Fleet:
    first, second = interfaces("g5.8xlarge")
    return a_fleet(a_template(instance="g5.8xlarge", interfaces=(replace(first, public_ip=True), second)))


cases(
    two_interfaces_in_a_public_subnet=lambda: a_fleet(
        a_template(instance="g5.8xlarge"), subnets=[a_subnet(public=True)]
    ),
    two_interfaces_in_a_subnet_that_may_give_public_addresses=lambda: a_fleet(
        a_template(instance="g5.8xlarge"), subnets=[a_subnet(map_public_ip=None)]
    ),
    a_single_interface_told_to_take_no_public_address_in_a_subnet_that_may_give_them=lambda: a_fleet(
        a_template(instance="g5.8xlarge", interfaces=interfaces("g5.8xlarge", Layout.CLASSIC, public_ip=False)),
        subnets=[a_subnet(map_public_ip=None)],
    ),
)


@case
def the_clusters_group_alone_as_soon_as_it_has_that_rule() -> Fleet:
    cluster = elsewhere(a_control_plane("1.33"), "theirs")
    return a_fleet(cluster, a_template(interfaces=interfaces(groups=(CLUSTER_REF,))), as_of=date(2026, 1, 1))


cases(
    no_rules_at_all=lambda: a_fleet(a_security_group(ingress=False, egress=False)),
)
