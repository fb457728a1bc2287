"""File systems that exist already."""

from typing import Any

from muster.fleet.resources import Fleet, Ref
from muster.fleet.resources.ref import VPC
from tests.factories import CLUSTER_REF, DROP, SG, a_fleet, a_template, an_existing_file_system, file_system_facts
from tests.policies.case import case

THERE = "storage.scratch.existing-lustre"


def existing(*things: Any, facts: Any = None, **more: Any) -> Fleet:
    return a_fleet(an_existing_file_system(**more), *things, facts=facts)


OPEN = (
    f"lustre-ports-open @ {THERE}",
    f"lustre-in-cluster-vpc @ {THERE}",
    f"lustre-version-for-clients @ {THERE}",
)
"""What only AWS knows of one."""


@case()
def one_that_exists_and_fits() -> Fleet:
    return existing(facts=file_system_facts(dnsName="fs.example.com"), dns_name="fs.example.com")


@case(unjudged=OPEN)
def one_of_which_nothing_is_known() -> Fleet:
    return existing()


@case(unjudged=(*OPEN, f"lustre-in-training-zone @ {THERE}"))
def one_of_which_not_even_the_zone_is_known() -> Fleet:
    return existing(zone=None)


@case(f"lustre-in-training-zone @ {THERE}.zone")
def one_in_another_zone() -> Fleet:
    return existing(facts=file_system_facts(zone="us-west-2b"), zone=None)


@case(f"lustre-in-training-zone @ {THERE}.zone", f"lustre-as-declared @ {THERE}.zone")
def one_in_another_zone_than_declared() -> Fleet:
    return existing(facts=file_system_facts(zone="us-west-2b"))


@case(f"lustre-as-declared @ {THERE}.mount-name", f"lustre-as-declared @ {THERE}.dns-name")
def one_by_other_names() -> Fleet:
    said = file_system_facts(mountName="other", dnsName="fs.example.org")
    return existing(facts=said, dns_name="fs.example.com")


@case(f"lustre-mount-name-short @ {THERE}.mount-name")
def one_with_its_id_for_a_mount_name() -> Fleet:
    return existing(facts=file_system_facts(mountName=DROP), mount_name="fs-0123456789abcdef0")


@case(f"lustre-version-for-clients @ {THERE}.id")
def one_of_a_version_that_nobody_mounts() -> Fleet:
    return existing(facts=file_system_facts(version="2.10"))


@case(f"lustre-in-cluster-vpc @ {THERE}.id")
def one_in_another_vpc() -> Fleet:
    return existing(facts=file_system_facts(vpc="vpc-0fffffffffffffff0"))


@case(f"lustre-in-cluster-vpc @ {THERE}.id")
def one_for_a_vpc_that_is_made_new() -> Fleet:
    return existing(facts=file_system_facts(), vpc=Ref(VPC, "network"))


@case(f"lustre-ports-open @ {THERE}.id")
def one_that_lets_nobody_in() -> Fleet:
    return existing(facts=file_system_facts(portsOpenToVpc=False, portsOpenTo=[]))


@case()
def one_that_lets_a_group_of_the_nodes_in() -> Fleet:
    own = a_template(instance="m5.8xlarge", interfaces=(), security_groups=tuple(sorted((CLUSTER_REF, SG), key=str)))
    return existing(own, facts=file_system_facts(portsOpenToVpc=False, portsOpenTo=[SG]))


@case(unjudged=(f"lustre-ports-open @ {THERE}",))
def one_that_lets_not_all_of_the_vpc_in() -> Fleet:
    return existing(facts=file_system_facts(portsOpenToVpc=False))


@case()
def one_that_is_being_updated() -> Fleet:
    """It stays in use."""
    return existing(facts=file_system_facts(state="UPDATING"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_is_being_made() -> Fleet:
    return existing(facts=file_system_facts(state="CREATING"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_is_misconfigured() -> Fleet:
    return existing(facts=file_system_facts(state="MISCONFIGURED"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_failed() -> Fleet:
    return existing(facts=file_system_facts(state="FAILED"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_is_being_deleted() -> Fleet:
    return existing(facts=file_system_facts(state="DELETING"))


@case(f"lustre-usable @ {THERE}.id")
def one_that_is_no_lustre() -> Fleet:
    """What else is wrong with it as a Lustre file system nobody needs to know."""
    gone = dict.fromkeys(("mountName", "version", "portsOpenToVpc"), DROP)
    other = {"type": "ONTAP", "zone": "us-west-2b", "vpc": "vpc-0fffffffffffffff0"}
    return existing(facts=file_system_facts(**gone, **other))
