"""The quotas of teams in HyperPod's task governance (`AWS::SageMaker::ComputeQuota`)."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import ComputeQuota, Place, QuotaAmount, Reference
from muster.fleet.resources.ref import HYPERPOD
from muster.policies.views.references import References, block, blocks, integer, text_value
from muster.unknown import UNKNOWN, UnknownType


def compute_quota(resource: Registration, references: References) -> ComputeQuota[UnknownType]:
    """Reads a quota's inputs, with SageMaker's defaults."""
    inputs = resource.inputs
    config, target = block(inputs, "computeQuotaConfig"), block(inputs, "computeQuotaTarget")
    sharing = block(config, "resourceSharingConfig")
    state = text_value(inputs.get("activationState"))
    return ComputeQuota(
        ref=references.ref(resource),
        name=text_value(inputs.get("name")),
        team=text_value(target.get("teamName")),
        cluster=_cluster(resource, references),
        amounts=_amounts(config.get("computeQuotaResources")),
        place=Place(resource.urn),
        strategy=text_value(sharing.get("strategy")),
        borrow_percent=integer(sharing.get("borrowLimit")),
        borrow_limits=_amounts(sharing.get("absoluteBorrowLimits")),
        weight=integer(target.get("fairShareWeight")),
        preemption=text_value(config.get("preemptTeamTasks")),
        enabled=UNKNOWN if state is UNKNOWN else state != "Disabled",
        after=references.before(resource),
    )


def _cluster(resource: Registration, references: References) -> Reference | None | UnknownType:
    """The cluster of this program that the ARN depends on, also when the ARN is known; else what the ARN names."""
    behind = references.behind(resource, ("clusterArn",), (HYPERPOD,))
    if len(behind) == 1:
        return next(iter(behind))
    return references.one(resource.inputs.get("clusterArn"), resource, "clusterArn", (HYPERPOD,))


def _amounts(listed: Any) -> tuple[QuotaAmount[UnknownType], ...] | UnknownType:
    given = blocks(listed)
    if given is UNKNOWN:
        return UNKNOWN
    read = [_amount(each) for each in given]
    if any(each.instance_type is UNKNOWN for each in read):
        return tuple(read)
    return tuple(sorted(read, key=lambda each: str(each.instance_type)))


def _amount(given: Mapping[str, Any]) -> QuotaAmount[UnknownType]:
    partition = block(given, "acceleratorPartition")
    return QuotaAmount(
        instance_type=text_value(given.get("instanceType")),
        instances=integer(given.get("count")),
        accelerators=integer(given.get("accelerators")),
        vcpus=_number(given.get("vCpu")),
        memory_gib=_number(given.get("memoryInGiB")),
        partition=text_value(partition.get("type")),
        partitions=integer(partition.get("count")),
    )


def _number(value: Any) -> float | None | UnknownType:
    """A number, whole or not; None if it is not set, or is no number."""
    if isinstance(value, float):
        return value
    number: int | None | UnknownType = integer(value)
    return number
