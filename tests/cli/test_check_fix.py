"""`muster check --fix`: the edits with one right value are made, and nothing else."""

import pytest

from tests.cli.conftest import Muster

PLUGIN = "      efa-device-plugin: {}\n"
SYSTEM = "nodes: {min: 1, start: 1, max: 3, scaled-by: you}"


def test_a_certain_edit_is_shown_and_written_only_with_write(muster: Muster) -> None:
    muster.edit(PLUGIN, "")
    before = muster.file().read_text()
    assert muster.judged("check", "p5-odcr").code == 1
    shown = muster.judged("check", "p5-odcr", "--fix")
    assert shown.code == 0, "what remains decides"
    changed = [line for line in shown.out.splitlines() if line.startswith(("+ ", "- "))]
    assert changed == [f"+{PLUGIN.rstrip()}"]
    assert "not written: add --write" in shown.err
    assert muster.file().read_text() == before
    assert muster.judged("check", "p5-odcr", "--fix", "--write").code == 0
    assert sorted(muster.file().read_text().splitlines()) == sorted([*before.splitlines(), PLUGIN.rstrip()])
    assert muster.judged("check", "p5-odcr").code == 0


def test_several_edits_are_made_and_comments_stay(muster: Muster) -> None:
    muster.edit(PLUGIN, "")
    muster.edit(SYSTEM, "nodes: {min: 0, start: 0, max: 3, scaled-by: you}  # why")
    assert muster.judged("check", "p5-odcr", "--fix", "--write").code == 0
    text = muster.file().read_text()
    assert "nodes: {min: 0, start: 1, max: 3, scaled-by: you}  # why\n" in text
    assert PLUGIN in text


def test_a_finding_with_several_right_edits_is_left_to_a_person(muster: Muster) -> None:
    muster.edit("api: {public: [203.0.113.0/24]}", "api: {public: [0.0.0.0/0]}")
    before = muster.file().read_text()
    ran = muster.judged("check", "p5-odcr", "--fix", "--write")
    assert "a person must decide" in ran.err
    assert "api-not-open-to-all" in ran.out
    assert muster.file().read_text() == before


def test_an_edit_that_breaks_another_rule_is_not_made(muster: Muster) -> None:
    muster.edit(SYSTEM, "nodes: {min: 0, start: 0, max: 0, scaled-by: you}")
    before = muster.file().read_text()
    assert muster.judged("check", "p5-odcr", "--fix", "--write").code != 0
    assert muster.file().read_text() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("--write",), "--write needs --fix"), (("--fix", "plan.json"), "--fix changes stack files")],
)
def test_wrong_options_are_refused(muster: Muster, arguments: tuple[str, ...], message: str) -> None:
    (muster.folder / "plan.json").write_text("{}")
    ran = muster.judged("check", "p5-odcr", *arguments)
    assert ran.code == 2
    assert message in ran.err
