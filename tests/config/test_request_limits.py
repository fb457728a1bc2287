"""Texts that are sent to AWS are judged by the limits of AWS's own models, and every text is sent or said not to be."""

import re
import sys
import unicodedata
from collections.abc import Mapping
from typing import Any

import pytest

from muster import backends
from muster.config.request_limits import SEPARATORS, limits, text_fields
from tests.description_faults import findings
from tests.factories import a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.parallelcluster import a_slurm_document
from tests.factories.pcs import a_pcs_document
from tools.ec2_types import as_csv
from tools.request_limits import TABLE, limit_rows

W = "groups.workers"
PREFIX_OF_58 = "x" * 54 + ".com"
"""With `/team` 63 characters."""


def test_the_table_is_made_of_botocores_models() -> None:
    """After an upgrade of botocore, `python -m tools.request_limits` renews it."""
    assert TABLE.read_text(encoding="utf-8") == as_csv(limit_rows())


def test_letters_digits_and_separators_are_those_of_unicode() -> None:
    r"""Python's `\w`, and the characters beside it, are what AWS's `\p{L}\p{Z}\p{N}_` is."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    meant = {each for each in every if unicodedata.category(each)[0] in "LZN"} | {"_"}
    assert set(re.findall(rf"[\w{SEPARATORS}]", every)) == meant


def test_every_member_has_a_row_and_every_pattern_compiles() -> None:
    for record in backends.RECORDS.values():
        for field in text_fields(record.description.load(), record.name):
            for member in field.members:
                re.compile(limits()[member].pattern)


def label(key: str = "team", value: str = "research") -> dict[str, Any]:
    return {f"{W}.labels": {key: value}}


SELF_MANAGED = {f"{W}.self-managed": True}
TAKEN: Mapping[str, tuple[Any, ...]] = {
    "eks": (
        label(f"{PREFIX_OF_58}/team"),
        label(value="x" * 63),
        {**SELF_MANAGED, **label(f"x{PREFIX_OF_58}/team")},
        {**SELF_MANAGED, **label(f"{'x' * 73}.com/team")},
        {**SELF_MANAGED, **label(value="")},
        {**SELF_MANAGED, f"{W}.taints": {f"x{PREFIX_OF_58}/team": "NoSchedule"}},
        {"tags": {"équipe": "研究 1_.:/=+-@", "empty": "", "k" * 128: "v" * 256}},
        {"network.existing.private.us-west-2a": "subnet-fill-me-in-private-a"},
    ),
    "hyperpod": (
        label(f"{'x' * 249}.com/team"),
        {"tags": {"empty": ""}},
        {f"{W}.hyperpod.image": {"id": "ami-fill-me-in"}},
    ),
    "parallelcluster": ({"tags": {"équipe": "研究"}},),
    "pcs": ({"tags": {"équipe": "研究"}}, {"name": f"M{'-' * 39}"}, {"image": "ami-fill-me-in"}),
}
"""At the limits, and beyond those of a service that does not get the text."""
DOCUMENTS = {
    "eks": a_document,
    "hyperpod": a_hyperpod_document,
    "parallelcluster": a_slurm_document,
    "pcs": a_pcs_document,
}


@pytest.mark.parametrize(("name", "edits"), [(name, edits) for name, every in TAKEN.items() for edits in every])
def test_what_aws_takes_has_no_fault(name: str, edits: dict[str, Any]) -> None:
    assert findings(DOCUMENTS[name](edits)) == []
