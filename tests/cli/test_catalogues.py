"""`muster hardware` and `muster explain`, as people read them."""

from dataclasses import asdict

import pytest

from muster.cli.commands.hardware import described, folded
from muster.cli.findings import ENGINE, pseudo_rules
from muster.finding import NOT_MODELLED, SCHEMA
from muster.hardware.catalogue import Accelerator, accelerated_types, hardware, instance_types
from muster.hardware.interfaces import Layout, slots
from muster.policies.engine.configuration import MUSTER
from muster.policies.engine.messages import NOT_EVALUATED
from muster.policies.engine.suppressions import SUPPRESSION
from tests.cli.conftest import Muster


def test_a_types_sheet(muster: Muster) -> None:
    ran = muster("hardware", "p5.48xlarge")
    assert (ran.code, ran.err) == (0, "")
    told = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert told[0] == "p5.48xlarge"
    for line in (
        "accelerators 8 x H100 with 80 GiB each",
        "interfaces, classic 32 in all, 32 with EFA; card 0 / device 0: efa; cards 1-31 / device 1: efa",
        "pods, aws / classic 51 / 100",
        "allocatable cpu 191450m, memory 1928154Mi, hugepages-2Mi 10256Mi",
        "Slurm 192 CPUs, 1992294 MiB, 8 GPUs",
    ):
        assert line in told


@pytest.mark.parametrize(
    ("options", "types"), [((), accelerated_types()), (("--all",), instance_types())], ids=["accelerated", "all"]
)
def test_the_list_has_every_type_in_the_tables_order(
    muster: Muster, options: tuple[str, ...], types: tuple[str, ...]
) -> None:
    lines = muster("hardware", *options).out.splitlines()[2:]
    assert [line.split()[0] for line in lines] == list(types)


@pytest.mark.parametrize(
    "instance", ["c5.9xlarge", "m7g.2xlarge", "trn2u.48xlarge", "p6e-gb200.36xlarge", "mac2.metal"]
)
def test_a_type_has_a_sheet(muster: Muster, instance: str) -> None:
    """A number that no source states is "unknown", never a zero."""
    ran = muster("hardware", instance)
    assert (ran.code, ran.err) == (0, "")
    row = described(hardware(instance))
    assert ("unknown" in ran.out) == (row["maxPods"]["aws"] is None) == (row["allocatable"]["memory"] is None)
    none = hardware(instance).accelerator is Accelerator.NONE
    assert ("accelerators none" in " ".join(ran.out.split())) == none


@pytest.mark.parametrize("layout", Layout)
def test_folding_loses_no_interface(layout: Layout) -> None:
    for instance in instance_types():
        laid_out = slots(hardware(instance), layout)
        unfolded = []
        for text in folded(laid_out):
            cards, _, rest = text.partition(" / device ")
            device, _, kind = rest.partition(": ")
            first, _, last = cards.split()[1].partition("-")
            unfolded += [(card, int(device), kind) for card in range(int(first), int(last or first) + 1)]
        assert unfolded == [(slot.card, slot.device, slot.type.value) for slot in laid_out], instance


def test_the_zones_of_a_region(muster: Muster) -> None:
    """One row for each type, with the source of the zones."""
    ran = muster("hardware", "--region", "us-west-2")
    assert (ran.code, ran.err) == (0, "")
    *lines, note = (" ".join(line.split()) for line in ran.out.splitlines()[2:])
    assert "indicative" in note
    assert [line.split()[0] for line in lines] == list(accelerated_types())
    assert "p5e.48xlarge 8 x H200 32 usw2-az3" in lines
    assert "zones, us-west-2 usw2-az3" in " ".join(
        muster("hardware", "p5e.48xlarge", "--region", "us-west-2").out.split()
    )


def test_zones_for_programs(muster: Muster) -> None:
    every = muster("hardware", "--json").json
    zones = {each["instance"]: each["zones"] for each in every}
    assert zones["trn2.48xlarge"] == {
        "ap-south-2": ["aps2-az1", "aps2-az2", "aps2-az3"],
        "us-east-2": ["use2-az1", "use2-az2", "use2-az3"],
    }
    assert [name for name, known in zones.items() if known is None] == ["p6e-gb200.36xlarge"]
    assert {each["sources"]["zones"] for each in every} == {
        "moto 5.2.5 instance_type_offerings, observed 2026-10-27; indicative"
    }

    there = {each["instance"]: each["zones"] for each in muster("hardware", "--region", "us-east-1", "--json").json}
    assert list(there) == list(accelerated_types())
    assert there["p6-b200.48xlarge"] == {"us-east-1": ["use1-az6"]}
    assert there["p5e.48xlarge"] == {"us-east-1": []}
    assert there["p6e-gb200.36xlarge"] is None
    one = muster("hardware", "p5.48xlarge", "--region", "us-west-1", "--json").json
    assert one["zones"] == {"us-west-1": ["usw1-az1", "usw1-az3"]}


def test_a_rules_sheet(muster: Muster) -> None:
    ran = muster("explain", "reservation-zone-matches-subnet")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "reservation-zone-matches-subnet"
    heads = [line.split()[0] for line in lines[3:] if not line.startswith(" ")]
    assert heads == ["level", "severity", "backends", "why", "remedy", "source", "facts", "page"]
    assert max(len(line) for line in lines if "https://" not in line) <= 100


@pytest.mark.parametrize("name", sorted(pseudo_rules()))
def test_a_name_that_no_rule_has_is_explained(name: str, muster: Muster) -> None:
    """What reports show in a rule's place, in words and in JSON; it is not among the rules."""
    ran = muster("explain", name)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[:3] == [name, pseudo_rules()[name].title, ""]
    assert [line.split()[0] for line in lines[3:] if not line.startswith(" ")] == ["why", "remedy"]
    assert max(map(len, lines)) <= 100
    (sheet,) = muster("explain", name, "--json").json
    assert sheet == {"id": name, **asdict(pseudo_rules()[name])}
    assert name not in {each["id"] for each in muster("explain", "--all", "--json").json}


def test_the_names_that_no_rule_has() -> None:
    """All that reports show in a rule's place, by the names that each is told under."""
    assert set(pseudo_rules()) == {SCHEMA, SUPPRESSION, NOT_MODELLED, ENGINE, NOT_EVALUATED, MUSTER}


def test_every_rule_is_listed_and_has_a_sheet(muster: Muster) -> None:
    listed = [line.split()[0] for line in muster("explain", "--all").out.splitlines()[2:]]
    assert listed == [each["id"] for each in muster("explain", "--all", "--json").json]
    for rule in listed:
        assert muster("explain", rule).code == 0
