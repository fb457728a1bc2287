"""Examples beside the corpus, in its form: of rules that no entry there breaks by what a description says, or none by
a change of what the rule is about, so that its page would show as passing what has nothing of it.

An entry may say, under `aws`, what AWS's package answers: pages are the same where it is not installed. A test asks it.
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
    """AWS's package's answer to the stack, which is empty, and to the entry. None where it is not used."""
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
