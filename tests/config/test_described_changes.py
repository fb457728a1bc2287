"""What is said otherwise in two descriptions, and what each change costs."""

from itertools import permutations
from typing import Any

import pytest

from muster.config.change_costs import cost_of, description_changes
from muster.config.description.base import Change
from tests.factories import DROP, a_description
from tests.factories.hyperpod import a_hyperpod_description
from tests.factories.parallelcluster import WORKERS, a_slurm_description

W = "groups.workers"


def told(before: Any, after: Any) -> list[tuple[str, Any, Any]]:
    return [(each.where, each.before, each.after) for each in description_changes(before, after)]


RANGED = {"min": 1, "start": 1, "max": 3, "scaled-by": "you"}
HELD = {"zone": "us-west-2a", "count": 4, "provided-by": "aws"}
RESERVED = {"reservation": {"id": "cr-0123456789abcdef0", **HELD}}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        # Values are compared by what they mean: a default written out is no change.
        ({}, {f"{W}.subnets": "private"}, []),
        ({f"{W}.capacity": DROP}, {f"{W}.capacity": "on-demand"}, []),
        # As a file has them: a size as text, a block as a map, nothing where nothing is said.
        (
            {f"{W}.volume": {"size": "400GiB"}},
            {f"{W}.volume": {"size": "500GiB", "throughput": 250}},
            [(f"{W}.volume.size", "400GiB", "500GiB"), (f"{W}.volume.throughput", None, 250)],
        ),
        ({}, {"logs": {"types": ["audit"]}}, [("logs.types", None, ["audit"])]),
        # A number of nodes is one change where it is written as one.
        ({f"{W}.nodes": 2}, {f"{W}.nodes": 4}, [(f"{W}.nodes", 2, 4)]),
        ({f"{W}.nodes": 2}, {f"{W}.nodes": RANGED}, [(f"{W}.nodes", 2, RANGED)]),
        ({f"{W}.nodes": RANGED}, {f"{W}.nodes": {**RANGED, "max": 2}}, [(f"{W}.nodes.max", 3, 2)]),
        # Another choice is one change; inside one choice each setting is told.
        (
            {f"{W}.capacity": "on-demand"},
            {f"{W}.capacity": RESERVED},
            [(f"{W}.capacity", "on-demand", RESERVED)],
        ),
        (
            {f"{W}.capacity": RESERVED},
            {f"{W}.capacity": {"reservation": {**RESERVED["reservation"], "count": 5}}},
            [(f"{W}.capacity.reservation.count", 4, 5)],
        ),
    ],
)
def test_what_differs(before: dict[str, Any], after: dict[str, Any], expected: list[tuple[str, Any, Any]]) -> None:
    assert told(a_description(before), a_description(after)) == expected


DESCRIBED = [make() for make in (a_description, a_hyperpod_description, a_slurm_description)]


@pytest.mark.parametrize(("before", "after"), [*permutations(DESCRIBED, 2)])
def test_another_backend_changes_nothing_that_neither_file_says(before: Any, after: Any) -> None:
    """The backend, and blocks that one of them has; each form's own defaults stand in no file."""
    found = told(before, after)
    assert [where for where, was, now in found if was == now] == []
    said = {type(each).model_fields[name].alias or name for each in (before, after) for name in each.model_fields_set}
    assert {where.partition(".")[0] for where, _, _ in found} <= said
    assert ("backend", before.backend, after.backend) in found


def test_a_block_of_another_backend_is_told_key_by_key() -> None:
    """A key that no file sets does not differ, whatever the defaults of the two backends are."""
    one = a_description({"logs": {"retention-days": 30}})
    other = a_slurm_description({"logs": {"retention-days": 90, "on-destroy": "delete"}})
    assert [each for each in told(one, other) if each[0].startswith("logs")] == [("logs.retention-days", 30, 90)]
    unsaid = a_slurm_description({"logs": DROP})
    assert [each for each in told(one, unsaid) if each[0].startswith("logs")] == [("logs.retention-days", 30, None)]


SPOT = {"spot": {"interruptions-accepted": True}}
BUY = {"offering": "cb-0f7e8662751ff4036", "approved": {"offering": "cb-0f7e8662751ff4036", "by": "Ada"}}
BLOCK = {"buy": BUY, "zone": "us-west-2a", "count": 2, "starts": "2026-12-01", "ends": "2026-12-15"}
BOUGHT = {"for": "training", "instance": "p5.48xlarge", "nodes": 2, "capacity": {"capacity-block": BLOCK}}
INFERENCE = {"for": "inference", "instance": "g5.12xlarge", "nodes": 2}
THEIRS = {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "abcdefgh"}}
SCRIPT, OTHER_SCRIPT = ({"scripts": [{"at": f"s3://a-bucket/{name}.sh"}]} for name in ("install", "other"))
IMAGE, OTHER_IMAGE = ({"custom": {"id": f"ami-{number * 17}"}} for number in "01")
EXISTING = {"name": "ours", "authentication": "api", "security-group": "sg-0123456789abcdef0"}
EKS, HYPERPOD, SLURM = a_description, a_hyperpod_description, a_slurm_description


def lustre(**settings: Any) -> dict[str, Any]:
    return {"storage": {"scratch": {"lustre": {"size": "2400GiB", "throughput": 250, **settings}}}}


def zones(letters: str) -> dict[str, Any]:
    return {"network": {"create": {"zones": [f"us-west-2{letter}" for letter in letters]}}}


def held(at: str, **settings: Any) -> dict[str, Any]:
    return {f"{at}.capacity": {"reservation": {**RESERVED["reservation"], **settings}}, f"{at}.nodes": 4}


def own(image: Any) -> dict[str, Any]:
    return {f"{W}.self-managed": True, f"{W}.image": image}


def joined(**settings: Any) -> dict[str, Any]:
    return {"control-plane": {"existing": {**EXISTING, **settings}}, "api": DROP}


@pytest.mark.parametrize(
    ("make", "before", "after", "where", "cost"),
    [
        # A managed group is on demand or on Spot for good; a reservation stands in its launch template alone.
        (EKS, {f"{W}.capacity": "on-demand"}, {f"{W}.capacity": RESERVED}, f"{W}.capacity", Change.DRAINS),
        (EKS, {f"{W}.capacity": "on-demand"}, {f"{W}.capacity": SPOT}, f"{W}.capacity", Change.REPLACES),
        (EKS, {f"{W}.capacity": SPOT}, {f"{W}.capacity": RESERVED}, f"{W}.capacity", Change.REPLACES),
        # Its keys: queues take another zone where managed groups are made anew.
        (EKS, held(W), held(W, id="cr-1123456789abcdef0"), f"{W}.capacity.reservation.id", Change.DRAINS),
        (EKS, held(W), held(W, zone="us-west-2b"), f"{W}.capacity.reservation.zone", Change.REPLACES),
        (EKS, held(W), held(W, count=5), f"{W}.capacity.reservation.count", Change.NOTHING),
        (SLURM, held(WORKERS), held(WORKERS, zone="us-west-2b"), f"{WORKERS}.capacity.reservation.zone", Change.DRAINS),
        (
            *(SLURM, held(WORKERS), held(WORKERS, **{"provided-by": "you"})),
            *(f"{WORKERS}.capacity.reservation.provided-by", Change.FLEET_STOP),
        ),
        # Whatever a purchase comes with, money is spent.
        (EKS, {}, {"groups.more": BOUGHT}, "groups.more", Change.BUYS),
        # A block that comes costs nothing that runs; one that goes is deleted where Muster made it.
        (EKS, {}, {"groups.more": INFERENCE}, "groups.more", Change.IN_PLACE),
        (EKS, {"groups.more": INFERENCE}, {}, "groups.more", Change.DELETES),
        (EKS, {"registry": {}}, {"registry": DROP}, "registry", Change.DELETES),
        (EKS, lustre(), {"storage": DROP}, "storage.scratch", Change.DELETES),
        (EKS, {"storage": {"scratch": THEIRS}}, {"storage": DROP}, "storage.scratch", Change.IN_PLACE),
        # A zone's place in the list decides its addresses.
        (EKS, zones("ab"), zones("abc"), "network.create.zones", Change.IN_PLACE),
        (EKS, zones("ab"), zones("cab"), "network.create.zones", Change.REPLACES),
        (EKS, zones("abc"), zones("ab"), "network.create.zones", Change.REPLACES),
        # FSx takes a larger size and more metadata IOPS; the provider replaces a file system for a lower value.
        (EKS, lustre(size="1200GiB"), lustre(), "storage.scratch.lustre.size", Change.IN_PLACE),
        (EKS, lustre(), lustre(size="1200GiB"), "storage.scratch.lustre.size", Change.REPLACES),
        (SLURM, lustre(size="1200GiB"), lustre(), "storage.scratch.lustre.size", Change.IN_PLACE),
        (SLURM, lustre(), lustre(size="1200GiB"), "storage.scratch.lustre.size", Change.REFUSED),
        (
            *(EKS, lustre(metadata={"iops": 3000}), lustre(metadata={"iops": 1500})),
            *("storage.scratch.lustre.metadata.iops", Change.REPLACES),
        ),
        # What the head node installs is for good; the cluster's word is of the queues alone where it has its own.
        (SLURM, {}, {"post-install": SCRIPT}, "post-install", Change.REFUSED),
        (
            *(SLURM, {"post-install": SCRIPT}, {"post-install": OTHER_SCRIPT}),
            *("post-install.scripts[0].at", Change.REFUSED),
        ),
        (
            SLURM,
            {"post-install": SCRIPT, "head.post-install": SCRIPT},
            {"post-install": OTHER_SCRIPT, "head.post-install": SCRIPT},
            *("post-install.scripts[0].at", Change.DRAINS),
        ),
        (
            *(SLURM, {"head.post-install": SCRIPT}, {"head.post-install": OTHER_SCRIPT}),
            *("head.post-install.scripts[0].at", Change.REFUSED),
        ),
        # The HyperPod cluster carries its security group for good; nodes of EKS get it at their start.
        (EKS, joined(), joined(name="theirs"), "control-plane.existing.name", Change.REPLACES),
        (EKS, joined(), joined(authentication="config-map"), "control-plane.existing.authentication", Change.NOTHING),
        *(
            (
                *(make, joined(), joined(**{"security-group": "sg-1123456789abcdef0"})),
                *("control-plane.existing.security-group", cost),
            )
            for make, cost in ((EKS, Change.DRAINS), (HYPERPOD, Change.REPLACES))
        ),
        # A managed group is of its image's kind for good; of a self-managed one it stands in the template alone.
        (EKS, {f"{W}.image": "al2023"}, {f"{W}.image": "bottlerocket"}, f"{W}.image", Change.REPLACES),
        (EKS, {f"{W}.image": "al2023"}, {f"{W}.image": IMAGE}, f"{W}.image", Change.REPLACES),
        (EKS, {f"{W}.image": IMAGE}, {f"{W}.image": OTHER_IMAGE}, f"{W}.image.custom.id", Change.DRAINS),
        (EKS, own("al2023"), own("bottlerocket"), f"{W}.image", Change.NEXT_LAUNCH),
        (EKS, own("al2023"), own(IMAGE), f"{W}.image", Change.NEXT_LAUNCH),
        (EKS, own(IMAGE), own(OTHER_IMAGE), f"{W}.image.custom.id", Change.NEXT_LAUNCH),
    ],
)
def test_what_a_change_costs(make: Any, before: dict[str, Any], after: dict[str, Any], where: str, cost: str) -> None:
    was, now = make(before), make(after)
    assert {each.where: cost_of(each, was, now) for each in description_changes(was, now)} == {where: cost}
