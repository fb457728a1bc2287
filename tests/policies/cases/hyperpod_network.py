"""Subnets and security groups of HyperPod's nodes."""

from tests.factories import (
    a_subnet,
)
from tests.factories.hyperpod_fleets import (
    a_hyperpod_fleet,
)
from tests.policies.case import cases

# the network


cases(
    a_public_subnet=lambda: a_hyperpod_fleet(subnets=[a_subnet(public=True, map_public_ip=None)]),
)
