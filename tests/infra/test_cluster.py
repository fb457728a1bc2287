"""The control plane: what `destroy` does with its logs and with the key of its secrets."""

from typing import Any

import pytest

from tests.infra.registered import registered

LOGS, KEY = "aws:cloudwatch/logGroup:LogGroup", "aws:kms/key:Key"


@pytest.mark.parametrize(
    ("described", "kept"),
    [
        ({}, set()),
        ({"logs": {"on-destroy": "delete"}, "secrets-key-on-destroy": "delete"}, set()),
        ({"logs": {"on-destroy": "keep"}}, {LOGS}),
        ({"secrets-key-on-destroy": "keep"}, {KEY}),
    ],
)
def test_logs_and_the_key_are_protected_where_the_description_says_so(
    described: dict[str, Any], kept: set[str]
) -> None:
    program = registered(described)
    found = {LOGS: program.one(LOGS, "control-plane"), KEY: program.one(KEY, "secrets")}
    assert {type_ for type_, each in found.items() if each.options.get("protect")} == kept
