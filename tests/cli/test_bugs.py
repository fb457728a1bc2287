"""A bug of Muster's: exit 3, its words on stderr and in every report, and everything else is judged."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from muster.cli import stacks
from muster.offline import plan as offline
from muster.policies.engine import configuration
from muster.policies.engine.catalogue import all_rules
from tests.cli.conftest import Muster

RULE = "reservation-covers-nodes"


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_rule_that_raises(command: str, muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """At any level; every other rule is judged. One that is not asked raises nothing."""

    def crash(*_: object) -> Any:
        raise ZeroDivisionError("division by\nzero")

    monkeypatch.setattr(sys.modules[__name__], RULE.replace("-", "_"), crash, raising=False)
    bad = tuple(replace(each, module=__name__) if each.id == RULE else each for each in all_rules())
    monkeypatch.setattr(configuration, "all_rules", lambda: bad)
    Path("policies.json").write_text(json.dumps({RULE: "advisory"}))
    ran = muster.judged(command, "p5-odcr", "--config", "policies.json", "-o", "table,sarif=r.sarif,junit=r.xml")
    assert ran.code == 3
    assert ran.err.startswith(f"bug in Muster: rule {RULE} crashed on ")
    assert ran.err.count(RULE) == 1
    assert "ZeroDivisionError: division by\\nzero" in ran.err
    assert "Traceback" not in ran.err
    assert "p5-odcr: no findings: " in ran.out
    assert "1 bug in Muster: this is not all" in ran.out
    (run,) = json.loads(Path("r.sarif").read_text())["runs"]
    (invocation,) = run["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (3, False)
    assert [each["level"] for each in invocation["toolExecutionNotifications"]] == ["error"]
    assert f"rule {RULE} crashed on " in Path("r.xml").read_text()
    assert muster.judged(command, "p5-odcr", "--ignore", RULE).code == 0
    monkeypatch.setenv("MUSTER_DEBUG", "1")
    assert "Traceback (most recent call last)" in muster.judged(command, "p5-odcr").err


def test_one_stack_leaves_the_others_their_verdicts(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told by its name; in the table and in JSON."""
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


def test_a_broken_law(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was planned helps to find the bug, and is printed."""
    real = offline.plan_stack
    broken = {"broken_laws": ("one", "two")}
    monkeypatch.setattr(offline, "plan_stack", lambda *given, **named: replace(real(*given, **named), **broken))
    ran = muster.judged("plan", "p5-odcr")
    assert ran.code == 3
    assert ran.out.startswith("p5-odcr (eks)\n")
    assert ran.err.startswith("bug in Muster: ")
    assert "one; two" in ran.err
