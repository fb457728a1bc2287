"""Instance types without accelerators that are not catalogued: what their names tell (EC2 guide, "naming rules")."""

import re

_PLAIN = re.compile(r"[tmcr]\d+(?P<attributes>[a-z]*)(-flex)?\.(nano|micro|small|medium|(\d+x|x)?large|metal(-\d+xl)?)")


def attributes_of(instance: str) -> str | None:
    """The letters behind the generation (``g`` Graviton, ``d`` disks), None where it is no such type."""
    match = _PLAIN.fullmatch(instance)
    return match["attributes"] if match else None
