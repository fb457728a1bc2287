"""How many of HyperPod's instances others run: by the account's other clusters, as no metric tells. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster.account import held
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.one_by_one import MOST
from muster.account.question import Question
from muster.fleet.hyperpod_quotas import IN_ALL_CLUSTERS, ON_SPOT, of_type

LISTED = Question("sagemaker", "ListClusters", "HyperPod clusters")


def names(listing: Answer) -> list[str] | None:
    """The clusters there are; None where AWS did not name them all."""
    summaries = (listing.result or {}).get("ClusterSummaries")
    if summaries is None or not all("ClusterName" in each for each in summaries):
        return None
    return sorted(each["ClusterName"] for each in summaries)


def used(quotas: Sequence[str], listing: Answer, own: str) -> Inquiry[dict[str, int]]:
    """Quota -> how many of its instances other clusters have; nothing where not all of these were answered, or an
    answer does not say how many of which.

    Args:
        quotas: by name; of those that count no instances nothing is said.
        listing: the answer to `LISTED`.
        own: the name of the stack's cluster.
    """
    every = names(listing)
    others = [each for each in every or () if each != own]
    if every is None or len(others) > MOST:
        return {}
    answers = (yield [held.hyperpod_cluster(each) for each in others]) if others else ()
    every_group = [held.instance_groups(each) for each in answers]
    groups = [group for each in every_group for group in each or ()]
    if None in every_group or not all(map(_whole, groups)):
        return {}
    count: Counter[str] = Counter()
    for group in groups:
        count.update(dict(_counted(group)))
    return {name: count[name] for name in quotas if name in {IN_ALL_CLUSTERS, ON_SPOT} or _of_a_type(name)}


def _of_a_type(quota: str) -> bool:
    return quota.startswith("ml.")


def _whole(group: Mapping[str, Any]) -> bool:
    """Whether AWS says how many instances of which type it has, and is to have."""
    types = group.get("InstanceTypeDetails", ())
    typed = "InstanceType" in group or types
    return (
        bool(typed)
        and all("InstanceType" in each and "CurrentCount" in each for each in types)
        and ({"CurrentCount", "TargetCount"} <= group.keys())
    )


def _counted(group: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """What one instance group counts against each quota: what it has, or what it is to have, whichever is more. Those
    of a training plan are counted by no type's quota: plans have quotas of their own."""
    spot = "Spot" in group.get("CapacityRequirements", {})
    types = {each["InstanceType"]: each["CurrentCount"] for each in group.get("InstanceTypeDetails", ())}
    most = max(group["CurrentCount"], group["TargetCount"], sum(types.values()))
    if "InstanceType" in group:
        types = {group["InstanceType"]: most}
    yield IN_ALL_CLUSTERS, most
    if spot:
        yield ON_SPOT, most
    if not group.get("TrainingPlanArn"):
        yield from ((of_type(each, spot=spot), number) for each, number in types.items())
