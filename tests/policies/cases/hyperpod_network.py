"""Subnets and security groups of HyperPod's nodes."""

from muster.fleet.resources import Fleet, Place, PossibleReferences
from muster.fleet.resources.ec2 import EGRESS, EVERYWHERE, INGRESS, all_traffic, tcp
from muster.fleet.unknown import UNKNOWN
from tests.factories import (
    CLUSTER_REF,
    SG,
    A,
    B,
    a_control_plane,
    a_security_group,
    a_subnet,
)
from tests.hyperpods import (
    a_hyperpod,
    a_hyperpod_fleet,
    an_instance_group,
    hyperpod_facts,
    quota_of,
)
from tests.policies.case import case
from tests.policies.security import OFFICE

FIVE = tuple(a_security_group(f"efa-{index}") for index in range(5))


def in_subnets(count: int) -> Fleet:
    """The cluster with its workers in so many private subnets of one zone."""
    subnets = [a_subnet(f"subnet-{index:017x}") for index in range(count)]
    return a_hyperpod_fleet(an_instance_group(subnets=tuple(each.id for each in subnets)), subnets=subnets)


# the network


@case()
def sixteen_subnets() -> Fleet:
    return in_subnets(16)


@case("hyperpod-network-limits @ groups.workers.subnets")
def seventeen_subnets() -> Fleet:
    return in_subnets(17)


@case("hyperpod-network-limits @ groups.workers.security-groups")
def six_security_groups() -> Fleet:
    return a_hyperpod_fleet(*FIVE, an_instance_group(security_groups=(CLUSTER_REF, *(each.ref for each in FIVE))))


@case("hyperpod-network-limits @ hyperpod.security-groups", "hyperpod-network-limits @ hyperpod.subnets")
def no_network() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(subnets=(), security_groups=()))


@case("hyperpod-network-limits @ urn:hyperpod")
def no_network_in_a_program() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(subnets=(), security_groups=(), place=Place("urn:hyperpod")))


@case("group-has-subnet @ groups.workers.subnets")
def a_group_without_subnets() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(subnets=()))


@case()
def slurm_without_a_network() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(orchestrator=None, slurm=True, subnets=(), security_groups=()))


@case(
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-network-limits @ groups.workers",
        "hyperpod-private-subnets @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def subnets_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(subnets=UNKNOWN))


@case()
def one_of_two_private_subnets() -> Fleet:
    """As a preview shows it: which one only creation tells."""
    return a_hyperpod_fleet(an_instance_group(subnets=UNKNOWN, subnets_among=PossibleReferences(1, (A, B))))


@case(unjudged=("efa-single-zone @ groups.workers",))
def two_subnets_in_two_zones() -> Fleet:
    """Two of three, which are in two zones together."""
    other = a_subnet("subnet-00000000000000001")
    among = PossibleReferences(2, (A, B, other.id))
    return a_hyperpod_fleet(an_instance_group(subnets=UNKNOWN, subnets_among=among), subnets=[other])


@case(unjudged=("subnet-holds-nodes @ groups.workers",))
def one_of_two_subnets_of_which_one_is_small() -> Fleet:
    other = a_subnet("subnet-00000000000000001", free_addresses=10)
    return a_hyperpod_fleet(
        an_instance_group(subnets=UNKNOWN, subnets_among=PossibleReferences(1, (A, other.id))), subnets=[other]
    )


@case(unjudged=("hyperpod-private-subnets @ groups.workers",))
def one_of_two_subnets_of_which_one_is_public() -> Fleet:
    other = a_subnet("subnet-00000000000000001", public=True)
    return a_hyperpod_fleet(
        an_instance_group(subnets=UNKNOWN, subnets_among=PossibleReferences(1, (A, other.id))), subnets=[other]
    )


@case(
    "hyperpod-network-limits @ groups.workers.security-groups",
    unjudged=(
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "node-template-reaches-control-plane @ groups.workers",
    ),
)
def six_of_seven_security_groups() -> Fleet:
    among = PossibleReferences(6, (CLUSTER_REF, SG, *(each.ref for each in FIVE)))
    return a_hyperpod_fleet(*FIVE, an_instance_group(security_groups=UNKNOWN, security_groups_among=among))


@case(
    unjudged=(
        "hyperpod-network-limits @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "node-template-reaches-control-plane @ groups.workers",
    )
)
def security_groups_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(security_groups=UNKNOWN))


@case("hyperpod-private-subnets @ groups.workers.subnets")
def a_public_subnet() -> Fleet:
    return a_hyperpod_fleet(subnets=[a_subnet(public=True, map_public_ip=None)])


@case("hyperpod-private-subnets @ groups.workers.subnets")
def a_subnet_that_gives_public_addresses() -> Fleet:
    return a_hyperpod_fleet(subnets=[a_subnet(map_public_ip=True)])


@case(unjudged=("hyperpod-private-subnets @ groups.workers",))
def a_subnet_that_may_give_public_addresses() -> Fleet:
    return a_hyperpod_fleet(subnets=[a_subnet(map_public_ip=None)])


# security groups


@case("hyperpod-security-groups-allow-themselves @ security-groups.efa")
def no_rules_for_itself() -> Fleet:
    return a_hyperpod_fleet(a_security_group(ingress=False, egress=False))


@case("hyperpod-security-groups-allow-themselves @ security-groups.efa")
def everything_out_to_the_world() -> Fleet:
    return a_hyperpod_fleet(a_security_group(egress=False, allows=frozenset({all_traffic(EGRESS, EVERYWHERE)})))


@case(
    "hyperpod-security-groups-allow-themselves @ security-groups.efa",
    "security-group-not-open-to-all @ security-groups.efa",
)
def everything_in_from_the_world() -> Fleet:
    return a_hyperpod_fleet(a_security_group(egress=False, allows=frozenset({all_traffic(INGRESS, EVERYWHERE)})))


@case("hyperpod-security-groups-allow-themselves @ security-groups.efa")
def everything_out_to_an_office() -> Fleet:
    return a_hyperpod_fleet(a_security_group(egress=False, allows=frozenset({all_traffic(EGRESS, OFFICE)})))


@case("hyperpod-security-groups-allow-themselves @ security-groups.efa")
def one_port_out_to_the_world() -> Fleet:
    return a_hyperpod_fleet(a_security_group(egress=False, allows=frozenset({tcp(EGRESS, 443, 443, EVERYWHERE)})))


@case()
def a_bare_group_under_instances_without_efa() -> Fleet:
    return a_hyperpod_fleet(
        a_security_group(ingress=False, egress=False),
        an_instance_group(instance_type="ml.m5.2xlarge"),
        known=quota_of("ml.m5.2xlarge"),
    )


@case("eks-addons-pinned @ kubernetes", "hyperpod-security-groups-allow-themselves @ groups.workers.security-groups")
def eks_own_group_of_kubernetes_1_32() -> Fleet:
    return a_hyperpod_fleet(a_control_plane("1.32", authentication="API", name="ml"))


@case(unjudged=("hyperpod-security-groups-allow-themselves @ groups.workers",))
def a_group_from_elsewhere() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(security_groups=(CLUSTER_REF, SG)))


@case()
def a_group_from_elsewhere_that_aws_knows_well() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(security_groups=(CLUSTER_REF, SG)),
        known=hyperpod_facts(securityGroups={SG: {"selfIngress": True, "selfEgress": True}}),
    )


@case("hyperpod-security-groups-allow-themselves @ groups.workers.security-groups")
def a_group_from_elsewhere_without_the_rules() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(security_groups=(CLUSTER_REF, SG)),
        known=hyperpod_facts(securityGroups={SG: {"selfIngress": True, "selfEgress": False}}),
    )


@case(unjudged=("hyperpod-security-groups-allow-themselves @ groups.workers",))
def rules_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_security_group(egress=UNKNOWN))
