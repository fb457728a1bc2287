"""SageMaker's quotas of HyperPod: instances by type, and the limits of clusters."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from muster.account import hyperpod_usage, quota_values
from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.question import Question
from muster.account.quota_values import values
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.blueprint import Blueprint
from muster.fleet.facts import Facts
from muster.fleet.hyperpod_quotas import (
    CODES,
    IN_ALL_CLUSTERS,
    IN_ONE_CLUSTER,
    LARGEST_VOLUME,
    ON_SPOT,
    SERVICE,
    of_type,
)
from muster.fleet.quotas import Quota
from muster.fleet.unknown import UNKNOWN

_PAGE = 100
"""The most that Service Quotas puts on a page: all of SageMaker's fill some twenty."""


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    names = [*dict.fromkeys(_names(wanted))]
    if not names:
        return Learned()
    coded = [Quota(SERVICE, CODES[name], name) for name in names if name in CODES]
    beside = _APPLIED if len(coded) < len(names) else ()
    known, (clusters, *listed) = yield from values(coded, [hyperpod_usage.LISTED, *beside])
    found = _by_name(names, [*known.values(), *_quotas(listed)])
    # By name alone: no code is known, or ours is another quota's. What is not applied is in the list of defaults.
    open_ = {name for name in names if name not in CODES}
    open_ |= {quota.name for quota, said in known.items() if said.get("QuotaName") != quota.name}
    if open_ - found.keys() and not listed:
        listed = [*(yield _APPLIED)]
        found = _by_name(names, _quotas(listed)) | found
    if (left := open_ - found.keys()) and _without(left, listed):
        found = _by_name(names, _quotas((yield _DEFAULTS))) | found
    used = yield from hyperpod_usage.used([*found], clusters, _own(wanted))
    said = (Said(f"quota {name}", _words(name, found[name], used)) for name in names if name in found)
    open_facts = {("hyperpodQuotas", name) for name in names if name not in found}
    open_facts |= {("hyperpodQuotasUsed", name) for name in names if name not in used}
    return Learned(Facts(hyperpodQuotas=found, hyperpodQuotasUsed=used), tuple(said), frozenset(open_facts))


def _own(wanted: Wanted) -> str:
    """The name of the stack's own cluster."""
    hyperpod = wanted.blueprint.hyperpod if isinstance(wanted.blueprint, Blueprint) else None
    return str(hyperpod.cluster.name) if hyperpod else ""


def _words(name: str, allowed: int, used: Mapping[str, int]) -> str:
    if name in used:
        return f"{allowed}, other clusters have {used[name]}"
    return f"{allowed}" if name in _OF_ONE else f"{allowed}, how many other clusters have is not known"


_OF_ONE = (IN_ONE_CLUSTER, LARGEST_VOLUME)
"""These are no sums of all clusters."""


def _by_name(names: Sequence[str], said: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    return {
        each["QuotaName"]: int(each["Value"]) for each in said if each.get("QuotaName") in names and "Value" in each
    }


def _quotas(answers: Sequence[Answer]) -> list[Mapping[str, Any]]:
    return [each for answer in answers if answer.result for each in answer.result.get("Quotas", ())]


def _without(names: Collection[str], applied: Sequence[Answer]) -> bool:
    """Whether quotas are not among those that are applied, so that their defaults hold: AWS lists them all by name, and
    none of these without its value."""
    whole = all(answer.result is not None and "Quotas" in answer.result for answer in applied)
    return whole and not any(each.get("QuotaName") in {*names, None} for each in _quotas(applied))


def _every(operation: str, about: str) -> list[Question]:
    return [Question("service-quotas", operation, about, {"ServiceCode": SERVICE, "MaxResults": _PAGE})]


_APPLIED = _every("ListServiceQuotas", "SageMaker's quotas")
_DEFAULTS = _every("ListAWSDefaultServiceQuotas", "the defaults of SageMaker's quotas")


def _names(wanted: Wanted) -> Iterator[str]:
    """Those that count the stack's instances, and those of clusters. Training plans have quotas of their own."""
    blueprint = wanted.blueprint
    groups = [each.instance_group for each in blueprint.instance_groups] if isinstance(blueprint, Blueprint) else []
    for group in groups:
        if group.training_plan is None:
            types = () if group.instance_types is UNKNOWN else group.instance_types
            yield from (of_type(each, spot=group.spot is True) for each in types)
    if groups:
        yield from (IN_ONE_CLUSTER, IN_ALL_CLUSTERS)
    if any(group.spot for group in groups):
        yield ON_SPOT
    if any(group.volumes for group in groups):
        yield LARGEST_VOLUME


HYPERPOD_QUOTAS = Topic(
    "quotas of HyperPod",
    _inquire,
    frozenset({"hyperpodQuotas", "hyperpodQuotasUsed"}),
    quota_values.RIGHTS
    | dict.fromkeys(("servicequotas:ListAWSDefaultServiceQuotas", "servicequotas:ListServiceQuotas"), "*")
    | dict.fromkeys(("sagemaker:DescribeCluster", "sagemaker:ListClusters"), "*"),
    {
        quota_values.ASKED: (quota_values.OF_DEFAULTS, "service-quotas.ListServiceQuotas"),
        "service-quotas.ListServiceQuotas": ("service-quotas.ListAWSDefaultServiceQuotas",),
        "sagemaker.ListClusters": ("sagemaker.DescribeCluster",),
    },
)
