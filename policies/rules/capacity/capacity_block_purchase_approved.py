"""Purchases that nobody put a name to."""

from collections.abc import Iterator

from muster.fleet.resources import CapacityBlockPurchase, Fleet
from muster.fleet.resources.capacity import APPROVAL_TAG
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "capacity-block-purchase-approved",
    title="Buying a Capacity Block is approved by name",
    severity=Severity.CRITICAL,
    judges=CapacityBlockPurchase,
    why="The deployment pays the whole block at once. Nobody can undo it: `destroy` only forgets the block, and AWS "
    "cancels none.",
    source="Pulumi Registry, aws.ec2.CapacityBlockReservation; EC2 API, CancelCapacityReservation",
    remedy=f"Say who approves it: approved-by in the description, the tag {APPROVAL_TAG} elsewhere.",
    facts=("rules.md#20",),
)
def capacity_block_purchase_approved(purchase: CapacityBlockPurchase, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if purchase.approved_by is UNKNOWN:
        yield rule.unjudged(purchase.place, f"the tag {APPROVAL_TAG}, not known before creation")
    elif not (purchase.approved_by or "").strip():
        offering = "an offering" if purchase.offering is UNKNOWN else purchase.offering
        yield rule.finding(
            purchase.place,
            at="approved-by",
            got=f"buys {offering}, and nobody is named who approves it",
            remedy=f"write approved-by: NAME (in a program of your own the tag {APPROVAL_TAG}), or buy nothing",
        )
