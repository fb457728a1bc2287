"""What is said otherwise in two descriptions, and what each change costs."""

from itertools import permutations
from typing import Any

import pytest

from muster.config.change_costs import _at, cost_of, description_changes
from muster.config.description.base import Change
from tests.factories import DROP, a_description
from tests.factories.hyperpod import a_hyperpod_description
from tests.factories.parallelcluster import a_slurm_description


def cost_of_path(described: Any, path: Any) -> str:
    return _at(described, path).cost


def told(before: Any, after: Any) -> list[tuple[str, Any, Any]]:
    return [(each.where, each.before, each.after) for each in description_changes(before, after)]


def costs(before: Any, after: Any) -> dict[str, str]:
    return {each.where: cost_of(each, before, after) for each in description_changes(before, after)}


def test_a_default_written_out_is_no_change() -> None:
    """Values are compared by what they mean."""
    assert told(a_description(), a_description({"groups.workers.subnets": "private"})) == []
    unsaid = a_description({"groups.workers.capacity": DROP})
    assert told(unsaid, a_description({"groups.workers.capacity": "on-demand"})) == []


def test_both_values_are_told_as_a_file_has_them() -> None:
    """A size as text, a block as a map, nothing where nothing is said."""
    volume = a_description({"groups.workers.volume": {"size": "400GiB"}})
    more = a_description({"groups.workers.volume": {"size": "500GiB", "throughput": 250}})
    assert told(volume, more) == [
        ("groups.workers.volume.size", "400GiB", "500GiB"),
        ("groups.workers.volume.throughput", None, 250),
    ]
    assert told(a_description(), a_description({"logs": {"types": ["audit"]}})) == [("logs.types", None, ["audit"])]


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


def test_a_number_of_nodes_is_one_change() -> None:
    """It is written as one where it is one for good."""
    ranged = {"min": 1, "start": 1, "max": 3, "scaled-by": "you"}
    one, other = (a_description({"groups.workers.nodes": nodes}) for nodes in (2, 4))
    several = a_description({"groups.workers.nodes": ranged})
    assert told(one, other) == [("groups.workers.nodes", 2, 4)]
    assert told(one, several) == [("groups.workers.nodes", 2, ranged)]
    fewer = a_description({"groups.workers.nodes": {**ranged, "max": 2}})
    assert told(several, fewer) == [("groups.workers.nodes.max", 3, 2)]


RESERVED = {"reservation": {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 4, "provided-by": "aws"}}


def test_another_choice_is_one_change() -> None:
    """With its settings, or as the bare word; inside one choice each setting is told."""
    before = a_description({"groups.workers.capacity": "on-demand"})
    after = a_description({"groups.workers.capacity": RESERVED})
    assert told(before, after) == [("groups.workers.capacity", "on-demand", RESERVED)]
    other = {"reservation": {**RESERVED["reservation"], "count": 5}}
    assert told(after, a_description({"groups.workers.capacity": other})) == [
        ("groups.workers.capacity.reservation.count", 4, 5)
    ]


def test_another_kind_of_capacity_costs_what_both_kinds_cost() -> None:
    """A managed group is on demand or on Spot for good; a reservation stands in its launch template alone."""
    kinds = {"on-demand": "on-demand", "spot": {"spot": {"interruptions-accepted": True}}, "reserved": RESERVED}
    on = {name: a_description({"groups.workers.capacity": kind}) for name, kind in kinds.items()}
    path = "groups.workers.capacity"
    assert costs(on["on-demand"], on["reserved"]) == {path: Change.DRAINS}
    assert costs(on["on-demand"], on["spot"]) == costs(on["spot"], on["reserved"]) == {path: Change.REPLACES}


def test_a_group_that_comes_with_a_purchase_buys() -> None:
    """Whatever else it is, money is spent."""
    buy = {"offering": "cb-0f7e8662751ff4036", "approved": {"offering": "cb-0f7e8662751ff4036", "by": "Ada"}}
    block = {"buy": buy, "zone": "us-west-2a", "count": 2, "starts": "2026-12-01", "ends": "2026-12-15"}
    group = {"for": "training", "instance": "p5.48xlarge", "nodes": 2, "capacity": {"capacity-block": block}}
    assert costs(a_description(), a_description({"groups.more": group})) == {"groups.more": Change.BUYS}


INFERENCE = {"for": "inference", "instance": "g5.12xlarge", "nodes": 2}
SCRATCH = {"lustre": {"size": "1200GiB", "throughput": 250}}
THEIRS = {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "abcdefgh"}}


@pytest.mark.parametrize(
    ("path", "block", "where", "comes", "goes"),
    [
        ("groups.more", INFERENCE, "groups.more", Change.IN_PLACE, Change.DELETES),
        ("registry", {}, "registry", Change.IN_PLACE, Change.DELETES),
        ("storage", {"scratch": SCRATCH}, "storage.scratch", Change.IN_PLACE, Change.DELETES),
        ("storage", {"scratch": THEIRS}, "storage.scratch", Change.IN_PLACE, Change.IN_PLACE),  # it was there before
    ],
)
def test_a_block_that_goes_is_deleted_where_muster_made_it(
    path: str, block: dict[str, Any], where: str, comes: Change, goes: Change
) -> None:
    """One that comes costs nothing that runs."""
    without, with_it = a_description({path: DROP}), a_description({path: block})
    assert (costs(without, with_it), costs(with_it, without)) == ({where: comes}, {where: goes})


@pytest.mark.parametrize(
    ("before", "after", "cost"),
    [("ab", "abc", Change.IN_PLACE), ("ab", "cab", Change.REPLACES), ("abc", "ab", Change.REPLACES)],
)
def test_a_zone_that_comes_behind_the_others_replaces_nothing(before: str, after: str, cost: Change) -> None:
    """Its subnets are made; a zone's place in the list decides its addresses."""
    was, now = (
        a_description({"network": {"create": {"zones": [f"us-west-2{letter}" for letter in letters]}}})
        for letters in (before, after)
    )
    assert costs(was, now) == {"network.create.zones": cost}


@pytest.mark.parametrize(
    ("make", "replaces"), [(a_description, Change.REPLACES), (a_slurm_description, Change.REFUSED)]
)
@pytest.mark.parametrize(
    ("key", "small", "large"),
    [("size", "1200GiB", "2400GiB"), ("metadata.iops", {"metadata": {"iops": 1500}}, {"metadata": {"iops": 3000}})],
)
def test_a_file_system_grows_in_place_and_shrinks_by_replacement(
    make: Any, replaces: str, key: str, small: Any, large: Any
) -> None:
    """FSx takes a larger size and more metadata IOPS; the provider replaces a file system for a lower value."""

    def described(value: Any) -> Any:
        settings = value if isinstance(value, dict) else {"size": value}
        return make({"storage": {"scratch": {"lustre": {"size": "2400GiB", "throughput": 250, **settings}}}})

    where = f"storage.scratch.lustre.{key}"
    assert costs(described(small), described(large)) == {where: Change.IN_PLACE}
    assert costs(described(large), described(small)) == {where: replaces}


def test_slurm_costs_what_its_update_policies_say() -> None:
    """What backends share costs otherwise there; what the head node installs is for good."""
    install = {"at": "s3://a-bucket/install.sh"}
    before = a_slurm_description()
    after = a_slurm_description({"post-install": {"scripts": [install], "timeout-minutes": 30}})
    assert costs(before, after) == {"post-install": Change.REFUSED}


EXISTING = {"existing": {"name": "ours", "authentication": "api", "security-group": "sg-0123456789abcdef0"}}


@pytest.mark.parametrize(("make", "group"), [(a_description, Change.DRAINS), (a_hyperpod_description, Change.REPLACES)])
def test_a_control_plane_that_exists_costs_more_on_hyperpod(make: Any, group: str) -> None:
    """The HyperPod cluster carries its security group for good; nodes of EKS get it at their start."""
    described = make({"control-plane": EXISTING, "api": DROP})
    assert {key: cost_of_path(described, ("control-plane", "existing", key)) for key in EXISTING["existing"]} == {
        "name": Change.REPLACES,
        "authentication": Change.NOTHING,
        "security-group": group,
    }


HELD = {"zone": "us-west-2a", "count": 4, "provided-by": "you", "placement-group": "ours"}
BLOCK = {"zone": "us-west-2a", "count": 4, "starts": "2026-12-01", "ends": "2026-12-15"}
COUNTED, PLACED = {"count": Change.NOTHING}, ("provided-by", "placement-group")


@pytest.mark.parametrize(
    ("kind", "said", "slurm", "eks"),
    [
        (
            kind,
            {name: id_, **HELD},
            {name: Change.DRAINS, "zone": Change.DRAINS, **COUNTED, **dict.fromkeys(PLACED, Change.FLEET_STOP)},
            {name: Change.DRAINS, "zone": Change.REPLACES, **COUNTED, **dict.fromkeys(PLACED, Change.DRAINS)},
        )
        for kind, name, id_ in (
            ("reservation", "id", "cr-0123456789abcdef0"),
            ("reservation-group", "arn", "arn:aws:resource-groups:us-west-2:111122223333:group/held"),
        )
    ]
    + [
        (
            "capacity-block",
            {"id": "cr-0123456789abcdef0", **BLOCK},
            {"id": Change.DRAINS, "zone": Change.DRAINS, "starts": Change.NOTHING, "ends": Change.IN_PLACE, **COUNTED},
            {
                "id": Change.DRAINS,
                "zone": Change.REPLACES,
                "starts": Change.NOTHING,
                "ends": Change.IN_PLACE,
                **COUNTED,
            },
        )
    ],
)
def test_each_key_of_capacity_costs_what_its_backend_makes_of_it(
    kind: str, said: dict[str, Any], slurm: dict[str, str], eks: dict[str, str]
) -> None:
    """Queues take another zone where managed groups are made anew; a placement of ParallelCluster's stops the fleet."""
    queue, group = ("queues", "train", "groups", "workers", "capacity"), ("groups", "workers", "capacity")
    on_slurm = a_slurm_description({".".join(queue): {kind: said}})
    on_eks = a_description({".".join(group): {kind: said}, "groups.workers.nodes": 4})
    for described, path, costs_ in ((on_slurm, queue, slurm), (on_eks, group, eks)):
        assert {key: cost_of_path(described, (*path, kind, key)) for key in said} == costs_


SCRIPT = {"scripts": [{"at": "s3://a-bucket/install.sh"}]}


def test_what_the_head_node_installs_of_its_own_is_all_that_is_for_good() -> None:
    """The cluster's word is then of the queues alone."""
    described = a_slurm_description({"post-install": SCRIPT, "head": {"post-install": SCRIPT}})
    path = ("scripts", 0, "at")
    assert cost_of_path(described, ("head", "post-install", *path)) == Change.REFUSED
    assert cost_of_path(described, ("post-install", *path)) == Change.DRAINS
    alone = a_slurm_description({"post-install": SCRIPT})
    assert cost_of_path(alone, ("post-install", *path)) == Change.REFUSED


IMAGES: dict[str, Any] = {
    "al2023": "al2023",
    "bottlerocket": "bottlerocket",
    "custom": {"custom": {"id": "ami-0123456789abcdef0"}},
}


@pytest.mark.parametrize(("own", "cost"), [(True, Change.NEXT_LAUNCH), (False, Change.REPLACES)])
def test_another_image_costs_a_self_managed_group_nothing_that_runs(cost: Change, *, own: bool) -> None:
    """It stands in its template alone; a managed group is of its image's kind for good. Another image of one's own is
    in the template of either."""
    edits = {"groups.workers.self-managed": own}
    made = {name: a_description({**edits, "groups.workers.image": image}) for name, image in IMAGES.items()}
    for before, after in permutations(made.values(), 2):
        assert costs(before, after) == {"groups.workers.image": cost}
    another = a_description({**edits, "groups.workers.image": {"custom": {"id": "ami-0fedcba9876543210"}}})
    assert costs(made["custom"], another) == {
        "groups.workers.image.custom.id": Change.NEXT_LAUNCH if own else Change.DRAINS
    }
