"""Purchases that nobody put a name to."""

from collections.abc import Iterator

from muster.fleet.resources import CapacityBlockPurchase, Fleet
from muster.fleet.resources.capacity import APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "capacity-block-purchase-approved",
    title="Buying a Capacity Block is approved by name, for that very offering",
    severity=Severity.CRITICAL,
    judges=CapacityBlockPurchase,
    backends=("eks", "parallelcluster"),
    why="The deployment pays the whole block at once. Nobody can undo it: `destroy` only forgets the block, and AWS "
    "cancels none. A name that stays while the offering changes has approved something else.",
    source="Pulumi Registry, aws.ec2.CapacityBlockReservation; EC2 API, CancelCapacityReservation",
    remedy=f"Say who approves which offering: approved in the description, the tags {APPROVAL_TAG} and "
    f"{APPROVED_OFFERING_TAG} elsewhere.",
    facts=("rules.md#20", "pains.md#trap-2"),
)
def capacity_block_purchase_approved(purchase: CapacityBlockPurchase, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    offering, by, approved = purchase.offering, purchase.approved_by, purchase.approved_offering
    tags = ((APPROVAL_TAG, by), (APPROVED_OFFERING_TAG, approved))
    lacking = [tag for tag, value in tags if value is not UNKNOWN and not (value or "").strip()]
    bought = "an offering" if offering is UNKNOWN else offering
    if lacking:
        named = "cb-..." if offering is UNKNOWN else offering
        yield rule.finding(
            purchase.place,
            at="approved",
            got=f"buys {bought}, and "
            + ("nobody is named who approves it" if APPROVAL_TAG in lacking else "no offering is named as approved"),
            remedy=f"write approved: {{offering: {named}, by: NAME}} (in a program of your own the tags {APPROVAL_TAG} "
            f"and {APPROVED_OFFERING_TAG}), or buy nothing",
        )
    elif UNKNOWN in (by, approved, offering):
        what = next(name for name, value in (("capacityBlockOfferingId", offering), *tags) if value is UNKNOWN)
        yield rule.unjudged(purchase.place, f"{what}, not known before creation")
    elif approved != offering:
        yield rule.finding(
            purchase.place,
            at="approved",
            got=f"buys {offering}; {by} approved {approved}",
            remedy=f"buy {approved}, or have {offering} approved",
        )
