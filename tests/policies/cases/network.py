"""Subnets, zones, public addresses, security groups and the CNI."""

from dataclasses import replace

from tests.factories import (
    a_fleet,
    a_subnet,
    a_template,
    an_eks_addon,
    an_interface,
    facts,
    interfaces,
)
from tests.policies.case import cases

# efa-single-zone


MORE_GROUPS = tuple(f"sg-0000000000000000{each}" for each in "abcde")


# several-interfaces-...


cases(
    a_public_address_on_one_of_33=lambda: a_fleet(
        a_template(interfaces=(an_interface(public_ip=True), *interfaces()[1:]))
    ),
    several_interfaces_in_a_public_subnet=lambda: a_fleet(subnets=[a_subnet(public=True, map_public_ip=None)]),
)


# zones of the network


cases(
    a_subnet_listed_under_another_zone=lambda: a_fleet(subnets=[a_subnet(observed_zone="us-west-2b")]),
    # One cause, one finding: the control plane's zones are counted as listed.
    a_zone_of_another_region=lambda: a_fleet(
        subnets=[a_subnet("subnet-0eeeeeeeeeeeeeeee", "us-east-1a", declared_at="network.existing.public.us-east-1a")]
    ),
)


# security groups on EFA interfaces


cases(
    six_security_groups_on_each_interface=lambda: a_fleet(
        a_template(
            interfaces=tuple(
                replace(nic, security_groups=(*nic.security_groups, *MORE_GROUPS)) for nic in a_template().interfaces
            )
        ),
        facts=facts(security_groups={each: {"selfIngress": True, "selfEgress": True} for each in MORE_GROUPS}),
    ),
)


# the CNI


cases(
    a_cni_too_old_for_efa_only=lambda: a_fleet(an_eks_addon(version="v1.18.4-eksbuild.1")),
)
