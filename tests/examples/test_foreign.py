"""Programs of other teams: exactly what is wrong with them is found, and their READMEs print it."""

import json
import sys

import pytest

from muster.cli.main import main
from tests.examples.foreign import EXAMPLES, FINDS
from tests.stack_files import ROOT
from tools.foreign_readmes import EXAMPLES as NAMES
from tools.foreign_readmes import command, pages
from tools.generate import AS_OF


@pytest.mark.parametrize("example", FINDS)
def test_exactly_this_is_found(
    example: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each fault at its resource's URN, nothing else; and the README has the words as they are printed."""
    monkeypatch.chdir(ROOT)
    assert main([*command(example, AS_OF), "-o", "table=-"]) == 1
    said = capsys.readouterr()
    page = (EXAMPLES / example / "README.md").read_text(encoding="utf-8")
    assert f"```console\n$ muster {' '.join(command(example, AS_OF))}\n{said.out}```\n" in page
    assert f"/dev: run by {sys.executable} (Python 3." in said.err
    assert main([*command(example, AS_OF), "--json"]) == 1
    (stack,) = json.loads(capsys.readouterr().out)["stacks"]
    assert {(each["rule"], each["where"]["path"]) for each in stack["findings"]} == FINDS[example]
    folder = "infra/" if example == "foreign-hyperpod" else ""
    assert {each["where"]["file"] for each in stack["findings"]} == {f"examples/{example}/{folder}__main__.py"}
    assert all(each["where"]["line"] for each in stack["findings"])


def test_every_example_has_its_page() -> None:
    """What is generated is what is tested, and pages are found by their marks."""
    assert set(NAMES) == set(FINDS)
    for page, text in pages(ROOT, AS_OF, lambda *typed: f"{typed[2]}\n"):
        assert text.endswith(f"\nexamples/{page.parent.name}\n```\n")
