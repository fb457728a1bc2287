"""What nodes of the stack that run already hold: addresses of subnets, instances of reservations. Pure.

EC2 counts them as taken; for a stack that is deployed again they are its own.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from muster.account.answer import Answer
from muster.account.named import by_id
from muster.account.question import Question
from muster.account.topic import Wanted
from muster.fleet.resources.fleet import HYPERPOD
from muster.fleet.tags import STACK_TAG

_HOLDING = ("pending", "running", "stopping", "stopped")
_OF_A_PREFIX = 16
"""Addresses of a prefix (/28) that the VPC CNI takes for an interface."""


def questions(wanted: Wanted) -> list[Question]:
    """Which of the account's are the stack's: by the tag that Muster gives them.

    Of HyperPod the security group that all its interfaces carry: its instances are in an account of SageMaker's, and no
    list of ours has them.
    """
    if wanted.blueprint.described.backend == HYPERPOD:
        of_stack = by_id(f"tag:{STACK_TAG}", (wanted.blueprint.stack,))
        filters = [*of_stack, *by_id("tag:Name", (f"{wanted.blueprint.cluster_name}-efa",))]
        about = "the security group of the stack's own instances"
        return [Question("ec2", "DescribeSecurityGroups", about, {"Filters": filters})]
    return [instances(wanted)]


def instances(wanted: Wanted) -> Question:
    """Those that carry the stack's tag, in any state that holds something."""
    of_stack = by_id(f"tag:{STACK_TAG}", (wanted.blueprint.stack,))
    filters = [*of_stack, *by_id("instance-state-name", _HOLDING)]
    return Question("ec2", "DescribeInstances", "the stack's own instances", {"Filters": filters})


def more(answers: Sequence[Answer]) -> list[Question]:
    """Of HyperPod the interfaces that carry the group; none while it is not made."""
    every = [group for each in answers if each.result for group in each.result.get("SecurityGroups", ())]
    found = tuple(group["GroupId"] for group in every if "GroupId" in group)
    about = "the interfaces of the stack's own instances"
    return [Question("ec2", "DescribeNetworkInterfaces", about, {"Filters": by_id("group-id", found)})] if found else []


def addresses(answers: Sequence[Answer]) -> Mapping[str, int] | None:
    """Subnet -> the addresses that the stack's nodes hold there; None where AWS did not say."""
    taken: Counter[str] = Counter()
    for answer in answers:
        holders = listed(answer) if answer.question.operation == "DescribeInstances" else _holders(answer)
        if holders is None:
            return None
        for interface in (one for each in holders for one in each.get("NetworkInterfaces", ())):
            prefixes = len(interface.get("Ipv4Prefixes", ())) * _OF_A_PREFIX
            taken[interface.get("SubnetId", "")] += len(interface.get("PrivateIpAddresses", ())) + prefixes
    return taken


def _holders(answer: Answer) -> Sequence[Mapping[str, Any]] | None:
    """An answer that has interfaces itself, or that of the group that has none; None where it leaves its list out."""
    said = answer.result or {}
    return [said] if {"NetworkInterfaces", "SecurityGroups"} & said.keys() else None


def in_reservations(answers: Sequence[Answer]) -> Mapping[str, int] | None:
    """Reservation -> how many of the stack's instances are in it; None where AWS did not say."""
    every = [listed(each) for each in answers]
    if None in every:
        return None
    return Counter(one.get("CapacityReservationId", "") for each in every for one in each or ())


def listed(answer: Answer) -> list[Mapping[str, Any]] | None:
    """The instances of an answer; None where AWS did not list them."""
    groups = (answer.result or {}).get("Reservations")
    if groups is None or not all("Instances" in each for each in groups):
        return None
    return [instance for each in groups for instance in each["Instances"]]
