"""Capacity Blocks that are bought."""

import pulumi
import pulumi_aws as aws

from infra.component import tags
from muster.fleet.blueprint import ClusterBlueprint
from muster.fleet.resources import Reference
from muster.fleet.resources.capacity import APPROVAL_TAG, APPROVED_OFFERING_TAG


def capacity_blocks(blueprint: ClusterBlueprint) -> dict[Reference, pulumi.Output[str]]:
    """Buys every block, at once and for good.

    A block belongs to the stack itself and goes by its offering: no group that is renamed, or managed otherwise, and no
    input that changes, buys a second one. It stays when the stack goes: AWS takes nothing back.
    """
    bought: dict[Reference, pulumi.Output[str]] = {}
    for purchase in blueprint.purchases:
        approval = {APPROVAL_TAG: purchase.approved_by, APPROVED_OFFERING_TAG: purchase.approved_offering}
        block = aws.ec2.CapacityBlockReservation(
            purchase.ref.name,
            capacity_block_offering_id=str(purchase.offering),
            instance_platform=str(purchase.platform),
            tags={
                **tags(blueprint, purchase.ref.name),
                **{key: str(value) for key, value in approval.items() if value is not None},
            },
            opts=pulumi.ResourceOptions(
                retain_on_delete=True, ignore_changes=["capacityBlockOfferingId", "instancePlatform"]
            ),
        )
        bought[purchase.ref] = block.id
    return bought
