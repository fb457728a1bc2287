"""Limits of HyperPod's clusters."""

from typing import Any

from muster.config.description.capacity import HyperPodCapacity
from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet, StorageVolume
from tests.factories import facts
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies.account_limits import EVERY, SEEN, UNUSED, YESTERDAY
from tests.policies.case import case, cases

ONE, ALL = (
    "Maximum number instances allowed per SageMaker HyperPod cluster",
    "Total number of instances allowed across SageMaker HyperPod clusters",
)
OF_P5 = "ml.p5.48xlarge for cluster usage"
SPOT, VOLUME = (
    "Total number of Spot instances allowed across SageMaker HyperPod clusters",
    "Maximum size of EBS volume in GB for a SageMaker HyperPod cluster instance",
)


def pods(limits: dict[str, int], **more: Any) -> Facts:
    quotas = {OF_P5: 4, **limits}
    used = {**dict.fromkeys(quotas, 0), **more.pop("hyperpodQuotasUsed", {})}
    return facts(hyperpodQuotas=quotas, hyperpodQuotasUsed=used, **more)


cases(
    a_cluster_within_its_limits=lambda: a_hyperpod_fleet(known=pods({ONE: 1, ALL: 1})),
    more_instances_than_one_cluster_may_have=lambda: a_hyperpod_fleet(
        an_instance_group(nodes_start=2), known=pods({ONE: 1, ALL: 2})
    ),
    more_instances_than_all_clusters_may_have=lambda: a_hyperpod_fleet(
        an_instance_group(nodes_start=2), known=pods({ONE: 2, ALL: 1})
    ),
    a_volume_beyond_its_limit=lambda: a_hyperpod_fleet(
        an_instance_group(volumes=(StorageVolume(500), StorageVolume(1025))), known=pods({VOLUME: 1024})
    ),
)


@case
def spot_instances_where_none_may_be() -> Fleet:
    capacity = HyperPodCapacity.model_validate({"spot": {"interruptions-accepted": True}})
    known = pods({"ml.p5.48xlarge for cluster spot instance usage": 4, SPOT: 0})
    group = an_instance_group(spot=True, capacity=capacity)
    return a_hyperpod_fleet(a_hyperpod(provisioning="Continuous"), group, known=known)


cases(
    a_preflight_that_was_not_told_the_limits=lambda: a_hyperpod_fleet(known=pods({}, **SEEN, **YESTERDAY)),
    a_cluster_of_no_instance_yet_beside_clusters_beyond_their_limit=lambda: a_hyperpod_fleet(
        an_instance_group(nodes_start=0), known=pods({ONE: 0, ALL: 10}, hyperpodQuotasUsed={ALL: 11})
    ),
    instances_that_other_clusters_have=lambda: a_hyperpod_fleet(known=pods({}, hyperpodQuotasUsed={OF_P5: 4})),
    instances_that_other_clusters_leave=lambda: a_hyperpod_fleet(
        known=pods({ALL: 10}, hyperpodQuotasUsed={OF_P5: 3, ALL: 9})
    ),
    all_instances_that_other_clusters_have=lambda: a_hyperpod_fleet(
        known=pods({ALL: 10}, hyperpodQuotasUsed={ALL: 10})
    ),
)


def clusters_untold(*names: str) -> Facts:
    """As a preflight leaves it that was not told what other clusters have."""
    every = {ONE: 20, ALL: 20, VOLUME: 1024, OF_P5: 4}
    used = {each: 0 for each in every if each not in names}
    quotas = {"quotas": EVERY, "quotasUsed": UNUSED}
    return facts(hyperpodQuotas=every, hyperpodQuotasUsed=used, **quotas, **SEEN, **YESTERDAY)


cases(
    a_preflight_that_was_not_told_what_other_clusters_have_of_a_type=lambda: a_hyperpod_fleet(
        known=clusters_untold(OF_P5)
    ),
    a_preflight_that_was_not_told_what_other_clusters_have=lambda: a_hyperpod_fleet(known=clusters_untold(ALL)),
    more_instances_than_the_quota_whatever_others_have=lambda: a_hyperpod_fleet(
        an_instance_group(nodes_start=5), known=clusters_untold(OF_P5)
    ),
)
