"""What the program registers of an edited description of a Slurm cluster."""

from collections.abc import Mapping
from typing import Any

from tests.factories.parallelcluster import WORKERS, a_slurm_blueprint
from tests.infra.registered import Registered, registered_of

STACK = "aws:cloudformation/stack:Stack"

OUTSIDE = "subnet-0cccccccccccccccc"
RESERVATION = "arn:aws:ec2:us-west-2:111122223333:capacity-reservation/cr-0123456789abcdef0"
PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEXAMPLEexampleEXAMPLEexample me@example"
LUSTRE = {"fsx": {"lustre": {"size": "4800GiB", "throughput": 250}}}
IN_GROUP = f"{WORKERS}.capacity"
WITH_KEY: Mapping[str, Any] = {
    "head.login": {"public-key": PUBLIC_KEY},
    "head.ssh-from": "203.0.113.0/24",
    "head.subnets": "public",
    "network.existing.public": {"us-west-2a": OUTSIDE},
}


def registered(edits: Mapping[str, Any] | None = None, *, preview: bool = False) -> Registered:
    """Runs the program on the default description, edited."""
    return registered_of(a_slurm_blueprint(edits), preview=preview)


def stack_of(program: Registered) -> dict[str, Any]:
    """The inputs of the CloudFormation stack."""
    return dict(program.one(STACK, "slurm").inputs)
