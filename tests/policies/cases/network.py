"""Subnets, zones, public addresses, security groups and the CNI."""

from dataclasses import replace
from datetime import date

from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityTarget, EksAddon, Fleet, NetworkInterface, Ref
from muster.fleet.resources.ref import ADDON
from muster.fleet.unknown import UNKNOWN
from muster.hardware.interfaces import Layout
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
from tests.policies.case import case

WORKERS = "groups.workers"
ALLOW = "efa-security-groups-allow-themselves"
BARE = a_security_group("bare", ingress=True, egress=False)


# efa-single-zone


@case(f"efa-single-zone @ {WORKERS}.zone")
def efa_in_two_zones() -> Fleet:
    return a_fleet(a_group(subnets=(A, B)))


@case()
def efa_in_two_subnets_of_one_zone() -> Fleet:
    other = a_subnet("subnet-0eeeeeeeeeeeeeeee")
    return a_fleet(a_group(subnets=(A, other.id)), subnets=[other])


@case(
    unjudged=(
        f"efa-single-zone @ {WORKERS}",
        f"several-interfaces-private-subnets @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    )
)
def efa_in_subnets_nobody_knows() -> Fleet:
    return a_fleet(a_group(subnets=(A, "subnet-0eeeeeeeeeeeeeeee")))


@case(
    unjudged=(
        *(f"{each} @ {WORKERS}" for each in ("reservation-instance-type-matches", "reservation-covers-nodes")),
        *(f"{each} @ {WORKERS}" for each in ("reservation-usable", "reservation-zone-matches-subnet")),
        *(f"{each} @ {WORKERS}" for each in ("efa-single-zone", "several-interfaces-private-subnets")),
        f"subnet-holds-nodes @ {WORKERS}",
    )
)
def efa_on_a_reservation_in_subnets_nobody_knows() -> Fleet:
    """Whoever asks for this rule alone is told of it, too."""
    target = CapacityTarget(reservation="cr-0123456789abcdef0")
    subnets = ("subnet-0eeeeeeeeeeeeeeee", "subnet-0ffffffffffffffff")
    return a_fleet(a_template(target=target), a_group(subnets=subnets))


@case(unjudged=(f"several-interfaces-private-subnets @ {WORKERS}", f"subnet-holds-nodes @ {WORKERS}"))
def efa_in_one_subnet_nobody_knows() -> Fleet:
    return a_fleet(a_group(subnets=("subnet-0eeeeeeeeeeeeeeee",)))


@case(
    unjudged=(
        f"efa-single-zone @ {WORKERS}",
        f"several-interfaces-private-subnets @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    )
)
def subnets_not_yet_known() -> Fleet:
    return a_fleet(a_group(subnets=UNKNOWN))


@case()
def plain_nodes_in_two_zones() -> Fleet:
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=()), a_group(subnets=(A, B)))


# several-interfaces-...


@case(f"several-interfaces-no-public-ip @ {WORKERS}.interfaces")
def a_public_address_on_one_of_33() -> Fleet:
    return a_fleet(a_template(interfaces=(an_interface(public_ip=True), *interfaces()[1:])))


@case(unjudged=(f"several-interfaces-no-public-ip @ {WORKERS}",))
def perhaps_a_public_address_on_one_of_33() -> Fleet:
    return a_fleet(a_template(interfaces=(an_interface(public_ip=UNKNOWN), *interfaces()[1:])))


@case("nodes-without-public-address @ groups.workers")
def a_public_address_on_the_only_interface() -> Fleet:
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=(an_interface(public_ip=True),)))


@case(f"several-interfaces-private-subnets @ {WORKERS}.subnets")
def several_interfaces_in_a_public_subnet() -> Fleet:
    return a_fleet(subnets=[a_subnet(public=True, map_public_ip=None)])


@case(f"several-interfaces-private-subnets @ {WORKERS}.subnets")
def several_interfaces_in_a_subnet_that_gives_public_addresses() -> Fleet:
    return a_fleet(subnets=[a_subnet(map_public_ip=True)])


@case(unjudged=(f"several-interfaces-private-subnets @ {WORKERS}",))
def several_interfaces_in_a_subnet_that_may_give_public_addresses() -> Fleet:
    return a_fleet(subnets=[a_subnet(map_public_ip=None)])


@case(f"several-interfaces-private-subnets @ {WORKERS}.subnets")
def a_single_interface_told_to_take_no_public_address_in_a_public_subnet() -> Fleet:
    only = interfaces("g5.8xlarge", Layout.CLASSIC, public_ip=False)
    return a_fleet(a_template(instance="g5.8xlarge", interfaces=only), subnets=[a_subnet(public=True)])


@case()
def a_single_interface_in_a_public_subnet() -> Fleet:
    return a_fleet(
        a_template(instance="g5.8xlarge", interfaces=interfaces("g5.8xlarge", Layout.CLASSIC)),
        subnets=[a_subnet(public=True, map_public_ip=True)],
    )


@case(f"several-interfaces-private-subnets @ {WORKERS}.subnets")
def several_interfaces_in_two_public_subnets() -> Fleet:
    other = a_subnet("subnet-0eeeeeeeeeeeeeeee", public=True)
    return a_fleet(a_group(subnets=(A, other.id)), subnets=[a_subnet(public=True), other])


@case(unjudged=(f"several-interfaces-private-subnets @ {WORKERS}",))
def several_interfaces_in_two_subnets_that_may_give_public_addresses() -> Fleet:
    other = a_subnet("subnet-0eeeeeeeeeeeeeeee", map_public_ip=None)
    return a_fleet(a_group(subnets=(A, other.id)), subnets=[a_subnet(map_public_ip=None), other])


@case(f"several-interfaces-no-public-ip @ {WORKERS}.interfaces")
def public_addresses_on_two_of_33() -> Fleet:
    first, second, *others = interfaces()
    asking = (replace(first, public_ip=True), replace(second, public_ip=True))
    return a_fleet(a_template(interfaces=(*asking, *others)))


# zones of the network


@case("subnet-zone-as-declared @ network.existing.private.us-west-2a")
def a_subnet_listed_under_another_zone() -> Fleet:
    return a_fleet(subnets=[a_subnet(observed_zone="us-west-2b")])


@case("subnet-zone-as-declared @ network.existing.private.us-west-2b")
def all_subnets_in_fact_in_one_zone() -> Fleet:
    """One cause, one finding: the control plane's zones are counted as listed."""
    return a_fleet(subnets=[a_subnet(B, "us-west-2b", observed_zone="us-west-2a")])


@case("zone-in-region @ network.existing.public.us-east-1a")
def a_zone_of_another_region() -> Fleet:
    there = a_subnet("subnet-0eeeeeeeeeeeeeeee", "us-east-1a", declared_at="network.existing.public.us-east-1a")
    return a_fleet(subnets=[there])


@case()
def a_local_zone_of_the_region() -> Fleet:
    return a_fleet(subnets=[a_subnet("subnet-0eeeeeeeeeeeeeeee", "us-west-2-lax-1a")])


@case(unjudged=("zone-in-region @ ", "control-plane-zone-accepted @ "))
def a_region_nobody_names() -> Fleet:
    return a_fleet(region=None, subnets=[a_subnet(zone_id=None), a_subnet(B, "us-west-2b", zone_id=None)])


# security groups on EFA interfaces


@case(f"{ALLOW} @ security-groups.efa")
def no_way_out_to_itself() -> Fleet:
    return a_fleet(a_security_group(egress=False))


@case(f"{ALLOW} @ security-groups.efa")
def no_way_in_from_itself() -> Fleet:
    return a_fleet(a_security_group(ingress=False))


@case(f"{ALLOW} @ security-groups.bare")
def one_of_two_groups_lacks_the_rules() -> Fleet:
    return a_fleet(BARE, a_template(interfaces=interfaces(groups=(CLUSTER_REF, EFA_GROUP_REF, BARE.ref))))


@case()
def a_group_without_the_rules_on_the_plain_interface_only() -> Fleet:
    primary = an_interface(groups=(CLUSTER_REF, BARE.ref))
    return a_fleet(BARE, a_template(interfaces=(primary, *interfaces()[1:])))


@case()
def the_clusters_group_alone() -> Fleet:
    """EKS makes it with a rule out to itself, "for EFA traffic"."""
    return a_fleet(a_template(interfaces=interfaces(groups=(CLUSTER_REF,))))


@case(f"{ALLOW} @ {WORKERS}.security-groups")
def the_clusters_group_alone_before_it_had_that_rule() -> Fleet:
    cluster = elsewhere(a_control_plane("1.32"), "theirs")
    return a_fleet(cluster, a_template(interfaces=interfaces(groups=(CLUSTER_REF,))), as_of=date(2026, 1, 1))


@case()
def the_clusters_group_of_that_time_beside_one_made_for_efa() -> Fleet:
    cluster = elsewhere(a_control_plane("1.32"), "theirs")
    return a_fleet(cluster, a_template(instance="p4d.24xlarge", interfaces=_classic()), as_of=date(2026, 1, 1))


def _classic() -> tuple[NetworkInterface, ...]:
    return interfaces("p4d.24xlarge", Layout.CLASSIC)


@case(f"{ALLOW} @ {WORKERS}")
def an_efa_interface_without_groups_beside_one_with() -> Fleet:
    """EC2 gives it the VPC's default group; EKS adds its own only where the template names none at all."""
    first, second, *rest = interfaces()
    return a_fleet(a_template(interfaces=(first, replace(second, security_groups=()), *rest)))


@case()
def no_groups_at_all() -> Fleet:
    return a_fleet(a_template(interfaces=interfaces(groups=())))


@case(unjudged=(f"{ALLOW} @ {WORKERS}",))
def a_group_from_elsewhere_that_nobody_knows() -> Fleet:
    return a_fleet(a_template(interfaces=interfaces(groups=(CLUSTER_REF, EFA_GROUP_REF, SG))))


@case()
def a_group_from_elsewhere_that_allows_itself() -> Fleet:
    return _with(facts(security_groups={SG: {"selfIngress": True, "selfEgress": True}}))


@case(f"{ALLOW} @ {WORKERS}.security-groups")
def a_group_from_elsewhere_that_does_not() -> Fleet:
    return _with(facts(security_groups={SG: {"selfIngress": True, "selfEgress": False}}))


@case(unjudged=(f"{ALLOW} @ {WORKERS}",))
def a_group_from_elsewhere_half_known() -> Fleet:
    return _with(facts(security_groups={SG: {"selfIngress": True}}))


def _with(known: Facts) -> Fleet:
    return a_fleet(a_template(interfaces=interfaces(groups=(CLUSTER_REF, EFA_GROUP_REF, SG))), facts=known)


@case(unjudged=(f"{ALLOW} @ {WORKERS}",))
def rules_of_a_group_not_yet_known() -> Fleet:
    return a_fleet(a_security_group(egress=UNKNOWN))


@case()
def ids_not_yet_known_of_groups_that_are() -> Fleet:
    return _unknown_ids(EFA_GROUP_REF, CLUSTER_REF)


@case(f"{ALLOW} @ security-groups.bare")
def ids_not_yet_known_of_a_group_that_lacks_the_rules() -> Fleet:
    return _unknown_ids(BARE.ref, CLUSTER_REF)


@case(unjudged=(f"{ALLOW} @ {WORKERS}",))
def ids_not_yet_known_of_groups_one_of_which_lacks_the_rules() -> Fleet:
    """Which of the two is on the EFA interfaces shows with the ids."""
    return _unknown_ids(BARE.ref, EFA_GROUP_REF, CLUSTER_REF)


@case(f"{ALLOW} @ security-groups.bare")
def ids_not_yet_known_where_every_interface_is_efa() -> Fleet:
    every = interfaces("p4d.24xlarge", Layout.CLASSIC, groups=UNKNOWN)
    behind = frozenset({BARE.ref, EFA_GROUP_REF, CLUSTER_REF})
    return a_fleet(BARE, a_template(instance="p4d.24xlarge", interfaces=every, depends_on=behind))


@case(unjudged=(f"{ALLOW} @ {WORKERS}", f"node-template-reaches-control-plane @ {WORKERS}"))
def ids_not_yet_known_of_groups_from_who_knows_where() -> Fleet:
    return _unknown_ids()


def _unknown_ids(*behind: Ref) -> Fleet:
    return a_fleet(BARE, a_template(interfaces=interfaces(groups=UNKNOWN), depends_on=frozenset(behind)))


# the CNI


@case("vpc-cni-supports-efa @ kubernetes")
def a_cni_too_old_for_efa_only() -> Fleet:
    return a_fleet(an_eks_addon(version="v1.18.4-eksbuild.1"))


@case()
def the_first_cni_for_efa_only() -> Fleet:
    return a_fleet(an_eks_addon(version="v1.18.5-eksbuild.1"))


@case()
def a_cni_too_old_for_efa_only_under_the_classic_layout() -> Fleet:
    return a_fleet(
        an_eks_addon(version="v1.18.4-eksbuild.1"), a_template(instance="p4d.24xlarge", interfaces=_classic())
    )


@case("vpc-cni-supports-efa @ kubernetes")
def a_cni_too_old_for_several_cards() -> Fleet:
    return a_fleet(
        an_eks_addon(version="v1.7.9-eksbuild.1"), a_template(instance="p4d.24xlarge", interfaces=_classic())
    )


@case()
def an_ancient_cni_for_one_efa_interface() -> Fleet:
    one = interfaces("g5.8xlarge", Layout.CLASSIC)
    return a_fleet(an_eks_addon(version="v1.7.9"), a_template(instance="g5.8xlarge", interfaces=one))


@case(unjudged=("vpc-cni-supports-efa @ kubernetes",))
def a_cni_version_left_to_eks() -> Fleet:
    return a_fleet(an_eks_addon(version=None))


@case(unjudged=("vpc-cni-supports-efa @ kubernetes",))
def a_cni_version_not_yet_known() -> Fleet:
    return a_fleet(an_eks_addon(version=UNKNOWN))


@case(unjudged=tuple(f"{each} @ kubernetes" for each in ("one-fsx-csi-driver", "one-kueue", "vpc-cni-supports-efa")))
def an_add_on_of_a_name_not_yet_known() -> Fleet:
    return a_fleet(an_eks_addon(name=UNKNOWN, version="v1.0.0"))


@case(unjudged=("vpc-cni-supports-efa @ kubernetes",))
def a_cni_version_of_another_form() -> Fleet:
    return a_fleet(an_eks_addon(version="latest"))


@case(unjudged=(f"vpc-cni-supports-efa @ {WORKERS}",))
def no_cni_add_on() -> Fleet:
    return a_fleet(without=[EksAddon])


@case("vpc-cni-supports-efa @ kubernetes", f"instance-offered-in-zone @ {WORKERS}.zone")
def a_cni_too_old_for_two_cards() -> Fleet:
    two = interfaces("hpc7a.96xlarge", Layout.CLASSIC)
    return a_fleet(an_eks_addon(version="1.7.9"), a_template(instance="hpc7a.96xlarge", interfaces=two))


@case()
def another_add_on_is_as_old_as_it_is() -> Fleet:
    other = replace(an_eks_addon("coredns", "v1.1.0"), ref=Ref(ADDON, "coredns"))
    return a_fleet(other)


# two interfaces are several


@case(f"several-interfaces-no-public-ip @ {WORKERS}.interfaces")
def a_public_address_on_one_of_two() -> Fleet:
    first, second = interfaces("g5.8xlarge")
    return a_fleet(a_template(instance="g5.8xlarge", interfaces=(replace(first, public_ip=True), second)))


@case(f"several-interfaces-private-subnets @ {WORKERS}.subnets")
def two_interfaces_in_a_public_subnet() -> Fleet:
    return a_fleet(a_template(instance="g5.8xlarge"), subnets=[a_subnet(public=True)])


@case(unjudged=(f"several-interfaces-private-subnets @ {WORKERS}",))
def two_interfaces_in_a_subnet_that_may_give_public_addresses() -> Fleet:
    return a_fleet(a_template(instance="g5.8xlarge"), subnets=[a_subnet(map_public_ip=None)])


@case()
def a_single_interface_told_to_take_no_public_address_in_a_subnet_that_may_give_them() -> Fleet:
    only = interfaces("g5.8xlarge", Layout.CLASSIC, public_ip=False)
    return a_fleet(a_template(instance="g5.8xlarge", interfaces=only), subnets=[a_subnet(map_public_ip=None)])


@case()
def the_clusters_group_alone_as_soon_as_it_has_that_rule() -> Fleet:
    cluster = elsewhere(a_control_plane("1.33"), "theirs")
    return a_fleet(cluster, a_template(interfaces=interfaces(groups=(CLUSTER_REF,))), as_of=date(2026, 1, 1))


@case(f"{ALLOW} @ security-groups.efa")
def no_rules_at_all() -> Fleet:
    return a_fleet(a_security_group(ingress=False, egress=False))
