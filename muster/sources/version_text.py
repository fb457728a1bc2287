"""Versions in YAML, which reads one without quotes as a number."""

import re
from typing import Any

from muster.unknown import UNKNOWN


def text_of_version(value: Any) -> Any:
    """A version as text: the number 1.31 is certain, and 1.3 may be 1.30, so it is `UNKNOWN`."""
    if isinstance(value, bool | int) or not isinstance(value, float):
        return UNKNOWN if isinstance(value, bool | int) else value
    return str(value) if re.fullmatch(r"\d+\.\d{2,}", str(value)) else UNKNOWN
