"""`muster report --events`: places, and what the pack says beside findings. Reports are in `transcripts/events.txt`."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

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
from tests.cli.conftest import Muster, Ran
from tests.cli.event_logs import FOREIGN, read, written

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
