"""The lifecycle scripts as they go into the bucket."""

from collections.abc import Mapping
from pathlib import Path

from muster.fleet.blueprint import Blueprint, HyperPodGroup
from muster.fleet.hyperpod.bundle import SCRIPTS, SETTINGS, settings
from muster.fleet.resources import Ref

_FOLDER = Path(__file__).parent / "lifecycle_scripts"


def contents(blueprint: Blueprint) -> Mapping[str, str]:
    """Key in the bucket -> text: for each group with Muster's scripts the scripts, and what they are told of it."""
    scripts = {name: (_FOLDER / name).read_text(encoding="utf-8") for name in SCRIPTS}
    return {
        f"{group.name}/{name}": text
        for group in blueprint.instance_groups
        if _has_ours(group)
        for name, text in {**scripts, SETTINGS: settings(group).text}.items()
    }


def _has_ours(group: HyperPodGroup) -> bool:
    lifecycle = group.instance_group.lifecycle
    return lifecycle is not None and isinstance(lifecycle.source, Ref)
