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

    def resolved(value: Any, path: KeyPath) -> Any:
        if isinstance(value, dict):
            return {key: resolved(each, (*path, key)) for key, each in value.items()}
        if path[:1] not in _OF_NODES or path[-2:] not in _SCRIPTS or not isinstance(value, str):
            return value
        if value.startswith(SCRIPT_START) or "\n" in value or not value.strip():
            return value
        text, got, remedy = _read(value, project)
        if got:
            faults.append((path, Finding(dotted_path(path), SCHEMA, Level.MANDATORY, f"'{value}': {got}", remedy)))
        return text

    return resolved(data, ()), faults


_OF_NODES = (("groups",), ("queues",))
_SCRIPTS = (("scripts", "before"), ("scripts", "after"))


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
