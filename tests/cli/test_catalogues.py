"""`muster hardware` and `muster explain`, as people read them."""

import pytest

from muster.cli.hardware import described, folded
from muster.fleet.hardware import Accelerator, hardware, instance_types
from muster.fleet.interfaces import Layout, slots

from .conftest import Muster


def test_a_types_sheet(muster: Muster) -> None:
    ran = muster("hardware", "p5.48xlarge")
    assert (ran.code, ran.err) == (0, "")
    told = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert told[0] == "p5.48xlarge"
    for line in (
        "accelerators 8 x H100 with 80 GiB each",
        "interfaces, aws 33 in all, 32 with EFA",
        "card 0 / device 1: efa-only",
        "cards 1-31 / device 0: efa-only",
        "interfaces, classic 32 in all, 32 with EFA",
        "cards 1-31 / device 1: efa",
        "pods, aws / classic 51 / 100",
        "allocatable cpu 191450m, memory 1928154Mi, hugepages-2Mi 10256Mi",
    ):
        assert line in told


def test_the_list_has_every_type_in_the_tables_order(muster: Muster) -> None:
    ran = muster("hardware")
    lines = ran.out.splitlines()[2:]
    assert [line.split()[0] for line in lines] == list(instance_types())


@pytest.mark.parametrize("instance", instance_types())
def test_every_type_has_a_sheet(muster: Muster, instance: str) -> None:
    """A number that no source states is "not known", never a zero."""
    ran = muster("hardware", instance)
    assert (ran.code, ran.err) == (0, "")
    row = described(hardware(instance))
    if row["maxPods"]["aws"] is None:
        assert "not known" in ran.out
        assert row["allocatable"] == {"cpu": None, "memory": None}
    if hardware(instance).accelerator is Accelerator.NONE:
        assert "accelerators none" in " ".join(ran.out.split())


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("instance", instance_types())
def test_folding_loses_no_interface(instance: str, layout: Layout) -> None:
    laid_out = slots(hardware(instance), layout)
    unfolded = []
    for text in folded(laid_out):
        cards, _, rest = text.partition(" / device ")
        device, _, kind = rest.partition(": ")
        first, _, last = cards.split()[1].partition("-")
        unfolded += [(card, int(device), kind) for card in range(int(first), int(last or first) + 1)]
    assert unfolded == [(slot.card, slot.device, slot.type.value) for slot in laid_out]


def test_a_rules_sheet(muster: Muster) -> None:
    ran = muster("explain", "reservation-zone-matches-subnet")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "reservation-zone-matches-subnet"
    heads = [line.split()[0] for line in lines[3:] if not line.startswith(" ")]
    assert heads == ["level", "severity", "backends", "why", "remedy", "source", "facts"]
    assert max(map(len, lines)) <= 100


def test_every_rule_is_listed_and_has_a_sheet(muster: Muster) -> None:
    listed = [line.split()[0] for line in muster("explain", "--all").out.splitlines()[2:]]
    assert listed == [each["id"] for each in muster("explain", "--all", "--json").json]
    for rule in listed:
        assert muster("explain", rule).code == 0
