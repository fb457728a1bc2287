"""Whom the API is for, and the key of its secrets."""

from muster.unknown import UNKNOWN
from tests.factories import a_control_plane, a_fleet
from tests.policies.case import cases

# api-networks-stated, secrets-under-own-key


cases(
    an_api_not_yet_known_to_be_public=lambda: a_fleet(a_control_plane(public_networks=(), endpoint_public=UNKNOWN)),
)
