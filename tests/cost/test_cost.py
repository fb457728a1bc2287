"""What the parts of a cluster come to, and laws of their sums. Each stack's whole table is a golden."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.backends import RECORDS
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.capacity import CapacityBlock, TrainingPlan
from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurmCluster
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.validation import validate
from muster.cost.estimate import Cost, Line, Money, cost_of
from muster.cost.prices import CONTROL_PLANE, EXTENDED_SUPPORT, NAT_GATEWAY, Item, Kind
from muster.versions import EKS_CALENDAR
from tests.factories import AS_OF, a_blueprint, a_description
from tests.strategies import Described, legal
from tests.strategies.hyperpod import legal_hyperpod
from tests.strategies.hyperpod_slurm import legal_hyperpod_slurm
from tests.strategies.parallelcluster import legal_slurm


def cost(edits: dict[str, Any] | None = None, as_of: date = AS_OF) -> Cost:
    return cost_of(a_blueprint(edits), as_of)


def lines(cost: Cost, item: Item) -> list[Line]:
    return [each for each in cost.lines if each.item == item]


@pytest.mark.parametrize("version", sorted(EKS_CALENDAR))
def test_extended_support_is_a_line_from_the_day_after_standard_support(version: str) -> None:
    """Together $0.60 an hour."""
    ends, edits = EKS_CALENDAR[version].standard_ends, {"kubernetes": version}
    assert lines(cost(edits, ends), EXTENDED_SUPPORT) == []
    after = cost(edits, date.fromordinal(ends.toordinal() + 1))
    both = [*lines(after, CONTROL_PLANE), *lines(after, EXTENDED_SUPPORT)]
    assert sum(each.each.usd for each in both if each.each) == Decimal("0.60")


def test_gateways_of_a_network_that_muster_makes() -> None:
    """One, or one in each zone."""
    made = {"cidr": "10.0.0.0/16", "zones": ["us-west-2a", "us-west-2b", "us-west-2c"]}
    edits = {"network": {"create": made}}
    assert [each.now for each in lines(cost(edits), NAT_GATEWAY)] == [1]
    assert [each.now for each in lines(cost({**edits, "network.create.nat": "per-zone"}), NAT_GATEWAY)] == [3]


@pytest.mark.parametrize(
    ("lustre", "name"),
    [
        ({"size": "6000GiB", "type": "persistent-1", "disk": "hdd", "throughput": 12}, "persistent-1-hdd-12"),
        (
            {"size": "6000GiB", "type": "persistent-1", "disk": "hdd", "throughput": 12, "drive-cache": "read"},
            "persistent-1-hdd-12-cache",
        ),
        ({"size": "1200GiB", "type": "scratch-2"}, "scratch-ssd"),
    ],
)
def test_a_file_system_is_priced_by_kind_disk_and_throughput(lustre: dict[str, Any], name: str) -> None:
    """By the GB and month; beside one that exists."""
    stands = {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "abcdefgh", "zone": "us-west-2a"}}
    told = cost({"storage": {"data": stands, "scratch": {"lustre": lustre}}})
    (found,) = (each for each in told.lines if each.item.kind is Kind.LUSTRE)
    assert (found.item.name, f"{found.size}GiB") == (name, lustre["size"])


def test_spot_has_no_price() -> None:
    """It is named."""
    told = cost({"groups.system.capacity": "spot"})
    (spot,) = lines(told, Item(Kind.INSTANCE, "c5.2xlarge"))
    assert spot.monthly is None
    assert spot in told.unknown


def test_another_regions_prices_are_never_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its own, there are none: not zero."""
    far = cost_of(derive(a_description(), "tested", "sa-east-1"), AS_OF)
    assert far.reserved is None
    assert {str(each.item) for each in far.unknown} == {"instance c5.2xlarge", "instance p5.48xlarge"}
    monkeypatch.setattr("muster.cost.prices.price_rows", dict)
    nothing = cost_of(a_blueprint(), AS_OF)
    assert nothing.monthly is None
    assert nothing.unknown == nothing.lines


def derived(each: Described) -> ClusterBlueprint:
    made, faults = validate(RECORDS[each.document["backend"]].description.load(), each.document)
    assert made is not None, faults
    return derive(made, "random", each.region, each.known)


CLUSTERS = st.one_of(legal(), legal_hyperpod(), legal_hyperpod_slurm(), legal_slurm()).map(derived)


@settings(max_examples=60, deadline=None)
@given(CLUSTERS)
def test_every_node_is_counted_once(blueprint: ClusterBlueprint) -> None:
    """On a line of its group, or paid in advance; on reservations as many as run, and at least all that are held."""
    told = cost_of(blueprint, AS_OF)
    for line in told.lines:
        assert 0 <= line.now <= line.most
    parts = [line.monthly for line in told.lines if line.monthly]
    assert told.monthly == (Money.total(parts) if parts or not told.lines else None)
    machines = [line for line in told.lines if line.item.kind in {Kind.INSTANCE, Kind.HYPERPOD}]
    reserved = {line.group for line in machines if line.reserved}
    counted = {name for line in machines for name in line.group.split(", ")}
    held = {group.name: group.described.capacity.held for group in blueprint.groups}
    in_advance = {name for name, each in held.items() if isinstance(each, CapacityBlock | TrainingPlan)}
    described = blueprint.described
    others = {"head", *described.login_nodes} if isinstance(described, SlurmCluster) else set()
    if isinstance(described, HyperPodSlurmCluster):
        others = {each.name for each in described.service_nodes.values()}
    assert counted == (held.keys() - in_advance) | others
    for names in reserved:
        groups = [group for group in blueprint.groups if group.name in names.split(", ")]
        nodes = [group.described.nodes_now for group in groups]
        full = max(each.count for group in groups if (each := group.described.capacity.held))
        both = [line for line in machines if line.group == names]
        assert sum(line.now for line in both) == max(full, sum(each.start for each in nodes))
        assert sum(line.most for line in both) == max(full, sum(each.max for each in nodes))
