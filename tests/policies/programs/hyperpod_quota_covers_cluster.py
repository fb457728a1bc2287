"""Two instances where a cluster may have one."""

from muster.fleet.facts import Facts
from muster.fleet.hyperpod_quotas import IN_ALL_CLUSTERS, IN_ONE_CLUSTER
from tests.factories import facts
from tests.policies.programs.hyperpod import cluster, ground

AT = {"hyperpod"}


def limits(one: int) -> Facts:
    quota = {"ml.p4d.24xlarge for cluster usage": 2}
    return facts(hyperpodQuotas={**quota, IN_ONE_CLUSTER: one, IN_ALL_CLUSTERS: 30})


FACTS = limits(2)
FAILING_FACTS = limits(1)


def passing() -> None:
    cluster(ground())


failing = passing
