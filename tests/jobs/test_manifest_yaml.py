"""Text in a written manifest stays text, for readers of YAML 1.1 and 1.2."""

from pathlib import Path

import pytest
import yaml

from muster.config.document import parse
from muster.jobs.manifest_yaml import to_yaml
from muster.terminal import text_of

TEXTS = ("1e3", "1E+3", "1.e3", "0o17", "0x1f", "1_000", ".5", "007", "yes", "null", "1:30", "5120Mi", "1.31", "v1")


@pytest.mark.parametrize("text", TEXTS)
def test_text_stays_text(text: str) -> None:
    written = to_yaml({"key": text})
    assert yaml.safe_load(written) == parse(written, Path("a.yaml")).data == {"key": text}


@pytest.mark.parametrize("text", ["##[group]a", "a ##vso[task.setvariable variable=A]b", "a\n  ###[b]\\##[", "a\n::b"])
def test_text_is_no_command_of_a_runner(text: str) -> None:
    written = to_yaml({"key": text, text: 1}, ("##[a]",))
    assert yaml.safe_load(written) == {"key": text, text: 1}
    assert written == text_of(written.splitlines())


def test_plain_text_and_numbers_have_no_quotes() -> None:
    assert to_yaml({"a": "5120Mi", "b": 1000, "c": 1.5}) == "a: 5120Mi\nb: 1000\nc: 1.5\n"
