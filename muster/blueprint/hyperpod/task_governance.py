"""HyperPod's task governance: the names of what it creates for a team, and the requests to SageMaker.

Names: SageMaker guide, "Example HyperPod task governance AWS CLI commands"; aws/sagemaker-hyperpod-cli at 011ca92,
`cli/constants/command_constants.py`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.blueprint.cluster import Blueprint
from muster.blueprint.logical_names import HYPERPOD_REF, tags
from muster.config.description.task_governance import Quota, Sharing, TaskGovernance, Team
from muster.fleet.resources import ComputeQuota, Place, QuotaAmount, Ref
from muster.fleet.resources.ref import COMPUTE_QUOTA
from muster.hardware.hyperpod_types import ML
from muster.plain_data import drop_none

Json = dict[str, Any]

DEFAULT_BORROWED = 50
"""Percent; SageMaker's default (API reference, ResourceSharingConfig)."""


def team_namespace(team: str) -> str:
    """``research`` -> ``hyperpod-ns-research``."""
    return f"hyperpod-ns-{team}"


def team_queue(team: str) -> str:
    """The LocalQueue of a team, which jobs set in a label."""
    return f"{team_namespace(team)}-localqueue"


def priority_class(name: str) -> str:
    """The WorkloadPriorityClass of a priority class, which jobs set in a label."""
    return f"{name}-priority"


def governance_of(blueprint: Blueprint) -> TaskGovernance | None:
    """The quotas and priorities of a cluster; None if its description has none."""
    described = blueprint.described.hyperpod
    return described.task_governance if described else None


def compute_quotas(described: TaskGovernance) -> tuple[ComputeQuota, ...]:
    """The quotas of a description, sorted by team."""
    return tuple(_quota(team, described.teams[team]) for team in sorted(described.teams))


def _quota(name: str, team: Team) -> ComputeQuota:
    borrows = team.sharing is Sharing.LEND_AND_BORROW
    percent = team.borrow_percent
    if percent is None and borrows and not team.borrow_limits:
        # Sent, so that an update that removes the key from the description resets it.
        percent = DEFAULT_BORROWED
    return ComputeQuota(
        ref=Ref(COMPUTE_QUOTA, name),
        name=name,
        team=name,
        cluster=HYPERPOD_REF,
        amounts=_amounts(team.quota),
        place=Place(f"hyperpod.task-governance.teams.{name}"),
        strategy=team.sharing.aws,
        borrow_percent=percent,
        borrow_limits=_amounts(team.borrow_limits),
        weight=team.weight,
        preemption="LowerPriority" if team.preempt_own_jobs else "Never",
    )


def _amounts(quotas: Mapping[str, Quota]) -> tuple[QuotaAmount, ...]:
    return tuple(_amount(f"{ML}{instance}", quotas[instance]) for instance in sorted(quotas))


def _amount(instance_type: str, quota: Quota) -> QuotaAmount:
    parts = quota.partitions
    return QuotaAmount(
        instance_type,
        instances=quota.instances,
        accelerators=quota.accelerators,
        vcpus=quota.vcpus,
        memory_gib=quota.memory.gib if quota.memory else None,
        partition=parts.profile if parts else None,
        partitions=parts.count if parts else None,
    )


def compute_quota_request(quota: ComputeQuota, blueprint: Blueprint, cluster_arn: Any) -> Json:
    """The request of `CreateComputeQuota`, with the API's keys.

    Args:
        quota: the team's.
        blueprint: of its cluster.
        cluster_arn: the ARN of the HyperPod cluster, or an output of Pulumi.
    """
    sharing = {
        "Strategy": quota.strategy,
        "BorrowLimit": quota.borrow_percent,
        "AbsoluteBorrowLimits": _resources(quota.borrow_limits) or None,
    }
    return {
        "Name": quota.name,
        "ClusterArn": cluster_arn,
        "ComputeQuotaConfig": {
            "ComputeQuotaResources": _resources(quota.amounts),
            "ResourceSharingConfig": drop_none(sharing),
            "PreemptTeamTasks": quota.preemption,
        },
        "ComputeQuotaTarget": {"TeamName": quota.team, "FairShareWeight": quota.weight},
        "ActivationState": "Enabled",
        "Tags": _tags(blueprint, quota.ref.name),
    }


def _resources(amounts: Iterable[QuotaAmount]) -> list[Json]:
    return [
        drop_none(
            {
                "InstanceType": each.instance_type,
                "Count": each.instances,
                "Accelerators": each.accelerators,
                "VCpu": each.vcpus,
                "MemoryInGiB": each.memory_gib,
                "AcceleratorPartition": {"Type": each.partition, "Count": each.partitions} if each.partition else None,
            }
        )
        for each in amounts
    ]


def cluster_policy_request(described: TaskGovernance, blueprint: Blueprint, cluster_arn: str) -> Json:
    """The request of `CreateClusterSchedulerConfig`, with the API's keys. A cluster has one such policy."""
    classes = [{"Name": name, "Weight": weight} for name, weight in sorted(described.priorities.items())]
    switch = {True: "Enabled", False: "Disabled"}
    return {
        "Name": blueprint.name_stem,
        "ClusterArn": cluster_arn,
        "SchedulerConfig": drop_none(
            {
                "PriorityClasses": classes or None,
                "FairShare": switch[described.fair_share],
                "IdleResourceSharing": switch[described.share_unallocated],
            }
        ),
        "Tags": _tags(blueprint, "cluster-policy"),
    }


def _tags(blueprint: Blueprint, name: str) -> list[Json]:
    return [{"Key": key, "Value": value} for key, value in sorted(tags(blueprint, name).items())]
