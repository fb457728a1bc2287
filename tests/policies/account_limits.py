"""What AWS says of an account, with defaults: a case shows only what matters."""

from typing import Any

SEEN: dict[str, Any] = {"permissions": {"ec2:RunInstances": True}}
"""It may."""
YESTERDAY = {"observed": "2026-11-20T10:00:00Z"}
"""When a preflight asked: what it was not told is not evaluated."""
