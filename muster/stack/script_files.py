"""The scripts of a description that are files of its project: `groups.*.scripts`."""

from pathlib import Path
from typing import Any

from muster.config.description.node_boot import MOST_USER_DATA, SCRIPT_START
from muster.finding import SCHEMA, Finding, KeyPath, Level, dotted_path
from muster.user_files import CannotRead, Limit, is_inside, read_text

_LIMIT = Limit(MOST_USER_DATA, "EC2 accepts no more; write a short script that downloads the long one from S3")


def with_scripts(data: Any, project: Path) -> tuple[Any, list[tuple[KeyPath, Finding]]]:
    """A description with the texts of scripts in place of their paths, and the faults of files that cannot be scripts.

    Args:
        data: the description's plain values, which stay as they are.
        project: the root of its project, from which paths begin, and which they do not leave.
    """
    faults: list[tuple[KeyPath, Finding]] = []

    def resolved(block: Any, path: KeyPath) -> Any:
        return (
            {key: below(key, each, (*path, key)) for key, each in block.items()} if isinstance(block, dict) else block
        )

    def below(key: Any, value: Any, path: KeyPath) -> Any:
        if key in ("groups", "queues") and isinstance(value, dict):
            return {name: resolved(each, (*path, name)) for name, each in value.items()}
        if key == "scripts" and path != (key,) and isinstance(value, dict):
            return {name: script(each, (*path, name)) if name in _SCRIPTS else each for name, each in value.items()}
        return value

    def script(written: Any, path: KeyPath) -> Any:
        if not isinstance(written, str) or written.startswith(SCRIPT_START) or "\n" in written or not written.strip():
            return written
        text, got, remedy = _read(written, project)
        if got:
            faults.append((path, Finding(dotted_path(path), SCHEMA, Level.MANDATORY, f"'{written}': {got}", remedy)))
        return text

    return resolved(data, ()), faults


_SCRIPTS = ("before", "after")


def _read(written: str, project: Path) -> tuple[str, str, str]:
    """The text of a file; of one that is no script, what is wrong with it, and what to do."""
    if not is_inside(project / written, project):
        return SCRIPT_START, "no file of the project", "copy it there, and write its path from there"
    try:
        text = read_text(project / written, _LIMIT, project)
    except CannotRead as fault:
        return SCRIPT_START, fault.got, fault.remedy
    if not text.startswith(SCRIPT_START):
        return SCRIPT_START, f"the file does not begin with {SCRIPT_START}", "begin it with #!/bin/bash"
    return text, "", ""
