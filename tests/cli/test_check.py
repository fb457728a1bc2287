"""`muster check` reports a mistake once, at its line and column, with a remedy and a source."""

import pytest

from tests.cli.conftest import Muster
from tests.edits import EDITS, Edit


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_is_found_at_its_place(muster: Muster, edit: Edit) -> None:
    text = edit.applied(muster.file().read_text())
    muster.file().write_text(text)
    if edit.facts:
        muster.facts(dict(edit.facts))
    line, column = edit.position(text)
    ran = muster.judged("check", "p5-odcr", "--json")
    (stack,) = ran.json["stacks"]
    (found,) = stack["findings"]
    assert (ran.code, found["rule"], found["level"]) == (edit.exit_code, edit.rule, "mandatory")
    assert found["where"] == {
        "file": "stacks/Pulumi.p5-odcr.yaml",
        "line": line,
        "column": column,
        "path": edit.where,
    }
    assert found["got"]
    assert found["remedy"]
    assert found["source"]
