"""How many NAT gateways others have in a zone: EC2 lists them by subnet. Pure."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from muster.account.ask import Inquiry
from muster.account.named import MOST_VALUES, by_id, listed
from muster.account.question import Question

RIGHTS = {"ec2:DescribeNatGateways": "*", "ec2:DescribeSubnets": "*"}

_COUNTED = ("pending", "available", "deleting")
"""The states in which they count (VPC user guide, Amazon VPC quotas)."""

LISTED = Question("ec2", "DescribeNatGateways", "NAT gateways of the account", {"Filter": by_id("state", _COUNTED)})

Thing = Mapping[str, Any]


def in_the_fullest(gateways: Sequence[Thing], zones: Collection[str]) -> Inquiry[int | None]:
    """How many are in the one of some zones that has most of them; None where AWS did not say where they are.

    Args:
        gateways: as `DescribeNatGateways` has them; a regional one is where its addresses are.
        zones: by name.
    """
    subnets = sorted({each["SubnetId"] for each in gateways if "SubnetId" in each})
    if len(subnets) > MOST_VALUES:
        return None
    where: dict[str, str] = {}
    if subnets:
        about = "the subnets of NAT gateways"
        (answer,) = yield [Question("ec2", "DescribeSubnets", about, {"Filters": by_id("subnet-id", tuple(subnets))})]
        found = listed(answer, "Subnets", "SubnetId")
        if found is None or not all("AvailabilityZone" in each for each in found.values()):
            return None
        where = {id_: each["AvailabilityZone"] for id_, each in found.items()}
    of_each = [_zones(each, where) for each in gateways]
    if None in of_each:
        return None
    count = Counter(zone for each in of_each for zone in each or ())
    return max((count[zone] for zone in zones), default=0)


def _zones(gateway: Thing, where: Mapping[str, str]) -> set[str] | None:
    """One that is in a subnet no longer there is nowhere, and a regional one that has no address yet. None where AWS
    did not say."""
    if "SubnetId" in gateway:
        return {where[gateway["SubnetId"]]} if gateway["SubnetId"] in where else set()
    addresses = gateway.get("NatGatewayAddresses")
    if addresses is None or not all("AvailabilityZone" in each for each in addresses):
        return None
    regional = gateway.get("AvailabilityMode") == "regional"
    return {each["AvailabilityZone"] for each in addresses} if addresses or regional else None
