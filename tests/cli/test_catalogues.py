"""Everything that `muster hardware` and `muster explain` list, and that folding loses nothing of it."""

import pytest

from muster.cli.commands.hardware import folded
from muster.cli.findings import ENGINE, pseudo_rules
from muster.finding import NOT_MODELLED, SCHEMA
from muster.hardware.catalogue import accelerated_types, hardware, instance_types
from muster.hardware.interfaces import Layout, slots
from muster.policies.engine.configuration import MUSTER
from muster.policies.engine.messages import NOT_EVALUATED
from muster.policies.engine.suppressions import SUPPRESSION
from tests.cli.conftest import Muster


def test_the_list_has_every_type_in_the_tables_order(muster: Muster) -> None:
    """For people and for programs, which get the zones of one Region or of all."""
    lines = muster("hardware", "--all").out.splitlines()[2:]
    assert [line.split()[0] for line in lines] == list(instance_types())
    every = muster("hardware", "--json").json
    there = muster("hardware", "--region", "us-east-1", "--json").json
    assert [each["instance"] for each in every] == [each["instance"] for each in there] == list(accelerated_types())
    for whole, part in zip(every, there, strict=True):
        known = whole["zones"]
        assert part["zones"] == (None if known is None else {"us-east-1": known.get("us-east-1", [])})


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


def test_every_rule_is_listed_and_has_a_sheet(muster: Muster) -> None:
    """In order; what reports show in a rule's place has a sheet, too, and is no rule."""
    listed = [line.split()[0] for line in muster("explain", "--all").out.splitlines()[2:]]
    assert listed == sorted(listed)
    assert listed == [each["id"] for each in muster("explain", "--all", "--json").json]
    assert set(pseudo_rules()) == {SCHEMA, SUPPRESSION, NOT_MODELLED, ENGINE, NOT_EVALUATED, MUSTER}
    assert not {*listed} & {*pseudo_rules()}
    for rule in listed:
        assert muster("explain", rule).code == 0
