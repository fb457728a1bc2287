"""Queues on ParallelCluster with capacity, so that a case shows only what matters."""

from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityTarget, Fleet, Placement
from tests.factories import CR, facts
from tests.factories.parallelcluster_fleets import a_queue, a_resource, a_slurm_fleet

PLAIN = ("c5.2xlarge",)


def on_block(known: Facts | None = None, allocation: str | None = None, **said: Any) -> Fleet:
    """Four nodes of a Capacity Block, of which something else is said."""
    resource = {"target": CapacityTarget(reservation=CR), "placement": Placement(enabled=False), **said}
    queue = a_queue(capacity_type="CAPACITY_BLOCK", allocation=allocation)
    return a_slurm_fleet(queue, a_resource(capacity_type="CAPACITY_BLOCK", **resource), known=known or said_of_block())


def on_demand_of(kind: str, **said: Any) -> Fleet:
    """Four on-demand nodes of a reservation that AWS says something of."""
    resource = a_resource(target=CapacityTarget(reservation=CR), placement=Placement(enabled=False), **said)
    return a_slurm_fleet(resource, known=said_of_block(kind))


def on_spot(**said: Any) -> Fleet:
    """Spot instances without EFA, of which something else is said."""
    resource = a_resource(instances=PLAIN, efa=False, capacity_type="SPOT", placement=Placement(enabled=False), **said)
    return a_slurm_fleet(a_queue(capacity_type="SPOT"), resource, known=said_of_block("default", *PLAIN))


def said_of_block(kind: str = "capacity-block", instance: str = "p5.48xlarge") -> Facts:
    """What AWS says of the reservation: four instances in us-west-2a."""
    usable = {"state": "active", "platform": "Linux/UNIX", "tenancy": "default", "reservationType": kind}
    holds = {"instanceType": instance, "zone": "us-west-2a", "totalInstances": 4}
    return facts(reservations={CR: {**holds, **usable}})
