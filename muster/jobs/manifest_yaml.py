"""Writes Kubernetes manifests of jobs as YAML. Separate from reading them, so that `muster check` loads no PyYAML."""

from typing import Any

import yaml


class _Plain(yaml.SafeDumper):
    """Writes no anchors and aliases: repeated values are written twice."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002  (PyYAML's signature)
        return True


def _text(dumper: _Plain, text: str) -> yaml.Node:
    """Writes a script line by line; but in quotes if a line of it were a command of a CI runner, which reads logs."""
    lines = text.split("\n")
    style = '"' if any(line.lstrip().startswith("::") for line in lines) else "|" if len(lines) > 1 else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Plain.add_representer(str, _text)


def to_yaml(manifest: dict[str, Any], header: tuple[str, ...] = ()) -> str:
    """The manifest with a comment above it; keys keep their order."""
    comment = "".join(f"# {line}\n" for line in header)
    # Wide, so that a library path stays one line that can be searched for.
    return comment + yaml.dump(manifest, Dumper=_Plain, sort_keys=False, default_flow_style=False, width=4096)
