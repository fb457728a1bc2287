"""Quotas of vCPUs: what others use, and what reservations hold."""

from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.resources import Fleet
from tests.factories import a_fleet, a_group, a_template, facts

# standard instances


def standard(**known: Any) -> Fleet:
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=2)
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=()), group, facts=facts(**known))
