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


def faults(file: Path, text: str) -> list[tuple[str, str, str, str]]:
    """Every fault: place in the file, key path, what was found, what to do."""
    with pytest.raises(Misconfigured) as refused:
        configured(file, text)
    return [
        (str(each).removeprefix(f"{file.parent}/"), each.finding.where, each.finding.got, each.finding.remedy)
        for each in refused.value.faults
    ]


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
    """Names, types, levels, bounds, duplicate keys; words, and what to do."""
    levels = "valid values: mandatory, advisory, disabled"
    assert faults(file, FAULTY) == [
        ("policies.yaml:1:17", QUIET, "'advisry' is not a valid value; did you mean 'advisory'?", levels),
        (
            "policies.yaml:2:1",
            f"{QUIET}-x",
            f"unknown key '{QUIET}-x': no rule of that name; did you mean '{QUIET}'?",
            "use a rule id that `muster explain --all` lists, or all",
        ),
        (
            "policies.yaml:3:31",
            f"{LOUD}.dayz",
            "unknown key 'dayz'; did you mean 'days'?",
            "valid keys: days, enforcementLevel",
        ),
        ("policies.yaml:3:58", f"{LOUD}.enforcementLevel", "'off' is not a valid value", levels),
        (
            "policies.yaml:4:23",
            "interfaces-fit-cards",
            "'remediate' is not a valid value",
            levels,
        ),
        (
            "policies.yaml:5:1",
            "interfaces-fit-cards",
            "has the key 'interfaces-fit-cards' twice (first on line 4)",
            "keep only one of the two",
        ),
        ("policies.yaml:6:29", "quota-covers-vcpus.vcpus", "'3' is text here", "leave the quotes out"),
        (
            "policies.yaml:8:1",
            "efa-fits-instance",
            "'efa-fits-instance' has no value",
            "write efa-fits-instance: advisory, or remove the key",
        ),
        (
            "policies.yaml:9:19",
            "efa-single-zone.days",
            "unknown key 'days'",
            "valid keys: enforcementLevel",
        ),
        ("policies.yaml:10:19", "group-has-subnet", "3 is not a valid value", levels),
        ("policies.yaml:11:7", "all.days", "unknown key 'days'", "valid keys: enforcementLevel"),
        (
            "policies.yaml:12:15",
            "environments",
            "is not a list of names, which the engine requires here",
            "write a list of names of Pulumi ESC environments, or remove the key",
        ),
        (
            "policies.yaml:13:1",
            "$schema",
            "unknown key '$schema': no rule of that name",
            "use a rule id that `muster explain --all` lists, or all",
        ),
        (
            "policies.yaml:15:3",
            "muster.enforcementLevel",
            "unknown key 'enforcementLevel'",
            "valid keys: facts, region, suppress",
        ),
        (
            "policies.yaml:16:10",
            "muster.facts",
            f"there is no file {file.parent / 'no-such-file.json'}",
            "write the path of a file of facts (`muster schema facts` prints its schema), or the facts themselves",
        ),
        (
            "policies.yaml:17:3",
            "muster.regoin",
            "unknown key 'regoin'; did you mean 'region'?",
            "valid keys: facts, region, suppress",
        ),
        ("policies.yaml:19:58", "muster.suppress[0].reason", "'short' has 5 characters", "write at least 10"),
        (
            "policies.yaml:19:72",
            "muster.suppress[0].until",
            "YAML reads 2026-12-31 as a time, not as text",
            'write it in quotes: "2026-12-31"',
        ),
    ]


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("- a list\n", "is not a block of rules"),
        ("muster: disabled\n", "'disabled' is not a block of keys"),
        ("{", "is not valid YAML"),
        ('muster: {suppress: [{rule: nope, at: x, reason: because of it, until: "2027-01-01"}]}\n', "no rule 'nope'"),
        ("muster: {region: us-west}\n", "'us-west' is not a Region"),
        ("muster: {region: us-wset-2}\n", "'us-wset-2' is not a Region; did you mean 'us-west-2'?"),
        ("mustre: {region: us-west-2}\n", "unknown key 'mustre': no rule of that name; did you mean 'muster'?"),
        ("muster: {facts: 3}\n", "is neither the path of a file nor facts"),
        ("muster: {facts: {subnets: {subnet-1: {}}}}\n", "'subnet-1' is not the id of a subnet"),
    ],
)
def test_other_faults_have_words(text: str, got: str, file: Path) -> None:
    """None of them is a traceback."""
    ((_, _, said, _),) = faults(file, text)
    assert said.startswith(got)


def test_facts_stand_in_a_file_of_their_own_or_beside_the_rules(file: Path) -> None:
    """A relative path begins where the file stands; faults of the other file are told there."""
    saved = {"subnets": {"subnet-0aaaaaaaaaaaaaaaa": {"freeAddresses": 5}}}
    (file.parent / "account.json").write_text(json.dumps(saved), encoding="utf-8")
    beside = configured(file, "muster: {facts: account.json, region: us-east-1}\n")
    assert beside.facts == configured(file, json.dumps({"muster": {"facts": saved}})).facts
    assert beside.facts_file == str(file.parent / "account.json")
    assert beside.region == "us-east-1"
    (file.parent / "account.json").write_text('{"subnets": {"x": {}}}', encoding="utf-8")
    ((place, *_),) = faults(file, "muster: {facts: account.json}\n")
    assert place == "account.json:1:14"


@pytest.mark.parametrize(
    ("named", "got"),
    [
        ("acount.json", "there is no file {folder}/acount.json; did you mean 'account.json'?"),
        ("facts/account.json", "there is no folder {folder}/facts, so there is no file {folder}/facts/account.json"),
        ("known", "{folder}/known is a folder"),
    ],
)
def test_facts_that_are_no_file_say_what_to_name(named: str, got: str, file: Path) -> None:
    """At the key that names them, with the near miss beside it."""
    (file.parent / "account.json").write_text("{}", encoding="utf-8")
    (file.parent / "known").mkdir()
    remedy = "write the path of a file of facts (`muster schema facts` prints its schema), or the facts themselves"
    told = ("policies.yaml:1:17", "muster.facts", got.format(folder=file.parent), remedy)
    assert faults(file, f"muster: {{facts: {named}}}\n") == [told]


def test_values_of_the_engine_come_without_a_file() -> None:
    """Its numbers are floats on the wire and whole when they arrive here; a relative path names no file."""
    made, wrong = of_values({LOUD: {"enforcementLevel": "mandatory", "days": 30}})
    assert wrong == ()
    assert next(each for each in made.rules if each.id == LOUD).settings.model_dump() == {"days": 30}
    _, (fault,) = of_values({"muster": {"facts": "facts.json"}})
    assert fault.got == (
        "'facts.json' is a relative path, and the engine does not tell the pack which folder it is relative to"
    )


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
    assert [(each.finding.where, each.finding.got) for each in stack.faults] == [
        (f"muster:policies.{QUIET}", "'advisry' is not a valid value; did you mean 'advisory'?"),
        ("muster:policies.muster", "unknown key 'muster': no rule of that name"),
    ]
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
