"""`muster check`: every documented edit is found, once, at its place, with a remedy."""

import re
import sys
from typing import Any

import pytest

from muster.finding import SCHEMA
from muster.policies.engine.rule_index import sheet_of
from tests.cli.conftest import Muster
from tests.edits import EDITS, Edit


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_is_found_at_its_place(muster: Muster, edit: Edit) -> None:
    text = edit.applied(muster.file().read_text())
    muster.file().write_text(text)
    if edit.facts:
        muster.facts(dict(edit.facts))
    (line, column), code, rule, path = edit.position(text), edit.exit_code, edit.rule, edit.where
    ran = muster.judged("check", "p5-odcr", "--json")
    assert ran.code == code
    (stack,) = ran.json["stacks"]
    (found,) = stack["findings"]
    assert (found["rule"], found["level"]) == (rule, "mandatory")
    assert found["where"] == {"file": "stacks/Pulumi.p5-odcr.yaml", "line": line, "column": column, "path": path}
    assert found["got"]
    assert found["remedy"]
    assert found["source"]
    why = [f"    why: {sheet_of(rule).why}"] if rule != SCHEMA else []
    first = f"stacks/Pulumi.p5-odcr.yaml:{line}:{column}: mandatory {rule}: {found['got']}"
    told = [first, *why, f"    fix: {found['remedy']}"]
    quiet = muster.judged("check", "p5-odcr")
    assert (quiet.code, quiet.out.splitlines()[: len(told)]) == (code, told)
    details = f"    at {path}, source: {found['source']}"
    assert muster.judged("check", "p5-odcr", "-v").out.splitlines()[: len(told) + 1] == [*told, details]
    job = muster.judged("job", "nccl-tests", "--stack", "p5-odcr")
    assert (job.code, job.out) == (code, ""), "a job for a cluster that is refused is refused as well"
    assert job.err.splitlines()[: len(told)] == told


def test_the_stack_as_it_is_has_no_findings(muster: Muster) -> None:
    ran = muster.judged("check", "p5-odcr")
    assert ran.code == 0
    assert not ran.err
    facts = r"\d+ rules need facts of your account \(`muster preflight p5-odcr --save`\)"
    counts = rf"p5-odcr: clean: \d+ rules, {facts}, 8 placeholders left"
    assert re.fullmatch(counts + r" \(-v for details\)\n", ran.out), "one line"
    said = muster.judged("check", "p5-odcr", "-v").out.splitlines()
    assert re.fullmatch(counts, said[-1])
    at = said.index("p5-odcr: set these placeholders before `pulumi up`:")
    (stack,) = muster.judged("check", "p5-odcr", "--json").json["stacks"]
    blanks = stack["placeholders"]
    assert len(blanks) == 8
    assert {"cr-fill-me-in", "vpc-fill-me-in"} <= {each["value"] for each in blanks}
    line, column = muster.place("vpc-fill-me-in", "vpc:")
    place = {"file": "stacks/Pulumi.p5-odcr.yaml", "line": line, "column": column, "path": "network.existing.vpc"}
    assert {"where": place, "value": "vpc-fill-me-in", "reason": "contains fill-me-in"} in blanks
    assert [line.strip() for line in said[at + 1 : -1]] == [
        f"{where['file']}:{where['line']}:{where['column']} {where['path']} {each['value']} ({each['reason']})"
        for each in blanks
        for where in [each["where"]]
    ], "every one of them, with the reason why it is one"


def test_all_is_every_stack_with_a_sum(muster: Muster) -> None:
    muster.file("copy").write_text(muster.file().read_text())
    muster.edit("        nodes: 1\n", "        nodes: 2\n", stack="copy")
    ran = muster.judged("check", "--all")
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert [line.partition(":")[0] for line in lines if " rules, " in line] == ["copy", "p5-odcr"]
    facts = r"\d+ rule evaluations need facts of your account \(`muster preflight STACK --save`\)"
    sums = rf"2 stacks: 1 finding \(1 mandatory, 0 advisory\), {facts}, 16 placeholders left"
    assert re.fullmatch(sums, lines[-1])


def test_strict_exits_4_where_something_was_not_evaluated(muster: Muster) -> None:
    ran = muster.judged("check", "p5-odcr", "--json")
    (unjudged, *_) = ran.json["stacks"][0]["notEvaluated"]
    assert set(unjudged) == {"rule", "resource", "missing"}
    assert muster.judged("check", "p5-odcr").code == 0
    strict = muster.judged("check", "p5-odcr", "--strict")
    assert strict.code == 4
    assert strict.out.splitlines()[-1].startswith("--strict: ")
    said = muster.judged("check", "p5-odcr", "-v").out
    assert f"    {unjudged['missing']}: {unjudged['rule']} ({unjudged['resource']})" in said


def test_strict_does_not_hide_findings(muster: Muster) -> None:
    muster.edit("        nodes: 1\n", "        nodes: 2\n")
    assert muster.judged("check", "p5-odcr", "--strict").code == 1
    muster.edit("nodes: 2\n", "nodez: 2\n")
    assert muster.judged("check", "p5-odcr", "--strict").code == 2


def test_a_suppressed_finding_is_counted_and_told(muster: Muster) -> None:
    muster.edit("        nodes: 1\n", "        nodes: 2\n")
    muster.edit(
        "    addons:\n",
        "    suppress:\n"
        "      - rule: reservation-covers-nodes\n"
        "        at: groups.workers\n"
        "        reason: the second node comes next week\n"
        '        until: "2026-12-01"\n'
        "    addons:\n",
    )
    ran = muster.judged("check", "p5-odcr", "--json")
    assert ran.code == 0
    assert ran.json["stacks"][0]["suppressed"] == [
        {
            "rule": "reservation-covers-nodes",
            "resource": "groups.workers",
            "reason": "the second node comes next week",
            "until": "2026-12-01",
        }
    ]
    said = muster.judged("check", "p5-odcr", "-v").out
    assert "suppressed until 2026-12-01: reservation-covers-nodes at groups.workers: the second node" in said
    assert ", 1 suppressed, " in muster.judged("check", "p5-odcr").out
    later = muster("check", "p5-odcr", "--as-of", "2026-12-02")
    assert later.code == 1
    assert "mandatory suppression: the suppression ended on 2026-12-01" in later.out


def test_the_day_decides_about_support(muster: Muster) -> None:
    """Kubernetes 1.35 leaves standard support on 2027-03-27. Advisory findings alone exit 0; they are still counted."""
    advisory = muster("check", "p5-odcr", "--as-of", "2027-04-01")
    assert advisory.code == 0
    assert ": advisory kubernetes-standard-support: " in advisory.out
    assert "1 finding (0 mandatory, 1 advisory)" in advisory.out
    assert muster("check", "p5-odcr", "--as-of", "2028-04-01").code == 1


def test_a_rule_that_crashes_is_our_bug(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from muster.policies.engine import configuration
    from muster.policies.engine.catalogue import all_rules

    def crash(*_: object) -> Any:
        raise ZeroDivisionError("division by\nzero")

    broken = replace(all_rules()[0], module=__name__)
    monkeypatch.setattr(sys.modules[__name__], broken.id.replace("-", "_"), crash, raising=False)
    monkeypatch.setattr(configuration, "all_rules", lambda: (broken,))
    ran = muster.judged("check", "p5-odcr")
    assert ran.code == 3
    counts = "p5-odcr: no findings: 0 rules, 8 placeholders left, 1 bug in Muster: this is not all"
    assert ran.out == f"{counts} (-v for details)\n"
    assert ran.err.startswith(f"bug in Muster: rule {broken.id} crashed on ")
    assert "ZeroDivisionError: division by\\nzero" in ran.err
    assert "an issue in Muster's repository" in ran.err
    assert "Traceback" not in ran.err
    monkeypatch.setenv("MUSTER_DEBUG", "1")
    assert "Traceback (most recent call last)" in muster.judged("check", "p5-odcr").err


def test_a_bug_in_one_stack_leaves_the_others_their_verdicts(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 3, with the stack's name; in the table and in JSON."""
    from muster.cli import stacks

    judge = stacks.judge_stack

    def crash(opened: Any, *given: Any, **more: Any) -> Any:
        if opened.stack == "g4dn":
            raise ZeroDivisionError("division by zero")
        return judge(opened, *given, **more)

    muster.take("g4dn")
    monkeypatch.setattr(stacks, "judge_stack", crash)
    ran = muster.judged("check", "g4dn", "p5-odcr")
    assert ran.code == 3
    assert "p5-odcr: clean: " in ran.out
    assert ran.err.startswith("bug in Muster: g4dn: ZeroDivisionError")
    crashed, judged = muster.judged("check", "g4dn", "p5-odcr", "--json").json["stacks"]
    assert crashed["bugs"] == ["ZeroDivisionError: division by zero"]
    assert judged["judged"]
    assert "bugs" not in judged


def test_findings_by_example_facts_say_so(muster: Muster) -> None:
    """The facts of a shipped stack are of no account; a preflight writes those of one."""
    muster.facts({"contract": 1, "reservations": {"cr-fill-me-in": {"zone": "us-west-2b"}}})
    assert "note: the facts in stacks/facts/p5-odcr.json are examples" in muster.judged("check", "p5-odcr").out
    muster.facts({"contract": 1})
    assert "examples" not in muster.judged("check", "p5-odcr").out
