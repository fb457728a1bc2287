"""The sheets of add-ons, `addons/catalogue/NAME.toml`: what an add-on is and its pinned version, in one file each.

`addons/sheet.py` states their keys. They are read here, below the description, which has a key for each add-on.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import muster

SHEETS: Mapping[str, Mapping[str, Any]] = {
    file.stem.replace("_", "-"): tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted(Path(muster.__path__[0], "addons", "catalogue").glob("*.toml"))
}
"""Name of an add-on, and `of-eks`, the pods that EKS runs -> its sheet."""


class Pin(NamedTuple):
    """A pinned add-on."""

    version: str
    """Of its chart, manifest or EKS add-on; empty where the description sets one."""
    kubernetes: tuple[str, str | None]
    """The first and the last minor version that its project names; None where it names no last one."""
    images: tuple[str, ...]
    """All that it runs, with their tags, and their digests where the project publishes them; of an EKS add-on none: EKS
    takes them from its own registries in the Region."""


def _pin(sheet: Mapping[str, Any]) -> Pin:
    first, last = (*sheet["kubernetes"], None)[:2]
    return Pin(sheet.get("version", ""), (first, last), tuple(sheet.get("images", ())))


_LISTED = sorted((sheet["place"], name) for name, sheet in SHEETS.items() if "place" in sheet)
ADDONS: Mapping[str, Pin] = {name: _pin(SHEETS[name]) for _, name in _LISTED}
"""Kubernetes add-on -> what is installed of it, in the order of lists."""


def by_pulumi(name: str) -> str | None:
    """Why Pulumi installs an add-on whatever else the cluster has; None where a GitOps controller can."""
    return "EKS installs it" if "eks" in SHEETS[name] else SHEETS[name].get("by-pulumi")
