"""How many of HyperPod's instances others run: by the account's other clusters, as no metric tells. Pure."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from muster.account import held
from muster.account.answer import Answer
from muster.account.question import Question
from muster.fleet.hyperpod_quotas import IN_ALL_CLUSTERS, ON_SPOT, of_type

MOST = 40
"""Clusters that are asked about one by one. Where there are more, nothing is known of them: a sum that lacks some would
be taken for all."""

LISTED = Question("sagemaker", "ListClusters", "HyperPod clusters")


def names(listing: Answer) -> list[str] | None:
    """The clusters there are; None where AWS did not name them all."""
    summaries = (listing.result or {}).get("ClusterSummaries")
    if summaries is None or not all("ClusterName" in each for each in summaries):
        return None
    return sorted(each["ClusterName"] for each in summaries)


def used(
    quotas: Sequence[str], listing: Answer, own: str
) -> Generator[Sequence[Question], Sequence[Answer], dict[str, int]]:
    """Quota -> how many of its instances other clusters have; nothing where not all of these were answered.

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
    if not all(each.answered for each in answers):
        return {}
    count: Counter[str] = Counter()
    for group in (one for each in answers if each.result for one in each.result.get("InstanceGroups", ())):
        count.update(dict(_counted(group)))
    return {name: count[name] for name in quotas if name in {IN_ALL_CLUSTERS, ON_SPOT} or _of_a_type(name)}


def _of_a_type(quota: str) -> bool:
    return quota.startswith("ml.")


def _counted(group: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """What one instance group counts against each quota: what it has, or what it is to have, whichever is more. Those
    of a training plan are counted by no type's quota: plans have quotas of their own."""
    spot = "Spot" in group.get("CapacityRequirements", {})
    types = {each["InstanceType"]: each.get("CurrentCount", 0) for each in group.get("InstanceTypeDetails", ())}
    most = max(group.get("CurrentCount", 0), group.get("TargetCount", 0), sum(types.values()))
    if "InstanceType" in group:
        types = {group["InstanceType"]: most}
    yield IN_ALL_CLUSTERS, most
    if spot:
        yield ON_SPOT, most
    if not group.get("TrainingPlanArn"):
        yield from ((of_type(each, spot=spot), number) for each, number in types.items())
