"""Values in what the engine saves, as plain data: what is encrypted or not yet known is `UNKNOWN`."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.json_text import NotJson, load
from muster.fleet.unknown import SECRET_WORD, UNKNOWN, UNKNOWN_WORD
from muster.wire import RESOURCE, SECRET, SIGNATURE, UNKNOWN_ON_THE_WIRE

_OF_THE_ENGINE = frozenset({"__defaults", "__internal", "__pulumi_raw_state_delta", "__meta"})
"""Keys that providers keep notes under."""
_WORDS = frozenset({SECRET_WORD, UNKNOWN_WORD})
"""What stands for a value that is not shown: in `pulumi preview --json`, and in `muster plan --json`."""


def saved(value: Any) -> Any:
    """A value as it was given."""
    if isinstance(value, str):
        return UNKNOWN if value in UNKNOWN_ON_THE_WIRE or value in _WORDS else value
    if isinstance(value, list):
        return [saved(each) for each in value]
    if isinstance(value, Mapping):
        return _object(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _object(value: Mapping[str, Any]) -> Any:
    signature = value.get(SIGNATURE)
    if signature == SECRET:
        return _opened(value)
    if signature == RESOURCE:
        return value.get("urn", UNKNOWN)
    return {key: saved(each) for key, each in value.items() if key not in _OF_THE_ENGINE}


def _opened(value: Mapping[str, Any]) -> Any:
    """A secret: as it stands where it was saved with `--show-secrets`."""
    if "plaintext" in value:
        try:
            return saved(load(value["plaintext"])) if isinstance(value["plaintext"], str) else UNKNOWN
        except NotJson:
            return UNKNOWN
    return saved(value["value"]) if "value" in value else UNKNOWN
