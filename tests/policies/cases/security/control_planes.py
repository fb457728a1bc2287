"""Whom the API is for, and the key of its secrets."""

from muster.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet
from tests.policies.case import cases

# api-networks-stated, secrets-under-own-key


cases(
    an_api_of_which_nobody_says_whom_it_is_for=lambda: a_fleet(a_control_plane(public_networks=())),
    a_private_api=lambda: a_fleet(a_control_plane(public_networks=(), endpoint_public=False)),
    an_api_not_yet_known_to_be_public=lambda: a_fleet(a_control_plane(public_networks=(), endpoint_public=UNKNOWN)),
    secrets_under_a_key_of_aws=lambda: a_fleet(a_control_plane(secrets_encrypted=False)),
    a_key_not_yet_known=lambda: a_fleet(a_control_plane(secrets_encrypted=UNKNOWN)),
)
