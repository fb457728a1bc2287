"""File systems that exist already."""

from dataclasses import replace
from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import (
    a_fleet,
    an_existing_file_system,
    file_system_facts,
)
from tests.policies.addons import an_addon
from tests.policies.case import cases


def existing(*things: Any, facts: Any = None, **more: Any) -> Fleet:
    return a_fleet(an_existing_file_system(**more), *things, facts=facts)


cases(
    one_of_which_not_even_the_zone_is_known=lambda: existing(zone=None),
    one_in_another_zone_than_declared=lambda: existing(facts=file_system_facts(zone="us-west-2b")),
    one_of_a_version_that_nobody_mounts=lambda: existing(facts=file_system_facts(version="2.10")),
    one_in_another_vpc=lambda: existing(facts=file_system_facts(vpc="vpc-0fffffffffffffff0")),
    # It stays in use.
    one_that_is_being_made=lambda: existing(facts=file_system_facts(state="CREATING")),
)


def _described(*things: Any) -> Fleet:
    """A described cluster with a file system."""
    return replace(existing(*things), backend="eks")


cases(
    "lustre-has-its-driver",
    a_file_system_with_its_driver=lambda: _described(an_addon("aws-fsx-csi-driver")),
)
