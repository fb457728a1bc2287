"""Names that a pull request chooses: whatever they contain, no output has a control code or a command of a runner."""

import json
import os
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster import yaml_text
from tests.cli.conftest import Muster, Ran
from tests.stack_files import ROOT

PIECES = (
    *("\x1b[2J", "\x1b]0;t\x07", "\r", "\n", "\r\n", "\t", "\0", "\x08", "\x7f", "\x85", "\x9b31m", "\u2028", "\u2029"),
    *("\u202e", "\u2066", "\u200b", "\ufeff", "\xa0", "\ud800", "\U000e0041"),
    *("::error::x", "\n::stop-commands::x", " ::set-output name=a::b", "##[error]x", "##vso[task.x]", "a##[group]"),
    *("<b>", "&amp;", "]]>", "\"'", "`", "|", "[a](b)", "@all", "%0A", "%25", "{0}", "\\", "${a}", "!Ref", "*", "-"),
    *("a", "workers", "1", " "),
)
NAMES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join)
FILES = {
    **{file.name: file for file in sorted((ROOT / "examples" / "other-tools").iterdir())},
    "state.json": ROOT / "tests" / "sources" / "pulumi" / "saved" / "state.json",
    "Pulumi.p5-odcr.yaml": ROOT / "stacks" / "Pulumi.p5-odcr.yaml",
    "muster.yaml": None,
    "baseline.json": None,
}
OWN: dict[str, Any] = {
    "muster.yaml": {
        "suppress": [{"rule": "imds-out-of-pods", "at": "groups.workers", "reason": "later", "until": "2026-12-24"}],
        "imds-out-of-pods": "mandatory",
    },
    "baseline.json": {"baseline": 1, "known": [{"stack": "p5-odcr", "rule": "imds-out-of-pods", "at": "a"}]},
}


def documents(name: str) -> list[Any]:
    file = FILES[name]
    return [OWN[name]] if file is None else list(yaml_text.load_all(file.read_text(encoding="utf-8"), template=True))


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all keys and texts."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        if isinstance(key, str) or isinstance(each, str):
            yield (*path, key)
        yield from paths(each, (*path, key))


def renamed(whole: list[Any], path: tuple[Any, ...], name: str, *, key: bool) -> list[Any]:
    """The documents with a hostile name in place of a key, or at the end of a text."""
    whole = deepcopy(whole)
    block: Any = whole
    for step in path[:-1]:
        block = block[step]
    if key and isinstance(block, dict):
        block[name] = block.pop(path[-1])
    else:
        block[path[-1]] = f"{block[path[-1]]}{name}" if isinstance(block[path[-1]], str) else name
    return whole


def require_harmless(text: str, what: str, *, commands: bool = False) -> None:
    """No control code but the line ends of the report; and no command but Muster's own annotations.

    As the runner reads it (`ActionCommand.cs`): `::` at the start of a line, and `##[` anywhere in it.
    """
    lines = text.split("\n")
    assert [line for line in lines if not line.isprintable()] == [], what
    assert [line for line in lines if re.search(r"##\w*\[", line)] == [], what
    started = [line for line in lines if line.lstrip().startswith("::")]
    assert (lines[:-1] if commands else []) == started, what
    assert all(re.match(r"::(error|warning|notice) [^:\n]+::", line) for line in started), what


def require_all_harmless(of: tuple[Ran, dict[str, str]]) -> None:
    ran, reports = of
    assert ran.code in {0, 1, 2, 4}, ran.err
    require_harmless(ran.out, "stdout")
    require_harmless(ran.err, "stderr")
    for name, text in reports.items():
        require_harmless(text, name, commands=name == "github")
        _ = json.loads(text) if name in {"json", "sarif"} else ET.fromstring(text) if name == "junit" else None


def checked(muster: Muster, name: str) -> tuple[Ran, dict[str, str]]:
    match name:
        case "muster.yaml":
            return muster.reported("check", "p5-odcr", "--config", name)
        case "baseline.json":
            return muster.reported("check", "p5-odcr", "--baseline", name)
        case "Pulumi.p5-odcr.yaml":
            Path(name).replace(muster.file())
            return muster.reported("check", "p5-odcr")
    return muster.reported("check", f"./{name}")


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_name_in_a_file_is_more_than_text(muster: Muster, name: str, data: st.DataObject) -> None:
    whole = documents(name)
    path = data.draw(st.sampled_from(list(paths(whole))))
    made = renamed(whole, path, data.draw(NAMES), key=data.draw(st.booleans()))
    Path(name).write_text("\n---\n".join(map(json.dumps, made)), encoding="utf-8")
    require_all_harmless(checked(muster, name))


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=NAMES.filter(lambda name: "\0" not in name and "\ud800" not in name),
    source=st.sampled_from(sorted((ROOT / "examples" / "other-tools").iterdir())),
)
def test_no_name_of_a_file_is_more_than_text(muster: Muster, name: str, source: Path) -> None:
    """Also bytes that are not UTF-8, in a folder that is searched, as an argument, and as an option."""
    folder = Path("folder")
    folder.mkdir(exist_ok=True)
    file = Path(os.fsdecode(os.fsencode(f"folder/{name}") + b"\xff" + source.suffix.encode()))
    file.write_bytes(source.read_bytes())
    broken = Path(f"{file}.yaml")
    broken.write_text("AWSTemplateFormatVersion: [")
    for arguments in (["folder"], [str(file)], [name], [f"--{name}"], ["p5-odcr", "--config", str(broken)]):
        require_all_harmless(muster.reported("check", *arguments))
    file.unlink()
    broken.unlink()
