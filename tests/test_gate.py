"""The first gate: refuses before anything is registered, in words, with the place."""

import logging
from dataclasses import replace
from datetime import date
from pathlib import Path

import pulumi
import pytest

from muster import program
from muster.config.document import CLUSTER_PATH, read
from muster.offline.recording import record
from tests.edits import EDITS, Edit
from tests.stack_files import AS_OF, filled_in, text_of

STACK = "p5-odcr"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder of its own around the gate."""
    (tmp_path / "stacks" / "facts").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MUSTER_AS_OF", AS_OF)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def opened(
    project: Path,
    text: str,
    facts: str | None = None,
    region: str = "us-west-2",
    policies: object = None,
    **changes: object,
):
    """Runs the gate with what the engine would hand over: the file's values, with changes."""
    file = project / "stacks" / f"Pulumi.{STACK}.yaml"
    file.write_text(text, encoding="utf-8")
    if facts:
        (project / "stacks" / "facts" / f"{STACK}.json").write_text(facts, encoding="utf-8")
    cluster = read(file).data
    for step in CLUSTER_PATH:
        cluster = cluster[step]
    given = {**cluster, **changes}
    config = {"muster:cluster": given, **({"muster:policies": policies} if policies is not None else {})}
    return record(program.this_stack, stack=STACK, region=region, config=config)


def refusal(project: Path, text: str, facts: str | None = None, **changes: object) -> str:
    with pytest.raises(pulumi.RunError) as refused:
        opened(project, text, facts, **changes)
    return str(refused.value)


def test_a_filled_in_stack_passes(project: Path) -> None:
    """Nothing but the stack itself is registered by the gate."""
    recording = opened(project, filled_in(text_of(STACK)))
    assert [each.type for each in recording.registrations] == ["pulumi:pulumi:Stack"]


def test_placeholders_are_refused_by_key(project: Path) -> None:
    """Every one at once, with its line."""
    words = refusal(project, text_of(STACK))
    assert "(8 findings)" in words
    assert "stacks/Pulumi.p5-odcr.yaml:38:17: placeholder: 'cr-fill-me-in'" in words
    assert "fix: set groups.workers.capacity.reservation.id to a value of your account" in words


@pytest.mark.parametrize("edit", [each for each in EDITS if "twice" not in each.name], ids=lambda edit: edit.name)
def test_a_mistake_is_refused_by_rule_and_place(edit: Edit, project: Path) -> None:
    """The line and column are those that `check` reports. The engine itself refuses a file with a key twice."""
    text, facts = filled_in(edit.applied(text_of(STACK))), edit.facts_text and filled_in(edit.facts_text)
    words = refusal(project, text, facts)
    assert "(1 finding)" in words
    line, column = replace(edit, points_at=filled_in(edit.points_at)).position(text)
    assert f"stacks/Pulumi.p5-odcr.yaml:{line}:{column}: {edit.rule}: " in words


def test_a_value_from_elsewhere_is_named_by_its_key(project: Path) -> None:
    """`--config` wins over the file; the file's line would mislead."""
    words = refusal(project, filled_in(text_of(STACK)), kubernetes="1.30")
    assert (
        "muster:cluster.kubernetes (not the value in stacks/Pulumi.p5-odcr.yaml): kubernetes-version-supported" in words
    )


def test_suppressions_are_honoured_and_told(project: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A suppressed finding lets the program through, and is counted aloud; so is what could not be judged."""
    given = [
        {"rule": "kubernetes-version-supported", "at": "kubernetes", "reason": "only a test", "until": "2026-12-01"}
    ]
    with caplog.at_level(logging.INFO):
        recording = opened(project, filled_in(text_of(STACK)), kubernetes="1.30", suppress=given)
    assert [each.type for each in recording.registrations] == ["pulumi:pulumi:Stack"]
    assert "suppressed until 2026-12-01: kubernetes-version-supported at kubernetes" in caplog.text
    assert "not evaluated: reservation-instance-type-matches at groups.workers" in caplog.text


def test_a_day_that_is_not_today_is_told_aloud(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Left set in a shell it would hide what has changed since."""
    said = "the rules use the date 2026-11-21, because MUSTER_AS_OF is set; unset it to use today's date"
    with caplog.at_level(logging.INFO):
        opened(project, filled_in(text_of(STACK)))
    assert [each.message for each in caplog.records if each.levelno == logging.WARNING] == [said]
    caplog.clear()
    monkeypatch.delenv("MUSTER_AS_OF")
    monkeypatch.setattr(program, "today", lambda: date(2026, 11, 21))
    with caplog.at_level(logging.INFO):
        opened(project, filled_in(text_of(STACK)))
    assert said not in caplog.text


def test_a_day_that_is_none_is_refused_in_words(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUSTER_AS_OF", "yesterday")
    assert "MUSTER_AS_OF is 'yesterday', which is not a date" in refusal(project, filled_in(text_of(STACK)))


def test_a_region_that_is_none_is_one_fault(project: Path) -> None:
    with pytest.raises(pulumi.RunError, match=r"\(1 finding\).*\n.*'mars' is not a Region"):
        opened(project, filled_in(text_of(STACK)), region="mars")


def test_a_stack_without_a_cluster_says_what_to_write(project: Path) -> None:
    with pytest.raises(pulumi.RunError, match="does not set muster:cluster: add it to stacks/Pulumi"):
        record(program.this_stack, stack=STACK)


def test_levels_of_the_stack_are_the_gates(project: Path, caplog: pytest.LogCaptureFixture) -> None:
    """An advisory rule is told and stops nobody; a disabled one is not asked."""
    text = filled_in(text_of(STACK)).replace("nodes: 1\n", "nodes: 2\n")
    assert "reservation-covers-nodes" in refusal(project, text)
    with caplog.at_level(logging.INFO):
        opened(project, text, policies={"reservation-covers-nodes": "advisory"})
    assert caplog.text.count("reservation-covers-nodes: ") == 1
    caplog.clear()
    opened(project, text, policies={"reservation-covers-nodes": "disabled"})
    assert "reservation-covers-nodes" not in caplog.text


def test_faults_of_the_stacks_policies_are_refused(project: Path) -> None:
    """With the others of the description; where the engine has another value than the file, by the key's path."""
    words = refusal(project, filled_in(text_of(STACK)), policies={"no-such-rule": "advisory"})
    assert "(1 finding)" in words
    assert "muster:policies.no-such-rule (not the value in stacks/Pulumi.p5-odcr.yaml): schema: unknown key" in words
