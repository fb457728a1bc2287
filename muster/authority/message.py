"""What AWS's package says."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

SCHEMA = "schema"
"""The validator's name of what the schema itself says."""

Path = tuple[str | int, ...]


class Level(StrEnum):
    """The package's own levels: `create-cluster` stops at ERROR."""

    ERROR = "ERROR"
    WARNING = "WARNING"
    INFO = "INFO"


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that was said of a configuration."""

    validator: str
    """The class that says it, or `SCHEMA`."""
    level: Level
    text: str
    path: Path
    """Where in the configuration: ``("Scheduling", "SlurmQueues", 0, "Name")``; the block around it, where the package
    does not say more."""
    crashed: bool = False
    """Whether the validator failed instead of judging: what it asked for, the stand-in does not have."""

    @classmethod
    def of(cls, said: dict[str, Any]) -> "Message":
        """From the process's words."""
        return cls(
            said["validator"], Level(said["level"]), said["text"], tuple(said["path"]), said.get("crashed", False)
        )

    @property
    def place(self) -> str:
        """``Scheduling.SlurmQueues[0].Name``; "" for the whole configuration."""
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)
        return "".join(steps).removeprefix(".")
