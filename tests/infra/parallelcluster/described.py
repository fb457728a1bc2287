"""What the program registers of an edited description of a Slurm cluster."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.validation import validate
from muster.offline.recording import record
from muster.versions import PARALLELCLUSTER
from tests.factories import REGION, A, edited
from tests.infra.registered import Registered

STACK = "aws:cloudformation/stack:Stack"

VPC, OUTSIDE = "vpc-0123456789abcdef0", "subnet-0cccccccccccccccc"
RESERVATION = "arn:aws:ec2:us-west-2:111122223333:capacity-reservation/cr-0123456789abcdef0"
PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXAMPLEexampleEXAMPLEexample me@example"
LUSTRE = {"fsx": {"lustre": {"size": "4800GiB", "throughput": 250}}}
DOCUMENT: Mapping[str, Any] = {
    "backend": "parallelcluster",
    "version": PARALLELCLUSTER,
    "network": {"existing": {"vpc": VPC, "private": {"us-west-2a": A}, "public": {"us-west-2a": OUTSIDE}}},
    "queues": {"train": {"groups": {"workers": {"for": "training", "instance": "p4de.24xlarge", "nodes": 4}}}},
}
IN_GROUP = "queues.train.groups.workers.capacity"
WITH_KEY: Mapping[str, Any] = {
    "head.login": {"public-key": PUBLIC_KEY},
    "head.ssh-from": "203.0.113.0/24",
    "head.subnets": "public",
}


def a_blueprint(edits: Mapping[str, Any] | None = None, region: str = REGION) -> ParallelClusterBlueprint:
    """A head node and four p4de.24xlarge in one zone, edited; stack `test`."""
    made, faults = validate(SlurmCluster, edited(DOCUMENT, edits or {}))
    assert made is not None, faults
    return derive(made, "test", region)


def registered(edits: Mapping[str, Any] | None = None, *, preview: bool = False, region: str = REGION) -> Registered:
    """Runs the program on the description, edited."""
    from muster.deploy import deploy

    blueprint = a_blueprint(edits, region)
    return Registered(record(lambda: deploy(blueprint), stack="test", region=region, preview=preview))


def stack_of(program: Registered) -> dict[str, Any]:
    """The inputs of the CloudFormation stack."""
    return dict(program.one(STACK, "slurm").inputs)
