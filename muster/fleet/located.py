"""Findings and their places in the file of a stack."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from muster.fleet.document import Document, Position
from muster.fleet.dotted import Path_
from muster.fleet.finding import SHAPE, Finding, Level
from muster.fleet.stack_keys import CLUSTER_KEY, CLUSTER_PATH, POLICIES_KEY


@dataclass(frozen=True, slots=True, order=True)
class Located:
    """A finding and the file, line and column it is about."""

    file: Path
    position: Position
    finding: Finding
    elsewhere: bool = False
    """The value judged is not the one in the file (`--config`, a secret, another `--config-file`): only its key path
    says where it is."""

    def __str__(self) -> str:
        """``stacks/Pulumi.p5-odcr.yaml:14:9``, or the key path of a value that does not stand in the file."""
        if self.elsewhere:
            where = self.finding.where
            path = where if where.startswith(POLICIES_KEY) else ".".join(filter(None, (CLUSTER_KEY, where)))
            return f"{path} (not the value in {self.file})"
        return f"{self.file}:{self.position.line}:{self.position.column}"


def placed(document: Document, given: Any, finding: Finding, path: Path_, root: Path_ = CLUSTER_PATH) -> Located:
    """A finding about a path of the description, in the file if the file says there what was judged.

    Args:
        document: the stack's file.
        given: what was judged.
        finding: about it.
        path: below the root.
        root: where the file has what was judged.
    """
    while path and value_at(given, path) is None:
        path = path[:-1]
    located = located_at(document, root + path, finding)
    same = value_at(document.data, root + path) == value_at(given, path)
    return located if same else replace(located, elsewhere=True)


def located_at(document: Document, path: Path_, finding: Finding) -> Located:
    """An unknown key, and one without a value, is shown at the key; everything else at the value."""
    at_key = finding.got.startswith("unknown key") or finding.got.endswith("has no value")
    position = document.position(path, key=at_key)
    return Located(document.file, position or Position(1, 1), finding)


def value_at(data: Any, path: Path_) -> Any:
    """The value at a path; None where there is none."""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def a_fault(where: str, got: str, remedy: str) -> Finding:
    """A fault of the form of a stack's files."""
    return Finding(where, SHAPE, Level.MANDATORY, got, remedy)
