"""Writes Kubernetes manifests of jobs as YAML. Separate from reading them, so that `muster check` loads no PyYAML."""

import re
from typing import Any

import yaml

from muster.terminal import RUNNER_COMMAND, visible


class PlainDumper(yaml.SafeDumper):
    """Writes repeated values twice, without an alias, and text that readers of YAML 1.1 and 1.2 read as text."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002  (PyYAML's signature)
        """True."""
        return True


def _text(dumper: PlainDumper, text: str) -> yaml.Node:
    """Writes a script line by line; but in quotes if a line of it were a command of a CI runner, which reads logs."""
    lines = text.split("\n")
    commands = RUNNER_COMMAND.search(text) or any(line.lstrip().startswith("::") for line in lines)
    style = '"' if commands else "|" if len(lines) > 1 else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


PlainDumper.add_representer(str, _text)
# YAML 1.2 reads these as numbers and PyYAML, which is for 1.1, does not: it would write such a text without quotes.
PlainDumper.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?(?:(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0[oO][0-7]+)\Z"),  # pattern: only at the start
    [*"+-.0123456789"],
)


def to_yaml(manifest: dict[str, Any], header: tuple[str, ...] = ()) -> str:
    """The manifest with a comment above it; keys keep their order."""
    comment = "".join(f"# {visible(line)}\n" for line in header)
    # Wide, so that a library path stays one line that can be searched for.
    return comment + dump(manifest, 4096)


def dump(data: dict[str, Any], width: int, *, flow: bool | None = False) -> str:
    """Plain data as YAML. Text with a command of a CI runner is in double quotes, which can have escapes."""
    made = yaml.dump(data, Dumper=PlainDumper, sort_keys=False, default_flow_style=flow, width=width)
    return RUNNER_COMMAND.sub(r"\\x23", made)
