"""What a description names: told by the form of a value, or by where it stands."""

from typing import Any

import pytest

from muster.blueprint.account_references import find_references
from muster.fleet.resource_references import ResourceKind, ResourceReference
from tests.factories import CR, DROP, A, B, a_description
from tests.factories.hyperpod import a_hyperpod_description
from tests.factories.parallelcluster import WORKERS, a_slurm_description

W = "groups.workers"
PUBLIC = [
    (ResourceKind.SUBNET, "subnet-0cccccccccccccccc", "network.existing.public.us-west-2a"),
    (ResourceKind.SUBNET, "subnet-0dddddddddddddddd", "network.existing.public.us-west-2b"),
]
NETWORK = [
    (ResourceKind.VPC, "vpc-0123456789abcdef0", "network.existing.vpc"),
    (ResourceKind.SUBNET, A, "network.existing.private.us-west-2a"),
    (ResourceKind.SUBNET, B, "network.existing.private.us-west-2b"),
]
BLOCK = {"id": CR, "zone": "us-west-2a", "count": 1, "starts": "2026-12-01", "ends": "2026-12-15"}
HELD = {"arn": "arn:aws:resource-groups:us-west-2:210987654321:group/held", "zone": "us-west-2a", "count": 4}
PLAN = {"arn": "arn:aws:sagemaker:us-west-2:210987654321:training-plan/p", "zone": "us-west-2a", "count": 4}
OURS = {"existing": {"name": "ours", "authentication": "api", "security-group": "sg-0123456789abcdef0"}}
STANDS = {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "abcdefgh"}}


@pytest.mark.parametrize(
    ("described", "others"),
    [
        (a_description(), [*PUBLIC, (ResourceKind.RESERVATION, CR, f"{W}.capacity.reservation.id")]),
        (
            a_description(
                {f"{W}.capacity": {"capacity-block": BLOCK}, f"{W}.image": {"custom": {"id": "ami-0123456789abcdef0"}}}
            ),
            [
                *PUBLIC,
                (ResourceKind.CAPACITY_BLOCK, CR, f"{W}.capacity.capacity-block.id"),
                (ResourceKind.IMAGE, "ami-0123456789abcdef0", f"{W}.image.custom.id"),
            ],
        ),
        (
            a_description({f"{W}.capacity": DROP, "control-plane": OURS, "api": DROP, "storage": {"data": STANDS}}),
            [
                *PUBLIC,
                (ResourceKind.CLUSTER, "ours", "control-plane.existing.name"),
                (ResourceKind.SECURITY_GROUP, "sg-0123456789abcdef0", "control-plane.existing.security-group"),
                (ResourceKind.FILE_SYSTEM, "fs-0123456789abcdef0", "storage.data.existing-lustre.id"),
            ],
        ),
        (
            a_hyperpod_description({f"{W}.capacity": {"training-plan": PLAN}}),
            [(ResourceKind.TRAINING_PLAN, PLAN["arn"], f"{W}.capacity.training-plan.arn")],
        ),
        (
            a_slurm_description(
                {
                    f"{WORKERS}.capacity": {"reservation-group": {**HELD, "provided-by": "you"}},
                    "head": {"login": {"key-pair": "ml"}, "ssh-from": "198.51.100.0/24"},
                    "s3": {"s3://data/sets": "read"},
                    "post-install": {"scripts": [{"at": "s3://our-scripts/install.sh"}]},
                }
            ),
            [
                (ResourceKind.RESERVATION_GROUP, HELD["arn"], f"{WORKERS}.capacity.reservation-group.arn"),
                (ResourceKind.KEY_PAIR, "ml", "head.login.key-pair"),
                (ResourceKind.BUCKET, "data", "s3"),
                (ResourceKind.BUCKET, "our-scripts", "post-install.scripts[0].at"),
            ],
        ),
    ],
)
def test_everything_that_is_named_is_found(described: Any, others: list[tuple[ResourceKind, str, str]]) -> None:
    """Each once, with its kind, the name that facts have it by, and its place; and nothing else."""
    assert {(each.kind, each.id, each.at) for each in find_references(described)} == {*NETWORK, *others}


@pytest.mark.parametrize("at", [f"{W}.labels", "tags"])
def test_own_words_name_nothing(at: str) -> None:
    """Whatever they look like."""
    found = find_references(a_description({at: {"was": "ami-0123456789abcdef0"}}))
    assert ResourceKind.IMAGE not in {each.kind for each in found}


@pytest.mark.parametrize(
    ("kind", "id_", "blank"),
    [
        (ResourceKind.VPC, "vpc-fill-me-in", True),
        (ResourceKind.VPC, "vpc-0a1b2c3d4e5f60718", False),
        (ResourceKind.BUCKET, "fill-me-in", True),
        (ResourceKind.BUCKET, "our-scripts", False),
        (ResourceKind.CLUSTER, "ours", False),
    ],
)
def test_what_is_still_to_be_filled_in_is_not_asked_about(kind: ResourceKind, id_: str, *, blank: bool) -> None:
    """A bucket's name alone does not look like a blank; as an address it does."""
    assert ResourceReference(kind, id_, "somewhere").blank is blank
