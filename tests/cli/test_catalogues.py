"""`muster hardware` and `muster explain`, as people read them."""

from dataclasses import asdict

import pytest

from muster.cli.commands.hardware import described, folded
from muster.cli.findings import ENGINE, PSEUDO_RULES
from muster.finding import NOT_MODELLED, SCHEMA
from muster.hardware.catalogue import Accelerator, accelerated_types, hardware, instance_types
from muster.hardware.interfaces import Layout, slots
from muster.hardware.offerings import regions, zones_offering
from muster.policies.engine.configuration import MUSTER
from muster.policies.engine.messages import NOT_EVALUATED
from muster.policies.engine.suppressions import SUPPRESSION
from tests.cli.conftest import Muster

WITH_EFA = [name for name in accelerated_types() if hardware(name).max_efa]

TO_BE_SURE = """
Indicative: EC2 reported these zones to one account, on 2026-10-27 or earlier (source: moto 5.2.5
instance_type_offerings). AWS's own lists disagree about some types, so 'none seen' does not prove
that no zone offers the type. Local Zones are not included. A zone that offers a type may have no
free capacity. For a reliable answer, query EC2 with your account:
  aws ec2 describe-instance-types --region us-west-2 \\
    --filters Name=network-info.efa-supported,Values=true \\
    --query 'InstanceTypes[*].[InstanceType]' --output text
  aws ec2 describe-instance-type-offerings --region us-west-2 \\
    --location-type availability-zone-id \\
    --filters Name=instance-type,Values=TYPE \\
    --query 'InstanceTypeOfferings[*].Location' --output text
"""


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


def test_a_type_and_all_of_them_are_two_questions(muster: Muster) -> None:
    ran = muster("hardware", "p5.48xlarge", "--all")
    assert (ran.code, ran.out) == (2, "")
    assert "--all lists every type, but 'p5.48xlarge' selects one; give only one of them" in ran.err


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


def test_types_with_efa_and_the_zones_of_a_region(muster: Muster) -> None:
    ran = muster("hardware", "--efa", "--region", "us-west-2")
    assert (ran.code, ran.err) == (0, "")
    told = ran.out.removesuffix(TO_BE_SURE)
    assert told != ran.out
    head, _, *lines = (" ".join(line.split()) for line in told.splitlines())
    assert head == "type accelerators EFA zones"
    assert [line.split()[0] for line in lines] == WITH_EFA
    for line in (
        "p5.48xlarge 8 x H100 32 usw2-az1 usw2-az2 usw2-az3 usw2-az4",
        "p5e.48xlarge 8 x H200 32 usw2-az3",
        "trn2.48xlarge 16 x Trainium2 16 none seen",
        "p6e-gb200.36xlarge 4 x B200 (GB200 superchip) 16 not known",
    ):
        assert line in lines


def test_types_with_efa_in_every_region(muster: Muster) -> None:
    """One line for a type and Region: `| grep us-east-2` and `| grep use2-az3` find what they should."""
    ran = muster("hardware", "--efa")
    told, _, rest = ran.out.partition("\nIndicative: ")
    assert (ran.code, ran.err) == (0, "")
    assert "--region REGION" in rest
    lines = [" ".join(line.split()) for line in told.splitlines()[2:]]
    assert lines == [
        f"{instance} {hardware(instance).max_efa} {words}" for instance in WITH_EFA for words in places(instance)
    ]


def places(instance: str) -> list[str]:
    seen = {region: zones_offering(instance, region) for region in regions()}
    if None in seen.values():
        return ["not known"]
    return [f"{region} {' '.join(sorted(zones))}" for region, zones in seen.items() if zones]


def test_a_region_without_efa_lists_every_type(muster: Muster) -> None:
    ran = muster("hardware", "--all", "--region", "us-west-2")
    assert ran.out.endswith(TO_BE_SURE)
    lines = [line.split() for line in ran.out.removesuffix(TO_BE_SURE).splitlines()[2:]]
    assert [line[0] for line in lines] == list(instance_types())
    assert ["c5.2xlarge", "none", "0", "usw2-az1", "usw2-az2", "usw2-az3", "usw2-az4"] in lines


@pytest.mark.parametrize("command", [("hardware",), ("hardware", "p5.48xlarge")])
def test_zones_are_told_to_those_who_ask(muster: Muster, command: tuple[str, ...]) -> None:
    out = muster(*command).out
    assert "zones" not in out
    assert "Indicative" not in out


def test_a_types_sheet_with_its_zones(muster: Muster) -> None:
    ran = muster("hardware", "p5en.48xlarge", "--region", "us-west-2")
    told = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert [line for line in told if line.startswith("zones")] == ["zones, us-west-2 usw2-az2 usw2-az3 usw2-az4"]
    assert "source, zones moto 5.2.5 instance_type_offerings, observed 2026-10-27; indicative" in told
    assert ran.out.endswith(TO_BE_SURE.replace("TYPE", "p5en.48xlarge"))

    told = [" ".join(line.split()) for line in muster("hardware", "trn2.48xlarge", "--efa").out.splitlines()]
    assert [line for line in told if line.startswith("zones")] == [
        "zones, ap-south-2 aps2-az1 aps2-az2 aps2-az3",
        "zones, us-east-2 use2-az1 use2-az2 use2-az3",
    ]
    for more in ((), ("--region", "us-east-1")):
        told = [line.split() for line in muster("hardware", "p6e-gb200.36xlarge", "--efa", *more).out.splitlines()]
        assert [line[-2:] for line in told if line[:1] in (["zones"], ["zones,"])] == [["not", "known"]]


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
    assert muster("hardware", "--efa", "--json").json == [each for each in every if each["maxEfa"]]

    there = {each["instance"]: each["zones"] for each in muster("hardware", "--region", "us-east-1", "--json").json}
    assert list(there) == list(accelerated_types())
    assert there["p6-b200.48xlarge"] == {"us-east-1": ["use1-az6"]}
    assert there["p5e.48xlarge"] == {"us-east-1": []}
    assert there["p6e-gb200.36xlarge"] is None
    one = muster("hardware", "p5.48xlarge", "--efa", "--region", "us-west-1", "--json").json
    assert one["zones"] == {"us-west-1": ["usw1-az1", "usw1-az3"]}


@pytest.mark.parametrize("region", [(), ("--region", "us-east-1")], ids=["everywhere", "us-east-1"])
def test_zones_on_a_narrow_terminal(muster: Muster, monkeypatch: pytest.MonkeyPatch, region: tuple[str, ...]) -> None:
    """No type and no zone is cut in two."""
    wide = muster("hardware", "--efa", *region).out
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("muster.cli.tables._width", lambda piped: min(piped, 80))
    narrow = muster("hardware", "--efa", *region).out
    assert max(map(len, narrow.splitlines())) <= 80
    assert set(narrow.replace("─", "").split()) == set(wide.replace("─", "").split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("--efa", "--region", "us-wset-2"),
            (
                "error: Muster has no zones for a Region 'us-wset-2'; did you mean 'us-west-2'? (Regions: "
                "af-south-1, ap-"
            ),
        ),
        (("--region", "us-west-2a"), "a Region 'us-west-2a'; did you mean 'us-west-2'? (Regions: "),
        (
            ("p5.48xlarge", "--region", "mars"),
            ("error: Muster has no zones for a Region 'mars' (Regions: af-south-1, "),
        ),
        (("--region", ""), "error: Muster has no zones for a Region '' (Regions: "),
        (("--region", "us\x1b[2J", "--json"), "a Region 'us\\x1b[2J' (Regions: "),
        (("--region",), "Option '--region' requires an argument."),
        (
            ("c5.2xlarge", "--efa"),
            "error: 'c5.2xlarge' has no EFA; leave out --efa, or list the types with EFA: muster hardware --efa",
        ),
        (("c5.2xlarge", "--efa", "--json"), "error: 'c5.2xlarge' has no EFA;"),
        (
            ("p5.84xlarge", "--efa"),
            "error: 'p5.84xlarge' is not an instance type that Muster knows; did you mean 'p5.48xlarge'?",
        ),
    ],
    ids=lambda value: " ".join(value).encode("unicode_escape").decode() if isinstance(value, tuple) else "",
)
def test_zones_wrongly_asked_for(muster: Muster, arguments: tuple[str, ...], said: str) -> None:
    ran = muster("hardware", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.replace("│", " ").split())
    assert "Traceback" not in ran.err


def test_a_rules_sheet(muster: Muster) -> None:
    ran = muster("explain", "reservation-zone-matches-subnet")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "reservation-zone-matches-subnet"
    heads = [line.split()[0] for line in lines[3:] if not line.startswith(" ")]
    assert heads == ["level", "severity", "backends", "why", "remedy", "source", "facts", "page"]
    assert max(len(line) for line in lines if "https://" not in line) <= 100


@pytest.mark.parametrize("name", sorted(PSEUDO_RULES))
def test_a_name_that_no_rule_has_is_explained(name: str, muster: Muster) -> None:
    """What reports show in a rule's place, in words and in JSON; it is not among the rules."""
    ran = muster("explain", name)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[:3] == [name, f"{PSEUDO_RULES[name].title} (an entry of reports that is not a rule)", ""]
    assert [line.split()[0] for line in lines[3:] if not line.startswith(" ")] == ["why", "remedy"]
    assert max(map(len, lines)) <= 100
    (sheet,) = muster("explain", name, "--json").json
    assert sheet == {"id": name, **asdict(PSEUDO_RULES[name])}
    assert name not in {each["id"] for each in muster("explain", "--all", "--json").json}


def test_the_names_that_no_rule_has() -> None:
    """All that reports show in a rule's place, by the names that each is told under."""
    assert set(PSEUDO_RULES) == {SCHEMA, SUPPRESSION, NOT_MODELLED, ENGINE, NOT_EVALUATED, MUSTER}


def test_a_misspelt_name_that_no_rule_has(muster: Muster) -> None:
    """It is offered like a rule's."""
    assert muster("explain", "supression").err == "error: no rule 'supression'; did you mean 'suppression'?\n"


def test_every_rule_is_listed_and_has_a_sheet(muster: Muster) -> None:
    listed = [line.split()[0] for line in muster("explain", "--all").out.splitlines()[2:]]
    assert listed == [each["id"] for each in muster("explain", "--all", "--json").json]
    for rule in listed:
        assert muster("explain", rule).code == 0
