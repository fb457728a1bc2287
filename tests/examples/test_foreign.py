"""Programs of other teams: in what the real engine saved of them (`saved/`), exactly what is wrong is found."""

import json
from pathlib import Path

import pytest

from muster.cli.main import main
from tests.examples.foreign import FINDS
from tools.generate import AS_OF

SAVED = Path(__file__).parent / "saved"


@pytest.mark.parametrize("example", FINDS)
def test_exactly_this_is_found(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each fault at its resource's URN, nothing else, at a line of the program."""
    assert main(["check", str(SAVED / f"{example}.json"), "--as-of", AS_OF, "--json"]) == 1
    (stack,) = json.loads(capsys.readouterr().out)["stacks"]
    assert {(each["rule"], each["where"]["path"]) for each in stack["findings"]} == FINDS[example]
    # The engine keeps no line of what the provider of a remote component registers.
    own = [each["where"] for each in stack["findings"] if "::eks:index:" not in each["where"]["path"]]
    folder = "infra/" if example == "foreign-hyperpod" else ""
    assert {each["file"] for each in own} == {f"{folder}__main__.py"}
    assert all(each["line"] for each in own)
