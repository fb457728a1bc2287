"""File systems that exist already."""

from dataclasses import replace
from typing import Any

from muster.fleet.resources import Fleet, Ref
from muster.fleet.resources.ref import VPC
from muster.unknown import UNKNOWN
from tests.factories import (
    CLUSTER_REF,
    DROP,
    SG,
    a_control_plane,
    a_fleet,
    a_template,
    an_eks_addon,
    an_existing_file_system,
    file_system_facts,
)
from tests.policies.addons import an_addon
from tests.policies.case import case, cases


def existing(*things: Any, facts: Any = None, **more: Any) -> Fleet:
    return a_fleet(an_existing_file_system(**more), *things, facts=facts)


cases(
    one_that_exists_and_fits=lambda: existing(
        facts=file_system_facts(dnsName="fs.example.com"), dns_name="fs.example.com"
    ),
    one_of_which_nothing_is_known=lambda: existing(),
    one_of_which_not_even_the_zone_is_known=lambda: existing(zone=None),
    one_in_another_zone=lambda: existing(facts=file_system_facts(zone="us-west-2b"), zone=None),
    one_in_another_zone_than_declared=lambda: existing(facts=file_system_facts(zone="us-west-2b")),
    one_by_other_names=lambda: existing(
        facts=file_system_facts(mountName="other", dnsName="fs.example.org"), dns_name="fs.example.com"
    ),
    one_with_its_id_for_a_mount_name=lambda: existing(
        facts=file_system_facts(mountName=DROP), mount_name="fs-0123456789abcdef0"
    ),
    one_of_a_version_that_nobody_mounts=lambda: existing(facts=file_system_facts(version="2.10")),
    one_in_another_vpc=lambda: existing(facts=file_system_facts(vpc="vpc-0fffffffffffffff0")),
    one_for_a_vpc_that_is_made_new=lambda: existing(facts=file_system_facts(), vpc=Ref(VPC, "network")),
    one_that_lets_nobody_in=lambda: existing(facts=file_system_facts(portsOpenToVpc=False, portsOpenTo=[])),
    one_that_may_let_nodes_in_whose_groups_are_not_all_known=lambda: existing(
        a_template(instance="m5.8xlarge", interfaces=(), security_groups=UNKNOWN, depends_on=frozenset({CLUSTER_REF})),
        facts=file_system_facts(portsOpenToVpc=False, portsOpenTo=[SG]),
    ),
    one_that_lets_a_group_of_the_nodes_in=lambda: existing(
        a_template(instance="m5.8xlarge", interfaces=(), security_groups=tuple(sorted((CLUSTER_REF, SG), key=str))),
        facts=file_system_facts(portsOpenToVpc=False, portsOpenTo=[SG]),
    ),
    one_that_lets_not_all_of_the_vpc_in=lambda: existing(facts=file_system_facts(portsOpenToVpc=False)),
    # It stays in use.
    one_that_is_being_updated=lambda: existing(facts=file_system_facts(state="UPDATING")),
    one_that_is_being_made=lambda: existing(facts=file_system_facts(state="CREATING")),
    one_that_is_misconfigured=lambda: existing(facts=file_system_facts(state="MISCONFIGURED")),
    one_that_failed=lambda: existing(facts=file_system_facts(state="FAILED")),
    one_that_is_being_deleted=lambda: existing(facts=file_system_facts(state="DELETING")),
)


@case
def one_that_is_no_lustre() -> Fleet:
    """What else is wrong with it as a Lustre file system nobody needs to know."""
    gone = dict.fromkeys(("mountName", "version", "portsOpenToVpc"), DROP)
    other = {"type": "ONTAP", "zone": "us-west-2b", "vpc": "vpc-0fffffffffffffff0"}
    return existing(facts=file_system_facts(**gone, **other))


def _described(*things: Any) -> Fleet:
    """A described cluster with a file system."""
    return replace(existing(*things), backend="eks")


cases(
    "lustre-has-its-driver",
    a_file_system_without_a_driver=lambda: _described(),
    a_file_system_with_its_driver=lambda: _described(an_addon("aws-fsx-csi-driver")),
    a_file_system_with_a_driver_by_eks=lambda: _described(an_eks_addon("aws-fsx-csi-driver")),
    a_file_system_with_an_eks_addon_not_yet_known=lambda: _described(an_eks_addon(UNKNOWN)),
    a_file_system_of_a_cluster_that_exists=lambda: _described(a_control_plane(existing=True)),
    a_file_system_of_another_program=lambda: existing(),
)
