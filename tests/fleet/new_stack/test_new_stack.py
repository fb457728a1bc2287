"""What is chosen for a new stack reads back from its file."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.blueprint.derive.cluster import derive
from muster.cli.init import stack_document
from muster.cli.init.choices import (
    DOCUMENTATION_NETWORK,
    Backend,
    CapacityKind,
    CapacitySource,
    Choices,
    ExistingNetwork,
)
from muster.cli.init.stack_document import (
    CONTROL_PLANE_ADDRESSES,
    address_count,
    kubernetes_version,
    stack_entries,
    stack_text,
)
from muster.cli.init.yaml_entries import WIDTH, Entry, Flow, comment_lines, plain_values, reasons, yaml_lines
from muster.config.document import parse
from muster.config.stack_file import load_text
from muster.hardware.zones import REGIONS_WITH_REFUSED_ZONES
from tests.fleet.new_stack.strategies import ANYTHING, choices

FILE = Path("stacks/Pulumi.p5-mine.yaml")
FACTS = Path("stacks/facts/p5-mine.json")
OF_OPERATORS = {Backend.EKS: ("c5.2xlarge", 1), Backend.HYPERPOD: ("m5.2xlarge", 2)}
"""A node of HyperPod holds 14 pods: one is too few for the operators."""


@given(choices())
def test_the_file_reads_back_to_exactly_what_was_chosen(made: Choices) -> None:
    """Whatever the choices, and whatever people and AWS call things."""
    opened = load_text(made.stack, stack_text(made), FILE, FACTS)
    described, held = opened.described, made.reserved
    assert described is not None, [str(each) for each in opened.faults]
    assert (described.backend, opened.region) == (made.backend.value, made.region)
    workers = described.groups["workers"]
    assert (workers.instance, workers.nodes.start if hasattr(workers.nodes, "start") else workers.nodes.count) == (
        held.instance,
        made.nodes,
    )
    assert workers.capacity.chosen == held.kind.value
    said = workers.capacity.held
    assert (said.arn if held.kind is CapacityKind.TRAINING_PLAN else said.id, said.zone, said.count) == (
        held.id,
        held.zone,
        held.count,
    )
    if held.kind is CapacityKind.CAPACITY_BLOCK:
        active = held.begun and made.backend.has_kubernetes
        assert (said.starts, said.ends, said.active) == (held.starts, held.ends, active)
    if held.kind is CapacityKind.RESERVATION:
        known = ("you", held.placement_group or "none") if held.source is CapacitySource.AWS else ("aws", None)
        assert (said.provided_by.value, said.placement_group) == known
    if made.backend.has_kubernetes:
        assert described.api.public == (made.api_from or (DOCUMENTATION_NETWORK,))
        system = described.groups["system"]
        assert (system.zone or "") == made.system_zone
        assert (system.purpose, system.instance, system.nodes.max) == ("system", *OF_OPERATORS[made.backend])
    _same_network(made, described.network)


def _same_network(made: Choices, network) -> None:
    ids = {each: made.network.zone_ids[each] for each in made.network.zones if each in made.network.zone_ids}
    assert network.zone_ids == (ids if made.region in REGIONS_WITH_REFUSED_ZONES else {})
    if isinstance(made.network, ExistingNetwork):
        known = network.existing
        assert (known.vpc, known.private, known.public) == (
            made.network.vpc,
            made.network.private,
            {} if made.backend is Backend.HYPERPOD_SLURM else made.network.public,
        )
        assert list(known.private) == list(made.network.private), "the order of zones decides the control plane's"
    else:
        assert (network.create.cidr, network.create.zones) == (made.network.cidr, made.network.zones)


@given(choices())
def test_no_line_is_too_long_but_for_a_value_that_is(made: Choices) -> None:
    """And every reason stands in the file, in one piece or wrapped."""
    written = stack_text(made)
    for line in written.splitlines():
        bare = line.strip()
        assert (
            len(line) <= WIDTH
            or (" " not in bare.removeprefix("# "))
            or (not bare.startswith("#") and " #" not in bare)
        )
    together = " ".join(line.strip().removeprefix("# ") for line in written.splitlines())
    for _, _, why in reasons(stack_entries(made)):
        told = " ".join("".join(char if char.isprintable() else " " for char in why).split())
        assert told in together


@given(st.dictionaries(ANYTHING, ANYTHING | st.integers(0, 10**6) | st.booleans(), max_size=5), ANYTHING)
def test_entries_are_read_as_they_are(data: dict, why: str) -> None:
    """Any text is text: words that YAML takes for true, numbers, quotes, colons, comments."""
    block = tuple(Entry(key, value, why) for key, value in data.items())
    every = (Entry("block", block, why), Entry("flow", Flow({**data, "list": [*data]}), why)) if block else ()
    document = parse("\n".join(yaml_lines(every)), FILE)
    assert not document.faults
    assert (document.data or {}) == plain_values(every)


@given(ANYTHING)
def test_a_comment_is_nothing_but_a_comment(said: str) -> None:
    """Whatever it says, the file says nothing by it."""
    assert parse("\n".join(comment_lines(said)), FILE).data is None


@pytest.mark.parametrize(
    ("day", "version", "until"),
    [
        ("2026-11-22", "1.35", "2027-03-27; the newest version that every add-on supports"),
        ("2027-03-27", "1.35", "2027-03-27; the newest version that every add-on supports"),
        ("2027-03-28", "1.36", "2027-08-02"),
        ("2030-01-01", "1.36", "2027-08-02"),
    ],
)
def test_the_version_is_the_newest_that_everything_here_is_stated_for(day: str, version: str, until: str) -> None:
    """While EKS supports it as standard; then the newest that there is."""
    assert kubernetes_version(date.fromisoformat(day)) == (version, f"in standard support until {until}")


@given(choices())
def test_more_nodes_take_more_addresses(made: Choices) -> None:
    """Each as many, and the control plane's come on top."""
    one, two = (address_count(replace(made, nodes=each, reserved=replace(made.reserved, count=64))) for each in (1, 2))
    assert two > one > CONTROL_PLANE_ADDRESSES


@given(choices())
def test_the_control_plane_has_what_eks_recommends(made: Choices) -> None:
    """Sixteen addresses, beside what the nodes take (EKS user guide, "network requirements")."""
    described, _ = stack_document.describe(made)
    assert described is not None
    groups = derive(described, made.stack, made.region).groups
    assert address_count(made) == 16 + sum(each.node.addresses.most * each.described.nodes.max for each in groups)


@pytest.mark.parametrize("word", ["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
def test_a_word_that_some_reader_takes_for_something_else_is_quoted(word: str) -> None:
    """Of YAML 1.1, too, in small letters and in capitals: the engine's reader takes them so."""
    for each in (word, word.capitalize(), word.upper()):
        assert list(yaml_lines((Entry("key", each), Entry(each, "plain")))) == [f'key: "{each}"', f'"{each}": plain']


def test_a_reason_is_of_its_path() -> None:
    """Below the blocks around it; a block with reasons inside is without its value."""
    inside = Entry("size", "200GiB", "AWS's default")
    block = (
        Entry("volume", (inside, Entry("kind", "gp3")), "the image"),
        Entry("nodes", 2, "all instances of the capacity"),
    )
    flow = Entry("tags", Flow({"a": 1}), "yours")
    assert list(reasons((Entry("workers", block), flow))) == [
        ("workers.volume", None, "the image"),
        ("workers.volume.size", "200GiB", "AWS's default"),
        ("workers.nodes", 2, "all instances of the capacity"),
        ("tags", {"a": 1}, "yours"),
    ]


def test_a_comment_is_broken_at_blanks_alone() -> None:
    """What is one name stays whole."""
    word = "my-capacity-block"
    written = list(comment_lines(" ".join([word] * 20), "  "))
    assert len(written) > 1
    assert all(len(each) <= WIDTH and each.startswith("  # ") for each in written)
    assert [each for line in written for each in line.removeprefix("  # ").split(" ")] == [word] * 20
