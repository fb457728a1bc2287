"""A queue of lists in two subnets of one zone."""

from tests.factories import facts
from tests.policies.programs.pcluster import cluster, plain, queue

AT = {"pcluster"}
HERE, THERE, HERE_TOO = (f"subnet-0123456789abcdef{number}" for number in range(3))
_SAID = {"mapPublicIpOnLaunch": False, "freeAddresses": 1000}
FACTS = facts(
    subnets={
        HERE: {"zone": "us-west-2a", **_SAID},
        THERE: {"zone": "us-west-2b", **_SAID},
        HERE_TOO: {"zone": "us-west-2a", **_SAID},
    }
)


def _cluster(*subnets: str) -> None:
    several = plain(InstanceType=None, Instances=[{"InstanceType": "c5.2xlarge"}])
    cluster(queue(several, Networking={"SubnetIds": list(subnets)}))


def passing() -> None:
    _cluster(HERE, THERE)


def failing() -> None:
    _cluster(HERE, HERE_TOO)
