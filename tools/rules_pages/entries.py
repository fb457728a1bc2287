"""Additional examples in the format of the corpus, for rules that the corpus does not show well: no entry breaks the
rule with a description, or none changes a resource that the rule evaluates, so that there is no passing example.

An entry can contain the messages of AWS's package, under `aws`, so that the pages do not depend on the package. A test
compares the messages with the package.
"""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from muster.authority.validation import REPORT_REF
from muster.fleet.resources import AuthorityReport, Place, ValidatorMessage
from tests.corpus import BROKEN, Entry, entry

FOLDER = Path(__file__).parent / "entries"


@cache
def own_entry(rule: str) -> Entry | None:
    """The entry of a rule."""
    said = _read(rule)
    if said is None:
        return None
    return entry(yaml.safe_dump({key: value for key, value in said.items() if key != "aws"}), rule, BROKEN)


def answers(rule: str) -> tuple[AuthorityReport, AuthorityReport] | None:
    """The messages of AWS's package for the stack (none) and for the entry. None if the rule does not use them."""
    said = (_read(rule) or {}).get("aws")
    if said is None:
        return None
    return AuthorityReport(REPORT_REF, Place("")), AuthorityReport(
        REPORT_REF, Place(""), tuple(ValidatorMessage(**each) for each in said)
    )


@cache
def _read(rule: str) -> dict[str, Any] | None:
    file = FOLDER / f"{rule}.yaml"
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.is_file() else None
