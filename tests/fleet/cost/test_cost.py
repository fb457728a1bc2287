"""What the parts of a cluster come to, each by hand."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from muster.blueprint.derive.cluster import derive
from muster.extras.cost.cluster import REGISTRY_ENDPOINTS
from muster.extras.cost.estimate import Basis, Cost, Line, Money, Span, cost_of
from muster.extras.cost.prices import (
    CONTROL_PLANE,
    ENDPOINT,
    EXTENDED_SUPPORT,
    GP3,
    GP3_IOPS,
    GP3_THROUGHPUT,
    METADATA_IOPS,
    NAT_GATEWAY,
    PUBLIC_ADDRESS,
    Item,
    Kind,
    PriceTable,
    price_table,
)
from muster.infra import foundation as registered
from muster.versions import EKS_CALENDAR
from tests.factories import AS_OF, DROP, a_blueprint, a_description
from tests.slurm_factories import a_slurm_blueprint

P5 = Item(Kind.INSTANCE, "p5.48xlarge")


def cost(edits: dict[str, Any] | None = None, as_of: date = AS_OF, make: Any = a_blueprint) -> Cost:
    return cost_of(make(edits), price_table(), as_of)


def line(cost: Cost, item: Item, group: str = "") -> Line:
    (found,) = [each for each in cost.lines if each.item == item and (not group or each.group == group)]
    return found


def lines(cost: Cost, item: Item) -> list[Line]:
    return [each for each in cost.lines if each.item == item]


def test_the_default_cluster_line_by_line() -> None:
    """One c5.2xlarge, one p5.48xlarge on a reservation, their volumes, the control plane."""
    told = cost()
    assert [(each.what, each.group, each.basis.value, each.count.now, each.size) for each in told.lines] == [
        ("EKS control plane, Kubernetes 1.35", "", "on-demand", 1, 1),
        ("c5.2xlarge", "system", "on-demand", 1, 1),
        ("p5.48xlarge", "workers", "committed", 1, 1),
        ("100 GiB gp3 volume", "system", "on-demand", 1, 100),
        ("100 GiB gp3 volume", "workers", "on-demand", 1, 100),
    ]
    month = 730 * (Decimal("0.10") + Decimal("0.34") + Decimal("55.04")) + 200 * Decimal("0.08")
    assert told.monthly
    assert told.committed
    assert told.monthly.now == month == Decimal("40516.40")
    assert told.committed.now == 730 * Decimal("55.04")


@pytest.mark.parametrize("version", sorted(EKS_CALENDAR))
def test_extended_support_costs_more_from_the_day_after_the_last_of_standard_support(version: str) -> None:
    """$0.10 until then, $0.60 from then on: control plane and surcharge are two lines."""
    ends = EKS_CALENDAR[version].standard_ends
    edits = {"kubernetes": version}
    assert lines(cost(edits, ends), EXTENDED_SUPPORT) == []
    after = cost(edits, date.fromordinal(ends.toordinal() + 1))
    surcharge = line(after, EXTENDED_SUPPORT)
    assert surcharge.note == f"since {date.fromordinal(ends.toordinal() + 1)}; to stop it, upgrade"
    assert surcharge.each is not None
    control_plane = line(after, CONTROL_PLANE)
    assert control_plane.each is not None
    assert control_plane.each.usd + surcharge.each.usd == Decimal("0.60")


def test_a_control_plane_that_exists_is_not_counted_and_told() -> None:
    """Groups that join a cluster pay for nodes alone, extended support or not."""
    existing = {"name": "ml", "security-group": "sg-0123456789abcdef0", "authentication": "api"}
    told = cost({"control-plane": {"existing": existing}, "kubernetes": "1.33", "api": DROP})
    assert not lines(told, CONTROL_PLANE)
    assert not lines(told, EXTENDED_SUPPORT)
    assert "the existing EKS cluster ml, which is billed independently of this stack" in told.left_out


def test_a_network_that_muster_makes_has_gateways_addresses_and_endpoints() -> None:
    """One NAT gateway and its address, or one in each zone; two endpoints in each zone."""
    made = {"cidr": "10.0.0.0/16", "zones": ["us-west-2a", "us-west-2b", "us-west-2c"]}
    edits = {"network": {"create": made}}
    told = cost(edits)
    assert [line(told, each).count for each in (NAT_GATEWAY, PUBLIC_ADDRESS)] == [Span.fixed(1)] * 2
    assert line(told, ENDPOINT).count == Span.fixed(6)
    assert not [each for each in told.left_out if "the network" in each]
    per_zone = cost({**edits, "network.create.nat": "per-zone", "network.create.registry-endpoints": False})
    assert line(per_zone, NAT_GATEWAY).count == Span.fixed(3)
    assert not lines(per_zone, ENDPOINT)
    assert "the existing network, with its NAT gateways and endpoints" in cost().left_out


def test_registry_endpoints_are_as_many_as_are_registered() -> None:
    """The number that is counted is `infra`'s."""
    assert len(registered._REGISTRY) == REGISTRY_ENDPOINTS


def test_nodes_in_public_subnets_have_public_addresses() -> None:
    """Each its own."""
    told = cost({"groups.system.subnets": "public", "groups.system.nodes": 3})
    assert line(told, PUBLIC_ADDRESS, "system").count == Span.fixed(3)


def test_what_a_volume_has_beyond_gp3s_own_is_paid_for() -> None:
    """3000 IOPS and 125 MiB/s come with it."""
    told = cost({"groups.workers.volume": {"size": "500GiB", "iops": 5000, "throughput": 625}})
    assert line(told, GP3, "workers").size == 500
    assert (line(told, GP3_IOPS).size, line(told, GP3_THROUGHPUT).size) == (2000, 500)
    assert line(told, GP3_IOPS).monthly is None, "no source has it in us-west-2"
    assert not lines(cost({"groups.workers.volume": {"size": "500GiB", "iops": 3000, "throughput": 125}}), GP3_IOPS)


@pytest.mark.parametrize(
    ("lustre", "name"),
    [
        ({"size": "4800GiB", "throughput": 250}, "persistent-2-ssd-250"),
        ({"size": "1200GiB", "type": "persistent-1", "throughput": 50}, "persistent-1-ssd-50"),
        ({"size": "6000GiB", "type": "persistent-1", "disk": "hdd", "throughput": 12}, "persistent-1-hdd-12"),
        (
            {"size": "6000GiB", "type": "persistent-1", "disk": "hdd", "throughput": 12, "drive-cache": "read"},
            "persistent-1-hdd-12-cache",
        ),
        ({"size": "1200GiB", "type": "scratch-2"}, "scratch-ssd"),
        ({"size": "1200GiB", "type": "scratch-1"}, "scratch-ssd"),
    ],
)
def test_a_file_system_is_priced_by_kind_disk_and_throughput(lustre: dict[str, Any], name: str) -> None:
    """By the GB and month."""
    told = cost({"storage": {"scratch": {"lustre": lustre}}})
    found = line(told, Item(Kind.LUSTRE, name))
    assert f"{found.size}GiB" == lustre["size"]


def test_a_file_system_of_4800_gib_is_a_thousand_and_eight_dollars_a_month() -> None:
    """4800 at $0.21."""
    told = cost({"storage": {"scratch": {"lustre": {"size": "4800GiB", "throughput": 250}}}})
    assert line(told, Item(Kind.LUSTRE, "persistent-2-ssd-250")).monthly == Money(*[Decimal("1008.00")] * 3)
    backed = {"size": "4800GiB", "throughput": 250, "backup-days": 7, "metadata": {"iops": 12000}}
    more = cost({"storage": {"scratch": {"lustre": backed}}})
    assert "backups of file systems, which depend on the changed data" in more.left_out
    assert line(more, METADATA_IOPS).size == 12000
    assert line(more, METADATA_IOPS) in more.unknown


US = "222233334444"


def block(**more: Any) -> dict[str, Any]:
    days = {"starts": "2026-12-01", "ends": "2026-12-15"}
    held = {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 2, **days}
    return {"groups.workers.capacity": {"capacity-block": {**held, **more}}, "groups.workers.nodes": 2}


def test_a_blocks_instances_are_in_no_line_and_its_nodes_volumes_are() -> None:
    """Paid in advance; the volumes are EBS's, while there are nodes."""
    waiting, running = cost(block()), cost(block(active=True))
    assert not lines(waiting, P5)
    assert line(waiting, GP3, "workers").count == Span(0, 0, 2)
    assert line(running, GP3, "workers").count == Span.fixed(2)


def test_spot_tells_its_bound() -> None:
    """And no price."""
    told = cost({"groups.system.capacity": "spot"})
    spot = line(told, Item(Kind.INSTANCE, "c5.2xlarge"))
    assert (spot.basis, spot.monthly) == (Basis.SPOT, None)
    assert spot.note == "Spot prices depend on the hour and the zone; the on-demand price is $0.34 an hour"
    assert spot in told.unknown


def test_a_head_node_is_counted_with_its_volumes_and_address() -> None:
    """Two volumes; an address in a public subnet."""
    told = cost(make=a_slurm_blueprint)
    head = told.lines[0]
    assert (head.group, head.note) == ("head", "the head node")
    sizes = cost({"head.root": "300GiB", "head.apps": "50GiB"}, make=a_slurm_blueprint)
    assert [(each.size, each.note) for each in lines(sizes, GP3) if each.group == "head"] == [(300, ""), (50, "/apps")]
    public = cost({"head.subnets": "public"}, make=a_slurm_blueprint)
    private = cost({"head.subnets": "private"}, make=a_slurm_blueprint)
    assert [each.group for each in lines(public, PUBLIC_ADDRESS)] == ["head"]
    assert not lines(private, PUBLIC_ADDRESS)


def test_a_queue_whose_minimum_is_0_costs_nothing_until_jobs_come() -> None:
    """And at most what all of its nodes do."""
    blueprint = a_slurm_blueprint()
    (queue, *_), (group, *_) = blueprint.queues, blueprint.groups
    path = f"queues.{queue.name}.groups.{group.name}"
    told = cost({f"{path}.nodes": {"min": 0, "max": 4}, f"{path}.capacity": DROP}, make=a_slurm_blueprint)
    nodes = line(told, Item(Kind.INSTANCE, group.described.instance), group.name)
    assert nodes.count == Span(0, 0, 4)


def test_red_hats_licence_is_told() -> None:
    """Prices are Linux's."""
    told = "Red Hat's license, billed by the hour of every instance: the prices are those of Linux"
    assert told in cost({"os": "rhel9"}, make=a_slurm_blueprint).left_out
    assert told not in cost(make=a_slurm_blueprint).left_out


def test_changing_the_region_never_mixes_prices() -> None:
    """Where the other Region's are not known, there are none."""
    far = cost_of(derive(a_description(), "tested", "sa-east-1"), price_table(), AS_OF)
    assert far.committed is None, "not nothing"
    assert {str(each.item) for each in far.unknown} == {"instance c5.2xlarge", "instance p5.48xlarge", "volume gp3"}


def test_one_that_exists_hides_none_that_is_made() -> None:
    """Whichever stands first."""
    stands = {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "abcdefgh", "zone": "us-west-2a"}}
    made = {"lustre": {"size": "1200GiB", "throughput": 250}}
    for storage in ({"data": stands, "scratch": made}, {"data": made, "scratch": stands}):
        told = cost({"storage": storage})
        assert [each.size for each in told.lines if each.item.kind is Kind.LUSTRE] == [1200]


def test_spot_of_what_has_no_price_has_no_bound() -> None:
    """Nothing is said of what is not known."""
    nothing = cost_of(a_blueprint({"groups.system.capacity": "spot"}), PriceTable({}), AS_OF)
    assert line(nothing, Item(Kind.INSTANCE, "c5.2xlarge")).note == "Spot prices depend on the hour and the zone"


def test_login_nodes_cost_their_instances() -> None:
    """As many as run; the load balancer is named among what is not counted."""
    pool = {"instance": "m5.large", "nodes": 3}
    told = cost({"login-nodes": {"login": pool}}, make=a_slurm_blueprint)
    (line,) = (each for each in told.lines if each.note == "login nodes")
    assert (line.what, line.group, line.count) == ("m5.large", "login", Span.fixed(3))
    assert any(each.startswith("load balancers of login nodes") for each in told.left_out)
    assert not any("login" in each for each in cost(make=a_slurm_blueprint).left_out)
