"""Questions about what holds instances: a reservation by its id, the members of a resource group. Pure."""

from collections.abc import Iterator
from typing import Any

from muster.account.answer import Answer
from muster.account.question import Question

LISTING_GROUPS = {
    "resource-groups:ListGroupResources": "arn:*:resource-groups:*:*:group/*",
    **dict.fromkeys(("cloudformation:DescribeStacks", "cloudformation:ListStackResources", "tag:GetResources"), "*"),
}
"""What listing a resource group's members takes (Resource Groups API, ListGroupResources, "Minimum permissions")."""


def reservation(id_: str) -> Question:
    """One alone: EC2 has no filter for ids, and one that it does not know makes a whole call fail."""
    absent = frozenset({"InvalidCapacityReservationId.NotFound"})
    asked = {"CapacityReservationIds": [id_]}
    return Question("ec2", "DescribeCapacityReservations", f"reservation {id_}", asked, absent=absent)


def of_group(operation: str, arn: str) -> Question:
    """A question of Resource Groups' about one group: ``ListGroupResources``."""
    absent = frozenset({"NotFoundException"})
    return Question("resource-groups", operation, f"reservation group {group_name(arn)}", {"Group": arn}, absent=absent)


def group_name(arn: str) -> str:
    """Without the suffix that Resource Groups may add."""
    return arn.partition(":group/")[2].partition("/")[0]


def members(listing: Answer) -> Iterator[str]:
    """The reservations in a group, by id; none where AWS did not say."""
    resources: Any = listing.result.get("Resources", ()) if listing.result else ()
    for each in resources:
        arn = str(each.get("Identifier", {}).get("ResourceArn", ""))
        if ":capacity-reservation/" in arn:
            yield arn.rpartition("/")[2]
