"""What a stack already holds of the account's vCPUs: its running instances, and the reservations that it names. Pure.

A stack that is deployed is in what AWS counts as used, and so is a reservation that waits for it: both would be counted
twice beside what the plan may grow to. Of the reservations the whole is the stack's: what its groups leave unused of
them is counted where they are held against the quota (`policies.reading.vcpus` has the arithmetic).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from muster.account import held, own_nodes
from muster.account.answer import Answer
from muster.account.identity import WHO
from muster.account.question import Question
from muster.account.topic import Wanted
from muster.fleet.blueprint import EksGroup
from muster.fleet.description.capacity import Reservation, ReservationGroup
from muster.fleet.description.identifiers import PLACEHOLDER
from muster.fleet.facts import ReservationState
from muster.fleet.quotas import Quota, vcpu_quota, vcpus_of
from muster.fleet.slurm_blueprint import SlurmGroup

RIGHTS = {
    "ec2:DescribeCapacityReservations": "*",
    "ec2:DescribeInstances": "*",
    **held.LISTING_GROUPS,
}


_COUNTED = ("pending", "running")
"""States of instances: `own_nodes` asks for all that hold anything."""


def questions(wanted: Wanted) -> list[Question]:
    """Who runs what: the account, the stack's instances, the reservations that it names, the members of groups of
    them."""
    return [
        WHO,
        own_nodes.instances(wanted),
        *(held.of_group("ListGroupResources", arn) for arn in _groups(wanted)),
        *(held.reservation(id_) for id_ in dict.fromkeys(_reservations(wanted))),
    ]


def of_members(wanted: Wanted, told: Sequence[Answer]) -> list[Question]:
    """What is asked once the groups' members are known."""
    members = dict.fromkeys(id_ for answer in told[2:] for id_ in held.members(answer))
    named = set(_reservations(wanted))
    return [held.reservation(id_) for id_ in members if id_ not in named]


def own_vcpus(told: Sequence[Answer], members: Sequence[Answer]) -> Mapping[Quota, int] | None:
    """Quota -> the vCPUs that the stack holds already; None where one of the questions was not answered.

    Args:
        told: the answers to `questions`.
        members: those to `of_members`.
    """
    caller, instances = told[:2]
    if caller.result is None or instances.result is None or not all(each.answered for each in (*told, *members)):
        return None
    own: Counter[Quota] = Counter()
    named = set()
    results = [answer.result for answer in (*told[2:], *members) if answer.result]
    for each in (one for result in results for one in result.get("CapacityReservations", ())):
        ours = each.get("OwnerId") == caller.result["Account"] and each.get("State") == ReservationState.ACTIVE
        if ours and each.get("ReservationType", "default") == "default":
            if not {"CapacityReservationId", "InstanceType", "TotalInstanceCount"} <= each.keys():
                return None
            named.add(each["CapacityReservationId"])
            _add(own, each["InstanceType"], each["TotalInstanceCount"], spot=False)
    for each in (one for group in instances.result.get("Reservations", ()) for one in group.get("Instances", ())):
        running = each.get("State", {}).get("Name") in _COUNTED and each.get("InstanceLifecycle") in {None, "spot"}
        if running and each.get("CapacityReservationId") not in named:
            _add(own, each["InstanceType"], 1, spot=each.get("InstanceLifecycle") == "spot")
    return own


def _add(own: Counter[Quota], instance: str, count: int, *, spot: bool) -> None:
    quota, vcpus = vcpu_quota(instance, spot=spot), vcpus_of(instance)
    if quota and vcpus:
        own[quota] += count * vcpus


def _named(wanted: Wanted) -> Iterator[Reservation | ReservationGroup]:
    for group in wanted.blueprint.groups:
        said = group.described.capacity.on_demand_reservation if isinstance(group, EksGroup | SlurmGroup) else None
        if said:
            yield said


def _reservations(wanted: Wanted) -> Iterator[str]:
    """Those that are named by id or ARN, and filled in."""
    for said in _named(wanted):
        ids = (said.id,) if isinstance(said, Reservation) else said.create or ()
        yield from (each.rpartition("/")[2] for each in ids if PLACEHOLDER not in each)


def _groups(wanted: Wanted) -> list[str]:
    arns = (said.arn for said in _named(wanted) if isinstance(said, ReservationGroup) and said.arn)
    return [arn for arn in dict.fromkeys(arns) if PLACEHOLDER not in arn]
