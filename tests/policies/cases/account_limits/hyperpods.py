"""Limits of HyperPod's clusters."""

from typing import Any

from muster.fleet.facts import Facts
from tests.factories import facts
from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group
from tests.policies.account_limits import SEEN, YESTERDAY
from tests.policies.case import cases

ONE, ALL = (
    "Maximum number instances allowed per SageMaker HyperPod cluster",
    "Total number of instances allowed across SageMaker HyperPod clusters",
)
OF_P5 = "ml.p5.48xlarge for cluster usage"


def pods(limits: dict[str, int], **more: Any) -> Facts:
    quotas = {OF_P5: 4, **limits}
    used = {**dict.fromkeys(quotas, 0), **more.pop("hyperpodQuotasUsed", {})}
    return facts(hyperpodQuotas=quotas, hyperpodQuotasUsed=used, **more)


cases(
    more_instances_than_one_cluster_may_have=lambda: a_hyperpod_fleet(
        an_instance_group(nodes_start=2), known=pods({ONE: 1, ALL: 2})
    ),
)


cases(
    a_preflight_that_was_not_told_the_limits=lambda: a_hyperpod_fleet(known=pods({}, **SEEN, **YESTERDAY)),
)
