"""Whom the API is for, and the key of its secrets."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet
from tests.policies.case import case

# api-networks-stated, secrets-under-own-key

STATED, KEY = "api-networks-stated", "secrets-under-own-key"


@case(f"{STATED} @ api")
def an_api_of_which_nobody_says_whom_it_is_for() -> Fleet:
    return a_fleet(a_control_plane(public_networks=()))


@case()
def a_private_api() -> Fleet:
    return a_fleet(a_control_plane(public_networks=(), endpoint_public=False))


@case(unjudged=(f"{STATED} @ ",))
def an_api_not_yet_known_to_be_public() -> Fleet:
    return a_fleet(a_control_plane(public_networks=(), endpoint_public=UNKNOWN))


@case(f"{KEY} @ ")
def secrets_under_a_key_of_aws() -> Fleet:
    return a_fleet(a_control_plane(secrets_encrypted=False))


@case(unjudged=(f"{KEY} @ ",))
def a_key_not_yet_known() -> Fleet:
    return a_fleet(a_control_plane(secrets_encrypted=UNKNOWN))
