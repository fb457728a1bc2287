"""The quotas of teams in HyperPod's task governance (`AWS::SageMaker::ComputeQuota`)."""

from collections.abc import Mapping

from muster.fleet.resources import ComputeQuota, QuotaAmount, Reference
from muster.fleet.resources.ref import COMPUTE_QUOTA, HYPERPOD
from muster.policies.views.view import Properties, Reader, View
from muster.unknown import UnknownType, stored


def _cluster(of: Properties) -> Reference | None:
    """The cluster of this program that the ARN depends on, also when the ARN is known; else what the ARN names."""
    behind = of.behind(("clusterArn",), HYPERPOD)
    return next(iter(behind)) if len(behind) == 1 else of.one("clusterArn", HYPERPOD)


def _number(path: str) -> Reader:
    """A number, whole or not."""
    return lambda of: value if isinstance(value := of.get(path), float) else of.integer(path)


_amount = View(
    QuotaAmount,
    instance_type="instanceType",
    instances="count",
    accelerators="accelerators",
    vcpus=_number("vCpu"),
    memory_gib=_number("memoryInGiB"),
    partition="acceleratorPartition.type",
    partitions="acceleratorPartition.count",
)


def _amounts(path: str) -> Reader:
    def read(of: Properties) -> tuple[QuotaAmount[UnknownType], ...]:
        found = [_amount(each) for each in of.blocks(path)]
        types = [stored(each, "instance_type", None) for each in found]
        return tuple(found if None in types else sorted(found, key=lambda each: str(each.instance_type)))

    return read


compute_quota = View(
    ComputeQuota,
    name="name",
    team="computeQuotaTarget.teamName",
    cluster=_cluster,
    amounts=_amounts("computeQuotaConfig.computeQuotaResources"),
    strategy="computeQuotaConfig.resourceSharingConfig.strategy",
    borrow_percent="computeQuotaConfig.resourceSharingConfig.borrowLimit",
    borrow_limits=_amounts("computeQuotaConfig.resourceSharingConfig.absoluteBorrowLimits"),
    weight="computeQuotaTarget.fairShareWeight",
    preemption="computeQuotaConfig.preemptTeamTasks",
    enabled=lambda of: of.text("activationState") != "Disabled",
    after=lambda of: of.references.before(of.resource),
)

VIEWS: Mapping[str, Reader] = {COMPUTE_QUOTA: compute_quota}
