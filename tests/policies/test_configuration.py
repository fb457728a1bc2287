"""The configuration file: what it comes to, and every fault of it at its place, all at once."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from muster.cli.writers import json_schema
from muster.finding import Level
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.configuration import LEVELS, Configuration, Misconfigured, checked, of_values, read
from muster.stack.stack_file import StackFile, load
from tests.stack_files import filled_in, text_of

QUIET, LOUD = "efa-used-fully", "kubernetes-standard-support"
"""A rule without options, and one with `days`."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "policies.yaml"


def configured(file: Path, text: str) -> Configuration:
    file.write_text(text, encoding="utf-8")
    return read(file)


def faults(file: Path, text: str) -> list[str]:
    """Every fault: its place in the file, and its key."""
    with pytest.raises(Misconfigured) as refused:
        configured(file, text)
    return [f"{str(each).removeprefix(f'{file.parent}/')} {each.finding.where}" for each in refused.value.faults]


def test_nothing_said_asks_every_rule_by_its_sheet(file: Path) -> None:
    """An empty file is no fault: the engine takes one, too."""
    for text in ("", "{}\n"):
        assert configured(file, text).rules == all_rules()


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_yaml_and_json_say_the_same(suffix: str, tmp_path: Path) -> None:
    """A level alone, a block with a level, options alone, a rule that is not asked."""
    given = {
        QUIET: "mandatory",
        LOUD: {"enforcementLevel": "mandatory", "days": 90},
        "quota-covers-vcpus": {"vcpus": 192},
        "efa-fits-instance": "disabled",
    }
    file = tmp_path / f"policies.{suffix}"
    text = json.dumps(given) if suffix == "json" else "".join(f"{key}: {json.dumps(of)}\n" for key, of in given.items())
    made = {each.id: each for each in configured(file, text).rules}
    assert made.keys() == {each.id for each in all_rules()} - {"efa-fits-instance"}
    changed = {each.id for each in all_rules() if each.id in made and made[each.id] != each}
    assert changed == given.keys() - {"efa-fits-instance"}
    assert made[QUIET].level is made[LOUD].level is Level.MANDATORY
    assert made[LOUD].settings.model_dump() == {"days": 90}
    assert made["quota-covers-vcpus"].settings.model_dump() == {"vcpus": 192}


def test_what_is_said_of_all_gives_way_to_what_is_said_of_one(file: Path) -> None:
    """As in the engine, wherever `all` stands; options alone leave the level that all have."""
    made = configured(file, f"{QUIET}: advisory\n{LOUD}: {{days: 3}}\nall: mandatory\n").rules
    assert {each.id for each in made if each.level is Level.ADVISORY} == {QUIET}
    assert [each.id for each in configured(file, f"{LOUD}: {{days: 3}}\n{QUIET}: advisory\nall: disabled\n").rules] == [
        QUIET
    ]


FAULTY = f"""\
{QUIET}: advisry
{QUIET}-x: advisory
{LOUD}: {{dayz: 3, enforcementLevel: off}}
interfaces-fit-cards: remediate
interfaces-fit-cards: advisory
quota-covers-vcpus: {{vcpus: "3"}}
control-plane-zones: advisory
efa-fits-instance:
efa-single-zone: {{days: 3}}
group-has-subnet: 3
all: {{days: 3}}
environments: dev
$schema: policies.json
muster:
  enforcementLevel: advisory
  facts: no-such-file.json
  regoin: us-west-2
  suppress:
    - {{rule: {QUIET}, at: groups.workers, reason: short, until: 2026-12-31}}
"""


def test_all_faults_are_told_at_once_each_at_its_place(file: Path) -> None:
    """Names, types, levels, bounds, duplicate keys."""
    assert faults(file, FAULTY) == [
        f"policies.yaml:1:17 {QUIET}",
        f"policies.yaml:2:1 {QUIET}-x",
        f"policies.yaml:3:31 {LOUD}.dayz",
        f"policies.yaml:3:58 {LOUD}.enforcementLevel",
        "policies.yaml:4:23 interfaces-fit-cards",
        "policies.yaml:5:1 interfaces-fit-cards",
        "policies.yaml:6:29 quota-covers-vcpus.vcpus",
        "policies.yaml:8:1 efa-fits-instance",
        "policies.yaml:9:19 efa-single-zone.days",
        "policies.yaml:10:19 group-has-subnet",
        "policies.yaml:11:7 all.days",
        "policies.yaml:12:15 environments",
        "policies.yaml:13:1 $schema",
        "policies.yaml:15:3 muster.enforcementLevel",
        "policies.yaml:16:10 muster.facts",
        "policies.yaml:17:3 muster.regoin",
        "policies.yaml:19:58 muster.suppress[0].reason",
        "policies.yaml:19:72 muster.suppress[0].until",
    ]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("- a list\n", ""),
        ("{", ""),
        ("muster: disabled\n", "muster"),
        (
            'muster: {suppress: [{rule: nope, at: x, reason: because of it, until: "2027-01-01"}]}\n',
            "muster.suppress[0].rule",
        ),
        ("muster: {region: us-wset-2}\n", "muster.region"),
        ("mustre: {region: us-west-2}\n", "mustre"),
        ("muster: {facts: 3}\n", "muster.facts"),
        ("muster: {facts: facts/account.json}\n", "muster.facts"),
        ("muster: {facts: .}\n", "muster.facts"),
        ("muster: {facts: {subnets: {subnet-1: {}}}}\n", "muster.facts.subnets.subnet-1"),
    ],
)
def test_other_faults_are_told_at_their_keys(text: str, where: str, file: Path) -> None:
    """None of them is a traceback."""
    (told,) = faults(file, text)
    assert told.partition(" ")[2] == where


def test_facts_stand_in_a_file_of_their_own_or_beside_the_rules(file: Path) -> None:
    """A relative path begins where the file stands; faults of the other file are told there."""
    saved = {"subnets": {"subnet-0aaaaaaaaaaaaaaaa": {"freeAddresses": 5}}}
    (file.parent / "account.json").write_text(json.dumps(saved), encoding="utf-8")
    beside = configured(file, "muster: {facts: account.json, region: us-east-1}\n")
    assert beside.facts == configured(file, json.dumps({"muster": {"facts": saved}})).facts
    assert beside.facts_file == str(file.parent / "account.json")
    assert beside.region == "us-east-1"
    (file.parent / "account.json").write_text('{"subnets": {"x": {}}}', encoding="utf-8")
    (told,) = faults(file, "muster: {facts: account.json}\n")
    assert told.startswith("account.json:1:14 ")


def test_values_of_the_engine_come_without_a_file() -> None:
    """Its numbers are floats on the wire and whole when they arrive here; a relative path names no file."""
    made, wrong = of_values({LOUD: {"enforcementLevel": "mandatory", "days": 30}})
    assert wrong == ()
    assert next(each for each in made.rules if each.id == LOUD).settings.model_dump() == {"days": 30}
    _, (fault,) = of_values({"muster": {"facts": "facts.json"}})
    assert fault.where == "muster.facts"


STACK = "p5-odcr"


def opened(folder: Path, policies: str) -> StackFile:
    """The stack with a block of `muster:policies`, read from a file."""
    file = folder / f"Pulumi.{STACK}.yaml"
    file.write_text(f"{filled_in(text_of(STACK)).rstrip()}\n  muster:policies:\n{policies}", encoding="utf-8")
    return checked(load(STACK, file, folder / "facts" / f"{STACK}.json"))


def test_a_stack_has_the_last_word(tmp_path: Path, file: Path) -> None:
    """Its own `all` stands over what a file says of one rule; its options are laid over the file's."""
    stack = opened(tmp_path, f"    all: advisory\n    {LOUD}: {{days: 7}}\n")
    assert stack.faults == ()
    made = configured(file, f"{QUIET}: mandatory\n{LOUD}: {{enforcementLevel: disabled, days: 3}}\n").over(stack)
    assert {each.level for each in made.rules} == {Level.ADVISORY}
    assert next(each for each in made.rules if each.id == LOUD).settings.model_dump() == {"days": 7}


def test_faults_of_a_stacks_policies_are_faults_of_the_stack(tmp_path: Path) -> None:
    """With the others of its file, each at its place; what describes the world stands elsewhere in a stack."""
    stack = opened(tmp_path, f"    {QUIET}: advisry\n    muster: {{region: us-west-2}}\n")
    assert stack.described is None
    assert [each.finding.where for each in stack.faults] == [f"muster:policies.{QUIET}", "muster:policies.muster"]
    line = next(number for number, text in enumerate(stack.document.file.read_text().splitlines(), 1) if QUIET in text)
    assert str(stack.faults[0]) == f"{stack.document.file}:{line}:{len(QUIET) + 7}"


def instance(rule: Any) -> dict[str, Any]:
    """A rule's block with every option at its default."""
    return {"enforcementLevel": "advisory", **rule.options.of(rule.settings).model_dump(by_alias=True, mode="json")}


def test_the_schema_takes_what_the_reader_takes(file: Path) -> None:
    """Every rule with its level, and with its defaults; every example of the page."""
    validator = Draft202012Validator(json_schema.policies())
    Draft202012Validator.check_schema(validator.schema)
    every = {each.id: instance(each) for each in all_rules()}
    levels = {each.id: LEVELS[index % len(LEVELS)] for index, each in enumerate(all_rules())}
    for given in (every, levels, {"all": "disabled"}, {"muster": {"suppress": [], "region": "us-west-2"}}):
        assert not list(validator.iter_errors(given))
        configured(file, json.dumps(given))


@pytest.mark.parametrize(
    "given",
    [
        {"nope": "advisory"},
        {QUIET: "remediate"},
        {QUIET: {"x": 1}},
        {LOUD: {"days": "3"}},
        {LOUD: {"days": -1}},
        {"muster": "advisory"},
        {"muster": {"suppress": [{"rule": QUIET}]}},
        {"environments": "x"},
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(given: dict[str, Any], file: Path) -> None:
    """Editors say so before Muster has to."""
    assert list(Draft202012Validator(json_schema.policies()).iter_errors(given))
    assert faults(file, json.dumps(given))
