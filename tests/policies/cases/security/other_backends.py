"""The same things on the other backends."""

from tests.hyperpods import a_hyperpod_fleet
from tests.policies.case import cases
from tests.policies.security import AWS_POLICY, TEAM, bucket, grant, output, pods, role
from tests.slurms import a_slurm_fleet

SOUND = (bucket(), output("vpcId", "vpc-0123"), role(f"{AWS_POLICY}/AmazonSSMManagedInstanceCore"))


cases(
    all_of_it_on_hyperpod=lambda: a_hyperpod_fleet(*SOUND, grant((TEAM,)), pods()),
    all_of_it_on_slurm=lambda: a_slurm_fleet(*SOUND),
)
