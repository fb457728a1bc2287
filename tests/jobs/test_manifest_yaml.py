"""Text in a written manifest stays text, for readers of YAML 1.1 and 1.2."""

import pytest
import yaml
from ruamel.yaml import YAML

from muster.jobs.manifest_yaml import to_yaml

TEXTS = ("1e3", "1E+3", "1.e3", "0o17", "0x1f", "1_000", ".5", "007", "yes", "null", "1:30", "5120Mi", "1.31", "v1")


@pytest.mark.parametrize("text", TEXTS)
def test_text_stays_text(text: str) -> None:
    written = to_yaml({"key": text})
    assert yaml.safe_load(written) == YAML(typ="safe", pure=True).load(written) == {"key": text}


def test_plain_text_and_numbers_have_no_quotes() -> None:
    assert to_yaml({"a": "5120Mi", "b": 1000, "c": 1.5}) == "a: 5120Mi\nb: 1000\nc: 1.5\n"
