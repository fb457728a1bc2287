"""How the rules are asked: `--config`, `--select`, `--ignore`, `--baseline`, on `check` and `plan`, and in stacks."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Muster
from tests.stack_files import ROOT

COVERS = "reservation-covers-nodes"


def broken(muster: Muster) -> None:
    """A mandatory finding, and an advisory one a year later."""
    muster.edit("nodes: 1\n", "nodes: 2\n")


def findings(ran: Any) -> list[tuple[str, str]]:
    return [(each["rule"], each["level"]) for each in ran.json["stacks"][0]["findings"]]


@pytest.mark.parametrize("command", ["check", "plan"])
def test_levels_of_a_file_decide(command: str, muster: Muster) -> None:
    """An advisory finding stops nobody, a disabled rule is not counted, a mandatory one stops."""
    broken(muster)
    assert muster.judged(command, "p5-odcr").code == 1
    for level, code, count in (("advisory", 0, 1), ("disabled", 0, 0), ("mandatory", 1, 1)):
        Path("policies.json").write_text(json.dumps({COVERS: level}), encoding="utf-8")
        ran = muster.judged(command, "p5-odcr", "--config", "policies.json")
        assert (ran.code, ran.out.count(f" {COVERS}: ")) == (code, count), ran


def test_levels_of_a_stack_decide_everywhere(muster: Muster) -> None:
    """`check` and `job` alike, and over what a file says."""
    broken(muster)
    muster.file().write_text(f"{muster.file().read_text().rstrip()}\n  muster:policies: {{{COVERS}: advisory}}\n")
    Path("policies.yaml").write_text("all: mandatory\n", encoding="utf-8")
    assert muster.judged("check", "p5-odcr", "--config", "policies.yaml").code == 0
    assert muster.judged("job", "nccl-tests", "--stack", "p5-odcr").code == 0


def test_faults_of_a_stacks_policies_are_faults_of_form(muster: Muster) -> None:
    """Exit 2 with the line, and no rule is asked."""
    muster.file().write_text(f"{muster.file().read_text().rstrip()}\n  muster:policies:\n    {COVERS}: off\n")
    ran = muster.judged("check", "p5-odcr", "-v")
    assert ran.code == 2
    line = len(muster.file().read_text().splitlines())
    assert (
        f"stacks/Pulumi.p5-odcr.yaml:{line}:{len(COVERS) + 7}: mandatory schema: 'off' is not a valid value" in ran.out
    )
    assert f"at muster:policies.{COVERS}" in ran.out


def test_faults_of_a_file_are_told_on_stderr_with_their_lines(muster: Muster) -> None:
    """All at once, exit 2."""
    Path("policies.yaml").write_text("nope: advisory\nefa-used-fully: off\n", encoding="utf-8")
    ran = muster.judged("check", "p5-odcr", "--config", "policies.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert [line for line in ran.err.splitlines() if line.startswith("error")] == [
        "error: policies.yaml:1:1: unknown key 'nope': no rule of that name",
        "error: policies.yaml:2:17: 'off' is not a valid value",
    ]


def test_the_suppressions_of_a_file_hold_and_are_counted(muster: Muster) -> None:
    """Those that cover nothing in any stack are told once, at their place in the file."""
    broken(muster)
    given = {"rule": COVERS, "at": "groups.workers", "reason": "it is added tonight", "until": "2026-12-01"}
    old = {**given, "at": "groups.system", "until": "2026-11-20"}
    useless, other = {**given, "at": "groups.others"}, {**given, "at": "urn:pulumi:elsewhere::shop"}
    Path("policies.json").write_text(json.dumps({"muster": {"suppress": [given, old, useless, other]}}))
    ran = muster.judged("check", "p5-odcr", "--config", "policies.json", "--json")
    assert ran.code == 1
    stack, file = ran.json["stacks"]
    assert stack["findings"] == []
    assert [each["reason"] for each in stack["suppressed"]] == ["it is added tonight"]
    assert file["stack"] == "policies.json"
    assert [(each["where"]["path"], each["level"], each["got"]) for each in file["findings"]] == [
        ("muster.suppress[1].until", "mandatory", "the suppression ended on 2026-11-20"),
        (
            "muster.suppress[2]",
            "advisory",
            f"suppresses nothing: '{COVERS}' has no finding at 'groups.others'",
        ),
    ]
    assert {(each["where"]["file"], each["where"]["line"]) for each in file["findings"]} == {("policies.json", 1)}


def test_a_selection_asks_what_it_names(muster: Muster) -> None:
    """Rules that are not asked are not counted as judged, and their suppressions are not called useless."""
    broken(muster)
    ran = muster.judged("check", "p5-odcr", "--select", "efa-*", "--json")
    assert (ran.code, findings(ran)) == (0, [])
    assert {each.partition("-")[0] for each in ran.json["stacks"][0]["judged"]} == {"efa"}
    assert muster.judged("plan", "p5-odcr", "--ignore", f"{COVERS},hyperpod/*").code == 0
    wrong = muster.judged("check", "p5-odcr", "--select", "eaf-*")
    assert wrong.code == 2
    assert wrong.err.startswith("error: --select: there is no rule 'eaf-*'")


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_baseline_keeps_what_was_known_out_of_the_findings(command: str, muster: Muster) -> None:
    """Counted, not told; a mandatory one does not fail. What is new does, wherever the lines have moved."""
    broken(muster)
    written = muster.judged(command, "p5-odcr", "--write-baseline", "known.json")
    assert (written.code, written.err.splitlines()[-1]) == (0, "known.json: the baseline now has 1 finding of this run")
    assert json.loads(Path("known.json").read_text()) == {
        "baseline": 1,
        "known": [{"stack": "p5-odcr", "rule": COVERS, "at": "groups.workers.capacity.reservation.count"}],
    }
    muster.file().write_text(f"# a line more\n{muster.file().read_text()}")
    ran = muster.judged(command, "p5-odcr", "--baseline", "known.json")
    assert ran.code == 0
    assert COVERS not in ran.out
    assert "p5-odcr: clean: " in ran.out
    assert ", 1 known from the baseline" in ran.out
    muster.edit('kubernetes: "1.35"', 'kubernetes: "1.29"')
    assert muster.judged(command, "p5-odcr", "--baseline", "known.json").code == 1


def test_entries_that_no_longer_match_are_told(muster: Muster) -> None:
    """So that the baseline can shrink; those of stacks and rules that were not judged are left in peace, and kept."""
    entry = {"stack": "p5-odcr", "rule": COVERS, "at": "groups.workers.capacity.reservation.count"}
    others = [{**entry, "stack": "another"}, {**entry, "rule": "efa-used-fully"}]
    Path("known.json").write_text(json.dumps({"baseline": 1, "known": [entry, *others]}))
    ran = muster.judged("check", "p5-odcr", "--baseline", "known.json", "--ignore", "efa-used-fully", "-v")
    assert ran.code == 0
    assert ran.out.count("p5-odcr: in the baseline, but no longer found: ") == 1
    assert ", 1 in the baseline, but no longer found" in ran.out.splitlines()[-1]
    assert f"no longer found: {COVERS} at groups.workers.capacity.reservation.count\n" in ran.out
    muster.judged("check", "p5-odcr", "--write-baseline", "known.json", "--ignore", "efa-used-fully")
    kept = json.loads(Path("known.json").read_text())["known"]
    assert sorted(kept, key=str) == sorted(others, key=str)


def test_more_findings_at_a_place_than_were_known_are_all_told(muster: Muster) -> None:
    """Which of them is the new one nobody knows."""
    from dataclasses import replace

    from muster.cli import baseline
    from muster.cli.findings import ReportedFinding, StackReport, Where
    from muster.finding import Level

    one = ReportedFinding(
        Where("f", 1, 1, "groups.workers"), COVERS, Level.MANDATORY, "groups.workers", "one", "mend it", ""
    )
    report = StackReport("p5-odcr", judged={COVERS: 1}, findings=(one,))
    more = replace(report, findings=(one, replace(one, got="another")))
    assert baseline.write(Path("known.json"), [more]) == "the baseline now has 2 findings of this run"
    known = baseline.load(Path("known.json"))
    (all_known,), (fewer,) = known.of([more]), known.of([report])
    assert (all_known.findings, all_known.gone) == ((), ())
    assert (fewer.findings, len(fewer.gone)) == ((), 1)
    both = known.of([report, more])
    assert [(each.findings, each.gone) for each in both] == [((), ()), ((), ())], "two plans of one stack"
    assert baseline.write(Path("known.json"), [report]) == "the baseline now has 1 finding of this run"
    (told,) = baseline.load(Path("known.json")).of([more])
    assert len(told.findings) == 2


def test_a_level_that_is_raised_is_told(muster: Muster) -> None:
    """What was known as advisory stopped nobody; the other way round it stays known."""
    broken(muster)
    Path("low.json").write_text(json.dumps({COVERS: "advisory"}))
    muster.judged("check", "p5-odcr", "--config", "low.json", "--write-baseline", "known.json")
    assert json.loads(Path("known.json").read_text())["known"][0]["level"] == "advisory"
    raised = muster.judged("check", "p5-odcr", "--baseline", "known.json", "--json")
    assert (raised.code, findings(raised)) == (1, [(COVERS, "mandatory")])
    muster.judged("check", "p5-odcr", "--write-baseline", "known.json")
    lowered = muster.judged("check", "p5-odcr", "--config", "low.json", "--baseline", "known.json", "--json")
    assert (lowered.code, findings(lowered)) == (0, [])
    assert "gone" not in lowered.out


def test_stacks_of_one_name_are_each_their_project_s(muster: Muster) -> None:
    """Two programs have a stack `dev`: neither takes the other's entries for gone, nor for its own."""
    saved(muster)
    text = Path("plan.json").read_text()
    for name in ("shop", "bank"):
        Path(f"{name}.json").write_text(text.replace("::finetuning::", f"::{name}::"), encoding="utf-8")
    every = ("check", "shop.json", "bank.json", *LATE)
    assert muster(*every, "--write-baseline", "known.json").code == 0
    assert {each["project"] for each in json.loads(Path("known.json").read_text())["known"]} == {"shop", "bank"}
    both = muster(*every, "--baseline", "known.json")
    assert (both.code, both.out.count("no longer found")) == (0, 0)
    muster("check", "shop.json", *LATE, "--write-baseline", "known.json")
    assert muster("check", "bank.json", *LATE, "--baseline", "known.json").code == 0


@pytest.mark.parametrize(
    ("options", "content"),
    [
        (("--select", "efa-*", "--ignore", "efa-*"), "all: mandatory\n"),
        ((), "all: disabled\n"),
        (("--select", "hyperpod-vpc-cni"), "all: mandatory\n"),
        (("--select", ""), "all: mandatory\n"),
        (("--ignore", " ,"), "all: mandatory\n"),
    ],
)
@pytest.mark.parametrize("command", ["check", "plan"])
def test_what_asks_nothing_does_not_pass(command: str, options: tuple[str, ...], content: str, muster: Muster) -> None:
    """Exit 2."""
    Path("policies.yaml").write_text(content, encoding="utf-8")
    ran = muster.judged(command, "p5-odcr", "--config", "policies.yaml", *options)
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '{"runs": []}',
            "error: known.json:1:1: 'baseline' is missing",
        ),
        ("[]", "error: known.json:1:1: 'baseline' is missing"),
        ('{"baseline": 2, "known": []}', "error: known.json:1:14: 2 is not a valid value"),
        ("{", "error: known.json:"),
    ],
)
def test_a_baseline_of_another_form_is_refused(text: str, words: str, muster: Muster) -> None:
    """Nothing is taken for known by guessing."""
    Path("known.json").write_text(text)
    ran = muster.judged("check", "p5-odcr", "--baseline", "known.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(words)
    assert "known.json is not a valid baseline; create one with --write-baseline" in ran.err
    again = muster.judged("check", "p5-odcr", "--write-baseline", "known.json")
    assert again.code == 2
    assert Path("known.json").read_text() == text


def test_no_baseline_is_written_of_what_cannot_be_read(muster: Muster) -> None:
    """Faults of form are mended first, and both options together say two things."""
    assert muster.judged("check", "p5-odcr", "--baseline", "a", "--write-baseline", "b").code == 2
    muster.edit("nodes: 1\n", "nodse: 1\n")
    ran = muster.judged("check", "p5-odcr", "--write-baseline", "known.json")
    assert ran.code == 2
    assert "the baseline is not written, because p5-odcr cannot be read" in ran.err
    assert not Path("known.json").exists()


@pytest.mark.parametrize("command", ["check", "plan"])
def test_a_rule_that_raises_is_our_bug_on_every_path(
    command: str, muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 3 with its id, at any level, and the reports that are asked for are written: every other rule is judged, and
    the one that raised is their bug. One that is not asked raises nothing."""
    from dataclasses import replace

    from muster.policies.engine import configuration
    from muster.policies.engine.catalogue import all_rules

    def crash(*_: object) -> Any:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(sys.modules[__name__], COVERS.replace("-", "_"), crash, raising=False)
    bad = tuple(replace(each, module=__name__) if each.id == COVERS else each for each in all_rules())
    monkeypatch.setattr(configuration, "all_rules", lambda: bad)
    Path("policies.json").write_text(json.dumps({COVERS: "advisory"}))
    ran = muster.judged(command, "p5-odcr", "--config", "policies.json", "-o", "table,sarif=r.sarif,junit=r.xml")
    assert ran.code == 3
    assert ran.err.startswith(f"bug in Muster: rule {COVERS} crashed on ")
    assert ran.err.count(COVERS) == 1
    assert "p5-odcr: no findings: " in ran.out
    (run,) = json.loads(Path("r.sarif").read_text())["runs"]
    (invocation,) = run["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (3, False)
    assert [each["level"] for each in invocation["toolExecutionNotifications"]] == ["error"]
    assert f"rule {COVERS} crashed on " in Path("r.xml").read_text()
    assert muster.judged(command, "p5-odcr", "--ignore", COVERS).code == 0


AT = "aws:eks/cluster:Cluster::finetuning-eksCluster"
LATE = ("--as-of", "2028-11-21")
"""Kubernetes 1.35 is past all support then: a mandatory finding about the cluster."""


def saved(muster: Muster) -> None:
    """What the engine saved of a program."""
    text = (ROOT / "tests" / "examples" / "saved" / "foreign-eks-component.json").read_text(encoding="utf-8")
    (muster.folder / "plan.json").write_text(text, encoding="utf-8")


def test_the_same_holds_for_the_programs_of_others(muster: Muster) -> None:
    """Levels, suppressions by type and name, a selection, a baseline: on what the engine saved of a program."""
    saved(muster)
    given = {"rule": "kubernetes-version-supported", "at": AT, "reason": "it goes next week", "until": "2028-12-01"}
    Path("quiet.json").write_text(json.dumps({"muster": {"suppress": [given]}}))
    Path("advisory.json").write_text(json.dumps({"kubernetes-version-supported": "advisory"}))
    check = ("check", "plan.json", *LATE, "--select", "kubernetes-version-supported")
    assert muster(*check).code == 1
    quiet = muster(*check, "--config", "quiet.json", "--json").json["stacks"]
    assert len(quiet) == 1
    assert (quiet[0]["findings"], [each["reason"] for each in quiet[0]["suppressed"]]) == ([], ["it goes next week"])
    assert muster(*check, "--config", "advisory.json").code == 0
    assert muster(*check, "--write-baseline", "known.json").code == 0
    assert json.loads(Path("known.json").read_text())["known"][0]["at"].endswith(f"${AT}")
    assert ", 1 known from the baseline" in muster(*check, "--baseline", "known.json").out
