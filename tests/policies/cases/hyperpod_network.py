"""Subnets and security groups of HyperPod's nodes."""

from muster.fleet.resources import Fleet, Place, PossibleReferences
from muster.fleet.resources.ec2 import EGRESS, EVERYWHERE, INGRESS, all_traffic, tcp
from muster.unknown import UNKNOWN
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
from tests.policies.case import case, cases
from tests.policies.security import OFFICE

FIVE = tuple(a_security_group(f"efa-{index}") for index in range(5))


def in_subnets(count: int) -> Fleet:
    """The cluster with its workers in so many private subnets of one zone."""
    subnets = [a_subnet(f"subnet-{index:017x}") for index in range(count)]
    return a_hyperpod_fleet(an_instance_group(subnets=tuple(each.id for each in subnets)), subnets=subnets)


# the network


cases(
    sixteen_subnets=lambda: in_subnets(16),
    seventeen_subnets=lambda: in_subnets(17),
    six_security_groups=lambda: a_hyperpod_fleet(
        *FIVE, an_instance_group(security_groups=(CLUSTER_REF, *(each.ref for each in FIVE)))
    ),
    no_network=lambda: a_hyperpod_fleet(a_hyperpod(subnets=(), security_groups=())),
    no_network_in_a_program=lambda: a_hyperpod_fleet(
        a_hyperpod(subnets=(), security_groups=(), place=Place("urn:hyperpod"))
    ),
    a_group_without_subnets=lambda: a_hyperpod_fleet(an_instance_group(subnets=())),
    slurm_without_a_network=lambda: a_hyperpod_fleet(
        a_hyperpod(orchestrator=None, slurm=True, subnets=(), security_groups=())
    ),
    subnets_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(subnets=UNKNOWN)),
    # As a preview shows it: which one only creation tells.
    one_of_two_private_subnets=lambda: a_hyperpod_fleet(
        an_instance_group(subnets=UNKNOWN, subnets_among=PossibleReferences(1, (A, B)))
    ),
)


@case
def two_subnets_in_two_zones() -> Fleet:
    """Two of three, which are in two zones together."""
    other = a_subnet("subnet-00000000000000001")
    among = PossibleReferences(2, (A, B, other.id))
    return a_hyperpod_fleet(an_instance_group(subnets=UNKNOWN, subnets_among=among), subnets=[other])


@case
def one_of_two_subnets_of_which_one_is_small() -> Fleet:
    other = a_subnet("subnet-00000000000000001", free_addresses=10)
    return a_hyperpod_fleet(
        an_instance_group(subnets=UNKNOWN, subnets_among=PossibleReferences(1, (A, other.id))), subnets=[other]
    )


@case
def one_of_two_subnets_of_which_one_is_public() -> Fleet:
    other = a_subnet("subnet-00000000000000001", public=True)
    return a_hyperpod_fleet(
        an_instance_group(subnets=UNKNOWN, subnets_among=PossibleReferences(1, (A, other.id))), subnets=[other]
    )


@case
def six_of_seven_security_groups() -> Fleet:
    among = PossibleReferences(6, (CLUSTER_REF, SG, *(each.ref for each in FIVE)))
    return a_hyperpod_fleet(*FIVE, an_instance_group(security_groups=UNKNOWN, security_groups_among=among))


cases(
    security_groups_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(security_groups=UNKNOWN)),
    a_public_subnet=lambda: a_hyperpod_fleet(subnets=[a_subnet(public=True, map_public_ip=None)]),
    a_subnet_that_gives_public_addresses=lambda: a_hyperpod_fleet(subnets=[a_subnet(map_public_ip=True)]),
    a_subnet_that_may_give_public_addresses=lambda: a_hyperpod_fleet(subnets=[a_subnet(map_public_ip=None)]),
)


# security groups


cases(
    no_rules_for_itself=lambda: a_hyperpod_fleet(a_security_group(ingress=False, egress=False)),
    everything_out_to_the_world=lambda: a_hyperpod_fleet(
        a_security_group(egress=False, allows=frozenset({all_traffic(EGRESS, EVERYWHERE)}))
    ),
    everything_in_from_the_world=lambda: a_hyperpod_fleet(
        a_security_group(egress=False, allows=frozenset({all_traffic(INGRESS, EVERYWHERE)}))
    ),
    everything_out_to_an_office=lambda: a_hyperpod_fleet(
        a_security_group(egress=False, allows=frozenset({all_traffic(EGRESS, OFFICE)}))
    ),
    one_port_out_to_the_world=lambda: a_hyperpod_fleet(
        a_security_group(egress=False, allows=frozenset({tcp(EGRESS, 443, 443, EVERYWHERE)}))
    ),
    a_bare_group_under_instances_without_efa=lambda: a_hyperpod_fleet(
        a_security_group(ingress=False, egress=False),
        an_instance_group(instance_type="ml.m5.2xlarge"),
        known=quota_of("ml.m5.2xlarge"),
    ),
    eks_own_group_of_kubernetes_1_32=lambda: a_hyperpod_fleet(a_control_plane("1.32", authentication="API", name="ml")),
    a_group_from_elsewhere=lambda: a_hyperpod_fleet(an_instance_group(security_groups=(CLUSTER_REF, SG))),
    a_group_from_elsewhere_that_aws_knows_well=lambda: a_hyperpod_fleet(
        an_instance_group(security_groups=(CLUSTER_REF, SG)),
        known=hyperpod_facts(securityGroups={SG: {"selfIngress": True, "selfEgress": True}}),
    ),
    a_group_from_elsewhere_without_the_rules=lambda: a_hyperpod_fleet(
        an_instance_group(security_groups=(CLUSTER_REF, SG)),
        known=hyperpod_facts(securityGroups={SG: {"selfIngress": True, "selfEgress": False}}),
    ),
    rules_not_yet_known=lambda: a_hyperpod_fleet(a_security_group(egress=UNKNOWN)),
)
