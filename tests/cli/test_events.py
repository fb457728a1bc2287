"""`muster report --events`: what the engine tells of the pack, with sheets and places."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from muster.policies.engine.messages import (
    SuppressedMessage,
    of_bug,
    of_finding,
    of_suppressed,
    of_unjudged,
    read_bug,
    read_finding,
    read_suppressed,
    read_unjudged,
)
from muster.policies.engine.rule_index import sheet_of
from tests.cli.conftest import Muster, Ran
from tests.cli.event_logs import FOREIGN, REFUSED, read, written
from tests.stack_files import filled_in

GPU = "urn:pulumi:dev::foreign::aws:ec2/launchTemplate:LaunchTemplate::gpu"
NODES = "urn:pulumi:dev::foreign::aws:ec2/securityGroup:SecurityGroup::nodes"
Change = Callable[[list[dict[str, Any]]], None]


def told(muster: Muster, log: Path, change: Change = lambda _: None, *arguments: str) -> Ran:
    """The report of a log, changed."""
    events = read(log)
    change(events)
    Path("log.jsonl").write_text(written(events), encoding="utf-8")
    return muster("report", "--events", "log.jsonl", *(arguments or ("--json",)))


def policy(events: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """What the engine said under a policy's name."""
    (found,) = [event["policyEvent"] for event in events if event.get("policyEvent", {}).get("policyName") == name]
    assert isinstance(found, dict)
    return found


def test_the_pack_s_words_join_the_sheets(muster: Muster) -> None:
    """Each rule at its resource, with remedy and source; what was not evaluated is told as such."""
    ran = told(muster, FOREIGN)
    assert (ran.code, ran.err) == (1, "")
    (stack,) = ran.json["stacks"]
    assert stack["stack"] == "dev"
    assert [(each["rule"], each["level"], each["resource"]) for each in stack["findings"]] == [
        ("efa-used-fully", "advisory", GPU),
        ("interfaces-fit-cards", "mandatory", GPU),
        ("primary-interface-carries-ip", "mandatory", GPU),
        ("efa-security-groups-allow-themselves", "mandatory", NODES),
    ]
    for each in stack["findings"]:
        assert each["where"] == {"file": "", "line": 0, "column": 0, "path": each["resource"]}
        assert each["remedy"]
        assert each["source"] == sheet_of(each["rule"]).source[0]
    missing = {(each["rule"], each["resource"]) for each in stack["notEvaluated"] if each["missing"]}
    assert missing == {("imds-out-of-pods", GPU), ("vpc-cni-supports-efa", GPU)}
    assert len(stack["judged"]) > 100
    assert "not-evaluated" not in stack["judged"]
    last = told(muster, FOREIGN, lambda _: None, "-o", "table").out.splitlines()[-1]
    assert last == (
        f"dev: 4 findings (3 mandatory, 1 advisory): {len(stack['judged'])} rules, 2 not evaluated (-v for details)"
    )


def test_every_format_takes_a_run(muster: Muster) -> None:
    """SARIF points at the resource, and says whose address the rule's document has."""
    ran = told(muster, FOREIGN, lambda _: None, "-o", "sarif=x.sarif,junit=x.xml,github,markdown=x.md")
    assert ran.code == 1
    assert ran.out.count("::error ") == 3
    (run,) = json.loads(Path("x.sarif").read_text())["runs"]
    (result,) = [each for each in run["results"] if each["ruleId"] == "interfaces-fit-cards"]
    assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == GPU
    descriptor = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert descriptor["helpUri"] == sheet_of("interfaces-fit-cards").page


def test_what_the_first_gate_refuses_stands_at_its_line(muster: Muster) -> None:
    """No pack was asked: the program's own error names file, line and column."""
    muster.file().write_text(filled_in(muster.file().read_text()).replace("        nodes: 1\n", "        nodes: 2\n"))
    ran = told(muster, REFUSED)
    (stack,) = ran.json["stacks"]
    (found,) = stack["findings"]
    assert (ran.code, stack["stack"], stack["notEvaluated"]) == (1, "p5-odcr", [])
    assert (found["rule"], found["level"]) == ("reservation-covers-nodes", "mandatory")
    assert found["where"] == {
        "file": "stacks/Pulumi.p5-odcr.yaml",
        "line": 40,
        "column": 20,
        "path": "",
    }
    assert found["remedy"] == "limit the group to 1 node, or use a larger reservation"
    assert found["source"] == sheet_of("reservation-covers-nodes").source[0]


def test_a_path_in_the_words_is_a_place_in_the_stack_s_file(muster: Muster) -> None:
    """With the file at hand; without it, and for words that name none, the resource is the place."""

    def of_p5(message: str) -> Change:
        def change(events: list[dict[str, Any]]) -> None:
            policy(events, "interfaces-fit-cards")["message"] = message
            moved = json.loads(json.dumps(events).replace("urn:pulumi:dev::foreign::", "urn:pulumi:p5-odcr::muster::"))
            events[:] = moved

        return change

    def place(message: str) -> dict[str, Any]:
        (stack,) = told(muster, FOREIGN, of_p5(message)).json["stacks"]
        (found,) = [each for each in stack["findings"] if each["rule"] == "interfaces-fit-cards"]
        assert found["resource"].startswith("urn:pulumi:p5-odcr::muster::")
        return dict(found["where"])

    line, column = muster.place("p5.48xlarge", within="instance: p5")
    file = "stacks/Pulumi.p5-odcr.yaml"
    named = place(of_finding("groups.workers.instance is wrong", "mend it", "a guide"))
    assert named == {"file": file, "line": line, "column": column, "path": "groups.workers.instance"}
    unnamed = place(of_finding("groups.nobody.instance is wrong", "mend it", "a guide"))
    assert (unnamed["file"], unnamed["line"]) == (file, 0)
    assert unnamed["path"].endswith("LaunchTemplate::gpu")
    muster.file().unlink()
    assert place("groups.workers.instance is wrong")["file"] == ""


def test_other_packs_keep_their_names(muster: Muster) -> None:
    """Their words are told as they are; a mandatory one of theirs fails the run, too."""

    def change(events: list[dict[str, Any]]) -> None:
        said = policy(events, "interfaces-fit-cards")
        said |= {
            "policyPackName": "compliance",
            "policyName": "no-open-door",
            "message": "close <{%fg 1%}>it<{%reset%}>\n",
        }

    (stack,) = told(muster, FOREIGN, change).json["stacks"]
    (found,) = [each for each in stack["findings"] if each["rule"] == "compliance/no-open-door"]
    assert (found["level"], found["got"], found["remedy"], found["source"]) == ("mandatory", "close it", "", "")
    out = told(muster, FOREIGN, change, "-o", "table", "-v").out
    place = "aws:ec2/launchTemplate:LaunchTemplate gpu"
    assert f"{place}: mandatory compliance/no-open-door: close it\n    at {GPU}\n" in out


def test_a_run_without_our_pack_is_no_clean_run(muster: Muster) -> None:
    """Nothing was judged, and that is said: never a silent pass."""

    def change(events: list[dict[str, Any]]) -> None:
        events[:] = [event for event in events if not any(name.startswith("policy") for name in event)]
        (summary,) = [event["summaryEvent"] for event in events if "summaryEvent" in event]
        summary |= {"PolicyPacks": {}, "result": "succeeded"}

    ran = told(muster, FOREIGN, change, "--json", "--strict")
    (stack,) = ran.json["stacks"]
    assert ran.code == 4
    (missing,) = stack["notEvaluated"]
    assert missing["missing"].startswith("a run of Muster's policy pack; run Pulumi with --policy-pack")


def test_a_run_that_failed_for_another_reason_fails(muster: Muster) -> None:
    """An error of the program or of a provider is told under the engine's name."""

    def change(events: list[dict[str, Any]]) -> None:
        for event in events:
            if event.get("diagnosticEvent", {}).get("message", "").startswith("Muster refuses"):
                event["diagnosticEvent"]["message"] = "KeyError: 'vpc'\n"

    ran = told(muster, REFUSED, change)
    (stack,) = ran.json["stacks"]
    assert ran.code == 1
    assert [(each["rule"], each["got"]) for each in stack["findings"]] == [
        ("engine", "KeyError: 'vpc'"),
        ("engine", "an unhandled error occurred: program exited with non-zero exit code: 1"),
    ]
    (missing,) = stack["notEvaluated"]
    assert missing["missing"] == (
        "the resources that the program registers: the program ended before the policy pack ran"
    )


def test_a_run_that_was_stopped_fails(muster: Muster) -> None:
    """No error says why: the engine's own verdict is told."""

    def change(events: list[dict[str, Any]]) -> None:
        events[:] = [event for event in events if "policyEvent" not in event and "diagnosticEvent" not in event]
        for event in events:
            if "summaryEvent" in event:
                event["summaryEvent"]["result"] = "canceled"

    (stack,) = told(muster, FOREIGN, change).json["stacks"]
    assert [(each["rule"], each["got"]) for each in stack["findings"]] == [
        ("engine", "the run canceled, and no event has the reason")
    ]


@pytest.mark.parametrize(
    ("content", "at"),
    [
        (b"", "'log.jsonl' is empty"),
        (b"\xff\xfe", "'log.jsonl': byte 0"),
        (b"hello\n", "log.jsonl:1: "),
        (b'{"sequence": 1}\n[1]\n', "log.jsonl:2: "),
        (b'{"steps": [], "config": {}}\n', "log.jsonl:1: "),
        (b'{"sequence": 1}\n{"seq', "log.jsonl:2: "),
        (b'{"sequence": 1, "preludeEvent": {}}\n', "(cancelEvent)"),
        (b"[" * 100_000 + b"\n", "log.jsonl:1: "),
    ],
)
def test_what_is_no_log_is_told(muster: Muster, content: bytes, at: str) -> None:
    """Where, and exit 2."""
    Path("log.jsonl").write_bytes(content)
    ran = muster("report", "--events", "log.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert at in ran.err


def test_every_cut_of_a_log_is_told(muster: Muster) -> None:
    """Wherever the engine was stopped: a log without its end never passes for a whole one."""
    whole = FOREIGN.read_bytes()
    for length in range(1, len(whole) - 2, len(whole) // 20):
        Path("log.jsonl").write_bytes(whole[:length])
        ran = muster("report", "--events", "log.jsonl")
        assert (ran.code, ran.out) == (2, ""), length


def test_the_pack_s_words_are_read_as_they_were_written() -> None:
    """What is said is what is read, with the line end that the engine adds."""
    for parts in (("a", "b", "c"), ("a\\nb", "c (d)", "e (f)"), ("-> a", "b", "c"), ("fix: a", "b", "c")):
        assert read_finding(of_finding(*parts) + "\n") == parts
    assert read_finding("other words\n") == ("other words", "", "")
    assert read_unjudged(of_unjudged("a-rule", "b: c") + "\n") == ("a-rule", "b: c")
    assert read_unjudged("other words") == ("", "other words")
    silences = (
        SuppressedMessage("a-rule", "groups.workers until", date(2026, 12, 1), "a second: comes next week"),
        SuppressedMessage("b-rule", "urn:pulumi:dev::shop::a:b/c:D::e f", date(2027, 1, 1), "b"),
    )
    assert read_suppressed(of_suppressed(silences) + "\n") == silences
    (lines,) = read_suppressed(of_suppressed([SuppressedMessage("a-rule", "a", date(2026, 12, 1), "two\n  lines")]))
    assert lines.reason == "two lines"
    assert read_suppressed("1 finding suppressed\na at b until 2026-13-41: c") == ()
    assert read_suppressed("other words") == ()
    assert read_bug(of_bug("a: b") + "\n") == "a: b"
    assert read_bug("other words") == ""


def test_what_the_pack_counts_as_suppressed_is_suppressed(muster: Muster) -> None:
    """Its place, reason and end; it is no finding, and `muster` no rule that was judged."""
    silence = SuppressedMessage("interfaces-fit-cards", GPU, date(2026, 12, 1), "it goes next week")

    def change(events: list[dict[str, Any]]) -> None:
        policy(events, "interfaces-fit-cards").update(
            policyName="muster", message=of_suppressed([silence]) + "\n", enforcementLevel="advisory", resourceUrn=""
        )
        for event in events:
            if said := event.get("policyAnalyzeStackSummaryEvent"):
                said["failed"] = [*(said.get("failed") or ()), "muster"]

    (stack,) = told(muster, FOREIGN, change).json["stacks"]
    assert stack["suppressed"] == [
        {
            "rule": "interfaces-fit-cards",
            "resource": GPU,
            "reason": "it goes next week",
            "until": "2026-12-01",
        }
    ]
    assert not {"muster", "interfaces-fit-cards"} & {each["rule"] for each in stack["findings"]}
    assert "muster" not in stack["judged"]


def test_a_bug_of_the_pack_is_a_bug(muster: Muster) -> None:
    """Exit 3 with its words, in every report; no finding of the rule that raised."""

    def change(events: list[dict[str, Any]]) -> None:
        words = of_bug("rule interfaces-fit-cards crashed on gpu: ValueError: oops")
        policy(events, "interfaces-fit-cards").update(message=f"{words}\n")

    ran = told(muster, FOREIGN, change, "-o", "json,markdown=x.md")
    assert ran.code == 3
    assert ran.err.startswith("bug in Muster: rule interfaces-fit-cards crashed on gpu: ValueError: oops\n")
    assert "ValueError: oops" in Path("x.md").read_text()
    (stack,) = ran.json["stacks"]
    assert "interfaces-fit-cards" not in {each["rule"] for each in stack["findings"]}


TWICE = """\
Muster refuses this description (2 findings); nothing was registered.
stacks/Pulumi.p5-odcr.yaml:40:20: a-rule: the same words
  -> mend it
stacks/Pulumi.p5-odcr.yaml:50:20: a-rule: the same words
  -> mend it
"""


def test_equal_words_at_two_places_are_two_findings(muster: Muster) -> None:
    """Of the first gate."""

    def refused(events: list[dict[str, Any]]) -> None:
        for event in events:
            if event.get("diagnosticEvent", {}).get("message", "").startswith("Muster refuses"):
                event["diagnosticEvent"]["message"] = TWICE

    (stack,) = told(muster, REFUSED, refused).json["stacks"]
    assert [(each["rule"], each["where"]["line"]) for each in stack["findings"]] == [("a-rule", 40), ("a-rule", 50)]


def test_a_summary_without_a_result_is_told_with_the_log_s_name(muster: Muster) -> None:
    """What names no stack goes by the file."""
    Path("short.jsonl").write_text(
        '{"sequence": 1, "summaryEvent": {}}\n{"sequence": 2, "cancelEvent": {}}\n', encoding="utf-8"
    )
    ran = muster("report", "--events", "short.jsonl")
    assert ran.code == 1
    assert ran.out.splitlines()[0] == (
        "short.jsonl: mandatory engine: the run has no result, and no event has the reason"
    )
    assert ran.out.splitlines()[-1].startswith(
        "short.jsonl: 1 finding (1 mandatory, 0 advisory): 0 rules, 1 not evaluated"
    )
