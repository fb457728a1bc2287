"""The same things on the other backends."""

from muster.fleet.resources import Fleet
from tests.hyperpods import a_hyperpod_fleet
from tests.policies.case import case
from tests.policies.security import AWS_POLICY, TEAM, bucket, grant, output, pods, role
from tests.slurms import a_slurm_fleet

SOUND = (bucket(), output("vpcId", "vpc-0123"), role(f"{AWS_POLICY}/AmazonSSMManagedInstanceCore"))


@case()
def all_of_it_on_hyperpod() -> Fleet:
    return a_hyperpod_fleet(*SOUND, grant((TEAM,)), pods())


@case()
def all_of_it_on_slurm() -> Fleet:
    return a_slurm_fleet(*SOUND)
